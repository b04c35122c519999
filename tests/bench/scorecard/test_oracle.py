"""The model that reads as the gold does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from arandu_lab.bench.plan import Row
from arandu_lab.bench.scorecard.book import Book
from arandu_lab.bench.scorecard.dossier import Dossier
from arandu_lab.bench.scorecard.oracle import answered_by, oracle, reading
from arandu_lab.bench.scorecard.record import record
from arandu_lab.errors import ConfigError
from arandu_lab.llm import tasks
from arandu_lab.llm.mind import Minds
from arandu_lab.llm.open import open_minds
from arandu_lab.presets import arandu


async def _recorded(book: Book, informed: bool) -> Dossier:
    assembly = arandu(enable_informed_extraction=informed)
    return await record(assembly, book, mode="oracle", embedder="hashing")


@pytest.mark.parametrize("informed", [True, False])
async def test_the_gold_is_what_is_read(tiny: Book, informed: bool) -> None:
    """Informed and blind extraction both read every fact, mention and relation of the gold and nothing else."""
    dossier = await _recorded(tiny, informed)
    for heard in dossier.heard:
        gold = tiny.gold(heard.turn)
        turn = tiny.turns[heard.turn]
        assert heard.error is None
        assert [one.text for one in heard.facts] == [fact.text for fact in gold.facts]
        assert [one.category for one in heard.facts] == [fact.category for fact in gold.facts]
        assert {name for name, _, _ in heard.entities} == {one.mention for one in gold.entities}
        assert all(aliases == () for _, _, aliases in heard.entities)
        assert [type for _, type, _ in heard.relations] == [edge.type for edge in gold.relations]
        today = turn.occurred_at.date()
        stated = [None if fact.valid_from == today else fact.valid_from.isoformat() for fact in gold.facts]
        assert [one.valid_from for one in heard.facts] == stated


async def test_names_are_those_of_the_turn(tiny: Book) -> None:
    """The speaker goes by the shown name, others by their mention, who is not named by the canonical name."""
    heard = {one.turn: one for one in (await _recorded(tiny, True)).heard}
    assert [one.subject for one in heard["s01t01"].facts] == ["Annie", "Annie"]
    assert [one.subject for one in heard["s01t03"].facts] == ["Ana", "Beth"]
    assert heard["s01t01"].relations[1] == ("Annie", "works_at", "Orion")
    turn = tiny.turns["s01t02"]
    assert tiny.said(turn, "Ana Prado") == "Ana Prado"


async def test_both_ways_of_reading_agree(tiny: Book) -> None:
    """Behind a perfect extraction, informed and blind systems leave the same rows."""
    one, other = await _recorded(tiny, True), await _recorded(tiny, False)
    assert one.rows == other.rows
    assert one.states == other.states


async def test_a_message_of_no_turn_is_refused(tiny: Book) -> None:
    """The oracle answers for its set alone, and says so."""
    minds = open_minds(answered_by(oracle(tiny), "offline/rules"))
    inputs: Mapping[str, Any] = {"message": "hi", "speaker": "Annie", "sent_at": "2020-01-01T00:00:00+00:00"}
    with pytest.raises(ConfigError, match="which no turn is"):
        await minds.ask(tasks.extract(), inputs, timeout=1.0)


def test_only_extraction_is_answered(tiny: Book) -> None:
    """Whatever the models of a system were, the oracle takes the role ``extract`` and no other."""
    model = oracle(tiny)
    for llm in ("offline/rules", {"default": "offline/rules", "judge": "offline/rules"}, open_minds("offline/rules")):
        minds = open_minds(answered_by(model, llm))
        assert isinstance(minds, Minds)
        assert {role for role, name in minds.names.items() if name == "oracle"} == {"extract"}


async def test_controls_have_no_extraction(tiny: Book) -> None:
    """Oracle mode of a system that extracts nothing is refused, not measured as if it were."""
    with pytest.raises(ConfigError, match="extracts nothing"):
        await record(Row(name="bm25", base="bm25"), tiny, mode="oracle")


def test_reading_hides_the_date_of_the_day(tiny: Book) -> None:
    """A date is given where the gold has another than the turn's, and only there."""
    assert [one["valid_from"] for one in reading(tiny, tiny.turns["s01t01"])["facts"]] == [None, None]
    assert [one["valid_from"] for one in reading(tiny, tiny.turns["s02t01"])["facts"]] == ["2024-02-26"]
