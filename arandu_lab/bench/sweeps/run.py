"""``sweep``: a system under many settings over the same questions, and which of them is really better.

::

    from arandu_lab import sweep
    swept = sweep("arandu", {"reranker_weight": [0.3, 0.5, 0.7], "min_reranker_score": [0.0, 0.15]},
                  ["harbor_en", "mare_pt"], measures=["R@10"], hold_out=["mare_pt"])
    swept.table(); print(swept.best()); swept.effects(); swept.plot()

A setting that only reads writes nothing again; one that writes hears each conversation anew, through a cassette where the
model costs anything. Which is which is what the stages' own parameters say. Whatever is done is kept under ``results``, so
the same call after a kill goes on where it was. It works in a cell of a notebook and outside.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench.artifacts import code_digest, own_source
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.plan import Plan, Row
from arandu_lab.bench.rows import changed, model_of, told
from arandu_lab.bench.run import load_datasets, sound
from arandu_lab.bench.sweeps.backends import engine
from arandu_lab.bench.sweeps.costs import Estimate
from arandu_lab.bench.sweeps.course import Course, course_of, rounds
from arandu_lab.bench.sweeps.design import Halving
from arandu_lab.bench.sweeps.estimates import estimated
from arandu_lab.bench.sweeps.plan import MEASURES, SweepPlan, checked_plan, value_of
from arandu_lab.bench.sweeps.purse import unpriced
from arandu_lab.bench.sweeps.remote import Shelf
from arandu_lab.bench.sweeps.result import HELD_OUT, TRAINING, Sweep
from arandu_lab.bench.sweeps.watching import Told, watching
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.prices import FREE
from arandu_lab.pipeline.node import address as short
from arandu_lab.presets import Assembly

RESULTS = Path("results")


def sweep(
    system: Any,
    grid: Mapping[str, Any],
    dataset: Any,
    *,
    measures: Any = MEASURES,
    design: Any = "grid",
    hold_out: Any = None,
    seed: int = 0,
    depth: int = 20,
    jobs: int = 2,
    backend: str = "loky",
    results: str | Path = RESULTS,
    replay: str | Path | None = None,
    cap: Any = None,
    progress: Any = None,
    data: str | Path = "",
    name: str = "sweep",
) -> Sweep:
    """Measure a system under many settings.

    Args:
        system: A memory: a name (``"arandu"``, ``"tuned"``), an ``Assembly``, a ``Row``, or ``{name: one of these, or a
            mapping of settings}``. Stages may be one's own, defined in a notebook.
        grid: Name of a setting -> the values to try; for designs that draw also a ``Between``.
        dataset: A name, a ``Dataset``, or several.
        measures: Names or measures; the first one leads.
        design: ``"grid"``, ``Random(n)``, ``Halving()``, ``Fractional()``, or a table as in a file.
        hold_out: What has no say in choosing: a share of the conversations (of the questions, in time, where there is one
            conversation) or names of conversations. Without it there is no ``best``.
        jobs: Worker processes of ``loky``; ``backend`` may also be ``dask`` or ``ray``, on a cluster that is there.
        results: A folder, or ``s3://…``.
        replay: ``"record"``, ``"replay"``, ``"replay-only"``, or the path of a cassette.
        cap: The most to pay: ``"2.50 USD"`` or ``"200k tokens"``. It stops before that is passed.
        progress: None for a bar, or lines on stderr where that is no terminal (and, where the model costs anything, the
            estimate before it); False for neither; or a function of ``(done, of, what)``.
        data: Where the datasets lie.

    Raises:
        ConfigError: a setting that nothing reads, a value out of range, a split that leaves a part empty, or the cap.
        DatasetError: data that break their format.
        BackendError: nothing at all was answered, a worker died, or ``results`` cannot be reached.
    """
    plan, given = planned(**_kept(locals(), ("progress", "results")))
    costs = progress is None and model_of(plan.row) != FREE
    before = (lambda cost: print(cost, file=sys.stderr)) if costs else None
    return swept(plan, given, results=results, progress=progress, before=before)


def estimate(system: Any, grid: Mapping[str, Any], dataset: Any, **options: Any) -> Estimate:
    """What :func:`sweep` with the same arguments would cost. Nothing is asked of a model that costs anything.

    Raises:
        ConfigError: as :func:`sweep`.
    """
    results = options.pop("results", RESULTS)
    options.pop("progress", None)
    plan, given = planned(system=system, grid=grid, dataset=dataset, **options)
    return estimated_plan(plan, given, results=results)


def estimated_plan(
    plan: SweepPlan, datasets: Mapping[str, Dataset] | None = None, *, results: str | Path = RESULTS
) -> Estimate:
    """What a plan would cost. Raises as :func:`estimate`."""
    return estimated(_course(plan, datasets, Shelf(results)))


def planned(
    *, system: Any, grid: Mapping[str, Any], dataset: Any, **options: Any
) -> tuple[SweepPlan, dict[str, Dataset] | None]:
    """The plan of a call, and its datasets where objects were given.

    Raises:
        ConfigError: anything that cannot be meant.
    """
    several = list(dataset) if isinstance(dataset, list | tuple) else [dataset]
    objects = {one.name: sound(one) for one in several if isinstance(one, Dataset)}
    if objects and len(objects) < len(several):
        raise ConfigError(
            "datasets by name and as objects, or two of one name; give all as objects with names of their own"
        )
    if not isinstance(grid, Mapping):
        raise ConfigError(f'a grid is a mapping such as {{"reranker_weight": [0.3, 0.7]}}, not {type(grid).__name__}')
    said = {key: value for key, value in options.items() if key not in ("data", "replay")}
    plan = checked_plan(
        row=row_of(system),
        grid={
            key: value if not isinstance(value, Mapping | list | tuple) else value_of(key, value)
            for key, value in grid.items()
        },
        datasets=list(objects or several),
        data=str(options.get("data", "") or ""),
        replay=options.get("replay"),
        **said,
    )
    return plan, objects or None


def swept(
    plan: SweepPlan,
    datasets: Mapping[str, Dataset] | None = None,
    *,
    results: str | Path = RESULTS,
    progress: Any = None,
    before: Callable[[Estimate], None] | None = None,
) -> Sweep:
    """Do a plan; ``before`` is told what it will cost. Raises as :func:`sweep`."""
    shelf = Shelf(results)
    course = _course(plan, datasets, shelf)
    cost = estimated(course)
    if before is not None:
        before(cost)
    _within_cap(course, cost)
    with engine(plan.backend, plan.jobs), watching(progress, plan.name) as moved:
        found = _measured(course, cost, moved)
    from arandu_lab.bench.sweeps.page import write_sweep

    folder = write_sweep(found, course, shelf)
    return replace(found, folder=folder)


def row_of(system: Any) -> Row:
    """The row of whatever was given as a system.

    Raises:
        ConfigError: something that is no memory of stages.
    """
    name: str | None = None
    if isinstance(system, Mapping):
        if len(system) != 1:
            raise ConfigError(f"a sweep is of one system, found {len(system)}: {', '.join(map(str, system))}")
        ((name, system),) = system.items()
    match system:
        case Row():
            return system if name is None else replace(system, name=name)
        case str():
            return Row(name=name or system, base=system)
        case Assembly():
            return Row(name=name or "mine", base="arandu", assembly=system)
        case Mapping():
            options = {str(key): value for key, value in system.items() if key not in ("base", "write", "read")}
            base, write, read = system.get("base", "arandu"), system.get("write", {}), system.get("read", {})
            return Row(name=name or "mine", base=base, options=options, write=write, read=read)
    raise ConfigError(
        f"system {system!r} cannot be swept; wants a name such as 'arandu', an Assembly, a Row, or {{name: one of these}}"
    )


def _course(plan: SweepPlan, datasets: Mapping[str, Dataset] | None, shelf: Shelf) -> Course:
    if datasets is None:
        datasets = load_datasets(Plan(name=plan.name, datasets=plan.datasets, rows=(plan.row,), data=plan.data))
    return course_of(plan, datasets, shelf)


def _within_cap(course: Course, cost: Estimate) -> None:
    """Refuse what would pass the cap by the estimate already: nothing was paid then."""
    cap = course.plan.cap
    if cap is None or not cost.tokens or cost.usd == 0:
        return
    if cap.usd is not None and cost.usd is None:
        raise ConfigError(unpriced(course.model))
    expected = cost.usd if cap.usd is not None else cost.tokens
    if expected is not None and expected > cap.most:
        raise ConfigError(
            f"the cap is {cap}, the estimate {cost.tokens:,} tokens"
            + ("" if cost.usd is None else f" or {cost.usd:,.2f} USD")
            + " if no answer is kept already; nothing was asked. Give a higher cap, or fewer settings"
        )


def _measured(course: Course, cost: Estimate, moved: Told) -> Sweep:
    points = list(range(len(course.points)))
    frames: list[pl.DataFrame] = []
    made: Sweep | None = None
    every = rounds(course)
    for number, keys in enumerate(every, start=1):
        prefix = f"round {number} of {len(every)}: " if len(every) > 1 else ""
        fresh = course.run(keys, points, lambda done, of, what, prefix=prefix: moved(done, of, prefix + what))  # type: ignore[misc]
        frames = [*_without(frames, points), fresh.with_columns(pl.lit(TRAINING).alias("part"))]
        made = _sweep(course, cost, frames, points)
        _hollow(made, course)
        if number < len(every):
            assert isinstance(course.plan.design, Halving)
            ranked = sorted(points, key=_ranking(made, course.plan.measures[0]))
            kept = course.plan.design.survivors(ranked)
            points = sorted({0, *kept})
    assert made is not None
    if course.split.held_out:
        winners = sorted({0, *(made.chosen(one) for one in course.plan.measures)})
        fresh = course.run(course.split.held_out, winners, lambda done, of, what: moved(done, of, f"held out: {what}"))
        frames.append(fresh.with_columns(pl.lit(HELD_OUT).alias("part")))
        made = _sweep(course, cost, frames, points)
    return made


def _without(frames: Sequence[pl.DataFrame], points: Sequence[int]) -> list[pl.DataFrame]:
    """Answers of an earlier round stay only for points that did not go on."""
    return [one.filter(~pl.col("point").is_in(list(points))) for one in frames]


def _ranking(made: Sweep, measure: str) -> Any:
    from arandu_lab.bench.measures import parse

    means = {row["point"]: row["mean"] for row in made.table(measure).iter_rows(named=True)}
    sign = 1.0 if parse(measure).falls else -1.0
    return lambda point: (float("inf") if means[point] is None else sign * means[point], point)


def _sweep(course: Course, cost: Estimate, frames: Sequence[pl.DataFrame], finalists: Sequence[int]) -> Sweep:
    plan = course.plan
    answers = pl.concat(list(frames))
    parts = []
    for part, keys in ((TRAINING, course.split.training), (HELD_OUT, course.split.held_out)):
        asked = sorted(set(answers.filter(pl.col("part") == part)["point"].unique().to_list()))
        parts.append(course.written(keys, asked).with_columns(pl.lit(part).alias("part")))
    return Sweep(
        name=plan.name,
        address=_address(course),
        system=plan.row.name,
        names=tuple(plan.grid),
        points=tuple(course.points),
        in_design=course.in_design,
        design=plan.design,
        measures=plan.measures,
        answers=answers,
        written=pl.concat(parts),
        finalists=tuple(finalists),
        split=course.split.said,
        paid=course.paid,
        estimate=cost,
        errors=pl.DataFrame(course.errors, schema=dict.fromkeys(("what", "where", "message"), pl.String), orient="row"),
    )


def _address(course: Course) -> str:
    plan = course.plan
    said = {
        "row": [
            plan.row.name,
            plan.row.base,
            changed(plan.row, seed=plan.seed),
            dict(plan.row.write),
            dict(plan.row.read),
        ],
        "own": [
            own_source(plan.row),
            course.chosen[0].written,
            course.chosen[0].read.fingerprint(course.chosen[0].values),
        ],
        "points": told([dict(one) for one in course.points]),
        "design": repr(plan.design),
        "hold_out": plan.hold_out,
        "measures": plan.measures,
        "data": {name: one.digest for name, one in course.datasets.items()},
        "run": [plan.depth, plan.seed, code_digest()],
    }
    return f"{plan.name}-{short(said)[:12]}"


def _hollow(made: Sweep, course: Course) -> None:
    """Refuse a sweep in which the default answered nothing: there is nothing to compare with."""
    mine = made.answers.filter((pl.col("point") == 0) & (pl.col("part") == TRAINING) & ~pl.col("absent"))
    if all(mine[measure].is_null().all() for measure in made.measures):
        nothing = f"the data hold nothing that {', '.join(made.measures)} could be reckoned from"
        first = course.errors[0][2] if course.errors else nothing
        raise BackendError(f"no question was answered under the default: {first}", kind="empty", backend=made.system)


def _kept(given: dict[str, Any], without: Sequence[str]) -> dict[str, Any]:
    return {key: value for key, value in given.items() if key not in without}
