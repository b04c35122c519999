"""What is held out has no say, and is whole conversations wherever there are several."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.data.registry import load
from arandu_lab.bench.sweeps.split import split
from arandu_lab.errors import ConfigError


def test_conversations_stay_whole(towns: Dataset) -> None:
    """A share holds out conversations, never some questions of one; both parts together are everything."""
    found = split({"towns": towns}, 0.34, seed=3)
    assert {c for _, c, _ in found.training} & {c for _, c, _ in found.held_out} == set()
    assert len({c for _, c, _ in found.held_out}) == 1
    assert len(found.training | found.held_out) == 12
    assert found == split({"towns": towns}, 0.34, seed=3)
    assert "1 of 3 conversations" in found.said


def test_one_conversation_is_parted_by_time(towns: Dataset) -> None:
    """Inside a single conversation the later questions are held out."""
    alone = towns.slice(["c1"])
    found = split({alone.name: alone}, 0.5)
    assert {q for _, _, q in found.training} == {"q0", "q1"}
    assert {q for _, _, q in found.held_out} == {"q2", "q9"}
    at_once = replace(alone, conversations=(replace(alone.conversations[0], questions=_at_once(alone)),))
    later = split({alone.name: at_once}, 0.3)
    assert {q for _, _, q in later.held_out} == {"q1"}, "put at one moment, the later evidence is held out"


def test_a_story_in_two_languages_stays_together(towns: Dataset) -> None:
    """Conversations of one id are one story: none is learned from in one language and judged in the other."""
    both = {"towns": towns, "cidades": replace(towns, name="cidades")}
    for hold_out in (0.34, ("c2",), ("towns/c2",), ("cidades/c2",)):
        found = split(both, hold_out)
        for part in (found.training, found.held_out):
            assert {c for d, c, _ in part if d == "towns"} == {c for d, c, _ in part if d == "cidades"}
        assert "1 of 3 conversations" in found.said


@pytest.mark.parametrize("share", [0.4, 0.5, 0.7])
def test_the_only_story_in_two_languages_is_parted_by_time(towns: Dataset, share: float) -> None:
    """Where both sets tell one story a share parts its questions, each on one side in both languages."""
    alone = towns.slice(["c1"])
    found = split({"towns": alone, "cidades": alone}, share)
    for part in (found.training, found.held_out):
        assert {q for d, _, q in part if d == "towns"} == {q for d, _, q in part if d == "cidades"} != set()


@pytest.mark.parametrize("seed", range(12))
def test_no_world_is_torn(seed: int) -> None:
    """Our worlds are one story in two languages each: a share holds out both or none."""
    sets = {name: load(name) for name in ("harbor_en", "mare_pt", "brook_en", "brook_pt", "cove_en", "cove_pt")}
    found = split(sets, 0.34, seed=seed)
    held = {dataset for dataset, _, _ in found.held_out}
    assert len({"brook_en", "brook_pt"} & held) != 1
    assert len({"cove_en", "cove_pt"} & held) != 1
    assert "of 4 conversations" in found.said


@pytest.mark.parametrize(
    ("hold_out", "said"),
    [(("c9",), "did you mean 'c1'|known"), (("c1", "c2", "c3"), "training part"), (0.1, None), (("towns/c2",), None)],
)
def test_names_are_checked(towns: Dataset, hold_out: Any, said: str | None) -> None:
    """An unknown name, or a split that leaves a part empty, is refused; a dataset's name before a conversation is fine."""
    if said is None:
        assert split({"towns": towns}, hold_out).held_out
        return
    with pytest.raises(ConfigError, match=said):
        split({"towns": towns}, hold_out)


def test_nothing_held_out_is_said(towns: Dataset) -> None:
    """Without a split everything trains, and the sentence says so."""
    found = split({"towns": towns}, None)
    assert not found.held_out
    assert found.said == "no question is held out"


def _at_once(dataset: Dataset) -> Any:
    questions = dataset.conversations[0].questions
    return tuple(replace(one, asked_at=questions[-1].asked_at) for one in questions)
