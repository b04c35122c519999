"""Keeping a memory in order: joining and parting entities, taking that back, forgetting, and carrying it away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from arandu_lab.memory.forgetting import Certificate
    from arandu_lab.memory.merging import Edit
    from arandu_lab.memory.porting import Ported
    from arandu_lab.memory.upkeep import Retrievals
    from arandu_lab.records import NewEntity
    from arandu_lab.store import Store


class Keeping:
    """What ``Memory`` does to its own rows when somebody asks for it by name. No model is asked."""

    store: Store
    clock: Callable[[], datetime]
    retrieved: Retrievals
    llm: Any
    embed: Any

    if TYPE_CHECKING:

        def recalibrate(self, calibration: Any) -> None: ...

    def merge(self, agent_id: str, into_key: str, from_key: str, *, dry_run: bool = False) -> Edit:
        """Make two entities one: everything of ``from_key`` becomes of ``into_key``, and its names lead there from now on.

        Both sides' profiles are kept, what they disagree about is in ``conflicts``; ``undo`` takes it back.

        Raises:
            ConfigError: no such entity, or both are the same.
        """
        from arandu_lab.memory import merging

        with self.store.still():
            return merging.merge(self, agent_id, into_key, from_key, dry_run=dry_run)

    def split(
        self,
        agent_id: str,
        key: str,
        *,
        into: NewEntity,
        facts: Sequence[str] = (),
        names: Sequence[str] = (),
        dry_run: bool = False,
    ) -> Edit:
        """Make a new entity of some facts (by id) and names of another; facts that call it by such a name go along.

        Raises:
            ConfigError: no such entity, a fact that is not linked to it, a name that is not its own, or nothing to move.
        """
        from arandu_lab.memory import merging

        with self.store.still():
            return merging.split(self, agent_id, key, into=into, facts=facts, names=names, dry_run=dry_run)

    def undo(self, agent_id: str, unit_id: str, *, dry_run: bool = False) -> Edit:
        """Take back a unit of work that ``units`` lists: its rows are again what they were, later news stay.

        Raises:
            ConfigError: no such unit, or something later rests on it (the message says what, and what to undo first).
        """
        from arandu_lab.memory import merging

        with self.store.still():
            return merging.undo(self, agent_id, unit_id, dry_run=dry_run)

    def units(self, agent_id: str, *, only: Sequence[str] | None = None) -> pl.DataFrame:
        """Merges, splits, corrections, jobs and undoings, newest first: ``id kind when what undoable why``.

        ``why`` says what stands in the way of an ``undo`` of a unit that is not ``undoable`` now. ``only`` names the units
        that are asked about; of a long journal that is quicker.
        """
        from arandu_lab.memory import merging

        return merging.units(self, agent_id, only)

    def forget(
        self,
        agent_id: str,
        *,
        fact_id: str | None = None,
        entity: str | None = None,
        event: str | None = None,
        everything: bool = False,
        also: Sequence[str | PathLike[str]] = (),
        dry_run: bool = False,
    ) -> Certificate:
        """Erase a statement, an entity, a turn, or everything of an agent, with all that was made from it, for good.

        The words leave every table, old version, journal unit and file of the store, the recordings that its models use
        and what its embedder remembers; the certificate says what a scan found afterwards, and where it did not look.
        What was forgotten does not come back from the same old text; said anew later, it does.

        Args:
            also: Files and folders of the lab (results, kept replays, exports, recordings) to look through. A result or
                export that holds the words goes as a whole, of a recording only those lines; files that the lab did not
                make are told and left alone.
            dry_run: Tell what would go.

        Raises:
            ConfigError: not exactly one thing to forget, or no such thing, or a named place that is not there.
        """
        from arandu_lab.memory import forgetting

        with self.store.still(erasing=True):
            return forgetting.forget(
                self,
                agent_id,
                fact_id=fact_id,
                entity=entity,
                event=event,
                everything=everything,
                also=also,
                dry_run=dry_run,
            )

    def export(self, agent_id: str, path: str | PathLike[str], *, overwrite: bool = False) -> Ported:
        """Write an agent's whole memory into a file: histories, both times, vectors, and what was forgotten (as hashes).

        Raises:
            ConfigError: nothing is known of the agent, or the file is there already.
        """
        from arandu_lab.memory import porting

        return porting.export(self, agent_id, path, overwrite=overwrite)

    def import_(self, path: str | PathLike[str], *, agent_id: str | None = None) -> Ported:
        """Take in the agent that ``export`` wrote; all of it or nothing.

        Vectors of another embedder are left behind, and ``repair`` embeds the texts anew (``Ported.unembedded``).
        ``agent_id`` gives the agent another name here: ids move with it, histories and tombstones stay whole.

        Raises:
            DatasetError: the file is damaged; says where.
            ConfigError: a newer format, an agent that is here already, or another calibration of the same embedder.
        """
        from arandu_lab.memory import porting

        return porting.import_(self, path, agent_id=agent_id)

    def digest(self, agent_id: str, *, vectors: bool = True) -> str:
        """32 hex digits over everything an agent remembers now, order included; ``vectors`` False leaves vectors out."""
        from arandu_lab.store.ledger import digest

        return digest(self.store.view(agent_id), vectors=vectors)
