"""A conversation written whole into one memory, and kept: what is asked of it later writes nothing again.

An artefact lies under ``RESULTS/ingested/ADDRESS/``: the store (``memory/``), ``told.json`` (the journal after each turn,
the turns of the events, what was spent and extracted) and ``times.json``. Its address holds what the *write* side reads
and nothing else: two settings that differ on the read side share it. One that failed somewhere is never found again: it
lies beside under ``ADDRESS.failed`` until the next try.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from arandu_lab.bench.artifacts import code_digest, own_source, whole
from arandu_lab.bench.damage import reading
from arandu_lab.bench.data.model import Conversation
from arandu_lab.bench.owned import owned, source_digest
from arandu_lab.bench.plan import Row
from arandu_lab.bench.replay import Error, Replay, Timed, broken, fault, replay
from arandu_lab.bench.rows import open_row
from arandu_lab.bench.sweeps.settled import applied, settled
from arandu_lab.bench.workers import finished
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.pipeline.node import address as short
from arandu_lab.systems.arandu import AGENT, Arandu
from arandu_lab.systems.base import DatedTurn
from arandu_lab.trace import Usage

FORMAT = 1
"""What lies in an artefact; raised when this file keeps something else (``bench/sweeps`` is no part of the code digest)."""


@dataclass(frozen=True, kw_only=True)
class Ingested:
    """One conversation in one memory.

    ``sequences``: the journal's sequence after each turn that was heard, in order of the conversation. ``turn_ids``: event
    id -> turn id. ``written`` is the address of the write side alone (:attr:`Settled.written`). ``broke``: what broke the
    system, so that it answers nothing. ``times`` are milliseconds, the same in no two runs.
    """

    folder: Path
    address: str
    conversation: str
    written: str
    sequences: tuple[int, ...]
    turn_ids: Mapping[str, str] = field(repr=False)
    listened: Usage = field(default_factory=Usage)
    by_stage: Mapping[str, Usage] | None = field(default=None, repr=False)
    extracted: tuple[tuple[str, str, str, str], ...] | None = field(default=None, repr=False)
    live: tuple[tuple[str, str], ...] | None = field(default=None, repr=False)
    errors: tuple[Error, ...] = ()
    broke: Error | None = None
    times: tuple[Timed, ...] = field(default=(), repr=False, compare=False)
    reused: bool = field(default=False, compare=False)

    @cached_property
    def path(self) -> Path:
        """The directory of the store."""
        return self.folder / "memory"


def ingest(
    row: Row,
    conversation: Conversation,
    *,
    dataset: str,
    language: str,
    seed: int = 0,
    results: str | Path = "results",
    setting: Mapping[str, Any] | None = None,
    llm: Any = None,
    tick: Callable[[int], None] | None = None,
) -> Ingested:
    """The conversation in a memory of this row under this setting: as it was kept, or written now.

    Args:
        dataset: its name, for messages.
        setting: as :func:`arandu_lab.bench.sweeps.settled.settled` takes it.
        llm: a model in the place of the row's (a cassette around it); the address goes by its name.
        tick: told after each turn how many were heard.

    Raises:
        ConfigError: the row is no memory, or its settings or the setting are wrong.
    """
    try:
        where = ingest_address(row, conversation, language=language, seed=seed, setting=setting, llm=llm)
        folder = Path(results) / "ingested" / where
        found = kept_ingest(folder)
        if found is not None:
            return found
        return _written(row, conversation, folder, language=language, seed=seed, setting=setting, llm=llm, tick=tick)
    except ConfigError as error:
        raise ConfigError(f"{row.name} × {dataset}/{conversation.id}: {error}") from error


def ingest_address(
    row: Row,
    conversation: Conversation,
    *,
    language: str,
    seed: int = 0,
    setting: Mapping[str, Any] | None = None,
    llm: Any = None,
) -> str:
    """Where an ingest is kept, sixteen hexadecimal digits. Two settings that share it share the ingest.

    Raises:
        ConfigError: as :func:`ingest`.
    """
    system = memory_of(row, conversation, language=language, seed=seed, llm=llm)
    chosen = settled(system.assembly, setting)
    return short(
        {
            "write": chosen.written,
            "llm": _named(system.llm, ("names", "name")),
            "embedder": _named(system.embedder, ("name",)),
            "calibration": system.calibration,
            "template": system.template,
            "sessions": system.sessions,
            "conversation": conversation.id,
            "turns": _digest(conversation.turns),
            "seed": seed,
            "own": [None if row.assembly is not None else own_source(row), source_digest(owned(chosen.write))],
            "code": [code_digest(readers=False), FORMAT],
        }
    )


def memory_of(row: Row, conversation: Conversation, *, language: str, seed: int = 0, llm: Any = None) -> Arandu:
    """The memory that a row opens, not yet begun; it lies nowhere until its ``path`` is set.

    Raises:
        ConfigError: the row is no memory: a control has nothing that is written once and read again.
    """
    system = open_row(row, conversation, language=language, seed=seed, path=Path("unset"))
    if not isinstance(system, Arandu):
        raise ConfigError(
            f"{row.name} ({row.base}) is no memory of stages: it has no write side that many settings could share;"
            " give a base such as 'arandu' or 'tuned', or an Assembly"
        )
    if system.schedule:
        raise ConfigError(
            f"{row.name}: jobs = {str(system.schedule)!r}: a sweep reads one writing under many settings, and jobs run between "
            "turns and questions; compare jobs with an experiment (benchmarks/jobs.py)"
        )
    if llm is not None:
        system.llm = llm
    return system


def kept_ingest(folder: Path) -> Ingested | None:
    """The ingest kept there, or None.

    Raises:
        DatasetError: half of one, or a damaged one.
    """
    if not (folder / "told.json").is_file() or not (folder / "times.json").is_file():
        return None
    with reading(folder):
        said = json.loads((folder / "told.json").read_text(encoding="utf-8"))
        times = json.loads((folder / "times.json").read_text(encoding="utf-8"))
        return Ingested(
            folder=folder,
            address=said["address"],
            conversation=said["conversation"],
            written=said["written"],
            sequences=tuple(said["sequences"]),
            turn_ids=said["turn_ids"],
            listened=Usage(**said["listened"]),
            by_stage=None if said["by_stage"] is None else {k: Usage(**v) for k, v in said["by_stage"].items()},
            extracted=None if said["extracted"] is None else tuple(tuple(one) for one in said["extracted"]),
            live=None if said["live"] is None else tuple(tuple(one) for one in said["live"]),
            errors=tuple(Error(**one) for one in said["errors"]),
            broke=None if said["broke"] is None else Error(**said["broke"]),
            times=tuple(Timed(phase=phase, item=item, ms=ms) for phase, item, ms in times),
            reused=True,
        )


def _written(
    row: Row,
    conversation: Conversation,
    folder: Path,
    *,
    language: str,
    seed: int,
    setting: Mapping[str, Any] | None,
    llm: Any,
    tick: Callable[[int], None] | None,
) -> Ingested:
    system = memory_of(row, conversation, language=language, seed=seed, llm=llm)
    chosen = settled(system.assembly, setting)
    system.assembly = applied(system.assembly, setting)
    heard = _Heard(system)
    silent = replace(conversation, questions=())
    keeping = whole(folder)
    try:
        with keeping as fresh:
            system.path = str(fresh / "memory")
            try:
                done = finished(replay(heard, silent, depth=1, tick=tick))
            except ConfigError:
                raise
            except BaseException as error:  # noqa: BLE001 - the edge of a job, as in bench.workers
                done = broken(silent, Replay(), "open", conversation.id, fault(error))
            if done.errors:
                keeping.folder = folder.with_name(f"{folder.name}.failed")
            made = Ingested(
                folder=keeping.folder,
                address=folder.name,
                conversation=conversation.id,
                written=chosen.written,
                sequences=tuple(heard.sequences),
                turn_ids=dict(system.turn_ids),
                listened=done.listened,
                by_stage=done.by_stage,
                extracted=None if done.extracted is None else tuple(done.extracted),
                live=None if done.live is None else tuple(done.live),
                errors=tuple(done.errors),
                broke=next((one for one in done.errors if _fatal(one, heard.fatal)), None),
                times=tuple(done.times),
            )
            _keep(fresh, made)
            if not made.errors and kept_ingest(folder) is not None:
                raise _FasterError
    except _FasterError:  # another process was: somebody may be reading what it kept
        found = kept_ingest(folder)
        assert found is not None
        return found
    return made


class _FasterError(Exception):
    """The same ingest was kept meanwhile."""


def _keep(folder: Path, made: Ingested) -> None:
    said = {name: getattr(made, name) for name in ("address", "conversation", "written", "sequences", "turn_ids")}
    said["listened"] = asdict(made.listened)
    said["by_stage"] = None if made.by_stage is None else {k: asdict(v) for k, v in made.by_stage.items()}
    said |= {"extracted": made.extracted, "live": made.live, "errors": [asdict(one) for one in made.errors]}
    said["broke"] = None if made.broke is None else asdict(made.broke)
    (folder / "told.json").write_text(json.dumps(said, ensure_ascii=False, indent=1), encoding="utf-8")
    times = [[one.phase, one.item, one.ms] for one in made.times]
    (folder / "times.json").write_text(json.dumps(times), encoding="utf-8")


class _Heard:
    """A memory that is listened in on: the sequence of its journal after each turn that it was told."""

    def __init__(self, system: Arandu) -> None:
        self.system, self.name = system, system.name
        self.sequences: list[int] = []
        self.fatal = ""

    async def listen(self, turn: DatedTurn) -> Usage:
        try:
            usage = await self.system.listen(turn)
        except BackendError:
            self._passed()
            raise
        except BaseException:  # whatever broke it is told with its turn; then it is raised on
            self.fatal = turn.id
            raise
        self._passed()
        return usage

    def _passed(self) -> None:
        self.sequences.append(self.system.memory.store.view(AGENT).sequence)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.system, name)


def _fatal(error: Error, turn: str) -> bool:
    """Whether nothing was heard after an error; ``turn`` is the one that broke the system, if one did."""
    return error.phase in ("open", "begin") or (error.phase == "listen" and error.where == turn)


def _digest(turns: Sequence[DatedTurn]) -> str:
    said = [[str(value) for value in asdict(turn).values()] for turn in turns]
    return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def _named(spec: Any, names: Sequence[str]) -> Any:
    """A model as an address tells it: its text, or the name that the object gives itself."""
    if spec is None or isinstance(spec, str):
        return spec
    if isinstance(spec, Mapping):
        return {role: _named(one, names) for role, one in sorted(spec.items())}
    return next((getattr(spec, name) for name in names if hasattr(spec, name)), type(spec).__name__)
