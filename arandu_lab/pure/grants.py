"""Who may do what in a domain: open for reads, strict for the writing of policies (S4).

A role without a grant reads. Only policies ask for write; facts are written whatever is granted, and the preamble
consults no grant. A new domain starts with write for all roles (:func:`first_grant`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias, get_args

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.knowledge import ANY_ROLE, AccessGrant, Domain, Permission
from arandu_lab.pure.ids import derive

Operation: TypeAlias = Literal[
    "search_memory",
    "memory_fact_search",
    "preamble",
    "propose_fact",
    "supersede_fact",
    "propose_policy",
    "supersede_policy",
]
"""What an agent does in a domain, as far as a permission could matter."""

Held: TypeAlias = Mapping[tuple[str, str], Permission]
"""Role and full key of a domain -> what is granted."""


def permissions(grants: Iterable[AccessGrant]) -> Held:
    """The grants in force as a table; of two on one role and domain the later recorded, whatever their order.

    >>> permissions([])
    {}
    """
    standing = [grant for grant in grants if grant.revoked_at is None]
    ordered = sorted(standing, key=lambda grant: (grant.recorded_at, grant.id))
    return {(grant.role, grant.domain): grant.permission for grant in ordered}


def effective(held: Held, role: str | None, domain: str) -> Permission:
    """What a role may do in a domain (its full key): its own grant, else that of all roles, else ``read``.

    None is a role without a grant of its own.

    >>> held = {("reviewer", "security"): "none", ("*", "security"): "write"}
    >>> effective(held, "reviewer", "security"), effective(held, "coder", "security"), effective(held, "coder", "codebase")
    ('none', 'write', 'read')
    """
    own = None if role is None else held.get((role, domain))
    return own or held.get((ANY_ROLE, domain)) or "read"


def allows(permission: Permission, operation: Operation) -> bool:
    """Whether a permission is enough for an operation.

    Raises:
        ConfigError: an unknown permission or operation.

    >>> [allows(held, "propose_policy") for held in ("none", "read", "write")]
    [False, False, True]
    >>> [allows(held, "search_memory") for held in ("none", "read", "write")]
    [False, True, True]
    >>> allows("none", "propose_fact"), allows("none", "preamble")
    (True, True)
    """
    for given, known in ((permission, get_args(Permission)), (operation, get_args(Operation))):
        if given not in known:
            raise ConfigError(f"permission or operation {given!r}; {nearest(given, known)}")
    if operation in ("propose_policy", "supersede_policy"):
        return permission == "write"
    if operation in ("search_memory", "memory_fact_search"):
        return permission != "none"
    return True


def first_grant(domain: Domain) -> AccessGrant:
    """What a new domain starts with: write for all roles."""
    return AccessGrant(
        id=grant_id(domain.agent_id, ANY_ROLE, domain.key),
        agent_id=domain.agent_id,
        role=ANY_ROLE,
        domain=domain.key,
        permission="write",
        recorded_at=domain.recorded_at,
    )


def grant_id(workspace: str, role: str, domain: str) -> str:
    """The id of the one grant of a role on a domain (its full key): granting again changes that row."""
    return derive("grant", workspace, role, domain)
