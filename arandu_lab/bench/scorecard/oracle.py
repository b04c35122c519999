"""A model that reads turns as the gold has them: extraction that is right, for systems that are measured behind it.

Whoever a turn names is called as the turn calls them (no alias is given away), a subject that is only a pronoun by the
canonical name, the speaker by the shown one. Everything else of a system stays as configured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from arandu_lab.bench.scorecard.book import Book
from arandu_lab.errors import ConfigError
from arandu_lab.llm.backend import Message
from arandu_lab.llm.mind import Minds
from arandu_lab.llm.scripted import Scripted, read_block
from arandu_lab.systems.base import DatedTurn


def oracle(book: Book) -> Scripted:
    """The model behind the role ``extract``: answers ``extract``, ``entities``, ``facts`` and ``relations``.

    Raises:
        ConfigError: (when asked) a message that no turn of the book says at that moment.
    """
    turns: dict[tuple[datetime, str], list[DatedTurn]] = {}
    for turn in book.conversation.turns:
        turns.setdefault((turn.occurred_at.astimezone(UTC), turn.speaker), []).append(turn)

    def answer(messages: Sequence[Message]) -> dict[str, Any]:
        model.calls.clear()  # a long conversation leaves nothing behind
        task, inputs = read_block(messages)
        at = datetime.fromisoformat(inputs["sent_at"]).astimezone(UTC)
        said = turns.get((at, inputs["speaker"]), [])
        turn = said[0] if len(said) == 1 else next((one for one in said if one.text == inputs["message"]), None)
        if turn is None:
            raise ConfigError(
                f"oracle of {book.name}: {task} about a message of {inputs['speaker']!r} at {at.isoformat()}, which no"
                " turn is; it answers for this set alone"
            )
        read = reading(book, turn)
        return read if task == "extract" else {task: read[task]}

    model = Scripted(by_task=dict.fromkeys(("extract", "entities", "facts", "relations"), answer), name="oracle")
    return model


def answered_by(oracle: Scripted, llm: Any) -> Any:
    """Models by role with the oracle in the place of the one that extracts."""
    if isinstance(llm, Minds):
        return Minds(
            llm.default,
            {**llm.roles, "extract": oracle},
            patience=llm.patience,
            malformed_retries=llm.malformed_retries,
            max_tokens=llm.max_tokens,
        )
    roles: Mapping[str, Any] = llm if isinstance(llm, Mapping) else {"default": llm}
    return {**roles, "extract": oracle}


def reading(book: Book, turn: DatedTurn) -> dict[str, Any]:
    """What a turn states, in the shape of an answer to ``extract``."""
    gold = book.gold(turn.id)
    today = turn.occurred_at.date()
    return {
        "entities": [{"name": one.mention, "type": one.type, "aliases": []} for one in gold.entities],
        "facts": [
            {
                "subject": book.said(turn, fact.subject),
                "text": fact.text,
                "action": "NEW",
                "importance_category": fact.category,
                "confidence": fact.confidence,
                "valid_from": None if fact.valid_from == today else fact.valid_from.isoformat(),
                "event_time": fact.event_time,
            }
            for fact in gold.facts
        ],
        "relations": [
            {"source": book.said(turn, edge.source), "type": edge.type, "target": book.said(turn, edge.target)}
            for edge in gold.relations
        ],
        "updated_profiles": {},
        "emotion": None,
    }
