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
from arandu_lab.pure.preamble import POINTER
from arandu_lab.pure.survival import Weibull
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
        ({"mmr_lambda": 2.0}, "mmr_lambda"), ({"use_gian": 0.5}, "use_gain"), ({"mention_shar": 0.1}, "mention_share"), ({"mention_share": 1.0}, "mention_share"),
        ({"use_gain": -1.0}, "use_gain"), ({"memory_types": {"event": [0.0, 1.0]}}, "event"), ({"memory_types": {"event": 3}}, "memory_types"),
        ({"memory_types": [["event", 3.0, 1.0]]}, "memory_types"), ({"merge_threshold": 0.5}, "changes nothing"), ({"hot_domain": "x"}, "changes nothing"),
        ({"default_memory_type": "event"}, "changes nothing"), ({"topk_facts": 3}, "topk_facts"), ({"without": "fade", "rrf_kk": 1.0}, "rrf_k"), ({"hits": 0}, "hits"), ({"mode": 3}, "mode"), ({"embedder": "nobody"}, "nobody"),
    ):  # fmt: skip
        with pytest.raises(ConfigError, match=said):
            filled(Row(name="w", base="workspace", options=options))


def test_settings_of_a_row_reach_writing_and_search(tmp_path: Path) -> None:
    """Curves, gain and share of a table of a run file are those of the workspace and of its search, without ``fade`` too."""
    table = tomllib.loads(
        "[system.w]\nbase = 'workspace'\nuse_gain = 0.0\nmention_share = 0.5\nmemory_types = { event = [3, 2], rumour = [1, 0.5] }"
    )["system"]["w"]
    row = Row(name="w", base=table.pop("base"), options=table)
    assert changed(row) == table
    made: Any = open_row(row, conversation(), language="en", seed=0, path=tmp_path)
    asyncio.run(made.begin("talk"))
    config = made.opened.config
    assert (config.use_gain, config.mention_share, config.memory_type("rumour", "d")) == (0.0, 0.5, "rumour")
    assert config.table["event"] == Weibull(3.0, 2.0)
    assert made.changes == {"use_gain": 0.0, "memory_types": config.memory_types}
    asyncio.run(made.end())
    plain = WorkspaceSystem(without="fade", **table)
    assert (plain.config, plain.changes) == (config, {})


@pytest.mark.parametrize(("half_life", "winner"), [(1.0, "new"), (10_000.0, "old")])
def test_curves_of_a_row_decide_conflicts_and_order(half_life: float, winner: str) -> None:
    """With a short half-life an old word gives way to a weaker new one, and fades in the ranking; with a long one it stays."""

    async def told() -> tuple[list[str], float]:
        system = WorkspaceSystem(embed="hashing", memory_types={"decision": [half_life, 1.0]})
        await system.begin("talk")
        system._now = START
        await system.opened.propose_fact("decisions", "limit", "The limit is 100", agent="a", veracity="stated")
        system._now = START + timedelta(days=30)
        await system.opened.propose_fact("decisions", "limit", "The limit is 250", agent="b", veracity="tool")
        facts = [text for _, text in await system.live()]
        score = (await system.ask("limit", now=START + timedelta(days=60), k=5)).facts[0].score
        await system.end()
        return facts, score

    facts, score = asyncio.run(told())
    assert facts == ["The limit is 250" if winner == "new" else "The limit is 100"]
    assert (score > 0.5) == (winner == "old")


def test_a_pasted_preamble_yields_no_facts() -> None:
    """D1, W21: a turn that holds a rendered preamble is kept as a source, and what it lists is stated by nobody."""

    async def heard() -> tuple[list[tuple[str, str]], list[str]]:
        system = WorkspaceSystem()
        await system.begin("talk")
        shown = "## Facts that may bear on this task\n- [profile] Ana lives in Natal.\n\n" + POINTER
        for place, text in enumerate((shown, f"{shown}\nI live in Recife.")):
            moment = START + timedelta(days=place)
            await system.listen(
                DatedTurn(id=f"t{place}", session_id="s", occurred_at=moment, speaker="Rafael", text=text)
            )
        live, kept = await system.live(), system.opened.sightings()["text"].to_list()
        await system.end()
        return live, kept

    live, kept = asyncio.run(heard())
    assert [text for _, text in live if "Natal" in text] == []
    assert [text for _, text in live if "Recife" in text]
    assert len(kept) == 2


def test_the_config_names_rows_that_open() -> None:
    """Every row of ``configs/workspace.toml`` is a system that there is, with settings that it takes."""
    plan = tomllib.loads((Path(__file__).parents[3] / "configs" / "workspace.toml").read_text(encoding="utf-8"))
    tables = plan["system"]
    for name in plan["run"]["systems"]:
        options = dict(tables.get(name, {}))
        filled(Row(name=name, base=options.pop("base", name), options=options))
    ablated = {table.get("without") for table in tables.values()}
    assert {"lexical", "semantic", "temporal", "graph"} <= ablated
