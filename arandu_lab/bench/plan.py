"""What a run is, on paper: datasets, rows, measures. Read strictly from TOML, written filled into ``made.toml``.

``configs/README.md`` describes the file for those who write one. Rules of this file: an unknown key is refused with
the nearest known name; what is not said has the default below; ``name``, ``jobs`` and ``data`` are no part of a
result, the bytes of the data are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arandu_lab.bench.place import folder_name
from arandu_lab.bench.toml import read_toml
from arandu_lab.errors import ConfigError, nearest

if TYPE_CHECKING:
    from arandu_lab.presets import Assembly

MEASURES = ("R@5", "R@10", "nDCG@10", "RR")
CURVE = (1, 2, 3, 5, 10, 15, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A configured system, one row of every table.

    ``base`` is a system of the box, or ``module:attribute`` of one's own. ``options`` are its settings by flat name;
    ``write`` and ``read`` swap and pin stages, as :func:`arandu_lab.presets.from_toml` reads them.

    ``assembly`` gives an ``arandu`` row pipelines of one's own; ``options`` go on top of its settings. ``factory`` is what
    makes a system of one's own where no module's name can say it (a notebook); ``base`` then only names it.
    """

    name: str
    base: str
    options: Mapping[str, Any] = field(default_factory=dict)
    write: Mapping[str, Any] = field(default_factory=dict)
    read: Mapping[str, Any] = field(default_factory=dict)
    assembly: Assembly | None = None
    factory: Callable[..., Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A run before it happens. ``made`` is what the file says of the run it was made by, empty in a file of one's own.

    ``depth`` is how many results are asked for; ``coverage`` the least share of turns heard and of questions answered
    without an error, below which the run fails. ``costs`` are the measures that are costs (``Tokens.write``). ``cassette``
    is the file that answers of models are kept in, ``replay`` whether models are asked (:mod:`arandu_lab.llm.cassette`),
    ``prices`` a file of one's own prices; none of the three changes a ranking. Nor does
    ``answer`` (``model``, ``judge``, ``repeats``): who answers from the contexts in the end, and who judges the answers.
    """

    name: str
    datasets: tuple[str, ...]
    rows: tuple[Row, ...]
    measures: tuple[str, ...] = MEASURES
    costs: tuple[str, ...] = ()
    curve: tuple[int, ...] = CURVE
    depth: int = 20
    seed: int = 0
    coverage: float = 1.0
    data: str = ""
    jobs: int = 2
    cassette: str = ""
    replay: str = ""
    prices: str = ""
    answer: Mapping[str, Any] = field(default_factory=dict)
    made: Mapping[str, Any] = field(default_factory=dict)

    def only(self, names: Iterable[str]) -> Plan:
        """The plan with some of its rows, in its own order.

        Raises:
            ConfigError: a name that is no row.
        """
        wanted, known = list(names), [row.name for row in self.rows]
        for name in wanted:
            if name not in known:
                raise ConfigError(f"--only {name!r} is no system of this run; {nearest(name, known)}")
        return replace(self, rows=tuple(row for row in self.rows if row.name in wanted), made={}) if wanted else self


def read_plan(path: str | Path) -> Plan:
    """The plan in a file; its name is the file's where it gives none.

    Raises:
        ConfigError: no such file, not TOML, or an unknown key or wrong value, each with its place.
    """
    return read_toml(path, lambda data: plan_of(data, name=Path(path).stem))


def plan_of(data: Mapping[str, Any], *, name: str = "run") -> Plan:
    """The plan in a parsed file.

    Raises:
        ConfigError: an unknown key or a wrong value.

    >>> plan_of({"run": {"datasets": ["harbor_en"], "systems": ["bm25"], "sead": 1}})
    Traceback (most recent call last):
    ...
    arandu_lab.errors.ConfigError: [run] unknown key 'sead'; did you mean 'seed'?
    """
    _known("", data, ("run", "system", "made"))
    run = _table("[run]", data.get("run", {}))
    given = {key: run[key] for key in run if key != "systems"}
    _known("[run]", run, ("systems", *(one.name for one in fields(Plan) if one.name not in ("rows", "made", "costs"))))
    for key in ("datasets", "systems"):
        if not run.get(key):
            raise ConfigError(f'[run] wants {key} = ["…", …], at least one')
    names = _texts("systems", run["systems"])
    tables = _table("[system]", data.get("system", {}))
    for one in tables:
        if one not in names:
            raise ConfigError(f"[system.{one}] is not among systems of [run]; {nearest(one, names)}")
    rows = tuple(row_of(one, _table(f"[system.{one}]", tables.get(one, {}))) for one in names)
    return Plan(rows=rows, made=_table("[made]", data.get("made", {})), **_values({"name": name, **given}))


def row_of(name: str, table: Mapping[str, Any]) -> Row:
    """The row of a table of settings.

    Raises:
        ConfigError: a table where a value belongs, or an assembly that is none.
    """
    options = {key: value for key, value in table.items() if key not in ("base", "write", "read", "assembly")}
    base = table.get("base", "arandu" if "assembly" in table else name)
    if not isinstance(base, str) or not base:
        raise ConfigError(f"[system.{name}] base = {base!r}; wants the name of a system")
    for key, value in options.items():
        if isinstance(value, Mapping) and any(isinstance(inner, Mapping) for inner in value.values()):
            raise ConfigError(f"[system.{name}] unknown table {key!r}; {nearest(key, ['write', 'read', 'assembly'])}")
    parts = {part: _table(f"[system.{name}.{part}]", table.get(part, {})) for part in ("write", "read")}
    row = Row(name=name, base=base, options=options, write=parts["write"], read=parts["read"])
    return replace(row, assembly=_assembly(name, table["assembly"])) if "assembly" in table else row


def _assembly(name: str, table: Any) -> Assembly:
    from arandu_lab.bench.assemblies import read_assembly

    try:
        return read_assembly(_table(f"[system.{name}.assembly]", table))
    except ConfigError as error:
        raise ConfigError(f"[system.{name}] {error}") from None


def _values(given: Mapping[str, Any]) -> dict[str, Any]:
    from arandu_lab.bench.measures import is_cost, parse, parse_cost
    from arandu_lab.llm.cassette import checked

    out: dict[str, Any] = dict(given)
    out["datasets"] = _texts("datasets", given["datasets"])
    if "measures" in given:
        named = _texts("measures", given["measures"])
        out["measures"] = tuple(dict.fromkeys(str(parse(one)) for one in named if not is_cost(one)))
        out["costs"] = tuple(dict.fromkeys(str(parse_cost(one)) for one in named if is_cost(one)))
        if not out["measures"]:
            raise ConfigError(f"[run] measures = {list(named)}; wants at least one of quality, such as 'R@10'")
    if given.get("replay"):
        checked(given["replay"])
    for key in ("name", "data", "cassette", "replay", "prices"):
        if key in given and not isinstance(given[key], str):
            raise ConfigError(f"[run] {key} = {given[key]!r}; wants text")
    if "answer" in given:
        out["answer"] = _answering(given["answer"])
    folder_name(out["name"], "[run] ")
    for key, least in (("depth", 1), ("jobs", 1), ("seed", 0)):
        if key in given:
            _whole(key, given[key], least)
    if "curve" in given:
        cuts = given["curve"]
        if not isinstance(cuts, list) or not cuts:
            raise ConfigError(f"[run] curve = {cuts!r}; wants a list of cuts such as [1, 5, 10]")
        out["curve"] = tuple(sorted({_whole("curve", one, 1) for one in cuts}))
    share = given.get("coverage", 1.0)
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise ConfigError(f"[run] coverage = {share!r}; wants a share from 0 to 1")
    out["coverage"] = float(share)
    depth = out.get("depth", 20)
    deepest = max([*out.get("curve", [1]), *(parse(one).k or 1 for one in out.get("measures", MEASURES))])
    if deepest > depth:
        raise ConfigError(f"[run] depth = {depth} is less than the cut {deepest} that a measure or the curve looks at")
    out.setdefault("curve", tuple(cut for cut in CURVE if cut <= depth))
    return out


def _answering(given: Any) -> Mapping[str, Any]:
    table = _table("[run] answer", given)
    _known("[run] answer", table, ("model", "judge", "repeats"))
    for key in ("model", "judge"):
        if key in table and not (isinstance(table[key], str) and table[key]):
            raise ConfigError(f"[run] answer.{key} = {table[key]!r}; wants the name of a model")
    if "model" not in table:
        raise ConfigError("[run] answer wants a model = 'offline/rules' or a litellm model")
    if _whole("answer.repeats", table.get("repeats", 1), 1) % 2 == 0:
        raise ConfigError(
            f"[run] answer.repeats = {table['repeats']}; wants an odd number, so that there is a majority"
        )
    return table


def _known(where: str, table: Mapping[str, Any], known: Iterable[str]) -> None:
    names = list(known)
    for key in table:
        if key not in names:
            kind = "key" if where else "table"
            raise ConfigError(f"{where} unknown {kind} {key!r}; {nearest(key, names)}".strip())


def _table(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where} wants a table, not {value!r}")
    return value


def _texts(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) and one for one in value):
        raise ConfigError(f"[run] {key} = {value!r}; wants a list of names")
    if twice := next((one for one in value if value.count(one) > 1), None):
        raise ConfigError(f"[run] {key} names {twice!r} twice")
    return tuple(value)


def _whole(key: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ConfigError(f"[run] {key} = {value!r}; wants a whole number, at least {least}")
    return value
