"""A model that repeats whatever a job shows it, in every text it may write: the worst case for forgetting."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from arandu_lab.llm.scripted import Scripted, read_block


def echo(delay: float = 0.0) -> Scripted:
    """Answers to all questions of jobs; ``delay`` seconds each."""

    def answered(make: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Any], dict[str, Any]]:
        def answer(messages: Any) -> dict[str, Any]:
            time.sleep(delay)
            return make(read_block(messages)[1])

        return answer

    return Scripted(by_task={task: answered(make) for task, make in _ANSWERS.items()})


def _told(inputs: dict[str, Any], key: str = "facts", text: str = "text") -> str:
    return ". ".join(str(one[text]) for one in inputs.get(key, ())) or "nothing"


def _observed(inputs: dict[str, Any]) -> dict[str, Any]:
    """One conclusion from all facts and one from all events."""
    facts, events = ([one["i"] for one in inputs[key]] for key in ("facts", "events"))
    return {
        "observations": [
            {"kind": "insight", "text": f"So: {_told(inputs)}", "confidence": 0.8, "facts": facts},
            {"kind": "pattern", "text": f"Said: {_told(inputs, 'events')}", "confidence": 0.7, "events": events},
        ]
    }


def _distilled(inputs: dict[str, Any]) -> dict[str, Any]:
    shown = inputs["facts"]
    text = f"{inputs['name']} in general: {_told(inputs)}"
    return {"facts": [{"text": text, "premises": [one["i"] for one in shown], "confidence": 0.8}]}


_ANSWERS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "cluster": lambda inputs: {"label": _told(inputs)[:60], "summary": _told(inputs)},
    "theme": lambda inputs: {"label": "theme", "summary": _told(inputs, "clusters", "summary")},
    "consolidate": _observed,
    "emotions": lambda inputs: {
        "emotions": [{"i": one["i"], "label": "joy", "intensity": 0.5} for one in inputs["events"]]
    },
    "distil": _distilled,
    "premises": lambda inputs: {"rests": [{"i": 1, "on": [0]}]},
    "summary": lambda inputs: {"summary": _told(inputs)},
    "profile": lambda inputs: {"profile": _told(inputs)},
    "overview": lambda inputs: {"overview": _told(inputs, "entities", "summary")},
}
