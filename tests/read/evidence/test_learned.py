"""From columns to quoted turns and facts: the blend decides, refuses what it was not trained on, and facts follow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arandu_lab.blends.blend import Blend, Term
from arandu_lab.errors import ConfigError
from arandu_lab.read.evidence import COLUMNS, FAMILIES, FLAGS
from arandu_lab.read.evidence.learned import against_chance
from arandu_lab.read.preset import reading_tuned
from arandu_lab.records import MIRROR


def blended(path, names=COLUMNS, embedder="scripted", **weights):
    """A blend file over these columns; those without a weight count nothing."""
    terms = tuple(
        Term(column=name, kind="flag" if name in FLAGS else "z", weight=weights.get(name, 0.0)) for name in names
    )
    Blend(name="test", terms=terms, embedder=embedder).save(path)
    return str(path)


@pytest.fixture
def blend(tmp_path):
    """A blend that looks at shared words and at who speaks."""
    return blended(tmp_path / "blend.json", bm=4.0, spk_one=2.0)


async def test_the_best_turns_are_quoted_with_their_columns(talk, blend):
    """The best by the blend come first, at most ``topk_events``, and every column of each is in the frame."""
    for lines, question in (
        (("Bia: the lake", "Ana: the lake", "Ana: hm", "Bia: hm"), "What did Ana say of the lake?"),
        (("Bia: o lago", "Ana: o lago", "Ana: hum", "Bia: hum"), "O que a Ana disse do lago?"),
    ):
        found, _ = await talk(*lines).ask(question, pipeline=reading_tuned(), blend=blend, topk_events=3)
        assert found.events["event_id"].to_list() == ["e001", "e000", "e002"]
        assert set(COLUMNS) <= set(found.events.columns)
        assert found.events["hit"].all()
        assert all(0.0 <= score <= 1.0 for score in found.events["score"])
        assert "lake" in found.context or "lago" in found.context


async def test_neighbours_are_quoted_behind(talk, blend):
    """``event_window`` adds turns of the same session around the hits, marked as no hits."""
    w = talk("Ana: hm", "Ana: the lake", "--", "Ana: far")
    found, _ = await w.ask("lake?", pipeline=reading_tuned(), blend=blend, topk_events=1, event_window=1)
    assert found.events["event_id"].to_list() == ["e001", "e000"]
    assert found.events["hit"].to_list() == [True, False]


@pytest.mark.parametrize("left_out", [family for family in FAMILIES if family not in ("dense", "softmatch")])
async def test_a_blend_is_refused_when_columns_differ(talk, blend, left_out):
    """A family left out is a lever, and a blend trained with it says so and how to train another. (What stands in for
    ``dense`` and ``softmatch`` stays and says that nobody can tell.)"""
    w = talk("Ana: the lake")
    with pytest.raises(ConfigError, match="fit-blend"):
        await w.ask("lake?", pipeline=reading_tuned().without(left_out), blend=blend)


async def test_a_blend_for_other_columns_is_taken_by_the_pipeline_that_makes_them(talk, tmp_path):
    """Trained without a family, it works in a pipeline without it."""
    names = [name for name in COLUMNS if name not in FAMILIES["dates"]]
    path = blended(tmp_path / "b.json", names, bm=1.0)
    found, _ = await talk("Ana: the lake").ask("lake?", pipeline=reading_tuned().without("dates"), blend=path)
    assert len(found.events) == 1


async def test_a_blend_of_another_embedder_is_refused(talk, tmp_path):
    """Cosines of two models do not compare: the blend names the one it knows."""
    path = blended(tmp_path / "b.json", embedder="another", bm=1.0)
    with pytest.raises(ConfigError, match="another"):
        await talk("Ana: the lake").ask("lake?", pipeline=reading_tuned(), blend=path)


async def test_nothing_to_rank_is_no_error(world, blend):
    """A memory without turns, and a greeting, quote nothing."""
    found, _ = await world().ask("lake?", pipeline=reading_tuned(), blend=blend)
    assert not len(found.events)
    w = world()
    w.turn("the lake")
    found, _ = await w.ask("oi, tudo bem?", pipeline=reading_tuned(), blend=blend)
    assert not len(found.events)


def test_scores_of_two_questions_compare():
    """Chance is one half however many turns there are; what holds more of the evidence scores higher."""
    for size in (2, 10, 500):
        assert against_chance(np.full(size, 1.0 / size)).tolist() == [0.5] * size
    peaked = against_chance(np.array([0.97, 0.01, 0.01, 0.01]))
    assert peaked[0] > 0.75 > 0.05 > peaked[1]


async def test_facts_follow_their_turns(talk, blend):
    """A fact of the best turn comes before a fact of another that is nearer to the question by itself; within one turn the
    formula decides; what was inferred from an edge keeps its own score."""
    w = talk("Ana: the lake, the lake", "Bia: hm")
    far = w.fact("she has a boat", "person:ana", source_event_id="e000")
    further = w.fact("she hums", "person:ana", source_event_id="e000", importance=0.1)
    near = w.fact("the lake house", "person:bia", source_event_id="e001")
    w.entity("person:ana", "Ana", "ana")
    found, _ = await w.ask("Ana, the lake?", pipeline=reading_tuned(), blend=blend, min_score=0.0, min_similarity=-1.0)
    order = found.frame["fact_id"].to_list()
    assert order.index(far) < order.index(further)
    assert order.index(far) < order.index(near)
    w.facts = [replace(fact, source_context=MIRROR) for fact in w.facts]
    found, _ = await w.ask("Ana, the lake?", pipeline=reading_tuned(), blend=blend, min_score=0.0, min_similarity=-1.0)
    assert found.frame["score"].to_list() == found.frame["formula"].to_list()
