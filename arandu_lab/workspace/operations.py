"""The operations of a workspace as tools: a table of names, arguments and functions, and one way to call them.

A model's bad input never raises: the answer is ``{"error": …}``, and says what would be accepted.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from arandu_lab.errors import BackendError, ConfigError, nearest
from arandu_lab.knowledge import ANY_ROLE, MemoryConflict, MemoryFact
from arandu_lab.memory.arguments import required
from arandu_lab.pure.grants import allows, effective
from arandu_lab.workspace import arguments as taken
from arandu_lab.workspace import results
from arandu_lab.workspace.harvest import MeetingDecision
from arandu_lab.workspace.naming import named, repository, tidy

if TYPE_CHECKING:
    from arandu_lab.workspace.face import Workspace

Answer = Callable[["Toolbox", Any], Awaitable[Any]]


class Operation(NamedTuple):
    """A name, what it takes, and what it does. ``rpc``: for programs, and not shown to a model."""

    name: str
    arguments: type[taken.Arguments]
    answer: Answer
    rpc: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """The operation as a tool of the OpenAI form, which litellm hands to any model that calls tools."""
        parameters = self.arguments.model_json_schema()
        parameters.pop("title", None)
        told = " ".join((parameters.pop("description", "") or "").split())
        for one in parameters.get("properties", {}).values():
            one.pop("title", None)
        return {"type": "function", "function": {"name": self.name, "description": told, "parameters": parameters}}


class Toolbox:
    """The operations in the hands of one agent: who it is, its role and where it works are not the model's to say.

    Args:
        workspace: Where the operations act.
        agent: Who calls.
        role: The role that grants are asked about.
        repo: Where it works: what is known of it comes first in its searches.
        session_id: The session that ``remember`` keeps items for.
        rpc: For a program: grants, the lexical search and the harvest of meetings too. A model's box neither shows them nor
            carries them out.

    Raises:
        ConfigError: a blank name.
    """

    def __init__(
        self,
        workspace: Workspace,
        agent: str,
        *,
        role: str | None = None,
        repo: str | None = None,
        session_id: str = "session",
        rpc: bool = False,
    ) -> None:
        required(agent=agent, session_id=session_id)
        named(role=role)
        self.workspace, self.session_id = workspace, session_id
        self.agent, self.role, self.repo = tidy(agent), tidy(role), repository(repo)
        self.offered = MappingProxyType({name: one for name, one in OPERATIONS.items() if rpc or not one.rpc})

    @property
    def reader(self) -> str:
        """The role that it reads as: its own, or that of all roles where it has none."""
        return ANY_ROLE if self.role is None else self.role

    def tools(self) -> list[dict[str, Any]]:
        """Schemas of the operations that this box carries out, and of no others."""
        return [one.schema for one in self.offered.values()]

    async def call(self, name: str, arguments: Mapping[str, Any] | str | None = None) -> dict[str, Any]:
        """Call an operation by name with arguments (a mapping, or its JSON text); what it says, ready for JSON.

        Bad input, a name that is not on offer, and failing backends are told as ``{"error": …, "kind": …}``.
        """
        try:
            operation, given = self._understood(name, arguments)
            done = await operation.answer(self, given)
        except (ConfigError, BackendError) as error:
            return {"error": str(error), "kind": type(error).__name__}
        shown, hidden = self._readable(done)
        told = plain(shown)
        answer = told if isinstance(told, dict) else {"result": told}
        idle = (
            {"idle": True} if getattr(done, "idle", False) else {}
        )  # of what was done, not of what the role may see of it
        return {**answer, **idle, **({"hidden": hidden} if hidden else {})}

    def _readable(self, value: Any) -> tuple[Any, int]:
        """A result without the rows in its lists that the role may not read, whatever the operation; and how many those are.

        What an agent wrote itself it is told, grants or none.
        """
        sheet = self.workspace.sheet()
        held = sheet.held

        def walked(one: Any) -> tuple[Any, int]:
            if isinstance(one, tuple | list):
                shown = [walked(each) for each in one if not closed(each)]
                return tuple(each for each, _ in shown), len(one) - len(shown) + sum(count for _, count in shown)
            if isinstance(one, Mapping):
                parts = {name: walked(each) for name, each in one.items()}
                return {name: each for name, (each, _) in parts.items()}, sum(count for _, count in parts.values())
            if type(one).__module__ == results.__name__:
                parts = {each.name: walked(getattr(one, each.name)) for each in fields(one)}
                return replace(one, **{name: each for name, (each, _) in parts.items()}), sum(
                    count for _, count in parts.values()
                )
            return one, 0

        def closed(one: Any) -> bool:
            if isinstance(one, tuple):
                return any(map(closed, one))
            row = next((getattr(one, name) for name in ("fact", "kept") if hasattr(one, name)), one)
            if not isinstance(row, MemoryFact | MemoryConflict):
                return False
            return not allows(effective(held, self.role, row.domain_key), "search_memory")

        return walked(value)

    def _understood(self, name: object, arguments: object) -> tuple[Operation, taken.Arguments]:
        if not isinstance(name, str) or name not in self.offered:
            program = isinstance(name, str) and name in OPERATIONS
            hint = " is for programs, and this toolbox is a model's" if program else ""
            raise ConfigError(f"operation {str(name)[:200]!r}{hint}; {nearest(name, self.offered)}")
        operation = self.offered[name]
        if isinstance(arguments, str):
            try:
                arguments = json.loads(arguments or "{}")
            except (ValueError, RecursionError) as error:
                raise ConfigError(f"{name}: its arguments are no JSON: {str(error)[:200]}") from error
        given = {} if arguments is None else arguments
        if not isinstance(given, Mapping):
            raise ConfigError(f"{name}: its arguments want an object, not {type(given).__name__}")
        known = operation.arguments.model_fields
        for one in given:
            if one not in known:
                raise ConfigError(f"{name} takes no {one!r}; {nearest(one, known) if known else 'it takes nothing'}")
        try:
            return operation, operation.arguments.model_validate(dict(given))
        except ValidationError as wrong:
            faults = (f"{'.'.join(map(str, one['loc'])) or name}: {one['msg']}" for one in wrong.errors())
            raise ConfigError(f"{name}: {'; '.join(faults)}") from wrong


def failed(told: Mapping[str, Any]) -> bool:
    """Whether what a call told is an error.

    >>> failed({"error": "a blank query", "kind": "ConfigError"}), failed({"facts": []})
    (True, False)
    """
    return set(told) == {"error", "kind"}


def plain(value: Any) -> Any:
    """A result as JSON takes it: no vectors, no workspace id, times in ISO, empty fields left out.

    >>> from datetime import UTC
    >>> plain({"at": datetime(2025, 1, 2, tzinfo=UTC), "of": ("a", None)})
    {'at': '2025-01-02T00:00:00+00:00', 'of': ['a', None]}
    """
    if is_dataclass(value) and not isinstance(value, type):
        told = {one.name: plain(getattr(value, one.name)) for one in fields(value) if one.name not in _HIDDEN}
        return {name: held for name, held in told.items() if held is not None and held != [] and held != {}}
    if isinstance(value, Mapping):
        return {str(name): plain(held) for name, held in value.items()}
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return value.isoformat() if isinstance(value, datetime) else value


_HIDDEN = ("vector", "agent_id")


async def _propose_fact(box: Toolbox, given: taken.ProposeFact) -> Any:
    return await box.workspace.propose_fact(**given.model_dump(), agent=box.agent, role=box.role)


async def _supersede_fact(box: Toolbox, given: taken.SupersedeFact) -> Any:
    return await box.workspace.supersede_fact(**given.model_dump(), agent=box.agent, role=box.role)


async def _propose_policy(box: Toolbox, given: taken.ProposePolicy) -> Any:
    return await box.workspace.propose_policy(**given.model_dump(), agent=box.agent, role=box.role)


async def _supersede_policy(box: Toolbox, given: taken.SupersedePolicy) -> Any:
    return await box.workspace.supersede_policy(**given.model_dump(), agent=box.agent, role=box.role)


async def _search_memory(box: Toolbox, given: taken.SearchMemory) -> Any:
    found = await box.workspace.search_memory(
        given.query,
        mode=given.mode,
        repo=box.repo if given.repo is None else given.repo,
        agent=box.agent,
        role=box.role,
        k=given.limit,
    )
    facts = [
        {
            "id": hit.fact.id,
            "domain": hit.fact.domain_key,
            "topic": hit.fact.topic,
            "content": hit.fact.content,
            "confidence": round(hit.fact.confidence, 4),
            "veracity": hit.fact.veracity,
            "said_at": hit.fact.last_mentioned_at or hit.fact.valid_from,
            "score": round(hit.score, 6),
            "disputed_by": hit.disputed_by,
            "set_apart": hit.set_apart,
            "sources": [one.text for one in hit.sources],
        }
        for hit in found.hits
    ]
    return {"facts": facts, "intent": found.intent, "silent": found.silent, "unembedded": found.unembedded}


async def _remember(box: Toolbox, given: taken.Remember) -> Any:
    return await box.workspace.remember(**given.model_dump(), agent=box.agent, session_id=box.session_id)


async def _record_observation(box: Toolbox, given: taken.RecordObservation) -> Any:
    return await box.workspace.record_observation(**given.model_dump(), agent=box.agent, session_id=box.session_id)


async def _update_my_notes(box: Toolbox, given: taken.UpdateMyNotes) -> Any:
    return await box.workspace.update_my_notes(given.text, agent=box.agent)


async def _consolidate(box: Toolbox, given: taken.ConsolidateMemory) -> Any:
    return await box.workspace.consolidate_memory(**given.model_dump(), agent=box.agent, role=box.role)


async def _harmonize(box: Toolbox, given: taken.HarmonizeMemory) -> Any:
    return await box.workspace.harmonize_memory(**given.model_dump(), agent=box.agent)


async def _conflicts(box: Toolbox, given: taken.ListMemoryConflicts) -> Any:
    return {"conflicts": box.workspace.list_memory_conflicts(**given.model_dump(), role=box.reader)}


async def _fact_search(box: Toolbox, given: taken.FactSearch) -> Any:
    return {"facts": box.workspace.memory_fact_search(**given.model_dump(), role=box.reader)}


async def _grant(box: Toolbox, given: taken.Grant) -> Any:
    return await box.workspace.grant_access(**given.model_dump(), by=box.agent)


async def _revoke(box: Toolbox, given: taken.Revoke) -> Any:
    return await box.workspace.revoke_access(**given.model_dump(), by=box.agent)


async def _grants(box: Toolbox, given: taken.ListGrants) -> Any:
    return {"grants": box.workspace.list_access_grants(**given.model_dump())}


async def _harvest(box: Toolbox, given: taken.HarvestMeeting) -> Any:
    told = given.model_dump(exclude={"decisions"})
    made = [one if isinstance(one, str) else MeetingDecision(**one.model_dump()) for one in given.decisions]
    return await box.workspace.harvest_meeting(decisions=made, **told, agent=box.agent, role=box.role)


OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {
        one.name: one
        for one in (
            Operation("propose_fact", taken.ProposeFact, _propose_fact),
            Operation("supersede_fact", taken.SupersedeFact, _supersede_fact),
            Operation("propose_policy", taken.ProposePolicy, _propose_policy),
            Operation("supersede_policy", taken.SupersedePolicy, _supersede_policy),
            Operation("search_memory", taken.SearchMemory, _search_memory),
            Operation("remember", taken.Remember, _remember),
            Operation("record_observation", taken.RecordObservation, _record_observation),
            Operation("update_my_notes", taken.UpdateMyNotes, _update_my_notes),
            Operation("consolidate_memory", taken.ConsolidateMemory, _consolidate),
            Operation("harmonize_memory", taken.HarmonizeMemory, _harmonize),
            Operation("list_memory_conflicts", taken.ListMemoryConflicts, _conflicts),
            Operation("memory_fact.search", taken.FactSearch, _fact_search, rpc=True),
            Operation("memory_access_grant.grant", taken.Grant, _grant, rpc=True),
            Operation("memory_access_grant.revoke", taken.Revoke, _revoke, rpc=True),
            Operation("memory_access_grant.list", taken.ListGrants, _grants, rpc=True),
            Operation("meeting.harvest", taken.HarvestMeeting, _harvest, rpc=True),
        )
    }
)
"""Every operation by name. Those with a dot are for programs: tools of models have no dot in their names."""
