"""S4: a missing grant reads, policies ask for write, facts ask for nothing, the preamble asks nobody."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import AccessGrant, Domain
from arandu_lab.pure.grants import allows, effective, first_grant, grant_id, permissions

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)

TRUTH = {
    # operation: none, read, write, no grant at all
    "search_memory": (False, True, True, True),
    "memory_fact_search": (False, True, True, True),
    "preamble": (True, True, True, True),
    "propose_fact": (True, True, True, True),
    "supersede_fact": (True, True, True, True),
    "propose_policy": (False, False, True, False),
    "supersede_policy": (False, False, True, False),
}


def grant(role: str, domain: str, permission: str, after: int = 0, **other: object) -> AccessGrant:
    return AccessGrant(
        id=grant_id("w", role, domain),
        agent_id="w",
        role=role,
        domain=domain,
        permission=permission,  # type: ignore[arg-type]
        recorded_at=NOW + timedelta(seconds=after),
        **other,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("operation", TRUTH)
def test_truth_table(operation: str) -> None:
    """Every operation under every permission, and under no grant."""
    given_ = [
        allows(effective(permissions([grant("coder", "security", held)]), "coder", "security"), operation)  # type: ignore[arg-type]
        for held in ("none", "read", "write")
    ]
    missing = allows(effective(permissions([]), "coder", "security"), operation)  # type: ignore[arg-type]
    assert (*given_, missing) == TRUTH[operation]


def test_a_new_domain_gives_write_to_all_roles() -> None:
    """Its first grant holds for every role, in its own scope only, and a role's own grant goes before it."""
    new = Domain(id="d", agent_id="w", name="architecture", repo="api", recorded_at=NOW)
    first = first_grant(new)
    held = permissions([first])
    assert effective(held, "anybody", "repo:api/architecture") == "write"
    assert effective(held, "anybody", "architecture") == "read"
    narrowed = permissions([first, grant("coder", "repo:api/architecture", "none")])
    assert effective(narrowed, "coder", "repo:api/architecture") == "none"
    assert effective(narrowed, "reviewer", "repo:api/architecture") == "write"


def test_a_revoked_grant_is_a_missing_one() -> None:
    """Revoking leaves what there would be without it."""
    closed = grant("coder", "security", "none")
    assert effective(permissions([replace(closed, revoked_at=NOW)]), "coder", "security") == "read"


ROLES = st.sampled_from(["coder", "reviewer", "*"])
DOMAINS = st.sampled_from(["security", "repo:api/security"])
GRANTS = st.lists(
    st.builds(grant, ROLES, DOMAINS, st.sampled_from(["none", "read", "write"]), st.integers(0, 9)), max_size=6
)


@given(GRANTS, ROLES, DOMAINS, st.randoms())
def test_order_of_rows_never_shows_when_times_differ(
    grants: list[AccessGrant], role: str, domain: str, dice: object
) -> None:
    """The latest grant counts, however the rows lie; and nobody has more or less than what some row or the default says."""
    distinct = {(each.role, each.domain, each.recorded_at): each for each in grants}
    rows = list(distinct.values())
    before = effective(permissions(rows), role, domain)
    dice.shuffle(rows)  # type: ignore[attr-defined]
    assert effective(permissions(rows), role, domain) == before
    assert before in {each.permission for each in rows} | {"read"}


@pytest.mark.parametrize(("permission", "operation"), [("writ", "search_memory"), ("read", "propose_polcy")])
def test_unknown_names_are_refused(permission: str, operation: str) -> None:
    """An unknown permission or operation is the user's error, with the nearest name."""
    with pytest.raises(ConfigError, match="did you mean"):
        allows(permission, operation)  # type: ignore[arg-type]
