"""A sweep before it happens, and its file: ``configs/sweep.toml``, read strictly.

::

    [sweep]
    system   = "arandu"
    datasets = ["harbor_en", "mare_pt"]
    measures = ["R@10", "nDCG@10", "RR"]
    design   = "grid"               # or {kind = "random", n = 40}, {kind = "halving"}, {kind = "fractional", resolution = 5}
    hold_out = ["mare_pt"]          # names of conversations, or a share: 0.5

    [grid]
    reranker_weight    = [0.3, 0.5, 0.7]
    min_reranker_score = {from = 0.0, to = 0.3}     # a range, for designs that draw

    [system.arandu]                 # as in [run] files: what stays the same in every setting
    topk_facts = 30
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from arandu_lab.bench.measures import parse
from arandu_lab.bench.place import folder_name
from arandu_lab.bench.plan import Row, row_of
from arandu_lab.bench.sweeps.costs import Cap, cap_of
from arandu_lab.bench.sweeps.design import Between, Design, Grid, design_of
from arandu_lab.bench.sweeps.split import HoldOut, hold_out_of
from arandu_lab.bench.toml import read_toml
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.llm.cassette import checked

MEASURES = ("R@10", "nDCG@10", "RR")
GRID = Grid()


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepPlan:
    """A sweep on paper. ``jobs``, ``backend``, ``cap`` and ``data`` are no part of a result.

    ``replay`` is how the row's model is asked: None as it is, a mode of a cassette (``"record"``, ``"replay"``,
    ``"replay-only"``), or a cassette's path.
    """

    row: Row
    grid: Mapping[str, Any]
    datasets: tuple[str, ...]
    measures: tuple[str, ...] = MEASURES
    design: Design = GRID
    hold_out: HoldOut = None
    name: str = "sweep"
    depth: int = 20
    seed: int = 0
    jobs: int = 2
    backend: str = "loky"
    replay: str | None = None
    cap: Cap | None = None
    data: str = ""


def read_sweep_plan(path: str | Path) -> SweepPlan:
    """The plan in a file; its name is the file's where it gives none.

    Raises:
        ConfigError: no such file, not TOML, or an unknown key or wrong value, each with its place.
    """
    return read_toml(path, lambda data: plan_of(data, name=Path(path).stem))


def plan_of(data: Mapping[str, Any], *, name: str = "sweep") -> SweepPlan:
    """The plan in a parsed file.

    Raises:
        ConfigError: an unknown key or a wrong value.

    >>> plan_of({"sweep": {"system": "arandu", "datasets": ["harbor_en"]}, "grid": {"topk_fact": [5, 10]}}).grid
    {'topk_fact': (5, 10)}
    >>> plan_of({"sweep": {"system": "arandu", "dataset": "harbor_en"}, "grid": {"topk_facts": [5, 10]}})
    Traceback (most recent call last):
    ...
    arandu_lab.errors.ConfigError: [sweep] unknown key 'dataset'; did you mean 'datasets'?
    """
    _known("", data, ("sweep", "grid", "system", "made"))
    said = _table("[sweep]", data.get("sweep", {}))
    _known("[sweep]", said, ("system", *(one.name for one in fields(SweepPlan) if one.name not in ("row", "grid"))))
    system = said.get("system")
    if not isinstance(system, str) or not system:
        raise ConfigError(f'[sweep] system = {system!r}; wants the name of a system, such as "arandu"')
    tables = _table("[system]", data.get("system", {}))
    _known("[system]", tables, (system,))
    row = row_of(system, _table(f"[system.{system}]", tables.get(system, {})))
    grid = {key: value_of(f"[grid] {key}", value) for key, value in _table("[grid]", data.get("grid", {})).items()}
    if not grid:
        raise ConfigError("[grid] is empty; wants settings with the values to try, e.g. reranker_weight = [0.3, 0.7]")
    given = {key: value for key, value in said.items() if key != "system"}
    return checked_plan(**{"name": name, **given}, row=row, grid=grid, where="[sweep] ")


def checked_plan(*, row: Row, grid: Mapping[str, Any], where: str = "", **given: Any) -> SweepPlan:
    """A plan from values of any origin, each checked.

    Raises:
        ConfigError: a value that cannot be meant; ``where`` stands before the message.
    """
    try:
        out: dict[str, Any] = {"datasets": (), **given}
        for key, make in _MADE.items():
            if key in out:
                out[key] = make(out[key])
        for key, least in (("depth", 1), ("jobs", 1), ("seed", 0)):
            value = out.get(key, least)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise ConfigError(f"{key} = {value!r}; wants a whole number, at least {least}")
        for key in ("name", "backend", "data"):
            if key in out and not isinstance(out[key], str):
                raise ConfigError(f"{key} = {out[key]!r}; wants text")
        folder_name(out.get("name", "sweep"))
        deepest = max(parse(one).k or 1 for one in out.get("measures", MEASURES))
        if deepest > out.get("depth", 20):
            raise ConfigError(f"depth = {out.get('depth', 20)} is less than the cut {deepest} that a measure looks at")
        return SweepPlan(row=row, grid=grid, **out)
    except ConfigError as error:
        raise ConfigError(f"{where}{error}") from None


def value_of(where: str, value: Any) -> Any:
    """The values of one name: a tuple, or a range from ``{from = …, to = …, log = …}``.

    >>> value_of("x", [1, 2]), value_of("x", {"from": 0.1, "to": 1.0, "log": True})
    ((1, 2), Between(low=0.1, high=1.0, log=True))
    """
    if isinstance(value, Mapping):
        _known(where, value, ("from", "to", "log"))
        for end in ("from", "to"):
            if isinstance(value.get(end), bool) or not isinstance(value.get(end), int | float):
                raise ConfigError(f"{where} = {dict(value)!r}; a range is {{from = 0.0, to = 1.0}}")
        if not isinstance(value.get("log", False), bool):
            raise ConfigError(f"{where}: log = {value['log']!r}; wants true or false")
        return Between(value["from"], value["to"], log=value.get("log", False))
    if not isinstance(value, list | tuple) or not value:
        raise ConfigError(f"{where} = {value!r}; wants a list of values, or a range {{from = 0.0, to = 1.0}}")
    return tuple(value)


def _measures(given: Any) -> tuple[str, ...]:
    names = [given] if isinstance(given, str) or not isinstance(given, Sequence) else list(given)
    if not names:
        raise ConfigError("measures = []; wants at least one, such as 'R@10'")
    return tuple(dict.fromkeys(str(parse(one)) for one in names))


def _texts(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list | tuple) or not given or not all(isinstance(one, str) and one for one in given):
        raise ConfigError(f'datasets = {given!r}; wants a list of names, such as ["harbor_en"]')
    if len(set(given)) < len(given):
        raise ConfigError(f"datasets = {list(given)!r} names one twice")
    return tuple(given)


def _replay(given: Any) -> str | None:
    if given is None or isinstance(given, Path):
        return None if given is None else str(given)
    if isinstance(given, str) and given:
        return given if "/" in given or given.endswith(".jsonl") else checked(given)
    raise ConfigError(f'replay = {given!r}; wants "record", "replay", "replay-only", or the path of a cassette')


def _known(where: str, table: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in table:
        if key not in known:
            kind = "key" if where else "table"
            raise ConfigError(f"{where} unknown {kind} {key!r}; {nearest(key, known)}".strip())


def _table(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where} wants a table, not {value!r}")
    return value


_MADE: Mapping[str, Callable[[Any], Any]] = {
    "datasets": _texts,
    "measures": _measures,
    "design": design_of,
    "hold_out": hold_out_of,
    "replay": _replay,
    "cap": cap_of,
}
