"""The offline model: a deterministic rule system that answers the tasks of ``arandu_lab.llm.tasks`` and
``job_tasks`` in English and Portuguese.

``answer`` is the whole interface. Every task is a pure function of its inputs; nothing is read but tables in this
package, nothing is remembered between calls but caches. What it cannot parse it leaves out: it never invents.
"""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["TASKS", "answer"]

Answerer = Callable[[Mapping[str, Any]], dict[str, Any]]
TASKS = (
    *("extract", "entities", "facts", "relations", "resolve", "reconcile", "judge", "answer", "verdict"),
    *("cluster", "theme", "consolidate", "emotions", "distil", "summary", "profile", "premises", "overview"),
)


def answer(task: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """The answer to a task, in the task's schema; an unknown task gets an empty answer.

    >>> answer("judge", {"query": "Where does Ana live?", "facts": [{"i": 0, "text": "Ana lives in Recife"}]})["grades"][0]["grade"] > 0.8
    True
    """
    found = _answerer(task)
    return found(_composed(inputs)) if found else {}


def _composed(value: Any) -> Any:
    """The inputs with every letter and its accents as one character (NFC = NFD)."""
    if isinstance(value, str):
        return value if value.isascii() else unicodedata.normalize("NFC", value)
    if isinstance(value, Mapping):
        return {key: _composed(item) for key, item in value.items()}
    return [_composed(item) for item in value] if isinstance(value, list | tuple) else value


def _answerer(task: str) -> Answerer | None:
    """The function for a task; modules are imported when first asked for."""
    if task in ("extract", "entities", "facts", "relations"):
        from arandu_lab.llm.rules import extraction

        return {
            "extract": extraction.extract,
            "entities": extraction.entities_only,
            "facts": extraction.facts_only,
            "relations": extraction.relations_only,
        }[task]
    if task == "resolve":
        from arandu_lab.llm.rules.resolve import resolve

        return resolve
    if task == "reconcile":
        from arandu_lab.llm.rules.verdict import reconcile

        return reconcile
    if task == "judge":
        from arandu_lab.llm.rules.relevance import judge

        return judge
    if task in ("answer", "verdict"):
        from arandu_lab.llm.rules import answering

        return answering.answer if task == "answer" else answering.verdict
    return _job_answerer(task)


def _job_answerer(task: str) -> Answerer | None:
    """The function for a background job's question (``arandu_lab.llm.job_tasks``)."""
    if task in ("cluster", "theme", "overview"):
        from arandu_lab.llm.rules.jobs import groups

        return {"cluster": groups.cluster, "theme": groups.theme, "overview": groups.overview}[task]
    if task in ("summary", "profile"):
        from arandu_lab.llm.rules.jobs import portraits

        return portraits.summary if task == "summary" else portraits.profile
    if task in ("premises", "emotions"):
        from arandu_lab.llm.rules.jobs import resting

        return resting.premises if task == "premises" else resting.emotions
    if task == "consolidate":
        from arandu_lab.llm.rules.jobs.observing import consolidate

        return consolidate
    if task == "distil":
        from arandu_lab.llm.rules.jobs.distilling import distil

        return distil
    return None
