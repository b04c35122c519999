"""What a scorecard is, on paper: datasets, systems, and which of them are also heard with gold in some stage's place.

::

    [scorecard]
    datasets = ["brook_en", "brook_pt"]
    systems = ["arandu", "verbatim"]      # end to end
    oracle = ["arandu"]                   # again, with extraction answered from the gold
    given = ["arandu"]                    # again, each stage alone on gold input
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from arandu_lab.bench.plan import Row, plan_of
from arandu_lab.bench.rows import is_memory
from arandu_lab.bench.toml import read_toml
from arandu_lab.errors import ConfigError, nearest


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A scorecard before it happens. ``jobs`` is no part of a result; ``made`` is what a ``made.toml`` says of its own.

    ``depth`` is how many results a control is asked for; ``coverage`` the least share of turns heard and of questions
    answered without an error; ``examples`` how many lost questions a report shows of each system and set.
    """

    name: str
    datasets: tuple[str, ...]
    rows: tuple[Row, ...]
    oracle: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    depth: int = 20
    seed: int = 0
    coverage: float = 1.0
    examples: int = 6
    data: str = ""
    jobs: int = 2
    made: Mapping[str, Any] = field(default_factory=dict)

    def modes(self, row: Row) -> tuple[str, ...]:
        """The modes a row is run in, in order."""
        more = [mode for mode, names in (("oracle", self.oracle), ("given", self.given)) if row.name in names]
        return ("end-to-end", *more)


def read_plan(path: str | Path) -> Plan:
    """The plan in a file; its name is the file's where it gives none.

    Raises:
        ConfigError: no such file, not TOML, or an unknown key or wrong value, each with its place.
    """
    return read_toml(path, lambda data: plan_of_card(data, name=Path(path).stem))


def plan_of_card(data: Mapping[str, Any], *, name: str = "scorecard") -> Plan:
    """The plan in a parsed file.

    Raises:
        ConfigError: an unknown key or a wrong value.

    >>> plan_of_card({"scorecard": {"datasets": ["mare_pt"], "systems": ["bm25"], "oracle": ["bm25"]}})
    Traceback (most recent call last):
    ...
    arandu_lab.errors.ConfigError: [scorecard] oracle = ['bm25']; bm25 keeps no facts, so no stage of it can be given gold
    """
    for key in data:
        if key not in _TABLES:
            raise ConfigError(f"unknown table {key!r}; {nearest(key, _TABLES)}")
    head = data.get("scorecard", {})
    if not isinstance(head, Mapping):
        raise ConfigError(f"[scorecard] wants a table, not {head!r}")
    known = ["systems", *(one.name for one in fields(Plan) if one.name not in ("rows", "made"))]
    for key in head:
        if key not in known:
            raise ConfigError(f"[scorecard] unknown key {key!r}; {nearest(key, known)}")
    shared = {key: head[key] for key in head if key not in ("oracle", "given", "examples")}
    try:
        plain = plan_of({"run": shared, "system": data.get("system", {})}, name=name)
    except ConfigError as error:
        raise ConfigError(str(error).replace("[run]", "[scorecard]")) from None
    plan = Plan(
        rows=plain.rows,
        made=dict(data.get("made", {})),
        oracle=_among("oracle", head.get("oracle", []), plain.rows),
        given=_among("given", head.get("given", []), plain.rows),
        examples=_number(head.get("examples", 6)),
        **{key: getattr(plain, key) for key in ("name", "datasets", "depth", "seed", "coverage", "data", "jobs")},
    )
    return plan


def only(plan: Plan, names: Iterable[str]) -> Plan:
    """The plan with some of its systems, in its own order.

    Raises:
        ConfigError: a name that is no system of it.
    """
    wanted, known = list(names), [row.name for row in plan.rows]
    for name in wanted:
        if name not in known:
            raise ConfigError(f"--only {name!r} is no system of this scorecard; {nearest(name, known)}")
    if not wanted:
        return plan
    return replace(
        plan,
        rows=tuple(row for row in plan.rows if row.name in wanted),
        oracle=tuple(name for name in plan.oracle if name in wanted),
        given=tuple(name for name in plan.given if name in wanted),
        made={},
    )


def _among(key: str, names: Any, rows: tuple[Row, ...]) -> tuple[str, ...]:
    if not isinstance(names, list | tuple) or not all(isinstance(one, str) for one in names):
        raise ConfigError(f"[scorecard] {key} = {names!r}; wants a list of names")
    known = {row.name: row for row in rows}
    for name in names:
        if name not in known:
            raise ConfigError(f"[scorecard] {key} names {name!r}, which is not among systems; {nearest(name, known)}")
        if not is_memory(known[name].base):
            raise ConfigError(
                f"[scorecard] {key} = {list(names)!r}; {name} keeps no facts, so no stage of it can be given gold"
            )
    return tuple(dict.fromkeys(names))


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ConfigError(f"[scorecard] examples = {value!r}; wants a whole number, at least 0")
    return value


_TABLES = ("scorecard", "system", "made")
