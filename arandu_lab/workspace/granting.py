"""Who may do what in a domain: open for reads, strict for the writing of policies (S4)."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.knowledge import AccessGrant, Domain, Permission
from arandu_lab.memory.arguments import required
from arandu_lab.pure.grants import effective, grant_id
from arandu_lab.workspace.ground import Ground
from arandu_lab.workspace.naming import named, one_of, repository, scoped, tidy
from arandu_lab.workspace.results import Granted
from arandu_lab.workspace.sheet import Sheet


class Granting(Ground):
    """The operations ``memory_access_grant.*``."""

    async def grant_access(
        self,
        role: str,
        domain: str,
        permission: str,
        *,
        repo: str | None = None,
        by: str = "owner",
        dry_run: bool = False,
    ) -> Granted:
        """Give a role ``none``, ``read`` or ``write`` in a domain; ``*`` is every role without a grant of its own.

        Raises:
            ConfigError: a blank role, an unknown domain or permission.
        """
        required(role=role, by=by)
        one_of("permission", permission, get_args(Permission))
        role = tidy(role)
        wanted: Permission = next(one for one in get_args(Permission) if one == permission)

        def draft(sheet: Sheet) -> Granted:
            key = known_domain(sheet, domain, repo).key
            before = sheet.grant(role, key)
            grant = AccessGrant(
                id=grant_id(sheet.workspace, role, key) if before is None else before.id,
                agent_id=sheet.workspace,
                role=role,
                domain=key,
                permission=wanted,
                recorded_at=sheet.now,
            )
            if before is None or (before.permission, before.revoked_at) != (wanted, None):
                sheet.put(grant)
            return Granted(grant=grant, before=before)

        return await self._unit("grant_access", draft, by=by, dry_run=dry_run, kind="edit")

    async def revoke_access(
        self, role: str, domain: str, *, repo: str | None = None, by: str = "owner", dry_run: bool = False
    ) -> Granted:
        """Take a grant back: what holds for ``*`` holds for the role again, else read.

        Raises:
            ConfigError: an unknown domain, or a role without a grant of its own there.
        """
        required(role=role, by=by)
        role = tidy(role)

        def draft(sheet: Sheet) -> Granted:
            key = known_domain(sheet, domain, repo).key
            before = sheet.grant(role, key)
            if before is None or before.revoked_at is not None:
                roles = [one.role for one in sheet.all(AccessGrant) if one.domain == key and one.revoked_at is None]
                raise ConfigError(
                    f"role {role!r} has no grant in domain {key!r}; {nearest(role, roles or ['none there'])}"
                )
            grant = replace(before, revoked_at=sheet.now)
            sheet.put(grant)
            return Granted(grant=grant, before=before)

        return await self._unit("revoke_access", draft, by=by, dry_run=dry_run, kind="edit")

    def list_access_grants(
        self, *, domain: str | None = None, role: str | None = None, repo: str | None = None
    ) -> tuple[AccessGrant, ...]:
        """The grants in force, of one domain or role, or all, in order of arrival; ``repo`` alone is all its domains.

        Raises:
            ConfigError: a blank role, or an unknown domain or repository.
        """
        named(role=role)
        role, sheet = tidy(role), self.sheet()
        keys = domains_meant(sheet, domain, repo)
        return tuple(
            one
            for one in sheet.all(AccessGrant)
            if one.revoked_at is None and (keys is None or one.domain in keys) and role in (None, one.role)
        )

    def permission(self, role: str | None, domain: str, *, repo: str | None = None) -> Permission:
        """What a role may do in a domain, its own grant, that of ``*``, or read where there is none.

        Raises:
            ConfigError: a blank role, or an unknown domain.
        """
        named(role=role)
        sheet = self.sheet()
        return effective(sheet.held, tidy(role), known_domain(sheet, domain, repo).key)


def known_domain(sheet: Sheet, domain: str, repo: str | None) -> Domain:
    """A domain that is there.

    Raises:
        ConfigError: there is none such; says the nearest.
    """
    name, scope = scoped(domain, repo)
    found = sheet.domain(name, scope)
    if found is None:
        keys = [one.key for one in sheet.all(Domain)]
        hint = nearest(domain if repo is None else f"repo:{repo}/{domain}", keys) if keys else "there is none yet"
        raise ConfigError(f"workspace {sheet.workspace!r} has no domain {domain!r}; {hint} (a first fact makes one)")
    return found


def domains_meant(sheet: Sheet, domain: str | None, repo: str | None) -> frozenset[str] | None:
    """Full keys of the domains that a domain and a repository name: one, all of a repository, or None for all there are.

    Raises:
        ConfigError: an unknown domain, or a repository that no domain is of; says the nearest.
    """
    if domain is not None:
        return frozenset((known_domain(sheet, domain, repo).key,))
    scope = repository(repo)
    if scope is None:
        return None
    keys = frozenset(one.key for one in sheet.all(Domain) if one.repo == scope)
    if not keys:
        repos = [one.repo for one in sheet.all(Domain) if one.repo is not None]
        hint = nearest(repo, repos) if repos else "there is none yet"
        raise ConfigError(f"workspace {sheet.workspace!r} has no domain of repository {repo!r}; {hint}")
    return keys
