"""Steps of a scorecard and where their dossiers are kept: one system over one set in one mode.

A step's address holds the settings that are not default, the digest of the set, the mode and the code that records;
code that only measures and draws is no part of it, so a new measure is a second's work. A step with an error is never
kept.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

import arandu_lab
from arandu_lab.bench.artifacts import READERS, own_source, sources, whole
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.plan import Row
from arandu_lab.bench.rows import changed, told
from arandu_lab.bench.scorecard.dossier import Dossier, Mode
from arandu_lab.bench.scorecard.judged import judged_before
from arandu_lab.bench.scorecard.plan import Plan

MEASURES = tuple(
    f"bench/scorecard/{name}.py"
    for name in (
        *(
            "__init__",
            "blame",
            "columns",
            "extraction_score",
            "frames",
            "judged",
            "linking",
            "lives",
            "legend",
            "made",
            "pictures",
            "plan",
            "reading_score",
        ),
        *(
            "reconciliation_score",
            "report",
            "resolution_score",
            "sections",
            "sentences",
            "shown",
            "state_score",
            "tables",
            "twins",
        ),
    )
)
"""Code of the scorecard that judges dossiers and makes none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One system over one set in one mode. ``place`` is where the set lies; ``size`` counts its turns and questions."""

    row: Row
    dataset: str
    language: str
    place: str
    mode: Mode
    depth: int
    seed: int
    size: int
    address: str

    @property
    def label(self) -> str:
        """``arandu × brook_en, oracle``."""
        return f"{self.row.name} × {self.dataset}" + ("" if self.mode == "end-to-end" else f", {self.mode}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a step left: a dossier by part (``all``, or the stages that ran alone), and how many seconds it took.

    Of a step that was judged before, ``frames`` stand for the dossiers, which are not read again, and ``spent`` are the
    milliseconds of each part by stage.
    """

    dossiers: dict[str, Dossier]
    seconds: float = field(default=0.0, compare=False)
    spent: dict[str, dict[str, float]] = field(default_factory=dict, compare=False)
    frames: dict[str, pl.DataFrame] | None = field(default=None, compare=False, repr=False)

    @property
    def times(self) -> dict[str, dict[str, float]]:
        """Milliseconds by part and stage."""
        return self.spent or {part: dossier.times for part, dossier in self.dossiers.items()}

    @property
    def errors(self) -> tuple[str, ...]:
        """Everything that failed; what was stepped around as documented is told in the dossiers and is none."""
        lines = (one for dossier in self.dossiers.values() for one in dossier.errors if _AROUND not in one)
        return tuple(dict.fromkeys(lines))


def digest() -> str:
    """The sha256 of the code that records."""
    readers = tuple(name for name in READERS if name != "bench/scorecard/")
    return sources(Path(arandu_lab.__file__).parent, (*readers, *MEASURES))


def steps(plan: Plan, datasets: dict[str, Dataset]) -> list[Step]:
    """Every step of a plan, in the order of datasets, systems and modes."""
    code = digest()
    out = []
    for dataset in datasets.values():
        size = sum(len(one.turns) + len(one.questions) for one in dataset)
        for row in plan.rows:
            for mode in plan.modes(row):
                said = {
                    "scorecard": mode,
                    "base": row.base,
                    "name": row.name,
                    "options": changed(row, seed=plan.seed),
                    "write": row.write,
                    "read": row.read,
                    "own": own_source(row),
                    "data": dataset.digest,
                    "depth": plan.depth,
                    "code": code,
                }
                out.append(
                    Step(
                        row=row,
                        dataset=dataset.name,
                        language=dataset.language.split("-")[0],
                        place=str(dataset.card["source"]),
                        mode=mode,  # type: ignore[arg-type]
                        depth=plan.depth,
                        seed=plan.seed,
                        size=size,
                        address=hashlib.sha256(told(said).encode()).hexdigest()[:12],
                    )
                )
    return out


def keep(folder: Path, done: Done) -> None:
    """Write the dossiers of a step so that they are there whole or not at all; times in a file of their own."""
    with whole(folder) as fresh:
        for part, dossier in done.dossiers.items():
            (fresh / f"{part}.json").write_text(dossier.to_json(times=False), encoding="utf-8")
        times = {part: dossier.times for part, dossier in done.dossiers.items()}
        (fresh / "times.json").write_text(json.dumps({"seconds": done.seconds, "parts": times}), encoding="utf-8")


def kept(folder: Path, code: str = "") -> Done | None:
    """The dossiers kept there, or None; their frames alone where ``code`` (a digest) has judged them before."""
    try:
        said = json.loads((folder / "times.json").read_text(encoding="utf-8"))
        if code and (frames := judged_before(folder, code)) is not None:
            return Done(dossiers={}, seconds=said["seconds"], spent=said["parts"], frames=frames)
        return Done(
            dossiers={
                part: replace(Dossier.from_json((folder / f"{part}.json").read_text(encoding="utf-8")), times=times)
                for part, times in said["parts"].items()
            },
            seconds=said["seconds"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


_AROUND = ": stepped around: "
