"""What a new fact meets in the store: the facts of its subject, as they were told, and in stores of any size.

The gate asks a model whenever the nearest stored fact of the subject lies at it or above. Two views of its cost:
``told`` follows a set as it was told; ``stores`` gives one subject as many facts as a sweep needs, its own and those of
the others said of it (their name replaced), so that nothing is extrapolated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arandu_lab.bench.data.model import Conversation, Dataset, GoldFact
from arandu_lab.bench.thresholds.pairs import drawn, root_of, told_facts
from arandu_lab.pure.text import normal

SIZES = (1, 5, 20, 50, 100, 200)
"""Numbers of stored facts of a subject at which the cost of a gate is measured."""

HOSTS, NEW, ROOM = 8, 16, 260


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A subject with many stored facts; ``met`` are new facts, each with the places of the stored ones of other slots."""

    language: str
    source: str
    subject: str
    stored: tuple[str, ...]
    met: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A fact as it came: ``before`` are the live facts of its subject, ``target`` the one it is about (None: it is new)."""

    language: str
    source: str
    decision: str
    text: str
    before: tuple[str, ...]
    target: str | None


def stores(dataset: Dataset, *, hosts: int = HOSTS, new: int = NEW, room: int = ROOM) -> list[Store]:
    """Stores of the subjects with the most facts. A new fact replaces none of them: it meets facts of other slots only."""
    out = []
    for conversation in dataset:
        facts = [fact for fact in _live(conversation) if fact.subject in fact.text]
        counts: dict[str, int] = {}
        for fact in facts:
            counts[fact.subject] = counts.get(fact.subject, 0) + 1
        subjects = sorted(counts, key=lambda name: -counts[name])[:hosts]
        for host in subjects:
            own = [fact for fact in facts if fact.subject == host]
            others = drawn([fact for fact in facts if fact.subject != host], max(0, room - len(own)), host)
            texts = {fact.text.replace(fact.subject, host): fact.slot for fact in (*others, *own)}
            stored = tuple(texts)
            met = tuple(
                (fact.text, tuple(i for i, text in enumerate(stored) if _apart(fact, text, texts[text])))
                for fact in drawn(own, new, host)
            )
            out.append(Store(language=_code(dataset), source=dataset.name, subject=host, stored=stored, met=met))
    return out


def told(dataset: Dataset, *, most: int = 2000) -> list[Told]:
    """The first ``most`` facts of a set in order of telling; those in words already stored (folded) are left out."""
    out: list[Told] = []
    for conversation in dataset:
        facts = told_facts(conversation)
        by_id = {fact.id: fact for fact in facts}
        live: dict[str, dict[str, str]] = {}
        for fact in facts:
            mine = live.setdefault(fact.subject, {})
            target = root_of(fact, by_id)
            before = tuple(mine.values())
            if normal(fact.text) not in {normal(text) for text in before}:
                about = None if target is None or target.id not in mine else target.text
                out.append(
                    Told(
                        language=_code(dataset),
                        source=dataset.name,
                        decision=fact.decision,
                        text=fact.text,
                        before=before,
                        target=about,
                    )
                )
            if fact.decision in ("UPDATE", "DELETE") and target is not None:
                live.get(target.subject, {}).pop(target.id, None)
            if fact.decision in ("ADD", "UPDATE") and fact.valid_to is None:
                mine[fact.id] = fact.text
    return out[:most]


def texts_of(stores: Sequence[Store], told: Sequence[Told]) -> list[str]:
    """Every text that they hold, once, in order."""
    found = [text for one in stores for text in (*one.stored, *(new for new, _ in one.met))]
    found += [text for one in told for text in (one.text, *one.before)]
    return list(dict.fromkeys(found))


def _live(conversation: Conversation) -> list[GoldFact]:
    facts = told_facts(conversation)
    by_id = {fact.id: fact for fact in facts}
    gone = {root.id for fact in facts if fact.decision in ("UPDATE", "DELETE") and (root := root_of(fact, by_id))}
    return [fact for fact in facts if fact.decision in ("ADD", "UPDATE") and fact.id not in gone]


def _apart(fact: GoldFact, text: str, slot: str) -> bool:
    return slot != fact.slot and normal(text) != normal(fact.text)


def _code(dataset: Dataset) -> str:
    return dataset.language.split("-")[0]
