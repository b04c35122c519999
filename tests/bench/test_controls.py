"""The controls keep the contract of a system: no future, no gold, no memory of another conversation, one order."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from arandu_lab.bench.data import Dataset, DatedTurn
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.records import Vector
from arandu_lab.systems.base import RankedTurn, System, pool, worded
from arandu_lab.systems.controls import CONTROLS, control

WORDS = ["bees", "honey", "queen", "olinda"]


class Bag:
    """An embedder of four words; a text with none of them has no vector."""

    name, dim = "bag", len(WORDS)

    def __init__(self) -> None:
        self.seen: list[str] = []

    async def __call__(self, texts: Sequence[str]) -> list[Vector | None]:
        self.seen += texts
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> Vector | None:
        counts = np.array([text.lower().count(word) for word in WORDS], dtype=np.float32)
        return counts / np.linalg.norm(counts) if counts.any() else None

    def scale(self, cosine: Any) -> Any:
        return cosine


class Broken(Bag):
    async def __call__(self, texts: Sequence[str]) -> list[Vector | None]:
        raise BackendError("no answer", kind="timeout", backend="broken")


def built(name: str, talk: Dataset) -> Any:
    options: dict[str, Any] = {}
    if name in ("dense", "fused", "verbatim"):
        options["embed"] = Bag()
    if name == "oracle":
        options["evidence"] = {("c1", q.text, q.asked_at): q.evidence for q in talk["c1"].questions}
    return control(name, **options)


async def told(system: Any, talk: Dataset, turns: Sequence[DatedTurn] | None = None) -> Any:
    await system.begin("c1")
    for turn in talk["c1"].turns if turns is None else turns:
        await system.listen(turn)
    return system


def ids(ranked: Any) -> list[str]:
    return [turn.id for turn in ranked.turns or ()]


@pytest.mark.parametrize("name", CONTROLS)
async def test_a_control_is_a_system(talk: Dataset, name: str):
    """Every control fits the protocol, answers with known turns, at most k, best first, and says how long it took."""
    system = await told(built(name, talk), talk)
    assert isinstance(system, System)
    found = await system.ask("Where are the bees of the queen?", now=talk["c1"].questions[0].asked_at, k=3)
    if name == "full_context":
        assert found.evidence() is None
    else:
        assert set(ids(found)) <= {turn.id for turn in talk["c1"].turns}
        assert len(set(ids(found))) == len(ids(found)) <= 3
        scores = [turn.score for turn in found.turns]
        assert scores == sorted(scores, reverse=True)
    assert found.ms > 0
    assert found.usage.calls == 0


@pytest.mark.parametrize("name", CONTROLS)
async def test_the_future_changes_nothing(talk: Dataset, name: str):
    """Turns said after ``now`` are invisible: hearing them first gives the same answer as never having heard them."""
    question = talk["c1"].questions[2]
    early = [turn for turn in talk["c1"].turns if turn.occurred_at <= question.asked_at]
    assert 0 < len(early) < len(talk["c1"].turns)
    whole = await (await told(built(name, talk), talk)).ask(question.text, now=question.asked_at, k=9)
    part = await (await told(built(name, talk), talk, early)).ask(question.text, now=question.asked_at, k=9)
    assert (whole.turns, whole.context) == (part.turns, part.context)


@pytest.mark.parametrize("name", CONTROLS)
async def test_a_conversation_leaves_no_trace(talk: Dataset, name: str):
    """K1: after ``begin`` nothing of the conversation before is found; before it, calls are refused."""
    system = built(name, talk)
    now = talk["c1"].questions[0].asked_at
    with pytest.raises(ConfigError, match="before begin"):
        await system.listen(talk["c1"].turns[0])
    with pytest.raises(ConfigError, match="before begin"):
        await system.ask("bees", now=now, k=3)
    await told(system, talk)
    await system.begin("c1")
    found = await system.ask("bees", now=now, k=3)
    assert (found.turns or ()) == ()
    assert found.context == ""


@pytest.mark.parametrize("name", CONTROLS)
async def test_answers_repeat(talk: Dataset, name: str):
    """O1, R1: the same replay gives the same answer, ties included."""
    now = talk["c1"].questions[0].asked_at
    one, other = [await (await told(built(name, talk), talk)).ask("the bees", now=now, k=6) for _ in range(2)]
    assert (one.turns, one.context) == (other.turns, other.context)


async def test_turns_come_in_order_of_time(talk: Dataset):
    """A replay that runs backwards is refused."""
    with pytest.raises(ConfigError, match="order of time"):
        await told(control("recency"), talk, talk["c1"].turns[::-1])


async def test_recency_is_newest_first(talk: Dataset):
    """The last turn heard stands first."""
    found = await (await told(control("recency"), talk)).ask("?", now=talk["c1"].questions[0].asked_at, k=3)
    assert ids(found) == ["t6", "t5", "t4"]


async def test_random_differs_by_question_and_seed_only(talk: Dataset):
    """The order is drawn from seed, conversation and question, and covers every turn."""
    now = talk["c1"].questions[0].asked_at
    orders = {}
    for seed, text in ((0, "a"), (0, "b"), (1, "a")):
        orders[seed, text] = ids(await (await told(control("random", seed=seed), talk)).ask(text, now=now, k=6))
    assert {tuple(sorted(order)) for order in orders.values()} == {("t1", "t2", "t3", "t4", "t5", "t6")}
    assert len({tuple(order) for order in orders.values()}) == 3


async def test_bm25_puts_strangers_behind_and_the_earlier_first(talk: Dataset):
    """Turns that share no word come after all that do, in order of time."""
    now = talk["c1"].questions[0].asked_at
    found = await (await told(control("bm25", template="text", variant="lucene"), talk)).ask("Olinda?", now=now, k=4)
    assert ids(found) == ["t4", "t1", "t2", "t3"]


async def test_the_template_decides_what_is_searched(talk: Dataset):
    """A speaker's name is found only where the template has it; the row of the table says which template it was."""
    now = talk["c1"].questions[0].asked_at
    scored = {}
    for template in ("text", "speaker+text"):
        system = await told(control("bm25", template=template, variant="lucene"), talk)
        scored[system.name] = sum(turn.score > 0 for turn in (await system.ask("Caio", now=now, k=6)).turns)
    assert scored == {"bm25(text)": 0, "bm25": 3}


async def test_dense_ranks_by_cosine_and_leaves_out_what_has_no_vector(talk: Dataset):
    """Each turn is embedded once, when heard, and counted; a turn with no vector is no candidate."""
    system = control("dense", embed=Bag(), template="text")
    await system.begin("c1")
    spent = [await system.listen(turn) for turn in talk["c1"].turns]
    assert [usage.embedded_texts for usage in spent] == [1] * 6
    now = talk["c1"].questions[0].asked_at
    found = await system.ask("queen bees", now=now, k=6)
    assert ids(found) == ["t5", "t1", "t3", "t6", "t2", "t4"]
    assert [round(turn.score, 4) for turn in found.turns] == [1.0, 0.7071, 0.7071, 0.7071, 0.5, 0.0]
    assert found.usage.embedded_texts == 1
    assert ids(await system.ask("what?", now=now, k=6)) == []


@pytest.mark.parametrize("name", ["dense", "fused", "verbatim"])
async def test_a_dead_embedder_is_an_error(talk: Dataset, name: str):
    """C11: failure never looks like an empty ranking."""
    system = control(name, embed=Broken())
    await system.begin("c1")
    with pytest.raises(BackendError, match="timeout"):
        await system.listen(talk["c1"].turns[0])


async def test_fused_hears_both_voices(talk: Dataset):
    """What only BM25 knows and what only vectors know both reach the answer; the silence of one is no veto."""
    system = await told(control("fused", embed=Bag(), template="text"), talk)
    now = talk["c1"].questions[0].asked_at
    assert "t3" in ids(await system.ask("Monday, honey", now=now, k=6))
    assert ids(await system.ask("Monday", now=now, k=6)) == ["t3"]
    assert set(ids(await system.ask("xyz", now=now, k=6))) == set()


async def test_verbatim_shows_hits_with_neighbours(talk: Dataset):
    """E16: it ranks as ``fused``; the context has neighbours within the session, in order of time, each line dated."""
    now = talk["c1"].questions[0].asked_at
    fused = await (await told(control("fused", embed=Bag()), talk)).ask("Monday", now=now, k=1)
    found = await (await told(control("verbatim", embed=Bag(), window=1, recent=1), talk)).ask("Monday", now=now, k=1)
    assert found.turns == fused.turns
    lines = found.context.splitlines()
    assert [line.partition("] ")[2].partition(": ")[2] for line in lines] == [
        talk["c1"].turns[place].text for place in (1, 2, 5)
    ]
    assert all(line.startswith("[") for line in lines)


async def test_the_oracle_is_the_ceiling(talk: Dataset):
    """It returns the evidence and nothing else, and nothing for a question without."""
    system = await told(built("oracle", talk), talk)
    for question in talk["c1"].questions:
        found = await system.ask(question.text, now=question.asked_at, k=10)
        assert ids(found) == list(question.evidence)


async def test_full_context_holds_every_turn(talk: Dataset):
    """The whole conversation, in order, whatever k is."""
    found = await (await told(control("full_context"), talk)).ask("?", now=talk["c1"].questions[0].asked_at, k=1)
    assert [line.partition(": ")[2] for line in found.context.splitlines()] == [t.text for t in talk["c1"].turns]


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("bm52", {}, "did you mean 'bm25'"),
        ("bm25", {"k": 3}, "unexpected keyword"),
        ("bm25", {"template": "text+name"}, "part 'name'"),
        ("bm25", {"template": "speaker"}, "lacks the part 'text'"),
        ("bm25", {"template": "date+text", "language": "fr"}, "month names in 'fr'"),
        ("verbatim", {"embed": Bag(), "window": -1}, "window=-1"),
        ("oracle", {}, "evidence"),
    ],
)
def test_wrong_options_are_refused_when_built(name: str, options: dict[str, Any], said: str):
    """A control that cannot be meant fails before any turn is heard."""
    with pytest.raises(ConfigError, match=said):
        control(name, **options)


def test_pooling_ignores_the_order_of_facts_but_for_ties():
    """A turn has the score of its best fact; equal turns stand as they were first named."""
    from arandu_lab.systems.base import RankedFact

    facts = [RankedFact(text="", score=one, turn_ids=(name,)) for one, name in ((0.1, "a"), (0.9, "b"), (0.9, "a"))]
    assert pool(facts) == (RankedTurn(id="a", score=0.9), RankedTurn(id="b", score=0.9))
    assert pool([]) == ()


def test_a_caption_is_shown_only_where_there_is_one(talk: Dataset):
    """Turns without an image read the same with and without the caption part."""
    turn = talk["c1"].turns[0]
    assert worded(turn, "text+caption") == turn.text


async def test_the_bundled_embedder_is_the_default(talk: Dataset):
    """Without an embedder given, dense opens the bundled one and finds a paraphrase."""
    system = await told(control("dense"), talk)
    now = talk["c1"].questions[0].asked_at + timedelta(days=1)
    found = await system.ask("Who cannot eat honey?", now=now, k=2)
    assert "t2" in ids(found)


async def test_the_oracle_shows_the_answer_of_the_moment(talk: Dataset):
    """The same words asked at two moments have two answers, and the oracle shows each alone."""
    first, last = talk["c1"].turns[0], talk["c1"].turns[-1]
    evidence = {("c1", "where?", turn.occurred_at): (turn.id,) for turn in (first, last)}
    system = await told(control("oracle", evidence=evidence), talk)
    for turn in (first, last):
        assert ids(await system.ask("where?", now=turn.occurred_at, k=10)) == [turn.id]
