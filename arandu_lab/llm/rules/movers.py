"""Who moved with whom: *Rui and I moved to Porto*, *me mudei com a Carla*, *my wife Julia got a job there, so we moved*.

Each of those the message names has a home of their own to tell of. A bare *we* moves nobody but the speaker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from arandu_lab.llm.rules import moves
from arandu_lab.llm.rules.clauses import Bond, Clause
from arandu_lab.llm.rules.language import Language

_NAME = r"(?P<name>[A-ZÀ-Ý][\w'’-]+(?: [A-ZÀ-Ý][\w'’-]+)*)"
_WITH = {
    "en": re.compile(rf"\b(?<!in )with (?:(?:my|his|her|their|[A-ZÀ-Ý][\w-]+'s) )?(?:[a-z-]+ ){{0,2}}{_NAME}"),
    "pt": re.compile(rf"\b(?<!morar )com (?:[oa] )?(?:(?:meu|minha|seu|sua) )?(?:[a-zà-ÿ-]+ ){{0,2}}{_NAME}"),
}
_COMPANY = {
    "en": re.compile(r" with (?:(?:my|his|her|their) )?(?:[a-z-]+ ){0,2}[A-ZÀ-Ý][\w'’-]+(?: [A-ZÀ-Ý][\w'’-]+)*"),
    "pt": re.compile(
        r" com (?:[oa] )?(?:(?:meu|minha|seu|sua) )?(?:[a-zà-ÿ-]+ ){0,2}[A-ZÀ-Ý][\w'’-]+(?: [A-ZÀ-Ý][\w'’-]+)*"
    ),
}
_WE = re.compile(r"(?<!\w)(?:we|a gente|nós|nos mudamos|mudamos|viemos|fomos)(?!\w)", re.IGNORECASE)


def beloved(bonds: Iterable[Bond], speaker: str) -> str:
    """The one spouse or partner of the speaker whom a message names, or nothing."""
    named = {bond.name for bond in bonds if bond.owner == speaker and bond.slot in ("spouse", "partner")}
    return named.pop() if len(named) == 1 else ""


def company(clause: Clause, said: str, partner: str, language: Language) -> list[str]:
    """Whom a clause moves along with its subject, by name; ``said``: the words of the clause as they were written.

    The second of a joint subject, whoever stands after *with*, and behind a *we* the one ``partner`` whom the message names.
    """
    if clause.subject.kind not in ("speaker", "person"):
        return []
    out = [clause.subject.also] if clause.subject.also else []
    found = _WITH[language].search(clause.predicate)
    if found and found["name"] not in out:
        out.append(found["name"])
    if not out and partner and clause.subject.kind == "speaker" and _WE.search(said):
        out.append(partner)
    return [name for name in out if name != clause.subject.entity]


def alone(clause: Clause, language: Language) -> Clause:
    """The clause of a move with its subject alone, and without those who stand after *with*."""
    subject = replace(clause.subject, text=clause.subject.entity, plural=False, also="")
    predicate = _COMPANY[language].sub("", clause.predicate, count=1)
    return replace(
        clause, subject=subject, predicate=_LIVE.sub(lambda found: _ONE.get(found[0], found[0]), predicate, count=1)
    )


def is_move(clause: Clause, language: Language) -> bool:
    """Whether a clause tells that its subject moved to a place, or that two live in one.

    >>> from arandu_lab.llm.rules.clauses import Subject
    >>> is_move(Clause(Subject("person", "Ana", "Ana"), "moved with Rui to Porto", "move"), "en")
    True
    """
    plain = _COMPANY[language].sub("", clause.predicate, count=1)
    if clause.conditional:
        return False
    if clause.subject.also and _LIVE.match(plain):
        return True
    return bool(moves.home_after(clause.subject.entity, plain, language))


_LIVE = re.compile(r"(?:live|lives|moram|mora|vivem|vive)(?= (?:in|at|on|em|no|na|nos|nas)\b)")
_ONE = {"live": "lives", "moram": "mora", "vivem": "vive"}
