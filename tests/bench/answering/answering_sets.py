"""Questions about towns, a dataset of them, and a model that answers from its inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from arandu_lab.bench.data.model import Conversation, Dataset, Question
from arandu_lab.llm.scripted import Scripted, read_block
from arandu_lab.systems.base import DatedTurn

AT = datetime(2024, 5, 1, tzinfo=UTC)
CITIES = "Recife Olinda Natal Belém Manaus Porto Santos Cuiabá Goiânia Maceió".split()


def asked(number: int, answer: str | None, **more: Any) -> Question:
    """A question."""
    given = {"category": "single", "evidence": ("t1",), "evidence_sessions": ("s1",), **more}
    return Question(id=f"q{number}", text=f"Where does Person{number} live?", asked_at=AT, answer=answer, **given)


def dataset(questions: Sequence[Question], name: str = "towns", language: str = "en") -> Dataset:
    """A set of one turn and these questions."""
    turn = DatedTurn(id="t1", session_id="s1", occurred_at=AT, speaker="Ana", text="Hello")
    talk = Conversation(id=name, sessions=(), turns=(turn,), questions=tuple(questions))
    return Dataset(
        name=name, language=language, title="", licence="", conversations=(talk,), digest=f"digest of {name}"
    )


def tabled(answer: Callable[[dict[str, Any]], Any], name: str) -> Scripted:
    """A model that answers from the inputs it is given."""
    return Scripted(default=lambda messages: answer(read_block(messages)[1]), name=name)
