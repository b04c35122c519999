"""Grants: open for reads, strict for the writing of policies (S4). The truth table is a test."""

from __future__ import annotations

import pytest

from arandu_lab.errors import ConfigError
from arandu_lab.workspace.face import Workspace
from arandu_lab.workspace.results import InsufficientMemoryPermission

TABLE = [
    # grant of all roles, of the role itself -> effective
    ("write", None, "write"), ("write", "none", "none"), ("write", "read", "read"), ("write", "write", "write"),
    ("read", None, "read"), ("read", "write", "write"), ("read", "none", "none"),
    ("none", None, "none"), ("none", "read", "read"), ("none", "write", "write"),
    ("revoked", None, "read"), ("revoked", "none", "none"), ("revoked", "write", "write"), ("revoked", "revoked", "read"),
    ("write", "revoked", "write"),
]  # fmt: skip


@pytest.mark.parametrize(("every", "own", "effective"), TABLE)
async def test_the_truth_table(bare: Workspace, every: str, own: str | None, effective: str) -> None:
    """S4: a missing grant is read; none hides from searches; policies need write; facts and preambles need nothing."""
    repo = "api" if TABLE.index((every, own, effective)) % 2 else None
    await bare.propose_fact("security", "rotação", "As chaves rodam a cada trinta dias", agent="ana", repo=repo)
    before = await bare.propose_policy("security", "Rode as chaves", agent="ana", role="coder", repo=repo)
    for role, permission in (("*", every), ("coder", own)):
        if permission == "revoked":
            if role == "coder":
                await bare.grant_access(role, "security", "none", repo=repo)
            await bare.revoke_access(role, "security", repo=repo)
        elif permission is not None:
            await bare.grant_access(role, "security", permission, repo=repo)
    assert bare.permission("coder", "security", repo=repo) == effective

    seen = effective != "none"
    assert bool((await bare.search_memory("chaves", mode="keyword", role="coder")).hits) is seen
    assert bool(bare.memory_fact_search("chaves", role="coder")) is seen
    assert bare.memory_fact_search("chaves")

    if effective == "write":
        assert (
            await bare.propose_policy("security", "Outra regra", agent="ana", role="coder", repo=repo)
        ).outcome == "added"
        await bare.supersede_policy(before.policy.id, "Rode as chaves já", agent="ana", role="coder")
    else:
        at = bare.view.sequence
        with pytest.raises(InsufficientMemoryPermission, match=f"'coder' has '{effective}'"):
            await bare.propose_policy("security", "Outra regra", agent="ana", role="coder", repo=repo)
        with pytest.raises(InsufficientMemoryPermission, match="supersede_policy"):
            await bare.supersede_policy(before.policy.id, "Rode as chaves já", agent="ana", role="coder")
        assert bare.view.sequence == at

    done = await bare.propose_fact("security", "auditoria", "A auditoria é anual", agent="ana", role="coder", repo=repo)
    assert done.outcome == "added"
    assert (
        await bare.supersede_fact(done.fact.id, "A auditoria foi cancelada", agent="ana", role="coder")
    ).outcome == "added"
    text = bare.preamble("ana", "Revise a rotação das chaves de produção").text
    assert "trinta dias" in text
    assert "Rode as chaves" in text


async def test_a_new_domain_gives_write_to_all(bare: Workspace) -> None:
    """S4: a domain made by a fact or a policy starts with write for all roles, once; restricting it afterwards holds."""
    await bare.propose_policy("a", "regra", agent="x", role="any")
    await bare.propose_fact("b", "t", "c", agent="x")
    assert [(one.role, one.domain, one.permission) for one in bare.list_access_grants()] == [
        ("*", "a", "write"), ("*", "b", "write"),
    ]  # fmt: skip
    await bare.grant_access("*", "b", "read")
    await bare.propose_fact("b", "t2", "d", agent="x")
    assert [one.permission for one in bare.list_access_grants(domain="b")] == ["read"]
    with pytest.raises(InsufficientMemoryPermission):
        await bare.propose_policy("b", "regra", agent="x", role="any")
    with pytest.raises(InsufficientMemoryPermission):
        await bare.propose_policy("b", "regra", agent="x")


async def test_grants_are_of_one_scope(bare: Workspace) -> None:
    """S3, S4: a grant on a repository's domain says nothing of the workspace's domain of the same name."""
    for repo in (None, "api"):
        await bare.propose_fact("architecture", "t", "camadas", agent="x", repo=repo)
    await bare.grant_access("guest", "architecture", "none", repo="api")
    hits = (await bare.search_memory("camadas", mode="keyword", role="guest")).hits
    assert [hit.fact.repo for hit in hits] == [None]
    assert bare.permission("guest", "repo:api/architecture") == "none"


async def test_a_grant_is_one_row(bare: Workspace) -> None:
    """Granting again changes the row and tells what it was; the same again changes nothing; revoked it is listed no more."""
    await bare.propose_fact("a", "t", "c", agent="x")
    first = await bare.grant_access("coder", "a", "none", by="ana")
    assert first.before is None
    second = await bare.grant_access("coder", "a", "write", by="ana")
    assert (second.grant.id, second.before) == (first.grant.id, first.grant)
    at = bare.view.sequence
    await bare.grant_access("coder", "a", "write", by="ana")
    await bare.grant_access("coder", "a", "none", by="ana", dry_run=True)
    assert bare.view.sequence == at
    assert len(bare.list_access_grants(role="coder")) == 1
    await bare.revoke_access("coder", "a")
    assert bare.list_access_grants(role="coder") == ()
    assert bare.grants().height == 2
    with pytest.raises(ConfigError, match="no grant"):
        await bare.revoke_access("coder", "a")
    back = await bare.grant_access("coder", "a", "read")
    assert back.grant.revoked_at is None
    assert [one.permission for one in bare.list_access_grants(role="coder")] == ["read"]


@pytest.mark.parametrize(
    ("change", "told"),
    [({"role": " "}, "role"), ({"domain": "securty"}, "security"), ({"permission": "writ"}, "write"), ({"by": ""}, "by"),
     ({"permission": None}, "none, read, write|permission")],
)  # fmt: skip
async def test_bad_input(bare: Workspace, change: dict, told: str) -> None:
    """A wrong argument is told with what is near, and nothing is appended."""
    await bare.propose_fact("security", "t", "c", agent="x")
    at = bare.view.sequence
    with pytest.raises(ConfigError, match=told):
        await bare.grant_access(**{"role": "coder", "domain": "security", "permission": "read", **change})
    assert bare.view.sequence == at
