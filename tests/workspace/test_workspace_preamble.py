"""What a dispatch shows: exactly, and without asking any model or embedder."""

from __future__ import annotations

from typing import Any

import pytest

from arandu_lab.errors import ConfigError
from arandu_lab.pure.preamble import POINTER
from arandu_lab.workspace.face import Workspace
from arandu_lab.workspace.settings import WorkspaceConfig


class Forbidden:
    """Neither a model nor an embedder: touching it is an error."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"asked for {name}")

    def __call__(self, *_: Any) -> Any:
        raise AssertionError("was called")


async def test_no_embedding_and_no_model_on_this_path(workspace: Workspace) -> None:
    """The preamble calls no embedder and no model: with both forbidden it says the same."""
    await workspace.propose_fact("conventions", "deploys", "Deploys run on Fridays at noon", agent="iris")
    await workspace.propose_policy("conventions", "Never deploy on Mondays", agent="iris")
    await workspace.update_my_notes("  half way\n through", agent="rui")
    task = "Plan the deploys of the billing service"
    said = workspace.preamble("rui", task)
    dead = Workspace(workspace.store, "acme", Forbidden(), Forbidden(), config=WorkspaceConfig(), clock=workspace.clock)
    assert dead.preamble("rui", task) == said
    assert dead.memory_fact_search("deploys")
    assert "Deploys run on Fridays at noon" in said.text


async def test_exactly_three_things_and_the_pointer(bare: Workspace) -> None:
    """Policies as `- [domain] rule`, the agent's own notes word for word, facts by words, and the closing pointer."""
    await bare.propose_policy("conventions", "Use tabs", agent="ana", required_role="nobody")
    await bare.propose_policy("conventions", "Testes antes do merge", agent="ana", repo="api")
    notes = " no meio da refatoração\n\n  da autenticação "
    await bare.update_my_notes(notes, agent="rui")
    await bare.update_my_notes("segredo da ana", agent="ana")
    await bare.propose_fact("codebase", "auth", "A autenticação usa JWT", agent="ana")
    await bare.grant_access("*", "codebase", "none")
    task = "Terminar a refatoração da autenticação"
    assert bare.preamble("rui", task, repo="api").text == (
        "## Workspace policies\n- [repo:api/conventions] Testes antes do merge\n- [conventions] Use tabs\n\n"
        f"## Your working memory\n```\n{notes}\n```\n\n"
        "## Facts that may bear on this task\n- [codebase] A autenticação usa JWT\n\n" + POINTER
    )
    assert "segredo" not in bare.preamble("rui", task).text
    assert "## Facts" not in bare.preamble("rui", "autenticação").text
    assert bare.preamble("novo", "x").text.endswith(POINTER)


async def test_an_empty_workspace_says_the_pointer(bare: Workspace) -> None:
    """Nothing known: the pointer alone. A task that is no text, and a blank agent, are errors."""
    assert bare.preamble("rui", "").text == POINTER
    for wrong in (("", "x", None), ("rui", None, None), ("rui", "x", " ")):
        with pytest.raises(ConfigError):
            bare.preamble(*wrong[:2], repo=wrong[2])


async def test_all_policies_are_injected_and_their_share_is_told(bare: Workspace) -> None:
    """Every policy in force is in, of whatever domain, role or scope; what share of the text they take is told."""
    for number in range(12):
        await bare.propose_policy(f"d{number}", f"Rule {number}", agent="a", required_role="x", repo=f"r{number}")
    said = bare.preamble("a", "t")
    assert len(said.policy_ids) == 12
    assert 0.5 < said.policy_share < 1


async def test_few_facts_within_the_budget_repository_first(bare: Workspace) -> None:
    """At most five facts in about 1,200 characters, those of the agent's repository first."""
    for number in range(8):
        await bare.propose_fact("codebase", f"queue {number}", f"the queue {number} drains {'slowly ' * 20}", agent="a")
    await bare.propose_fact("codebase", "queue", "the queue of api", agent="a", repo="api")
    said = bare.preamble("a", "Find out why the queue drains so slowly", repo="api")
    assert 1 < len(said.fact_ids) <= 5
    lines = [line for line in said.text.splitlines() if line.startswith("- [")]
    assert lines[0] == "- [repo:api/codebase] the queue of api"
    assert sum(map(len, lines)) <= 1200
