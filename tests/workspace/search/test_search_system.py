"""The workspace as a system of the harness: what was told is found with its turns, and a row of a plan opens it."""

from __future__ import annotations

import asyncio
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from arandu_lab.bench.data.model import Conversation, Question, Session
from arandu_lab.bench.plan import Row
from arandu_lab.bench.replay import replay
from arandu_lab.bench.rows import changed, filled, open_row
from arandu_lab.errors import ConfigError
from arandu_lab.systems.base import DatedTurn, System
from arandu_lab.systems.open import known_systems, open_system
from arandu_lab.systems.workspace import WorkspaceSystem

START = datetime(2025, 3, 1, 12, tzinfo=UTC)
SAID = (
    ("Rafael", "I live in Recife with my wife Ana."),
    ("Ana", "Eu trabalho no Hospital da Luz e adoro maracatu."),
    ("Rafael", "My sister Clara plays the violin."),
    ("Ana", "Comprei uma bicicleta vermelha ontem."),
    ("Rafael", "We moved to Olinda."),
)


def conversation() -> Conversation:
    turns = tuple(
        DatedTurn(id=f"t{n}", session_id=f"s{n // 2}", occurred_at=START + timedelta(days=n), speaker=who, text=text)
        for n, (who, text) in enumerate(SAID)
    )
    asked = (
        ("q0", "Where does Rafael live?", "t0", 2),
        ("q1", "Onde a Ana trabalha?", "t1", 9),
        ("q2", "Who plays the violin?", "t2", 9),
    )
    questions = tuple(
        Question(
            id=key, text=text, asked_at=START + timedelta(days=days, hours=1), answer="", evidence=(turn,), evidence_sessions=(),
            category="single",
        )
        for key, text, turn, days in asked
    )  # fmt: skip
    sessions = tuple(Session(id=f"s{n}", occurred_at=START + timedelta(days=2 * n)) for n in range(3))
    return Conversation(id="talk", sessions=sessions, turns=turns, questions=questions)


@pytest.fixture(scope="module")
def done() -> Any:
    return asyncio.run(replay(open_system("workspace"), conversation(), depth=5))


def test_answers_are_turns_that_were_heard(done: Any) -> None:
    """Each question finds the turn that states its answer, first or second, in both languages, and none said later."""
    assert not done.errors
    assert isinstance(open_system("workspace"), System)
    places = {
        one.question: one.returned.index(wanted) for one, wanted in zip(done.answers, ("t0", "t1", "t2"), strict=True)
    }
    assert all(place <= 1 for place in places.values()), places
    assert set(done.answers[0].returned) <= {"t0", "t1", "t2"}
    assert all("- [" in one.context for one in done.answers)
    assert all(one.usage.embedded_texts == 1 for one in done.answers)


def test_what_is_stored_is_told(done: Any) -> None:
    """Extraction is measured as that of arandu: turn, subject, text, action; live facts are told."""
    assert {turn for turn, *_ in done.extracted} >= {"t0", "t1", "t2"}
    assert {action for *_, action in done.extracted} <= {"ADD", "UPDATE"}
    assert {text for _, text in done.live} <= {text for _, _, text, _ in done.extracted}


def test_a_question_changes_nothing() -> None:
    """Asking counts no recall, so the hundredth answer is the first."""

    async def asked() -> None:
        system = WorkspaceSystem()
        await system.begin("talk")
        for turn in conversation().turns[:2]:
            await system.listen(turn)
        now, before = START + timedelta(days=40), system.opened.view.sequence
        answers = [await system.ask("Where does Rafael live?", now=now, k=5) for _ in range(3)]
        assert len({one.turns for one in answers}) == 1
        assert system.opened.view.sequence == before
        await system.end()

    asyncio.run(asked())


def test_rows_of_a_plan(tmp_path: Path) -> None:
    """A row fills in defaults, changes its address by what differs, opens, and refuses what there is not."""
    row = Row(name="w", base="workspace", options={"without": "temporal", "mmr_lambda": 0.5, "hits": 20})
    assert changed(row) == {"without": "temporal", "mmr_lambda": 0.5}
    assert filled(Row(name="w", base="workspace"))["embedder"] == "use"
    made = open_row(row, conversation(), language="pt", seed=0, path=tmp_path)
    assert isinstance(made, WorkspaceSystem)
    assert "recent" not in made.pipeline.names()
    assert "workspace" in known_systems()
    for options, said in (
        ({"without": "temporl"}, "temporal"), ({"mode": "hybird"}, "hybrid"), ({"mmr_lamda": 0.5}, "mmr_lambda"),
        ({"mmr_lambda": 2.0}, "mmr_lambda"), ({"hits": 0}, "hits"), ({"mode": 3}, "mode"), ({"embedder": "nobody"}, "nobody"),
    ):  # fmt: skip
        with pytest.raises(ConfigError, match=said):
            filled(Row(name="w", base="workspace", options=options))


def test_the_config_names_rows_that_open() -> None:
    """Every row of ``configs/workspace.toml`` is a system that there is, with settings that it takes."""
    plan = tomllib.loads((Path(__file__).parents[3] / "configs" / "workspace.toml").read_text(encoding="utf-8"))
    tables = plan["system"]
    for name in plan["run"]["systems"]:
        options = dict(tables.get(name, {}))
        filled(Row(name=name, base=options.pop("base", name), options=options))
    ablated = {table.get("without") for table in tables.values()}
    assert {"lexical", "semantic", "temporal", "graph"} <= ablated
