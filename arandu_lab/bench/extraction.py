"""What a system stored against what was said: facts only, turn by turn.

* **precision**: of the facts stored from a turn (ADD, UPDATE), the part that says what the gold of that turn says.
* **recall**: of the gold facts that a turn adds or updates, the part that was stored from that turn. Gold facts that
  repeat (NOOP) or take back (DELETE) are no loss when nothing is stored, and no invention when something is.
* **duplicates**: live facts that say again what another live fact says of the same subject: the same content stems,
  the same polarity. Systems that do not tell which facts live are judged by all they stored.

Pairs are made by :func:`arandu_lab.pure.matching.match_facts`, one to one, names by the aliases of the dataset. A name
that two entities bear stands for the one that the turn's gold is about, if it is about one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars as pl

from arandu_lab.bench.data.model import Conversation, GoldFact
from arandu_lab.bench.replay import Replay
from arandu_lab.pure.compare import negative
from arandu_lab.pure.matching import canonical, match_facts, stems
from arandu_lab.pure.text import normal

EXTRACTION: dict[str, Any] = {
    "kind": pl.String,
    "turn": pl.String,
    "subject": pl.String,
    "text": pl.String,
    "action": pl.String,
    "gold": pl.String,
    "slot": pl.String,
    "due": pl.Boolean,
}
"""``kind`` is ``stored`` (``gold`` null: nobody said it), ``missed`` (a gold fact that was not stored), ``live``
(``gold`` null) or ``duplicate`` (a live fact that repeats one before). ``due``: the gold fact adds or updates."""


def extraction_rows(conversation: Conversation, done: Replay) -> Iterator[dict[str, Any]]:
    """The rows of one replay, in order of turns; none for a system that does not extract or a set without gold."""
    if done.extracted is not None and conversation.gold is not None:
        said: dict[str, list[tuple[str, str, str]]] = {}
        for turn, subject, text, action in done.extracted:
            if action in ("ADD", "UPDATE"):
                said.setdefault(turn, []).append((subject, text, action))
        for turn_id in (one.id for one in conversation.turns):
            gold = conversation.gold[turn_id].facts if turn_id in conversation.gold else ()
            yield from _turn(turn_id, said.get(turn_id, []), gold, names(conversation, (fact.subject for fact in gold)))
    live = done.live
    if live is None and done.extracted is not None:
        live = [(subject, text) for _, subject, text, action in done.extracted if action in ("ADD", "UPDATE")]
    if live is not None:
        table = names(conversation, ())
        seen: set[object] = set()
        for subject, text in live:
            key = saying(subject, text, table)
            yield _row("duplicate" if key in seen else "live", None, subject, text)
            seen.add(key)


def names(conversation: Conversation, about: Iterable[str]) -> dict[str, str]:
    """Folded name or alias -> canonical name. A name of several entities: the one in ``about``, or none."""
    bearers: dict[str, list[str]] = {}
    for entity in conversation.entities:
        for name in (entity.name, *entity.aliases):
            bearers.setdefault(normal(name), []).append(entity.name)
    wanted = set(about)
    out: dict[str, str] = {}
    for name, entities in bearers.items():
        different = set(entities)
        meant = different if len(different) == 1 else different & wanted
        if len(meant) == 1:
            out[name] = next(iter(meant))
    return out


def saying(subject: str, text: str, table: Mapping[str, str]) -> tuple[str, frozenset[str], bool]:
    """What a fact says, whatever its words' order and endings: subject, content stems without it, polarity.

    >>> saying("Ana", "Ana lives in Recife.", {}) == saying("Ana", "ana has been living in Recife", {})
    True
    >>> saying("Ana", "Ana drives.", {}) == saying("Ana", "Ana doesn't drive.", {})
    False
    """
    about = canonical(subject, table)
    called = stems(about) | stems(subject)
    return about, stems(text) - called, negative(text)


def _turn(
    turn_id: str, stored: list[tuple[str, str, str]], gold: tuple[GoldFact, ...], table: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    matching = match_facts(
        [(subject, text) for subject, text, _ in stored],
        [(fact.subject, fact.text) for fact in gold],
        aliases=table,
        values=[fact.value for fact in gold],
    )
    found = dict(matching.pairs)
    for place, (subject, text, action) in enumerate(stored):
        fact = gold[found[place]] if place in found else None
        yield _row("stored", turn_id, subject, text, action, fact)
    taken = set(found.values())
    for place, fact in enumerate(gold):
        if place not in taken and fact.decision in ("ADD", "UPDATE"):
            yield _row("missed", turn_id, fact.subject, fact.text, fact.decision, fact)


def _row(
    kind: str, turn: str | None, subject: str, text: str, action: str | None = None, gold: GoldFact | None = None
) -> dict[str, Any]:
    return {
        "kind": kind,
        "turn": turn,
        "subject": subject,
        "text": text,
        "action": action,
        "gold": None if gold is None else gold.id,
        "slot": None if gold is None else gold.slot,
        "due": None if gold is None else gold.decision in ("ADD", "UPDATE"),
    }
