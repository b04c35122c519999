"""A speaker's name that is too long to stand in a sentence: read and written short, given back whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

MAX_NAME = 300
"""Characters of a name within the text of a fact."""

MAX_SAID = 4000
"""Characters of a name that an answer may hold (``tasks.Said``); a longer one's bearer is called *speaker*."""

Answerer = Callable[[Mapping[str, Any]], dict[str, Any]]


def short(name: str) -> str:
    """The name as facts say it: its first words.

    >>> short("Ana Souza"), len(short("Rafa " * 2000)), len(short("R" * 10_000))
    ('Ana Souza', 299, 300)
    """
    name = name.strip()
    if len(name) <= MAX_NAME:
        return name
    cut = name[: MAX_NAME + 1]
    return (cut.rpartition(" ")[0] or cut[:MAX_NAME]).strip()


def by_name(task: Answerer) -> Answerer:
    """The task with the speaker's name short inside and whole in what it answers: subjects, names, relations."""

    @wraps(task)
    def answered(inputs: Mapping[str, Any]) -> dict[str, Any]:
        whole = str(inputs.get("speaker") or "").strip()
        name = short(whole)
        if name == whole:
            return task(inputs)
        called = whole if len(whole) <= MAX_SAID else "speaker"
        found = task({**inputs, "speaker": name})
        for key, fields in (("entities", ("name",)), ("facts", ("subject",)), ("relations", ("source", "target"))):
            for item in found.get(key, ()):
                for field in fields:
                    item[field] = called if item[field] == name else item[field]
        profiles = found.get("updated_profiles")
        if profiles and name in profiles:
            profiles[called] = profiles.pop(name)
        return found

    return answered
