"""What results look like where they are printed, and what calls with nothing to do answer."""

from __future__ import annotations

import pytest

from arandu_lab.errors import ConfigError
from arandu_lab.workspace import Workspace


async def test_a_result_is_a_line(bare: Workspace) -> None:
    """A proposal and a search print as what was said, why a voice was silent, and no vectors; kilobytes of rows they are not."""
    await bare.propose_fact("conventions", "deploys", "Deploys run on Fridays", agent="iris")
    done = await bare.propose_fact("conventions", "deploys", "Deploys never run on Fridays", agent="rui")
    assert repr(done).startswith("<added: 'Deploys never run on Fridays' in conventions, confidence ")
    assert "in the place of 'Deploys run on Fridays'; conflict: polarity" in repr(done)
    found = await bare.search_memory("deploys", agent="iris")
    assert repr(found).startswith("<1 hits, ")
    assert "semantic is silent: " in repr(found)
    assert len(repr(found)) < 500


async def test_an_unknown_override_names_the_searchs_own(bare: Workspace) -> None:
    """What a search can be told is named by the nearest of its own parameters, not by those of a conversation's memory."""
    await bare.propose_fact("d", "t", "x y", agent="a")
    with pytest.raises(ConfigError, match="voice_limit"):
        await bare.search_memory("x", agent="a", overrides={"voice_limits": 3})


async def test_nothing_to_do_is_said(bare: Workspace) -> None:
    """A tool that had nothing to do says so, instead of an empty answer."""
    box = bare.toolbox("iris", role="dev")
    assert (await box.call("consolidate_memory"))["idle"] is True
    assert (await box.call("harmonize_memory"))["idle"] is True


async def test_what_was_done_out_of_sight_was_not_nothing(bare: Workspace) -> None:
    """A consolidation whose every result is closed to the role says how many are hidden, and not that it was idle."""
    await bare.propose_fact("secret", "keys", "The vault holds the keys", agent="ana")
    await bare.remember("The spare key is with Rui", agent="ana", session_id="s", domain="secret", topic="spare")
    await bare.grant_access("guest", "secret", "none")
    told = await bare.toolbox("rui", role="guest").call("consolidate_memory")
    assert told["hidden"] >= 1
    assert "idle" not in told
    assert bare.facts().height == 2
