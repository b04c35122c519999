"""Turns that say what was over at a question's date, as far as the gold of a dataset knows."""

from __future__ import annotations

from collections.abc import Callable

from arandu_lab.bench.data.model import Conversation, Question
from arandu_lab.bench.scorecard.lives import lives_of, roots_of


def stale_turns(conversation: Conversation) -> Callable[[Question], frozenset[str] | None]:
    """Question -> the turns said by its date that state something which was over by then, as had been told by then.

    Over is what a later turn replaced or took back (decisions UPDATE and DELETE of the gold), from the day it did. A turn
    that only says that something ended does not state it; nor does one that told it with its end. The evidence of a
    question is never stale for it: a question about the past wants the past. What ends unsaid because something else
    did is not counted.

    Returns:
        None for every question of a conversation without gold.
    """
    if conversation.gold is None:
        return lambda question: None
    lives, roots = lives_of(conversation), roots_of(conversation)
    told = [
        (turn.id, turn.occurred_at, roots[fact.id])
        for turn in conversation.turns
        if turn.id in conversation.gold
        for fact in conversation.gold[turn.id].facts
        if fact.decision != "DELETE" and fact.valid_to is None
    ]

    def stale(question: Question) -> frozenset[str]:
        day, out = question.asked_at.date(), set()
        for turn_id, said_at, root in told:
            end = lives[root].ended(question.asked_at) if root in lives and said_at <= question.asked_at else None
            if end is not None and end.until <= day:
                out.add(turn_id)
        return frozenset(out) - frozenset(question.evidence)

    return stale
