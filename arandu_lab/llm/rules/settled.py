"""Which of bonds, clauses and constructions stand where they tell the same thing or gainsay each other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arandu_lab.llm.rules.clauses import Bond, Clause, Level
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.sentences import Sentence
from arandu_lab.llm.rules.slots import detect_slot
from arandu_lab.llm.rules.stated import Stated
from arandu_lab.llm.rules.worth import worth
from arandu_lab.pure.text import fold

Told = tuple[Stated, Sentence, str, Level | None]
"""A construction's statement, its sentence, the text read, and the level that hearsay gave it."""

_NEAR_SLOT = {"partner": "ex_partner", "lives_with": "lives_in", "owns": "pet"}
"""Attributes under which a clause may state what a construction calls by the first name."""
_NAME = re.compile(r"\b[A-ZÀ-Ý][\w'’-]*\w")


def settled(bonds: Sequence[Bond], stated: Sequence[Told]) -> tuple[list[Bond], list[Told]]:
    """Bonds and constructions that do not contradict or repeat each other: an ended tie is no bond, a bond needs no repeat."""
    over = {(fold(one.value), fold(one.subject)) for one, *_ in stated if one.ended}
    owners = {(fold(one.value), one.slot): fold(one.subject) for one, *_ in stated}
    kept = [
        bond
        for bond in bonds
        if not {(fold(bond.name), fold(bond.owner)), (fold(bond.owner), fold(bond.name))} & over
        and owners.get((fold(bond.name), bond.slot), fold(bond.owner)) == fold(bond.owner)
    ]
    tied = {(fold(bond.owner), fold(bond.name), bond.slot) for bond in kept}
    told = [
        one for one in stated if (fold(one[0].subject), fold(one[0].value), one[0].slot) not in tied or one[0].ended
    ]
    return kept, told


def says_as_much(clause: Clause, told: Sequence[Told], language: Language) -> bool:
    """Whether the clause as read states the very attribute and value that the constructions in it do."""
    if len(told) > 1 or clause.conditional:
        return False
    one = told[0][0]
    slot = detect_slot(clause.text, language)
    said = fold(clause.predicate)
    if (
        one.before and one.slot == "works_at" and slot.name == "works_at"
    ):  # who left is a former employee, said for itself
        return fold(one.before if slot.ended else one.value) in said
    if one.before or (one.slot == "habit" and one.ended):
        return False
    same = (
        slot.name in (one.slot, _NEAR_SLOT.get(one.slot))
        and (slot.ended or slot.negated) == one.ended
        and fold(one.value) in fold(clause.predicate)
    )
    return same and fold(clause.subject.entity) == fold(one.subject) and worth(clause, slot, language)


def announces(clause: Clause, sentence: Sentence, told: Sequence[Told], language: Language) -> bool:
    """A few words that only announce the statement right after them: ``Mudei de curso, agora estudo letras``."""
    follows = any(one[1] is sentence and 0 <= one[0].start - clause.end <= 4 for one in told)
    short = len(clause.predicate.split()) <= 4 and not _NAME.search(clause.predicate)
    return follows and short and detect_slot(clause.text, language).name == "other"
