"""An experiment in one sentence: systems, datasets, measures; what came out of it.

::

    found = experiment(["arandu", "bm25", {"wide": {"base": "arandu", "topk_facts": 40}}], "harbor_en", ["R@10", "Tokens.write"])
    found                                # the tables
    found.compare()                      # paired differences, in words
    found.plot()                         # a picture
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from arandu_lab.bench.place import place_of
from arandu_lab.bench.plan import MEASURES, Plan, Row, plan_of, row_of
from arandu_lab.bench.taught import taught
from arandu_lab.errors import BackendError, ConfigError, nearest
from arandu_lab.llm.prices import FILE

if TYPE_CHECKING:
    from arandu_lab.bench.data.model import Dataset
    from arandu_lab.bench.frames import Frames
    from arandu_lab.bench.outcome.result import Experiment
    from arandu_lab.bench.overlay import Overlay
    from arandu_lab.bench.run import Run
    from arandu_lab.llm.cassette import Cassette


def experiment(
    systems: Any,
    dataset: Any,
    measures: Any = MEASURES,
    *,
    baseline: str | None = None,
    relevance: Any = None,
    replay: Any = None,
    depth: int = 20,
    seed: int = 0,
    jobs: int = 2,
    data: str = "",
    results: str | Path = "results",
    progress: bool | None = None,
    name: str = "experiment",
    prices: str | Path = "",
) -> Experiment:
    """Let systems hear conversations turn by turn, put the questions at their dates, measure what comes back.

    What was replayed before is taken from ``results``; the result lies there too, as that of ``arandu-lab run``. Works in
    a notebook's cell and in a script, which needs no ``if __name__ == "__main__"``.

    Args:
        systems: One or a list of: the name of a base (``arandu-lab systems``) or ``module:attribute``; a ``Row``; an
            ``Assembly``; a class or function that makes a ``System``; ``{name: any of these, or a table of settings}``, in
            which ``base`` or ``assembly`` says what they are settings of.
        dataset: A name (``arandu-lab datasets``), path or ``Dataset``, or a list of them.
        measures: Names or values, such as ``"R@10"`` or ``R @ tokens(500)``; costs (``"Tokens.write"``) among them.
        baseline: The system that others are compared to; the first by default.
        relevance: Corrections of the gold, laid over it: a path or an ``Overlay``. Both figures are shown.
        replay: ``record``, ``replay`` (ask models what is missing only) or ``replay-only`` (never ask), through
            ``results/cassettes/NAME.jsonl``; or a ``Cassette``, or the path of one, to be replayed.
        depth: How many results are asked for; ``seed`` is of whatever draws; ``jobs`` are worker processes.
        data: The file of the only dataset, or a folder to look in.
        progress: How far it is: bars on a terminal, a line in a notebook, a line a step on stderr elsewhere; False: nothing.
        name: Of the result's folder.
        prices: A file of one's own prices; ``prices.toml`` where it runs, if there is one.

    Raises:
        ConfigError: what cannot be meant, with the nearest known name.
        DatasetError: data that break their format.
        BackendError: a system answered nothing at all: a hollow run is none.
    """
    from arandu_lab.bench.outcome.result import Experiment
    from arandu_lab.bench.overlay import overlays_of
    from arandu_lab.bench.run import cassette_of, planned

    place, rows = place_of(results), rows_of(systems)
    names = [row.name for row in rows]
    if baseline is not None and baseline not in names:
        raise ConfigError(f"baseline {baseline!r} is no system of this experiment; {nearest(baseline, names)}")
    sets = _listed(dataset)
    said: dict[str, Any] = {
        "name": name,
        "datasets": [_called(one) for one in sets],
        "systems": names,
        "data": str(data),
    }
    told = [str(one) for one in _listed(measures)]
    said |= {"measures": told, "depth": depth, "seed": seed, "jobs": jobs, "prices": str(prices), **_replay(replay)}
    plan = replace(plan_of({"run": said}), rows=rows)
    datasets = _datasets(plan, sets)
    tape = cassette_of(plan, place)
    if tape is not None:
        plan = replace(plan, cassette=tape.path, replay=tape.mode)
    run = planned(plan, datasets)
    overlays = overlays_of(datasets, relevance)
    frames, folder = _ran(run, place, tape, progress=progress)
    corrected, notes = _corrected(frames, datasets, overlays, run.plan)
    taught_notes = [f"{name}: {said}." for name, said in taught(run.plan.rows, datasets).items()]
    titles = {one.name: one.name if one.title == one.name else f"{one.name}: {one.title}" for one in datasets.values()}
    return Experiment(
        plan=run.plan,
        frames=frames,
        corrected=corrected,
        titles=titles,
        notes=(*_errors(frames), *taught_notes, *notes, *_priced(frames, run)),
        baseline=baseline or names[0],
        folder=folder,
        overlays=overlays,
    )


def rows_of(systems: Any) -> tuple[Row, ...]:
    """The rows that an experiment's ``systems`` mean, in their order.

    Raises:
        ConfigError: what is no system, or a name that is given twice.

    >>> [row.name for row in rows_of(["bm25", {"wide": {"base": "arandu", "topk_facts": 40}}])]
    ['bm25', 'wide']
    """
    rows: list[Row] = []
    for one in _listed(systems):
        rows += (
            [_row(str(name), value) for name, value in one.items()] if isinstance(one, Mapping) else [_row(None, one)]
        )
    names = [row.name for row in rows]
    if not names:
        raise ConfigError("no systems; wants at least one, such as 'arandu'")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ConfigError(f"two systems are called {twice!r}; name one of them: {{'another': …}}")
    return tuple(rows)


def _row(name: str | None, value: Any) -> Row:
    from arandu_lab.presets import Assembly
    from arandu_lab.systems.base import System

    match value:
        case str():
            return Row(name=name or value, base=value)
        case Row():
            return replace(value, name=name or value.name)
        case Assembly():
            return Row(name=name or "mine", base="arandu", assembly=value)
        case Mapping():
            assert name is not None
            return _settings(name, value)
    if isinstance(value, System) and not isinstance(value, type):
        raise ConfigError(
            f"{type(value).__name__} {value.name!r} is one system, and every conversation needs a fresh one: give its class,"
            " or a function that makes it"
        )
    if not callable(value):
        raise ConfigError(f"{value!r} is no system; wants a name, a Row, an Assembly, settings, or what makes a System")
    return Row(name=name or getattr(value, "__name__", "mine").lower(), base=_place(value), factory=value)


def _settings(name: str, table: Mapping[str, Any]) -> Row:
    from arandu_lab.presets import Assembly

    rest = {key: value for key, value in table.items() if key not in ("base", "assembly")}
    base, assembly = table.get("base"), table.get("assembly")
    if isinstance(base, Assembly):
        base, assembly = None, base
    if isinstance(assembly, Assembly):
        return replace(row_of(name, {**rest, "base": base or "arandu"}), assembly=assembly)
    if callable(base):
        return replace(row_of(name, {**rest, "base": _place(base)}), factory=base)
    return row_of(name, table)


def _place(maker: Callable[..., Any]) -> str:
    return f"{maker.__module__}:{getattr(maker, '__qualname__', type(maker).__name__)}"


def _listed(value: Any) -> list[Any]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return list(value)
    return [value]


def _called(one: Any) -> str:
    from arandu_lab.bench.data.model import Dataset

    if not isinstance(one, str | Path | Dataset):
        raise ConfigError(f"a {type(one).__name__} is no dataset; wants a name, a path, a Dataset, or a list of them")
    return one.name if isinstance(one, Dataset) else str(one)


def _replay(replay: Any) -> dict[str, str]:
    from arandu_lab.llm.cassette import Cassette, checked

    if replay is None:
        return {}
    if isinstance(replay, Cassette):
        return {"cassette": replay.path, "replay": replay.mode}
    if isinstance(replay, Path) or "/" in str(replay) or str(replay).endswith(".jsonl"):
        return {"cassette": str(replay), "replay": "replay"}
    return {"replay": checked(str(replay))}


def _datasets(plan: Plan, sets: Iterable[Any]) -> dict[str, Dataset]:
    """The datasets by name, in order; those given as objects as they are."""
    from arandu_lab.bench.run import load_datasets, sound

    found: list[Dataset] = []
    for one in sets:
        if hasattr(one, "conversations"):
            found.append(sound(one))
        else:
            found += load_datasets(replace(plan, datasets=(str(one),))).values()
    out = {one.name: one for one in found}
    if len(out) < len(found):
        raise ConfigError("two datasets of one name; a table has one row a name, so give one of them another")
    return out


def _ran(run: Run, results: Path, tape: Cassette | None, *, progress: bool | None) -> tuple[Frames, Path]:
    from arandu_lab.bench.frames import frames
    from arandu_lab.bench.made import complete, read_result, write_result
    from arandu_lab.bench.noted import Noted
    from arandu_lab.bench.pilot import foreseen
    from arandu_lab.bench.report import quality_of
    from arandu_lab.bench.run import replayed
    from arandu_lab.bench.shown import Shown, console

    folder = results / run.address
    recording = tape is not None and tape.mode == "record"
    if not recording and complete(folder):
        return read_result(folder)[1], folder
    out = console()
    if not (out.is_terminal or out.is_jupyter):
        out = console(stderr=True)
    shown = progress is None or progress
    if shown:
        rows = [row.name for row in run.plan.rows]
        for line in foreseen(run.datasets, quality_of(run), results, systems=rows):
            out.print(line, style="dim", markup=False)
    watched: Any = nullcontext() if not shown else Noted() if out.is_jupyter else Shown(out)
    with watched as watcher:
        replayed(run, results / ".steps", watcher=watcher, cassette=tape)
    found = frames(run)
    folder = write_result(run, found, results)
    _refuse_hollow(found, folder)
    return found, folder


def _refuse_hollow(frames: Frames, folder: Path) -> None:
    from arandu_lab.bench.tables import coverage

    hollow = coverage(frames).filter((pl.col("answered") == 0) | (pl.col("lost") >= pl.col("heard")))
    if hollow.is_empty():
        return
    row = hollow.row(0, named=True)
    first = frames.errors.filter((pl.col("dataset") == row["dataset"]) & (pl.col("system") == row["system"]))
    why = first["message"][0] if first.height else "it heard nothing"
    raise BackendError(
        f"{row['system']} × {row['dataset']}: {row['answered']} of {row['questions']} questions answered, {row['lost']} of "
        f"{row['heard']} turns lost ({why}); what came of the others lies in {folder}",
        kind="unavailable",
        backend=row["system"],
    )


def _errors(frames: Frames) -> list[str]:
    from arandu_lab.bench.tables import coverage

    lost = coverage(frames).filter(pl.col("share") < 1)
    return [
        f"{row['system']} × {row['dataset']}: {row['answered']} of {row['questions']} questions answered, {row['lost']} of "
        f"{row['heard']} turns lost. What failed is null, never zero, and left out of the means."
        for row in lost.iter_rows(named=True)
    ]


def _priced(frames: Frames, run: Run) -> list[str]:
    """By which prices, where a model was asked that has one."""
    asked = frames.usage.filter((pl.col("calls") > 0) & (pl.col("would_usd") > 0))
    if asked.is_empty():
        return []
    told = run.prices.told()
    return [f"Prices: {told['table']}" + (f"; before it {FILE} of {told['own']}" if "own" in told else "") + "."]


def _corrected(
    frames: Frames, datasets: Mapping[str, Dataset], overlays: Mapping[str, Overlay], plan: Plan
) -> tuple[Frames | None, list[str]]:
    """The frames by the corrected gold, and what is to be said of the corrections."""
    from arandu_lab.bench.overlay import fitting, rescored

    if not overlays:
        return None, []
    fit, notes = fitting(overlays, datasets)
    parts = []
    for name, dataset in datasets.items():
        mine = frames.questions.filter(pl.col("dataset") == name)
        if name in fit:
            mine = rescored(mine, fit[name].applied(dataset), plan.measures, depth=plan.depth)
            mine = mine.with_columns(pl.lit(name).alias("dataset"))
        parts.append(mine)
    return replace(frames, questions=pl.concat(parts, how="diagonal")), notes
