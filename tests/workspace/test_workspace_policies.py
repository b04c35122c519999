"""Policies: rules that all are shown; and correcting them by hand."""

from __future__ import annotations

import pytest

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import MemoryPolicy
from arandu_lab.workspace.face import Workspace


async def test_a_policy_cites_facts_and_stands_once(bare: Workspace) -> None:
    """The same rule again in the same domain is known; its sources must be facts of this workspace."""
    fact = (await bare.propose_fact("conventions", "tabs", "O time usa tabs", agent="ana")).fact
    first = await bare.propose_policy(
        "conventions", "Use tabs", agent="ana", source_fact_ids=[fact.id], required_role="coder"
    )
    again = await bare.propose_policy("conventions", "use tabs.", agent="rui", required_role="coder")
    other = await bare.propose_policy("conventions", "Use tabs", agent="rui")
    assert (first.outcome, again.outcome, other.outcome) == ("added", "known", "added")
    assert again.policy == first.policy
    assert first.policy.source_fact_ids == (fact.id,)
    with pytest.raises(ConfigError, match="has no fact 'nope'"):
        await bare.propose_policy("conventions", "Use tabs sempre", agent="ana", source_fact_ids=["nope"])


async def test_superseding_a_policy_keeps_the_old_on_record(bare: Workspace) -> None:
    """The new rule takes the old one's place, its role and its sources; both stay."""
    old = (await bare.propose_policy("conventions", "Use tabs", agent="ana", required_role="coder")).policy
    done = await bare.supersede_policy(old.id, "Use spaces", agent="rui")
    assert (done.policy.required_role, done.superseded[0].superseded_by) == ("coder", done.policy.id)
    assert bare.policies()["rule"].to_list() == ["Use spaces"]
    assert bare.policies(in_force=False)["rule"].to_list() == ["Use tabs", "Use spaces"]
    with pytest.raises(ConfigError, match="superseded by"):
        await bare.supersede_policy(old.id, "Use both", agent="rui")
    with pytest.raises(ConfigError, match="already"):
        await bare.supersede_policy(done.policy.id, "use spaces", agent="rui")


async def test_policies_are_corrected_by_hand(bare: Workspace) -> None:
    """Switched off it is shown to nobody; edited it is a new row; retired it is gone from dispatches and stays on record."""
    policy = (await bare.propose_policy("conventions", "Use tabs", agent="ana")).policy
    off = await bare.edit_policy(policy.id, by="human", active=False)
    assert (off.before.active, off.after.active, off.after.id) == (True, False, policy.id)
    assert bare.preamble("ana", "x").policy_ids == ()
    on = await bare.edit_policy(policy.id, by="human", active=True, rule="Use tabs sempre")
    assert on.after.id != policy.id
    assert bare.preamble("ana", "x").policy_ids == (on.after.id,)
    gone = await bare.delete_policy(on.after.id, by="human")
    assert gone.after.retired_at is not None
    assert bare.policies().height == 0
    assert len(bare.view.shelf(MemoryPolicy)) == 2
    assert bare.records()["op"].to_list()[0] == "retire_policy"
    for call in (bare.edit_policy(on.after.id, by="human", active=True), bare.retire_policy("nope", by="human")):
        with pytest.raises(ConfigError):
            await call


@pytest.mark.parametrize(
    ("change", "told"),
    [({"rule": " "}, "rule"), ({"agent": ""}, "agent"), ({"role": " "}, "role"), ({"required_role": ""}, "required_role"),
     ({"domain": "\t"}, "domain"), ({"source_fact_ids": "abc"}, "list"), ({"rule": 7}, "rule")],
)  # fmt: skip
async def test_bad_input(bare: Workspace, change: dict, told: str) -> None:
    """A wrong argument is told by name, and nothing is appended."""
    with pytest.raises(ConfigError, match=told):
        await bare.propose_policy(**{"domain": "d", "rule": "r", "agent": "a", **change})
    with pytest.raises(ConfigError):
        await bare.supersede_policy("nope", "r", agent="a")
    policy = (await bare.propose_policy("d", "r", agent="a")).policy
    for wrong in ({}, {"active": "yes"}, {"rule": " "}):
        with pytest.raises(ConfigError):
            await bare.edit_policy(policy.id, by="human", **wrong)
    assert bare.view.sequence == 1
