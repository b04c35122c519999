"""Pairs of statements whose relation is known: what thresholds are chosen on, and judged on.

Pairs of our own sets are of facts: a *duplicate* says again in other words, an *update* replaces, a *negation* takes back,
an *attribute* is another thing about the same subject, *unrelated* are facts of two subjects about two things. Every
subject belongs to one fold, and no pair joins two folds, so a threshold can be chosen on some subjects and judged on others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Literal, TypeVar

from arandu_lab.bench.data.model import Conversation, Dataset, GoldFact
from arandu_lab.pure.text import normal

T = TypeVar("T")
Relation = Literal["duplicate", "update", "negation", "attribute", "near", "unrelated"]
Kind = Literal["facts", "stsb", "taosmd"]

RELATIONS: tuple[Relation, ...] = ("duplicate", "update", "negation", "attribute", "near", "unrelated")
"""In the order in which they are shown. ``near``: STS-B's pairs between the same statement and an unrelated one."""

FOLDS = 5
MOST = 300
"""Pairs of a relation that are kept of one set; which ones is drawn with a fixed seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two texts and how they stand to each other. ``first`` was said first; ``subject`` is empty where none is known."""

    first: str
    second: str
    relation: Relation
    language: str
    source: str
    kind: Kind
    subject: str = ""
    group: str = ""
    fold: int = 0


def fact_pairs(dataset: Dataset, *, most: int = MOST, folds: int = FOLDS) -> list[Pair]:
    """The pairs of a set with gold, at most ``most`` a relation; none where nobody wrote gold.

    Pairs of the same words (folded) are left out: they need no threshold.
    """
    found: dict[Relation, list[tuple[str, GoldFact, GoldFact]]] = {name: [] for name in RELATIONS}
    fold_of: dict[str, int] = {}
    stem, language = _stem(dataset.name), dataset.language.split("-")[0]
    for conversation in dataset:
        facts = told_facts(conversation)
        folds_of_subjects(facts, fold_of, folds)
        for relation, first, second in _related(facts, fold_of):
            if normal(first.text) != normal(second.text):
                found[relation].append((second.subject, first, second))
    order = {subject: place for place, subject in enumerate(fold_of)}
    return [
        Pair(
            first=first.text,
            second=second.text,
            relation=relation,
            language=language,
            source=dataset.name,
            kind="facts",
            subject=subject if first.subject == second.subject else "",
            group=f"{stem}:{order[first.subject]}",
            fold=fold_of[first.subject],
        )
        for relation in RELATIONS
        for subject, first, second in drawn(found[relation], most, relation)
    ]


def told_facts(conversation: Conversation) -> list[GoldFact]:
    """All gold facts of a conversation, in order of telling."""
    gold = conversation.gold or {}
    return [fact for turn in conversation.turns if turn.id in gold for fact in gold[turn.id].facts]


def folds_of_subjects(facts: Sequence[GoldFact], fold_of: dict[str, int], folds: int) -> None:
    """Deal subjects out to folds in order of appearance, so that every fold holds two or more; fewer folds if need be.

    The order is that of telling, so the same person of two aligned languages comes into the same fold.
    """
    subjects = list(dict.fromkeys([*fold_of, *(fact.subject for fact in facts)]))
    number = max(1, min(folds, len(subjects) // 2))
    fold_of.update({subject: place % number for place, subject in enumerate(subjects)})


def drawn(items: Sequence[T], most: int, seed: str) -> list[T]:
    """At most ``most`` of the items, in their order; which ones depends on ``seed`` alone.

    >>> drawn("abc", 5, "x"), len(drawn("abcdef", 2, "x"))
    (['a', 'b', 'c'], 2)
    """
    if len(items) <= most:
        return list(items)
    return [items[place] for place in sorted(Random(seed).sample(range(len(items)), most))]


def root_of(fact: GoldFact, by_id: dict[str, GoldFact]) -> GoldFact | None:
    """The fact that ``fact`` repeats, replaces or takes back; repetitions are followed to what they repeat."""
    target = by_id.get(fact.of or "")
    while target is not None and target.decision == "NOOP":
        target = by_id.get(target.of or "")
    return target


def _related(facts: Sequence[GoldFact], fold_of: dict[str, int]) -> Iterator[tuple[Relation, GoldFact, GoldFact]]:
    by_id = {fact.id: fact for fact in facts}
    live: dict[str, GoldFact] = {}
    names: dict[str, Relation] = {"NOOP": "duplicate", "UPDATE": "update", "DELETE": "negation"}
    for fact in facts:
        target = root_of(fact, by_id)
        if target is not None:
            yield names[fact.decision], target, fact
        if fact.decision in ("UPDATE", "DELETE") and target is not None:
            live.pop(target.id, None)
        if fact.decision in ("ADD", "UPDATE") and fact.valid_to is None:
            live[fact.id] = fact
    still = drawn(list(live.values()), 400, "live")
    for first, second in combinations(still, 2):
        if first.slot != second.slot:
            if first.subject == second.subject:
                yield "attribute", first, second
            elif fold_of[first.subject] == fold_of[second.subject]:
                yield "unrelated", first, second


def _stem(name: str) -> str:
    """The name without its language: aligned sets share their groups."""
    return name.rpartition("_")[0] if name.endswith(("_en", "_pt")) else name
