"""What dedup drops of a message's facts at every threshold, with the words asked and without, and whether it was right to.

Cosines and differences of words are reckoned once for each pair; a threshold is then only a walk over them. With the words
it is :func:`arandu_lab.pure.decide.duplicates`, to the last fact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arandu_lab.bench.data.model import Conversation, GoldFact
from arandu_lab.bench.extraction import names
from arandu_lab.bench.scorecard.lives import roots_of
from arandu_lab.pure.compare import differences
from arandu_lab.pure.matching import likeness, match_facts
from arandu_lab.pure.text import ident, normal, words


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Facts of one message in order, and what they have to do with gold.

    ``same`` says of each what it states (facts of one number say the same; -1: nobody knows); ``kinds`` what it would be to
    lose it (``ADD``, ``UPDATE`` … of the gold). ``pairs`` are (earlier, later, cosine, whether words tell them apart) of
    facts about one subject, and ``alike`` those of the very same words.
    """

    turn: str
    session: str
    texts: tuple[str, ...]
    same: tuple[int, ...]
    kinds: tuple[str, ...]
    pairs: tuple[tuple[int, int, float, bool], ...]
    alike: frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """What came of a message: ``lost`` gold facts that nobody says any more (by kind), ``right`` drops of repetitions,
    repetitions ``left``, ``extra`` drops of what the gold does not know, and the facts kept."""

    lost: tuple[str, ...]
    right: int
    left: int
    extra: int
    kept: tuple[int, ...]


def message(
    turn: str,
    session: str,
    facts: Sequence[tuple[str, str]],
    same: Sequence[int],
    kinds: Sequence[str],
    vectors: NDArray[np.float32],
    scale: Callable[[Any], Any],
) -> Message:
    """A message of (subject, text) facts with a unit vector each. ``scale`` is the embedder's calibration."""
    pairs: list[tuple[int, int, float, bool]] = []
    alike: set[tuple[int, int]] = set()
    said = [normal(text) for _, text in facts]
    about = [ident(subject) for subject, _ in facts]
    for later, (subject, text) in enumerate(facts):
        before = [earlier for earlier in range(later) if about[earlier] == about[later]]
        if not before:
            continue
        cosines = np.atleast_1d(scale(np.stack([vectors[one] for one in before]) @ vectors[later]))
        for earlier, cosine in zip(before, cosines, strict=True):
            if said[earlier] == said[later]:
                alike.add((earlier, later))
            apart = cosine >= LEAST and bool(differences(facts[earlier][1], text, subject=subject))
            pairs.append((earlier, later, float(cosine), apart))
    return Message(
        turn=turn,
        session=session,
        texts=tuple(text for _, text in facts),
        same=tuple(same),
        kinds=tuple(kinds),
        pairs=tuple(pairs),
        alike=frozenset(alike),
    )


def kept(one: Message, threshold: float, *, asked: bool) -> tuple[int, ...]:
    """The facts that stay; ``asked``: words may refuse what the cosine nominates."""
    gone: set[int] = set()
    by_later: dict[int, list[tuple[int, float, bool]]] = {}
    for earlier, later, cosine, apart in one.pairs:
        by_later.setdefault(later, []).append((earlier, cosine, apart))
    for later in sorted(by_later):
        for earlier, cosine, apart in by_later[later]:
            if earlier in gone:
                continue
            if (earlier, later) in one.alike or (cosine >= threshold and not (asked and apart)):
                gone.add(later)
                break
    return tuple(place for place in range(len(one.texts)) if place not in gone)


def dropped(one: Message, threshold: float, *, asked: bool) -> Dropped:
    """What a threshold does to a message."""
    stay = kept(one, threshold, asked=asked)
    before: dict[int, int] = {}
    for place, what in enumerate(one.same):
        before.setdefault(what, place)
    after = [one.same[place] for place in stay]
    known = [what for what in before if what >= 0]
    repeats = sum(one.same.count(what) - 1 for what in known)
    left = sum(max(0, after.count(what) - 1) for what in known)
    return Dropped(
        lost=tuple(one.kinds[before[what]] for what in known if what not in after),
        right=repeats - left - sum(one.same.count(what) - 1 for what in known if what not in after),
        left=left,
        extra=one.same.count(-1) - after.count(-1),
        kept=stay,
    )


def identified(conversation: Conversation, turn: str, facts: Sequence[tuple[str, str]]) -> tuple[list[int], list[str]]:
    """Which gold fact of its turn each extracted fact says (its place; -1: none), and of which kind that is.

    The best pairing goes first; what is over says the gold fact that it is most like, if it is like one.
    """
    gold = (conversation.gold or {}).get(turn)
    told: tuple[GoldFact, ...] = gold.facts if gold is not None else ()
    table = names(conversation, (fact.subject for fact in told))
    aim = [(fact.subject, fact.text) for fact in told]
    found = dict(match_facts(list(facts), aim, aliases=table, values=[fact.value for fact in told]).pairs)
    keys = {" ".join(words(name)): full for name, full in table.items()}
    same: list[int] = []
    for place, fact in enumerate(facts):
        if place not in found and told:
            likes = [likeness(fact, one, aliases=keys, value=g.value) for one, g in zip(aim, told, strict=True)]
            best = int(np.argmax(likes))
            same.append(best if likes[best] > 0 else -1)
        else:
            same.append(found.get(place, -1))
    return same, [told[one].decision if one >= 0 else "" for one in same]


def gold_pieces(
    conversation: Conversation, *, whole: bool
) -> list[tuple[str, str, list[tuple[str, str]], list[int], list[str]]]:
    """The gold as if it were extracted without a fault: (turn, session, facts, what each says, kinds), a message a turn.

    With ``whole`` all that a conversation tells is one message, as in a long paste: there a repetition (NOOP) is a true
    duplicate, and what replaces an older value a fact that must not be lost.
    """
    roots, sessions = roots_of(conversation), conversation.session_of()
    number = {root: place for place, root in enumerate(dict.fromkeys(roots.values()))}
    pieces: dict[str, list[GoldFact]] = {}
    for turn in conversation.turns:
        gold = (conversation.gold or {}).get(turn.id)
        told = [one for one in (gold.facts if gold is not None else ()) if one.decision != "DELETE"]
        pieces.setdefault("all" if whole else turn.id, []).extend(told)
    return [
        (
            key,
            sessions.get(key, "all"),
            [(one.subject, one.text) for one in told],
            [number[roots[one.id]] for one in told],
            [one.decision for one in told],
        )
        for key, told in pieces.items()
        if told
    ]


LEAST = 0.3
"""Cosines below this are no threshold of any study, so words of such pairs are not compared."""
