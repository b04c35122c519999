"""What a job's question gives: its facts as clean lines in one order, whatever came in."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from arandu_lab.llm.rules.language import Language, detect
from arandu_lab.pure.steering import commanding
from arandu_lab.pure.text import fold, normal

MAX_TEXT = 240


@dataclass(frozen=True, slots=True)
class Given:
    """One fact as shown: its index, its text without what chat leaves at its end, since when (an ISO date, or empty), how
    often it was said, and whom it is about where each fact says so itself. ``key`` is the text as identity sees it.
    """

    i: int
    text: str
    since: str = ""
    times: int = 1
    subject: str = ""
    key: str = field(default="", compare=False, repr=False)


def facts(inputs: Mapping[str, Any], *, repeated: bool = False) -> list[Given]:
    """The usable facts, oldest first, each text once (the oldest); once a day where it may be ``repeated``.

    >>> facts({"facts": [{"i": 1, "text": "Ana sings.", "since": "2024-02-01"}, {"i": 0, "text": "Ana  SINGS"}, None, {"i": 3}]})
    [Given(i=1, text='Ana sings', since='2024-02-01', times=1, subject='')]
    """
    found: dict[str, Given] = {}
    lines = [line for line in map(_given, items(inputs, "facts")) if line is not None]
    for line in sorted(lines, key=lambda one: (one.since == "", one.since, one.key, one.text, one.i)):
        found.setdefault(f"{line.subject}|{line.key}|{line.since * repeated}", line)
    return list(found.values())


def items(inputs: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The mappings of a list in the inputs; whatever else stands there is left out."""
    value = inputs.get(name)
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list | tuple) else []


def index(item: Mapping[str, Any]) -> int | None:
    """The index of an item, None where it has none."""
    value = item.get("i")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def string(value: Any, limit: int = MAX_TEXT) -> str:
    """One line of text, cut between words."""
    if not isinstance(value, str):
        return ""
    text = " ".join(_CONTROL.sub(" ", value[: limit * 4]).split())
    return text if len(text) <= limit else text[:limit].rpartition(" ")[0] or text[:limit]


def day(value: Any) -> str:
    """The ISO date that a moment begins with, empty where there is none.

    >>> day("2024-03-09T10:00:00-03:00"), day("soon")
    ('2024-03-09', '')
    """
    found = value[:10] if isinstance(value, str) and _DAY.match(value) else ""
    return found if found and moment(found).year > 1 else ""


def moment(since: str) -> datetime:
    """The beginning of an ISO date in UTC; a date before all others where there is none.

    >>> moment("2024-03-09").day, moment("").year, moment("2024-99-99").year
    (9, 1, 1)
    """
    try:
        return datetime.fromisoformat(since).replace(tzinfo=UTC)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)


def tongue(inputs: Mapping[str, Any]) -> Language:
    """The language to write in: Portuguese where it is asked for, else English.

    >>> tongue({"language": "Portuguese"}), tongue({"language": "pt-BR"}), tongue({})
    ('pt', 'pt', 'en')
    """
    wanted = fold(str(inputs.get("language") or ""))
    return "pt" if wanted.startswith(("pt", "portug", "bra")) else "en"


@lru_cache(maxsize=16384)
def language_of(text: str) -> Language:
    """The language that a fact is written in."""
    return detect(text[:MAX_TEXT])


def _given(item: Mapping[str, Any]) -> Given | None:
    i, value = index(item), item.get("text")
    text, key = _cleaned(value[: MAX_TEXT * 4]) if isinstance(value, str) else ("", "")
    if i is None or not key:
        return None
    times = item.get("times")
    often = times if isinstance(times, int) and not isinstance(times, bool) and times > 0 else 1
    return Given(i, text, day(item.get("since")), often, string(item.get("subject"), 80), key)


@lru_cache(maxsize=16384)
def _cleaned(text: str) -> tuple[str, str]:
    """A fact's text as it is told, and its key; both empty where it is of no use."""
    text = _TRAILING.sub("", string(text)).strip(" \t\"'“”").rstrip(".!…;:, ")
    key = normal(text)
    return (text, key) if key and not commanding(text) and _balanced(text) else ("", "")


def _balanced(text: str) -> bool:
    return text.count('"') % 2 == 0 and text.count("(") == text.count(")") and text.count("“") == text.count("”")


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_TRAILING = re.compile(
    r"(?:,? (?:btw|by the way|lol|haha+|k{3,}|rs+|tbh|sorry|do not argue|apparently|anyway|pronto|gente|viu|ne|né|mesmo assim|esquecam|esqueçam|nem briguem|já reservem)"
    r"|, (?:asleep|for some reason|mesmo|poxa|coisa mais linda))+[.!…]*$",
    re.IGNORECASE,
)
