"""The ways a model fails, on demand: ``fail("timeout")``, ``fail("truncated", {...})``."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from arandu_lab.errors import BackendError, ConfigError, nearest
from arandu_lab.llm.backend import Completion, ThrottledError, estimate

FaultKind = Literal[
    "timeout",
    "hang",
    "rate_limit",
    "unavailable",
    "refused",
    "filtered",
    "empty",
    "malformed",
    "truncated",
    "wrong_type",
    "invalid_label",
    "invented_index",
    "surrogate",
]

_FIELD = {
    "extract": "facts",
    "entities": "entities",
    "facts": "facts",
    "relations": "relations",
    "resolve": "choices",
    "reconcile": "verdicts",
    "judge": "grades",
}
_NOWHERE = 999


@dataclass(frozen=True, slots=True)
class Fault:
    """One failure; build it with ``fail``."""

    kind: FaultKind
    base: Mapping[str, Any] | None = None
    retry_after: float | None = None

    async def answer(self, task: str, inputs: Mapping[str, Any], backend: str) -> Any:
        """What the failing model sends for a task.

        Raises:
            BackendError: the failure is one of the connection, not of the text.
        """
        words = f"{task}: scripted"
        match self.kind:
            case "hang":
                await asyncio.Event().wait()
                return None
            case "rate_limit" | "unavailable":
                raise ThrottledError(words, kind=self.kind, backend=backend, retry_after=self.retry_after)
            case "timeout" | "refused":
                raise BackendError(words, kind=self.kind, backend=backend)
            case "filtered":
                return Completion("I can't help with that.", estimate(str(inputs)), 7, "", finish="refused")
            case "empty":
                return ""
            case "malformed":
                return "Sorry, I could not find anything of the kind."
            case "truncated":
                whole = json.dumps(self.base or _one(task, inputs), ensure_ascii=False)
                return whole[: max(2, len(whole) * 3 // 4)]
            case "wrong_type":
                return {**(self.base or {}), _FIELD.get(task, "facts"): "n/a"}
            case "invalid_label":
                wrong = {"action": "MERGE", "type": None, "grade": "high"}
                return _spoiled(task, self.base or _one(task, inputs), wrong)
            case "invented_index":
                return _spoiled(task, self.base or _one(task, inputs), _invented(task))
            case "surrogate":
                return json.dumps(_marked(self.base or _one(task, inputs)))


def fail(kind: FaultKind, base: Mapping[str, Any] | None = None, *, retry_after: float | None = None) -> Fault:
    """A failure for a script; ``base`` is the right answer that is spoiled (a small one is made up when None).

    ``timeout`` fails at once with that kind, ``hang`` never answers; ``filtered`` is a refusal that was paid for.

    >>> fail("rate_limit", retry_after=2.0).kind
    'rate_limit'
    """
    if kind not in get_args(FaultKind):
        raise ConfigError(f"fault {kind!r}; {nearest(kind, get_args(FaultKind))}")
    return Fault(kind, base, retry_after)


def _one(task: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """A small right answer to a task about its own inputs."""
    name = str(inputs.get("speaker") or "Someone")
    entity = {"name": name, "type": "person", "aliases": []}
    fact = {"subject": name, "text": f"{name} said something here", "action": "NEW"}
    relation = {"source": name, "type": "knows", "target": "Somebody else"}
    match task:
        case "resolve":
            return {"choices": [{"i": part["i"], "candidate": None} for part in inputs.get("mentions", [])]}
        case "reconcile":
            items = inputs.get("items", [])
            return {"verdicts": [{"i": part["i"], "action": "ADD", "known": None} for part in items]}
        case "judge":
            return {"grades": [{"i": part["i"], "grade": 0.5} for part in inputs.get("facts", [])]}
        case "entities":
            return {"entities": [entity]}
        case "relations":
            return {"relations": [relation]}
        case "facts":
            return {"facts": [fact]}
    return {"entities": [entity], "facts": [fact], "relations": [relation], "updated_profiles": {}, "emotion": None}


def _spoiled(task: str, base: Mapping[str, Any], wrong: Mapping[str, Any]) -> dict[str, Any]:
    """The answer with wrong values in every item of the task's list that has such fields."""
    name = _FIELD.get(task, "facts")
    items = [{**item, **{key: value for key, value in wrong.items() if key in item}} for item in base.get(name, [])]
    if task in {"extract", "facts"} and "known" in wrong:
        items = [{**item, "action": "UPDATE", "known": _NOWHERE} for item in items]
    if task == "reconcile" and "known" in wrong:
        items = [{**item, "action": "UPDATE"} for item in items]
    return {**base, name: items}


def _invented(task: str) -> dict[str, Any]:
    return {"i": _NOWHERE} if task == "judge" else {"known": _NOWHERE, "candidate": _NOWHERE}


def _marked(part: Any) -> Any:
    """The answer with half an emoji at the end of every sentence of it."""
    if isinstance(part, Mapping):
        return {key: _marked(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_marked(value) for value in part]
    return part + "\ud83d" if isinstance(part, str) and " " in part else part
