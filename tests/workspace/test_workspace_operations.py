"""The operations as tools: schemas for a model, calls by name, and bad input that is answered and never raised."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arandu_lab.embed.scripted import DeadEmbedder
from arandu_lab.errors import ConfigError
from arandu_lab.workspace.face import Workspace
from arandu_lab.workspace.operations import OPERATIONS

MODEL = {
    *("propose_fact", "supersede_fact", "propose_policy", "supersede_policy", "search_memory", "remember"),
    *("record_observation", "update_my_notes", "consolidate_memory", "harmonize_memory", "list_memory_conflicts"),
}


def test_schemas_are_tools_of_the_openai_form(bare: Workspace) -> None:
    """Every operation of the document is a tool; agent, role and session are not the model's to say; grants are for programs."""
    box = bare.toolbox("iris", role="coder")
    tools = box.tools()
    assert {one["function"]["name"] for one in tools} == MODEL
    every = bare.toolbox("iris", role="coder", rpc=True).tools()
    assert {one["function"]["name"] for one in every} - MODEL == {
        "memory_fact.search", "memory_access_grant.grant", "memory_access_grant.revoke", "memory_access_grant.list",
        "meeting.harvest",
    }  # fmt: skip
    json.dumps(every)
    for one in tools:
        function = one["function"]
        assert one["type"] == "function"
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", function["name"])
        assert function["description"]
        assert function["parameters"]["type"] == "object"
        assert function["parameters"]["additionalProperties"] is False
        assert not {"agent", "role"} & function["parameters"]["properties"].keys()
        assert all(part.get("description") for part in function["parameters"]["properties"].values())


async def test_a_whole_session_by_name(workspace: Workspace) -> None:
    """An agent and another work by tools alone: each answer is JSON, and says what happened."""
    iris, rui = (
        workspace.toolbox("iris", role="coder", repo="api", session_id="s1", rpc=True),
        workspace.toolbox("rui", role="guest", rpc=True),
    )
    seen = await iris.call("record_observation", {"text": "O build quebrou", "speaker": "CI"})
    first = await iris.call(
        "propose_fact",
        json.dumps({"domain": "codebase", "topic": "limits", "content": "The API limit is 100",
                    "source_observation_ids": [seen["sighting"]["id"]]}),
    )  # fmt: skip
    assert (first["outcome"], first["fact"]["proposed_by"], first["fact"]["role"]) == ("added", "iris", "coder")
    assert not {"vector", "agent_id"} & first["fact"].keys()
    second = await rui.call(
        "propose_fact", {"domain": "codebase", "topic": "limits", "content": "The API limit is 250"}
    )
    assert second["conflicts"][0]["lost_evidence"] == ["The API limit is 100", "O build quebrou"]
    found = await rui.call("search_memory", {"query": "API limit"})
    assert found["facts"][0]["content"] == "The API limit is 250"
    assert (await rui.call("list_memory_conflicts"))["conflicts"][0]["why"] == "number"
    policy = await iris.call("propose_policy", {"domain": "codebase", "rule": "Check limits"})
    await iris.call("supersede_policy", {"policy_id": policy["policy"]["id"], "rule": "Check the limits first"})
    assert (await iris.call("remember", {"text": "A fila usa Redis", "topic": "queue"}))["item"]["session_id"] == "s1"
    assert len((await iris.call("consolidate_memory", {"session_id": "s1"}))["promoted"]) == 1
    assert (await iris.call("harmonize_memory"))["dry_run"] is False
    await iris.call("update_my_notes", {"text": "meio do caminho"})
    assert workspace.notes_of("iris") == "meio do caminho"
    third = await rui.call("supersede_fact", {"fact_id": second["fact"]["id"], "content": "The API limit is 300"})
    assert third["superseded"][0]["id"] == second["fact"]["id"]
    await iris.call("memory_access_grant.grant", {"role": "guest", "domain": "codebase", "permission": "none"})
    assert len((await iris.call("memory_access_grant.list"))["grants"]) == 3
    hidden = await rui.call("search_memory", {"query": "API limit"})
    assert [one["domain"] for one in hidden["facts"]] == ["conventions"]
    assert (await rui.call("list_memory_conflicts"))["conflicts"] == []
    assert (await rui.call("memory_fact.search", {"query": "API limit"}))["facts"] == []
    refused = await rui.call("propose_policy", {"domain": "codebase", "rule": "x"})
    assert refused["kind"] == "InsufficientMemoryPermission"
    assert (await iris.call("memory_access_grant.revoke", {"role": "guest", "domain": "codebase"}))["grant"][
        "revoked_at"
    ]
    assert len((await iris.call("meeting.harvest", {"meeting": "m", "decisions": ["Usamos Go"]}))["decisions"]) == 1


@pytest.mark.parametrize("name", OPERATIONS)
async def test_a_models_box_carries_out_what_it_shows_and_nothing_else(bare: Workspace, name: str) -> None:
    """A box of a model refuses the operations of programs by itself, whoever calls it; a box of a program takes all."""
    model, program = bare.toolbox("iris"), bare.toolbox("iris", rpc=True)
    assert [one["function"]["name"] for one in model.tools()] == [*model.offered]
    told = await model.call(name, {"nope": 1})
    if OPERATIONS[name].rpc:
        assert "is for programs" in told["error"]
        assert name not in model.offered
    else:
        assert "takes no 'nope'" in told["error"]
    assert "takes no 'nope'" in (await program.call(name, {"nope": 1}))["error"]


WRONG = ({"nope": 1}, "{", "[1]", "7", 7, [1], {"text": None}, {"domain": 7}, {"limit": "x"}, {"query": ""})


@pytest.mark.parametrize("name", OPERATIONS)
async def test_bad_input_of_every_operation_is_answered(bare: Workspace, name: str) -> None:
    """Unknown names, wrong types, no JSON: the answer is an error that says what is wrong, and nothing is appended."""
    for wrong in WRONG:
        told = await bare.toolbox("iris", rpc=True).call(name, wrong)
        assert set(told) == {"error", "kind"}, wrong
        assert told["error"]
    assert bare.view.sequence == 0


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("propose_fct", {}, "propose_fact"), (None, {}, "None"), ("propose_fact", {"domian": "x"}, "domain"),
        ("propose_fact", {"domain": "d", "topic": "t", "content": " "}, "content"),
        ("propose_fact", {"domain": "d", "topic": "t", "content": "c", "veracity": "sure"}, "stated"),
        ("propose_fact", {"domain": "d", "topic": "t", "content": "c", "memory_type": "decison"}, "decision"),
        ("propose_fact", {"domain": "d", "topic": "t", "content": "c", "valid_until": "2030-01-01T00:00"}, "offset"),
        ("propose_fact", {}, "content: Field required"), ("supersede_fact", {"fact_id": "x", "content": "c"}, "no fact 'x'"),
        ("supersede_policy", {"policy_id": "x", "rule": "r"}, "no policy 'x'"), ("search_memory", {"query": "  "}, "query"),
        ("search_memory", {"query": "x", "limit": 0}, "limit"), ("search_memory", {"query": "x", "mode": "all"}, "hybrid"),
        ("list_memory_conflicts", {"domain": "x"}, "no domain 'x'"),
        ("memory_access_grant.grant", {"role": "r", "domain": "x", "permission": "read"}, "no domain"),
        ("meeting.harvest", {"meeting": "m", "decisions": "one"}, "decisions"),
        ("remember", {"text": "\n"}, "text"), ("update_my_notes", {}, "text"),
    ],
)  # fmt: skip
async def test_an_error_says_what_would_be_accepted(bare: Workspace, name: str, given: dict, told: str) -> None:
    """The text of an error names the argument, or the nearest that is known."""
    answer = await bare.toolbox("iris", rpc=True).call(name, given)
    assert told in answer["error"]
    assert bare.view.sequence == 0


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(sorted({name for one in OPERATIONS.values() for name in one.arguments.model_fields}))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(sorted(OPERATIONS)), given=st.dictionaries(NAMES, JSON, max_size=6) | JSON)
def test_no_input_of_a_model_raises(bare: Workspace, name: str, given: object) -> None:
    """Whatever a model sends, a JSON answer comes back and the store stays sound."""
    import asyncio

    told = asyncio.run(bare.toolbox("iris", rpc=True).call(name, given))
    json.dumps(told)
    assert isinstance(told, dict)


async def test_a_failing_embedder_is_told(clock) -> None:
    """A fact is stored all the same and says so; a search hears the other voices and names the silent one."""
    with Workspace.open("memory://", embedder=DeadEmbedder(), clock=clock) as workspace:
        box = workspace.toolbox("iris")
        told = await box.call("propose_fact", {"domain": "d", "topic": "t", "content": "a fila usa Redis"})
        assert told["failures"][0]["stage"] == "embed"
        found = await box.call("search_memory", {"query": "fila"})
        assert [one["content"] for one in found["facts"]] == ["a fila usa Redis"]
        assert "semantic" in found["silent"]


def test_a_toolbox_is_of_somebody(bare: Workspace) -> None:
    """A toolbox wants a name of an agent, and no blank role, repository or session."""
    for wrong in (
        {"agent": " "},
        {"agent": "a", "role": ""},
        {"agent": "a", "repo": " "},
        {"agent": "a", "session_id": ""},
    ):
        with pytest.raises(ConfigError):
            bare.toolbox(**wrong)
