"""What every operation of a workspace stands on: one view, one sheet, one append; and arguments that are told by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from arandu_lab.errors import BackendError, ConfigError, nearest
from arandu_lab.knowledge import Permission, Sighting
from arandu_lab.memory.arguments import aware, listed, required
from arandu_lab.memory.scale import in_force
from arandu_lab.pure.grants import effective
from arandu_lab.pure.trust import VERACITY
from arandu_lab.records import Failure, Vector
from arandu_lab.workspace.drafting import Proposal
from arandu_lab.workspace.naming import named, one_of, scoped, tidy
from arandu_lab.workspace.results import InsufficientMemoryPermission
from arandu_lab.workspace.settings import WorkspaceConfig
from arandu_lab.workspace.sheet import Sheet

if TYPE_CHECKING:
    from arandu_lab.store import Store
    from arandu_lab.store.view import AgentView

R = TypeVar("R")


class Ground:
    """A workspace in a store, and how its rows are read and put."""

    store: Store
    workspace: str
    llm: Any
    embed: Any
    clock: Callable[[], datetime]
    config: WorkspaceConfig

    @property
    def view(self) -> AgentView:
        """Everything the workspace knows as of now: frozen."""
        return self.store.view(self.workspace)

    def sheet(self) -> Sheet:
        """The newest view, to read from or to draft on."""
        return Sheet(self.view, self.config, self.clock())

    async def _unit(
        self,
        operation: str,
        draft: Callable[[Sheet], R],
        *,
        by: str,
        dry_run: bool = False,
        kind: Literal["write", "job", "edit"] = "write",
    ) -> R:
        """Draft on the newest view and commit with one append, after whatever this workspace is at; a draft without rows
        appends nothing. The unit's note says who did what, by ids and never by words.
        """
        async with self.store.serial(self.workspace):
            with self.store.still():
                sheet = self.sheet()
                done = draft(sheet)
                if sheet.rows and not dry_run:
                    before = sheet.view.sequence
                    self.store.append(
                        kind,
                        self.workspace,
                        sheet.rows,
                        unit_id=f"{operation}:{before}",
                        recorded_at=sheet.now,
                        expects=before,
                        note=json.dumps({"op": operation, "by": by}),
                    )
        if dry_run:
            return replace(done, dry_run=True)  # type: ignore[type-var]
        return done

    async def _vectors(self, texts: Sequence[str]) -> tuple[list[Vector | None], tuple[Failure, ...]]:
        """A vector for each text; none and how it failed where the embedder does: ``repair`` gives them later (S5)."""
        self.embed = in_force(self.embed, self.store)
        try:
            return list(await self.embed(list(texts))) if texts and self.store.dim else [None] * len(texts), ()
        except BackendError as error:
            failed = Failure(stage="embed", kind=error.kind, backend=error.backend, message=error.message)
            return [None] * len(texts), (failed,)

    def _proposal(
        self,
        domain: str,
        topic: str,
        content: str,
        *,
        agent: str,
        role: str | None,
        repo: str | None,
        memory_type: str | None,
        veracity: str,
        sources: Sequence[str],
        valid_from: datetime | None,
        valid_until: datetime | None,
    ) -> Proposal:
        """The arguments of a proposed fact, checked.

        Raises:
            ConfigError: blank or wrong ones; says which, and what would be accepted.
        """
        name, scope = scoped(domain, repo)
        required(agent=agent, topic=topic, content=content)
        named(role=role)
        listed(source_observation_ids=sources)
        one_of("veracity", veracity, VERACITY)
        start, end = during(valid_from, valid_until, self.clock())
        known = self.view.shelf(Sighting)
        for one in sources:
            if known.get(one) is None:
                hint = nearest(one, [each.id for each in known]) if len(known) else "record one with record_observation"
                raise ConfigError(f"workspace {self.workspace!r} has no observation {one!r}; {hint}")
        return Proposal(
            domain=name,
            repo=scope,
            topic=tidy(topic),
            content=content,
            memory_type=self.config.memory_type(memory_type, name),
            veracity=next(one for one in VERACITY if one == veracity),
            agent=tidy(agent),
            role=tidy(role),
            sources=tuple(dict.fromkeys(sources)),
            valid_from=start,
            valid_until=end,
        )


def during(
    valid_from: datetime | None, valid_until: datetime | None, now: datetime
) -> tuple[datetime | None, datetime | None]:
    """When a proposed fact holds: from now where no start is given, never from a time to come, and not backwards.

    Raises:
        ConfigError: a time without an offset, a start in the future, or an end that does not lie after the start.
    """
    start, end = aware("valid_from", valid_from), aware("valid_until", valid_until)
    if end is not None and end <= (start or now):
        told = f"valid_from={start.isoformat()}" if start is not None else f"now, {now.isoformat()}"
        raise ConfigError(f"valid_until={end.isoformat()} does not lie after {told}")
    if start is not None and start > now:
        raise ConfigError(f"valid_from={start.isoformat()} lies in the future: propose it when it holds")
    return start, end


def allowed(sheet: Sheet, role: str | None, key: str, operation: str) -> None:
    """See that a role may write policies in a domain (S4).

    Raises:
        InsufficientMemoryPermission: it may not.
    """
    held: Permission = effective(sheet.held, role, key)
    if held != "write":
        raise InsufficientMemoryPermission(
            f"{operation} in domain {key!r} needs write, and role {role!r} has {held!r}; "
            "memory_access_grant.grant gives it (a missing grant means read)"
        )
