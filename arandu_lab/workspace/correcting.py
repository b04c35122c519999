"""Correcting what is known by hand, as a browser does: editing, retiring, deleting, never creating. One append each.

Words are never changed in place: a fact or policy with other words is a new row, and the old one is superseded by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from os import PathLike
from typing import TYPE_CHECKING, Any

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import MemoryFact, MemoryPolicy
from arandu_lab.memory.arguments import aware, required
from arandu_lab.workspace.authoring import ruling, said_already, standing
from arandu_lab.workspace.drafting import DELETED, conflict, contradicted, tie
from arandu_lab.workspace.ground import Ground
from arandu_lab.workspace.naming import named, tidy
from arandu_lab.workspace.results import Corrected
from arandu_lab.workspace.sheet import Sheet

if TYPE_CHECKING:
    import polars as pl

    from arandu_lab.memory.forgetting import Certificate
    from arandu_lab.memory.merging import Edit


class Correcting(Ground):
    """Editing, retiring, deleting, forgetting; and mending what an embedder left."""

    async def edit_fact(
        self,
        fact_id: str,
        *,
        by: str,
        content: str | None = None,
        topic: str | None = None,
        memory_type: str | None = None,
        valid_until: datetime | None = None,
        dry_run: bool = False,
    ) -> Corrected:
        """Correct a fact that stands. Other words or another topic make a new fact in its place, stated by ``by``; what that
        contradicts in its scope gives way, and a conflict row keeps both sides, as with every fact that is written (S3).

        Raises:
            ConfigError: no such fact or it has given way, nothing to change, a blank text, an unknown type, an end that does not
                lie after the fact's start, or words that another fact of the topic says already.
        """
        required(by=by)
        named(content=content, topic=topic)
        until = aware("valid_until", valid_until)
        (vector,), failures = await self._vectors([content]) if content is not None else ([None], ())

        def draft(sheet: Sheet) -> Corrected:
            old = standing(sheet, fact_id)
            changes: dict[str, Any] = {"valid_until": until} if until is not None else {}
            if memory_type is not None:
                changes["memory_type"] = sheet.config.memory_type(memory_type, old.domain)
            words = old.content if content is None else content
            label = old.topic if topic is None else tidy(topic)
            if until is not None and until <= old.valid_from:
                raise ConfigError(
                    f"valid_until={until.isoformat()} does not lie after valid_from={old.valid_from.isoformat()}; "
                    "retire_fact takes out what never held"
                )
            if (words, label) == (old.content, old.topic):
                return _edited(sheet, old, changes)
            changes |= {"content": words, "topic": label}
            if content is not None and content != old.content:
                changes |= {"veracity": "stated", "confidence": 1.0, "vector": vector}
            made = sheet.made(MemoryFact, old.id, words, label)
            new = replace(old, id=made, proposed_by=by, recorded_at=sheet.now, last_mentioned_at=sheet.now, **changes)
            beaten = contradicted(sheet, new, besides=old)
            sheet.put(new)
            gone = [replace(one, superseded_by=new.id, superseded_at=sheet.now) for one in (old, *beaten)]
            rows = tuple(conflict(sheet, new, one, why, by) for one, why in beaten.items())
            for gave in gone:
                sheet.put(gave)
            for row in rows:
                sheet.put(row)
            tie(sheet, new, [*gone, *sheet.told_with(new)], superseded=[one.id for one in gone])
            return Corrected(before=old, after=new, superseded=tuple(gone[1:]), conflicts=rows)

        done = await self._unit("edit_fact", draft, by=by, dry_run=dry_run, kind="edit")
        return replace(done, failures=failures)

    async def retire_fact(self, fact_id: str, *, by: str, why: str, dry_run: bool = False) -> Corrected:
        """Take a fact out of every answer; it stays on record, and may be proposed again.

        Raises:
            ConfigError: no such fact or it has given way, or a blank reason.
        """
        required(by=by, why=why)
        return await self._unit(
            "retire_fact", lambda sheet: _retired(sheet, fact_id, why), by=by, dry_run=dry_run, kind="edit"
        )

    async def delete_fact(self, fact_id: str, *, by: str, why: str = "", dry_run: bool = False) -> Corrected:
        """Retire a fact and bar its words: under its topic no agent brings them back, only a human's word does.

        The row stays on record; ``forget`` erases.

        Raises:
            ConfigError: no such fact, or it has given way.
        """
        required(by=by)
        if not isinstance(why, str):
            raise ConfigError(f"why={why!r}: wants text")
        told = f"{DELETED}: {why}" if why.strip() else DELETED
        return await self._unit(
            "delete_fact", lambda sheet: _retired(sheet, fact_id, told), by=by, dry_run=dry_run, kind="edit"
        )

    async def edit_policy(
        self,
        policy_id: str,
        *,
        by: str,
        rule: str | None = None,
        active: bool | None = None,
        required_role: str | None = None,
        dry_run: bool = False,
    ) -> Corrected:
        """Correct a policy, or switch it on or off. Another rule makes a new policy in its place; no grant is asked.

        Args:
            policy_id: The policy.
            by: Who corrects it.
            rule: Other words.
            active: Whether it is shown.
            required_role: Whom it is meant for; "" for nobody in particular, None leaves it.
            dry_run: Tell what would become of it.

        Raises:
            ConfigError: no such policy or it has given way, nothing to change, a blank text, or a rule that another says.
        """
        required(by=by)
        named(rule=rule, required_role=None if required_role == "" else required_role)
        if active is not None and not isinstance(active, bool):
            raise ConfigError(f"active={active!r}: wants true or false")

        def draft(sheet: Sheet) -> Corrected:
            old = ruling(sheet, policy_id)
            changes: dict[str, Any] = {} if active is None else {"active": active}
            if required_role is not None:
                changes["required_role"] = tidy(required_role) or None
            if rule is None or rule == old.rule:
                return _edited(sheet, old, changes)
            if (twin := said_already(sheet, replace(old, rule=rule, **changes))) is not None:
                raise ConfigError(f"policy {twin.id!r} says so already; retire one of them")
            made = sheet.made(MemoryPolicy, old.id, rule)
            new = replace(old, id=made, rule=rule, proposed_by=by, recorded_at=sheet.now, **changes)
            sheet.put(new)
            sheet.put(replace(old, superseded_by=new.id, superseded_at=sheet.now))
            return Corrected(before=old, after=new)

        return await self._unit("edit_policy", draft, by=by, dry_run=dry_run, kind="edit")

    async def retire_policy(self, policy_id: str, *, by: str, dry_run: bool = False) -> Corrected:
        """Take a policy out of every preamble; it stays on record.

        Raises:
            ConfigError: no such policy, or it has given way.
        """
        required(by=by)

        def draft(sheet: Sheet) -> Corrected:
            old = ruling(sheet, policy_id)
            after = replace(old, retired_at=sheet.now)
            sheet.put(after)
            return Corrected(before=old, after=after)

        return await self._unit("retire_policy", draft, by=by, dry_run=dry_run, kind="edit")

    async def delete_policy(self, policy_id: str, *, by: str, dry_run: bool = False) -> Corrected:
        """The same as ``retire_policy``: a rule is brought back only by who may write policies."""
        return await self.retire_policy(policy_id, by=by, dry_run=dry_run)

    async def repair(self) -> int:
        """Embed every row without a vector; how many there were (S5: facts of before a model was there gain theirs).

        Raises:
            BackendError: the embedder fails.
        """
        from arandu_lab.memory import upkeep

        if not self.store.dim:
            return 0
        async with self.store.serial(self.workspace):
            return await upkeep.repair(self, self.workspace)  # type: ignore[arg-type]

    def forget(
        self,
        *,
        fact_id: str | None = None,
        observation_id: str | None = None,
        everything: bool = False,
        also: Sequence[str | PathLike[str]] = (),
        dry_run: bool = False,
    ) -> Certificate:
        """Erase a fact, a sighting or the whole workspace for good, with what tells of it (``Memory.forget``).

        Raises:
            ConfigError: not exactly one thing to forget, or no such thing.
        """
        from arandu_lab.memory import forgetting

        named(fact_id=fact_id, observation_id=observation_id)
        with self.store.still(erasing=True):
            return forgetting.forget(
                self,  # type: ignore[arg-type]
                self.workspace,
                fact_id=fact_id,
                entity=None,
                event=observation_id,
                everything=everything,
                also=also,
                dry_run=dry_run,
            )

    def undo(self, unit_id: str, *, dry_run: bool = False) -> Edit:
        """Take back what was corrected or consolidated, by the id that ``records`` lists; later news stay.

        Raises:
            ConfigError: no such unit, it cannot be undone, or something later rests on it.
        """
        from arandu_lab.memory import merging

        required(unit_id=unit_id)
        with self.store.still():
            return merging.undo(self, self.workspace, unit_id, dry_run=dry_run)  # type: ignore[arg-type]

    def records(self) -> pl.DataFrame:
        """What was done and by whom, newest first: ``id op by when rows``, from the journal."""
        import json

        import polars as pl

        from arandu_lab.store.ledger import units

        told = []
        for unit in reversed(units(self.store, self.workspace)):
            try:
                note = json.loads(unit.note or "{}")
            except ValueError:
                note = {}
            op = note.get("op") or unit.id.partition(":")[0]
            told.append(
                (unit.id, op, note.get("by"), unit.recorded_at, [str(getattr(row, "id", "")) for row in unit.rows])
            )
        columns: dict[str, Any] = {"id": pl.String, "op": pl.String, "by": pl.String, "when": pl.Datetime("us", "UTC")}
        return pl.DataFrame(told, schema={**columns, "rows": pl.List(pl.String)}, orient="row")


def _edited(sheet: Sheet, old: MemoryFact | MemoryPolicy, changes: dict[str, Any]) -> Corrected:
    after = replace(old, **changes)
    if after == old:
        raise ConfigError(f"{old.id!r} says so already: nothing was changed")
    sheet.put(after)
    return Corrected(before=old, after=after)


def _retired(sheet: Sheet, fact_id: str, why: str) -> Corrected:
    old = standing(sheet, fact_id)
    after = replace(old, retired_at=sheet.now, retired_why=why)
    sheet.put(after)
    return Corrected(before=old, after=after)
