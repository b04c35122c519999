"""Hostile and empty arguments: every operation, every argument, every value. An answer always comes, and nothing breaks."""

from __future__ import annotations

import inspect
import json
import math
import typing
from typing import Any

import pytest

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import MemoryFact, MemoryPolicy, Sighting
from arandu_lab.workspace.face import Workspace
from arandu_lab.workspace.operations import OPERATIONS

VALID: dict[str, dict[str, Any]] = {
    "propose_fact": {
        "domain": "conventions", "topic": "t", "content": "Tests run before the merge", "repo": "api", "memory_type": "decision",
        "veracity": "tool", "source_observation_ids": ["SEEN"], "valid_until": "2031-01-01T00:00:00Z", "dry_run": True,
    },
    "supersede_fact": {
        "fact_id": "FACT", "content": "Deploys run on Mondays", "topic": "t", "memory_type": "decision", "veracity": "tool",
        "source_observation_ids": ["SEEN"], "valid_until": "2031-01-01T00:00:00Z", "dry_run": True,
    },
    "propose_policy": {
        "domain": "conventions", "rule": "Ask first", "repo": "api", "required_role": "dev", "source_fact_ids": ["FACT"], "dry_run": True,
    },
    "supersede_policy": {
        "policy_id": "RULE", "rule": "Ask twice", "required_role": "dev", "source_fact_ids": ["FACT"], "dry_run": True,
    },
    "search_memory": {"query": "deploys", "mode": "keyword", "repo": "api", "limit": 3},
    "remember": {"text": "t", "domain": "conventions", "repo": "api", "topic": "t"},
    "record_observation": {"text": "t", "speaker": "Ana", "occurred_at": "2025-01-01T00:00:00Z"},
    "update_my_notes": {"text": "t"},
    "consolidate_memory": {"session_id": "s", "dry_run": True},
    "harmonize_memory": {"domain": "conventions", "repo": "api", "dry_run": True},
    "list_memory_conflicts": {"domain": "conventions", "repo": "api", "limit": 3},
    "memory_fact.search": {"query": "deploys", "domain": "conventions", "repo": "api", "limit": 3},
    "memory_access_grant.grant": {"role": "dev", "domain": "conventions", "permission": "write", "repo": "api"},
    "memory_access_grant.revoke": {"role": "guest", "domain": "conventions", "repo": "api"},
    "memory_access_grant.list": {"role": "guest", "domain": "conventions", "repo": "api"},
    "meeting.harvest": {"meeting": "m", "decisions": ["We use Go"], "repo": "api", "occurred_at": "2025-01-01T00:00:00Z"},
}  # fmt: skip
"""A call of each operation that names every argument and succeeds."""

EMPTY_MEANS = {
    ("update_my_notes", "text"): "clears the pad",
    ("supersede_policy", "required_role"): "nobody in particular",
}
"""Where an empty text says something, and what; the descriptions that a model reads say it too."""

HOSTILE: tuple[Any, ...] = (
    None, True, 7, -1, 0.5, 10**40, math.nan, math.inf, "", " ", "\n", "nope", "repo:nope/x", "x" * 20_000, "half \ud83d", "nul \x00",
    "0001-01-01T00:00:00+14:00", "'; DROP TABLE facts; --", [], [[]], ["nope"], [None], {}, {"a": [math.nan]}, ("t",), b"t", object(),
)  # fmt: skip
"""Wrong types, empty, blank, huge, not a number, half a character, unknown ids, roles, repositories and dates."""

ARGUMENTS = [(name, one) for name, operation in OPERATIONS.items() for one in operation.arguments.model_fields]


@pytest.fixture
async def known(bare: Workspace) -> dict[str, str]:
    """What the calls name: a fact, a policy, a sighting, a repository with a grant."""
    seen = (await bare.record_source("heard", agent="ana")).sighting
    for repo in (None, "api"):
        fact = (
            await bare.propose_fact("conventions", "deploys", "Deploys run on Fridays", agent="ana", repo=repo)
        ).fact
    rule = (await bare.propose_policy("conventions", "Ask", agent="ana")).policy
    await bare.grant_access("guest", "conventions", "read", repo="api")
    return {"FACT": fact.id, "RULE": rule.id, "SEEN": seen.id}


def filled(name: str, known: dict[str, str]) -> dict[str, Any]:
    return {one: _put(value, known) for one, value in VALID[name].items()}


def _put(value: Any, known: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_put(one, known) for one in value]
    return known.get(value, value) if isinstance(value, str) else value


def answered(told: Any) -> bool:
    """Whether it is an error that says something; in any case it is an object that JSON takes, without a number that is none."""
    assert isinstance(told, dict)
    json.dumps(told, allow_nan=False)
    if set(told) == {"error", "kind"}:
        assert told["error"]
        assert len(told["error"]) < 60_000
        assert told["kind"] in ("ConfigError", "InsufficientMemoryPermission", "BackendError")
        return True
    return False


def test_the_tables_are_complete() -> None:
    """A new operation or argument is tested from the first day, or this fails."""
    assert {name: set(given) for name, given in VALID.items()} == {
        name: set(one.arguments.model_fields) for name, one in OPERATIONS.items()
    }
    assert set(EMPTY_MEANS) <= set(ARGUMENTS)


@pytest.mark.parametrize("name", OPERATIONS)
async def test_every_argument_is_taken(bare: Workspace, known: dict[str, str], name: str) -> None:
    """The calls that the others spoil do succeed: all arguments at once, and as JSON text."""
    given = filled(name, known)
    with bare.fork() as other:
        assert not answered(await other.toolbox("iris", rpc=True).call(name, json.dumps(given)))
    assert not answered(await bare.toolbox("iris", rpc=True).call(name, given))


@pytest.mark.parametrize("name", OPERATIONS)
async def test_whatever_comes_is_answered(bare: Workspace, known: dict[str, str], name: str) -> None:
    """Each argument of each operation with each hostile value: an error with its kind or a result, never an exception; a
    refusal appends nothing, and the store stays sound."""
    box = bare.toolbox("iris", rpc=True)
    good = filled(name, known)
    for wrong in (*HOSTILE, "{", "[1]", {"nope": 1}, {**good, "nope": 1}, {**good, 7: 1}):
        answered(await box.call(name, wrong))
    for one in good:
        for value in HOSTILE:
            before = bare.view.sequence
            if answered(await box.call(name, {**good, one: value})):
                assert bare.view.sequence == before, (one, value)
        assert answered(await box.call(name, {**good, one: {"deep": [[value]]}}))
    assert bare.store.verify() == []


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
async def test_an_empty_text_is_no_way_to_leave_an_argument_out(
    bare: Workspace, known: dict[str, str], name: str, argument: str
) -> None:
    """An empty text is refused by the argument's name, or says what its description says; it is never silently the default."""
    field = OPERATIONS[name].arguments.model_fields[argument]
    told = await bare.toolbox("iris", rpc=True).call(name, {**filled(name, known), argument: ""})
    if (name, argument) in EMPTY_MEANS:
        assert not answered(told)
        assert "empty" in (field.description or "")
        return
    assert answered(told), told
    assert argument in told["error"]


async def test_an_empty_repository_is_not_ones_own(bare: Workspace, known: dict[str, str]) -> None:
    """``repo=""`` in a search is refused where the agent works in a repository too; left out, it is the agent's."""
    box = bare.toolbox("iris", repo="api")
    assert "repo" in (await box.call("search_memory", {"query": "deploys", "repo": ""}))["error"]
    assert (await box.call("search_memory", {"query": "deploys"}))["facts"][0]["domain"] == "repo:api/conventions"


# ------------------------------------------------------------ in code

FACE: dict[str, dict[str, Any]] = {
    "edit_fact": {"fact_id": "FACT", "by": "h", "content": "c", "topic": "t", "memory_type": "decision"},
    "retire_fact": {"fact_id": "FACT", "by": "h", "why": "w"}, "delete_fact": {"fact_id": "FACT", "by": "h", "why": "w"},
    "edit_policy": {"policy_id": "RULE", "by": "h", "rule": "r", "required_role": "dev"},
    "retire_policy": {"policy_id": "RULE", "by": "h"}, "delete_policy": {"policy_id": "RULE", "by": "h"},
    "grant_access": {"role": "r", "domain": "conventions", "permission": "read", "repo": "api", "by": "h"},
    "revoke_access": {"role": "guest", "domain": "conventions", "repo": "api", "by": "h"},
    "list_access_grants": {"domain": "conventions", "role": "guest", "repo": "api"},
    "permission": {"role": "guest", "domain": "conventions", "repo": "api"},
    "propose_fact": {
        "domain": "d", "topic": "t", "content": "c", "agent": "a", "role": "r", "repo": "api", "memory_type": "decision", "veracity": "tool",
    },
    "supersede_fact": {
        "fact_id": "FACT", "content": "c", "agent": "a", "role": "r", "topic": "t", "memory_type": "decision", "veracity": "tool",
    },
    "propose_policy": {"domain": "d", "rule": "r", "agent": "a", "role": "r", "repo": "api", "required_role": "dev"},
    "supersede_policy": {"policy_id": "RULE", "rule": "r", "agent": "a", "role": "r", "required_role": "dev"},
    "remember": {"text": "t", "agent": "a", "session_id": "s", "domain": "d", "repo": "api", "topic": "t"},
    "record_observation": {"text": "t", "agent": "a", "session_id": "s", "speaker": "x"},
    "record_source": {"text": "t", "agent": "a", "session_id": "s", "speaker": "x"},
    "update_my_notes": {"text": "t", "agent": "a"}, "notes_of": {"agent": "a"}, "history": {"fact_id": "FACT"},
    "consolidate_memory": {"agent": "a", "session_id": "s", "role": "r"},
    "harmonize_memory": {"agent": "a", "domain": "conventions", "repo": "api"},
    "list_memory_conflicts": {"domain": "conventions", "repo": "api", "role": "r"},
    "harvest_meeting": {"meeting": "m", "decisions": ["d"], "agent": "a", "role": "r", "repo": "api"},
    "search_memory": {"query": "q", "mode": "keyword", "repo": "api", "agent": "a", "role": "r"},
    "memory_fact_search": {"query": "q", "domain": "conventions", "repo": "api", "role": "r"},
    "preamble": {"agent": "a", "task": "t", "repo": "api"}, "undo": {"unit_id": "x"}, "toolbox": {"agent": "a", "role": "r", "repo": "api", "session_id": "s"},
    "forget": {"fact_id": "FACT", "observation_id": "SEEN"}, "fork": {"path": "memory://"},
}  # fmt: skip
"""Each method of a workspace with every text that it takes."""

SAYS = {("update_my_notes", "text"), ("supersede_policy", "required_role"), ("edit_policy", "required_role"), ("preamble", "task"),
        ("delete_fact", "why"), ("fork", "path")}  # fmt: skip
"""Texts that may be empty: a pad, a task, a reason, nobody in particular; and a path is no text."""


def _texts() -> list[tuple[str, str]]:
    found = []
    for name, method in inspect.getmembers(Workspace, inspect.isfunction):
        if not name.startswith("_") and name not in ("open", "close"):
            for one, hint in typing.get_type_hints(method, {**vars(typing), **_names(method)}).items():
                if one != "return" and str in (hint, *typing.get_args(hint)):
                    found.append((name, one))
    return found


def _names(method: Any) -> dict[str, Any]:
    """What a module imports for its hints only."""
    import polars

    from arandu_lab.memory.forgetting import Certificate
    from arandu_lab.memory.merging import Edit
    from arandu_lab.pipeline import Pipeline
    from arandu_lab.store.view import AgentView
    from arandu_lab.workspace.operations import Toolbox
    from arandu_lab.workspace.search.found import Presented
    from arandu_lab.workspace.search.library import Library

    named = (Certificate, Edit, Pipeline, AgentView, Presented, Library, Toolbox)
    return {**vars(inspect.getmodule(method)), "pl": polars, **{one.__name__: one for one in named}}


def test_texts_that_may_be_empty_are_texts_of_methods() -> None:
    """What is left out below is an argument that there is."""
    assert set(_texts()) >= SAYS


@pytest.mark.parametrize(("name", "argument"), [one for one in _texts() if one not in SAYS])
async def test_methods_refuse_an_empty_text(bare: Workspace, known: dict[str, str], name: str, argument: str) -> None:
    """Every text of every method, empty or blank: a ``ConfigError``, and nothing is appended; but where empty says something."""
    before = bare.view.sequence
    for empty in ("", " \t"):
        given = {one: _put(value, known) for one, value in FACE[name].items()}
        with pytest.raises(ConfigError):
            await _called(getattr(bare, name), {**given, argument: empty})
    assert bare.view.sequence == before


async def _called(method: Any, given: dict[str, Any]) -> None:
    done = method(**given)
    if inspect.isawaitable(done):
        await done


async def test_a_role_can_be_taken_off_a_policy(bare: Workspace, known: dict[str, str]) -> None:
    """Corrected or superseded with an empty role a policy is meant for nobody in particular; left out, the role stays."""
    done = await bare.edit_policy(known["RULE"], by="h", required_role="dev")
    assert done.after.required_role == "dev"
    assert (await bare.edit_policy(known["RULE"], by="h", rule="Ask now")).after.required_role == "dev"
    now = (await bare.edit_policy(bare.policies()["id"][0], by="h", required_role="")).after
    assert now.required_role is None
    with pytest.raises(ConfigError, match="says so already"):
        await bare.edit_policy(now.id, by="h", required_role="")
    with pytest.raises(ConfigError, match="required_role"):
        await bare.edit_policy(now.id, by="h", required_role=" ")
    cited = await bare.supersede_policy(now.id, "Ask", agent="a", required_role="dev", source_fact_ids=[known["FACT"]])
    kept = await bare.supersede_policy(cited.policy.id, "Ask first", agent="a")
    assert (kept.policy.required_role, kept.policy.source_fact_ids) == ("dev", (known["FACT"],))
    bare_rule = await bare.supersede_policy(
        kept.policy.id, "Ask twice", agent="a", required_role="", source_fact_ids=[]
    )
    assert (bare_rule.policy.required_role, bare_rule.policy.source_fact_ids) == (None, ())
    assert len(bare.view.shelf(MemoryPolicy)) == 5


async def test_a_repository_alone_is_all_its_domains(bare: Workspace, known: dict[str, str]) -> None:
    """Where a domain may be named, a repository without one is never passed over: it is all its domains, or unknown."""
    for said in ("The limit is 100", "The limit is 250"):
        for repo in ("api", "web", None):
            await bare.propose_fact("codebase", "limit", said, agent=said, repo=repo)
    assert [one.repo for one in bare.list_memory_conflicts(repo="web")] == ["web"]
    assert len(bare.list_memory_conflicts()) == 3
    assert {one.domain for one in bare.list_access_grants(repo="api")} == {"repo:api/conventions", "repo:api/codebase"}
    for call in (bare.list_memory_conflicts, bare.list_access_grants):
        with pytest.raises(ConfigError, match="did you mean 'web'"):
            call(repo="webb")
    with pytest.raises(ConfigError, match="no domain of repository"):
        await bare.harmonize_memory(agent="a", repo="nope")
    assert bare.view.shelf(MemoryFact)
    assert bare.view.shelf(Sighting)
