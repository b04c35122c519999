"""The hub column, and choosing a set of turns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab import Memory
from arandu_lab.blends.design import design
from arandu_lab.presets import tuned_turns
from arandu_lab.read.evidence import FLAGS
from arandu_lab.read.evidence.hubs import centrality


async def test_what_is_near_everything_is_a_hub(talk, columns):
    """hubs: a turn in the middle of what was said has the highest value, one apart from all the lowest."""
    found = await columns(talk("Ana: red lake boat", "Ana: red lake", "Ana: lake boat", "Ana: zebra"), "lake?")
    values = list(found["hub"].values())
    assert max(values) == values[0]
    assert min(values) == values[3]


def test_a_hub_can_only_be_against_a_turn() -> None:
    """The design bounds both ways of seeing it from above."""
    assert {term.sign for term in design(["hub"], FLAGS)} == {-1}


@given(rows=st.integers(1, 9), seed=st.integers(0, 99))
def test_centrality_is_a_cosine(rows: int, seed: int) -> None:
    """The cosine with the mean of the rows that count, the same however rows are ordered, and NaN where there is no vector."""
    rng = np.random.default_rng(seed)
    matrix = rng.standard_normal((rows, 4))
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    held = rng.random(rows) < 0.7
    found = centrality(matrix, held)
    assert np.isnan(found).tolist() == (~held).tolist()
    assert (np.abs(found[held]) <= 1.0 + 1e-6).all()
    middle = matrix[held].sum(axis=0)
    assert found[held] == pytest.approx(matrix[held] @ middle / np.linalg.norm(middle), abs=2e-6)
    order = rng.permutation(rows)
    assert centrality(matrix[order], held[order]) == pytest.approx(found[order], abs=2e-6, nan_ok=True)


async def test_spacing_lets_another_session_in() -> None:
    """learned: with spacing, the neighbours of the best turn make room for a turn of another session; the best stays."""
    chosen = tuned_turns(topk_events=3, auto_reinforce=False)
    with Memory.open("memory://", config=chosen.config, write=chosen.write, read=chosen.read) as memory:
        for session, said in (
            ("a", ["Kayak on the lake", "My kayak leaks", "A kayak!", "Kayaks"]),
            ("b", ["We sold it"]),
        ):
            for text in said:
                await memory.write("ana", text, "Ana", session_id=session)
        plain = await memory.retrieve("ana", "Where is the kayak?")
        spaced = await memory.retrieve("ana", "Where is the kayak?", config_overrides={"turn_spacing": 50.0})
        said, other = ([turn.text for turn in one.events] for one in (plain, spaced))
        assert "We sold it" not in said
        assert "We sold it" in other
        assert said[0] == other[0]
