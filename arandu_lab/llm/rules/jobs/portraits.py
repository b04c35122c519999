"""An entity in its facts' own words: the summary in at most three sentences, the profile in all its aspects."""

# ruff: noqa: E501  (examples read better on long lines)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arandu_lab.llm.rules.jobs.given import facts, string, tongue
from arandu_lab.llm.rules.jobs.predicates import Said
from arandu_lab.llm.rules.jobs.telling import called_by, holding, in_order, sentences, shown
from arandu_lab.llm.rules.language import Language

SUMMARY_SENTENCES = 3
PROFILE_LENGTH = 1200
_ENOUGH = 0.55
"""What a fact must tell (``Said.telling``) to stand in a profile; in a summary only where firm facts leave room."""

_LASTING = frozenset("diet dislikes habit hobby health".split())
"""What somebody does not do, or no longer, marks them; a home or an employer of before does not."""

_PARTS = (("role", "study", "home", "age"), ("family", "people", "health"), ("tastes", "pastimes", "pets"))
_MORE = ("things", "plans")
_SECTIONS = (
    *(("role", "study", "home", "age"), ("family", "people"), ("health",), ("tastes",), ("pastimes",)),
    *(("pets", "things"), ("plans",)),
)


def summary(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the ``summary`` task.

    >>> summary({"name": "Ana", "facts": [{"i": 0, "text": "Ana lives in Recife"}, {"i": 1, "text": "Ana is a nurse."}]})
    {'summary': 'Ana is a nurse and lives in Recife.'}
    """
    name = string(inputs.get("name"), 80)
    return {"summary": " ".join(told(holding(facts(inputs), name), name, tongue(inputs))) or None}


def told(lines: Sequence[Said], name: str, language: Language) -> list[str]:
    """At most three sentences: who it is, with whom and in what state, and what else marks it."""
    called = called_by(lines, name)
    firm = [said for said in lines if said.firm and shown(said, called, name) == called]
    firm = [said for said in firm if not said.against or said.attribute in _LASTING]
    taken = {id(said) for said in firm}
    rest = sorted(
        (said for said in lines if id(said) not in taken),
        key=lambda said: (-round(said.telling, 2), said.given.since, said.given.text),
    )
    out: list[str] = []
    for part in _PARTS:
        chosen = _spread(
            [said for said in in_order(firm) if said.aspect in part and said.attribute != "birthday"], part
        )
        if part is _PARTS[-1] and len(chosen) < 3:
            chosen += _spread([said for said in in_order(firm) if said.aspect in _MORE], _MORE, most=2)
        out += sentences(chosen, name, language, called=called, joined=6)[: 1 if len(firm) > 3 else 2]
    out = out[:SUMMARY_SENTENCES]
    room = SUMMARY_SENTENCES - len(out)
    if room and len(firm) < 6:
        good = [said for said in rest if said.telling >= _ENOUGH] or ([] if out else rest[:2])
        out += sentences(in_order(good[: 2 * room]), name, language, called=called, joined=2)[:room]
    return out


def profile(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the ``profile`` task; without facts the profile so far stands.

    >>> profile({"name": "Ana", "facts": [{"i": 0, "text": "Ana é médica"}, {"i": 1, "text": "Ana tem alergia a látex"}], "language": "portuguese"})
    {'profile': 'Ana é médica. Ana tem alergia a látex.'}
    """
    name, language = string(inputs.get("name"), 80), tongue(inputs)
    lines = holding(facts(inputs), name)
    if not lines:
        return {"profile": string(inputs.get("profile"), PROFILE_LENGTH) or None}
    called = called_by(lines, name)
    firm = [said for said in in_order(lines) if said.firm]
    other = [said for said in lines if not said.firm and said.telling >= _ENOUGH]
    out: list[str] = []
    for part in _SECTIONS:
        out += sentences([said for said in firm if said.aspect in part], name, language, called=called)
    out += sentences(other, name, language, called=called, joined=2)
    if not out:
        out = sentences(lines[:3], name, language, called=called, joined=1)
    return {"profile": _within(list(dict.fromkeys(out)), PROFILE_LENGTH)}


def _spread(lines: Sequence[Said], part: Sequence[str], most: int = 5) -> list[Said]:
    """At most ``most`` facts, one of each aspect in turn, in the order they came in."""
    by = {aspect: [said for said in lines if said.aspect == aspect] for aspect in part}
    chosen: list[Said] = []
    while len(chosen) < most and any(by.values()):
        for aspect in part:
            if by[aspect] and len(chosen) < most:
                chosen.append(by[aspect].pop(0))
    taken = {id(said) for said in chosen}
    return [said for said in lines if id(said) in taken]


def _within(parts: Sequence[str], length: int) -> str:
    """As many whole sentences as fit."""
    out = ""
    for part in parts:
        if len(out) + len(part) + 1 <= length:
            out = f"{out} {part}".strip()
    return out or parts[0][:length]
