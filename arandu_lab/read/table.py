"""A small table of columns, in which a read reckons; polars is how a user sees it.

A retrieve handles some hundred rows in a dozen steps. At that size a data frame costs more in calls than in work, so
stages compute on plain numpy columns, and the frame is made when somebody looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arandu_lab.errors import ConfigError, nearest

if TYPE_CHECKING:
    import polars as pl

Array: TypeAlias = NDArray[Any]


class Table:
    """Named columns of one length; nothing in it changes.

    ==================  =====================  ======================
    numpy               polars                 no value
    ==================  =====================  ======================
    ``float64``         ``Float64``            NaN
    ``int64``           ``Int64``              (as objects)
    ``bool``            ``Boolean``            (as objects)
    ``datetime64[us]``  ``Datetime(us, UTC)``  NaT
    objects             ``String``             None
    ==================  =====================  ======================

    Columns of another polars type, which a user's stage may bring, are kept as objects beside their type.

    >>> table = Table({"fact_id": np.array(["a", "b"], dtype=object), "score": np.array([0.2, 0.7])})
    >>> table.take(np.array([1, 0]))["fact_id"].tolist(), len(table), "score" in table
    (['b', 'a'], 2, True)
    """

    __slots__ = ("_columns", "_n", "_types")

    def __init__(self, columns: Mapping[str, ArrayLike], types: Mapping[str, Any] | None = None) -> None:
        """Columns by name; ``types`` names the polars type of those whose array does not tell it."""
        held = {name: _column(name, values) for name, values in columns.items()}
        sizes = {name: len(values) for name, values in held.items()}
        if len(set(sizes.values())) > 1:
            raise ConfigError(f"columns of a table have one length, not {sizes}")
        self._columns: dict[str, Array] = held
        self._types: dict[str, Any] = dict(types or {})
        self._n = next(iter(sizes.values()), 0)

    @classmethod
    def of(cls, frame: pl.DataFrame) -> Table:
        """The table of a frame. A NaN in it becomes null, as it is one here."""
        import polars as pl

        columns: dict[str, Array] = {}
        types: dict[str, Any] = {}
        for series in frame.iter_columns():
            kind, whole = series.dtype, not series.null_count()
            values: Array
            if kind == pl.Float64():
                values = np.array(series.fill_null(float("nan")).to_numpy(), dtype=np.float64)
            elif whole and kind in (pl.Int64(), pl.Boolean()):
                values = np.array(series.to_numpy(), dtype=np.bool_ if kind == pl.Boolean() else np.int64)
            elif kind == pl.Datetime("us", "UTC"):
                values = series.dt.replace_time_zone(None).to_numpy().astype("datetime64[us]")
            else:
                values = _objects(series.to_list())
                if kind != pl.String():
                    types[series.name] = kind
            columns[series.name] = values
        return cls(columns, types)

    @classmethod
    def over(cls, tables: Iterable[Table]) -> Table:
        """The rows of tables with the same columns, one below the other."""
        given = list(tables)
        first = given[0]
        for other in given[1:]:
            if other.names != first.names:
                raise ConfigError(f"tables of columns {first.names} and {other.names} do not stand over one another")
        types = {name: kind for table in given for name, kind in table._types.items()}
        return cls._made({name: np.concatenate([table[name] for table in given]) for name in first.names}, types)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(self._columns)

    def __len__(self) -> int:
        return self._n

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __getitem__(self, name: str) -> Array:
        try:
            return self._columns[name]
        except KeyError:
            raise ConfigError(f"no column {name!r}; {nearest(name, self._columns)}") from None

    @overload
    def get(self, name: str) -> Array | None: ...
    @overload
    def get(self, name: str, default: Array) -> Array: ...
    def get(self, name: str, default: Array | None = None) -> Array | None:
        """A column, or ``default`` where there is none."""
        return self._columns.get(name, default)

    def mask(self, name: str) -> NDArray[np.bool_]:
        """A column of yes and no; no value is a no."""
        return self[name].astype(np.bool_)

    def with_columns(self, **columns: ArrayLike) -> Table:
        """The table with further columns. Each column has one writer: an overwriting is refused (see ``without``).

        Raises:
            ConfigError: a column that is there already, or of another length.
        """
        there = [name for name in columns if name in self._columns]
        if there:
            raise ConfigError(f"column {there[0]!r} is there already, and each has one writer")
        fresh = Table(columns)
        if columns and self._columns and len(fresh) != self._n:
            raise ConfigError(f"columns {', '.join(columns)} have {len(fresh)} rows, the table {self._n}")
        return self._made({**self._columns, **fresh._columns}, self._types)

    def without(self, *names: str) -> Table:
        """The table without these columns, where it has them: a writer that runs again takes its own back first."""
        left = {name: values for name, values in self._columns.items() if name not in names}
        return self._made(left, self._types, self._n)

    def select(self, *names: str) -> Table:
        """These columns, in this order."""
        return self._made({name: self[name] for name in names}, self._types, self._n)

    def take(self, order: NDArray[np.int64]) -> Table:
        """Rows by number, in that order."""
        return self._made({name: values[order] for name, values in self._columns.items()}, self._types, len(order))

    def filter(self, mask: NDArray[np.bool_]) -> Table:
        """The rows where ``mask`` is true."""
        return self.take(np.flatnonzero(mask))

    def head(self, n: int) -> Table:
        """The first ``n`` rows."""
        return self._made({name: values[:n] for name, values in self._columns.items()}, self._types, min(n, self._n))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each row as a mapping of plain values; None where there is none."""
        lists = {name: _plain(values) for name, values in self._columns.items()}
        for place in range(self._n):
            yield {name: values[place] for name, values in lists.items()}

    def frame(self) -> pl.DataFrame:
        """The same as a polars frame."""
        import polars as pl

        made = []
        for name, values in self._columns.items():
            if values.dtype == object:
                made.append(pl.Series(name, values.tolist(), dtype=self._types.get(name, pl.String), strict=False))
            elif values.dtype.kind == "f":
                made.append(pl.Series(name, values, nan_to_null=True))
            elif values.dtype.kind == "M":
                made.append(pl.Series(name, values).dt.replace_time_zone("UTC"))
            else:
                made.append(pl.Series(name, values))
        return pl.DataFrame(made)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return (
            self.names == other.names
            and self._types == other._types
            and all(_same(values, other._columns[name]) for name, values in self._columns.items())
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Table of {self._n} rows: {', '.join(self._columns)}>"

    @classmethod
    def _made(cls, columns: dict[str, Array], types: dict[str, Any], n: int | None = None) -> Table:
        """Without looking at the columns again."""
        table = object.__new__(cls)
        table._columns, table._types = columns, types
        table._n = len(next(iter(columns.values()), ())) if n is None else n
        return table


class Framed:
    """A field that is given a ``Table`` (or a frame), and shows a polars frame, made at the first look.

    In a dataclass without slots: ``frame: Framed = Framed()``; ``tabled(self, "frame")`` gives the table. ``needed``
    False: a field that is not given is an empty table.
    """

    def __init__(self, *, needed: bool = True) -> None:
        self._needed = needed

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, held: None, owner: type) -> pl.DataFrame: ...
    @overload
    def __get__(self, held: object, owner: type) -> pl.DataFrame: ...
    def __get__(self, held: object | None, owner: type) -> pl.DataFrame:
        if held is None:
            raise AttributeError(self._name)  # a dataclass takes it for a field without a default
        kept = vars(held)
        if f"_{self._name}" not in kept:
            kept[f"_{self._name}"] = kept[f"_{self._name}_table"].frame()
        found: pl.DataFrame = kept[f"_{self._name}"]
        return found

    def __set__(self, held: object, value: Table | pl.DataFrame | Framed) -> None:
        if isinstance(value, Framed):  # the default of a dataclass field
            if self._needed:
                raise TypeError(f"{type(held).__name__} wants {self._name!r}: a table or a frame")
            value = Table({})
        kept = vars(held)
        kept.pop(f"_{self._name}", None)
        kept.pop(f"_{self._name}_table", None)
        kept[f"_{self._name}_table" if isinstance(value, Table) else f"_{self._name}"] = value


def tabled(held: object, name: str) -> Table:
    """The table behind a ``Framed`` field."""
    kept = vars(held)
    found = kept.get(f"_{name}_table")
    if found is None:
        found = kept[f"_{name}_table"] = Table.of(kept[f"_{name}"])
    table: Table = found
    return table


def texts(values: Iterable[str | None]) -> NDArray[np.object_]:
    """A column of texts."""
    return _objects(list(values))


def _objects(values: list[Any]) -> NDArray[np.object_]:
    made = np.empty(len(values), dtype=object)
    made[:] = values
    return made


def _column(name: str, values: ArrayLike) -> Array:
    found = np.asarray(values)
    if found.ndim != 1:
        raise ConfigError(f"column {name!r} has shape {found.shape}; wanted one dimension")
    kind = found.dtype.kind
    if kind == "U":
        return found.astype(object)
    if kind == "M":
        return found.astype("datetime64[us]", copy=False)
    if kind == "f":
        return found.astype(np.float64, copy=False)
    if kind in "iu":
        return found.astype(np.int64, copy=False)
    if kind in "bO":
        return found
    raise ConfigError(f"column {name!r} holds {found.dtype}; wanted numbers, yes and no, times or texts")


def _plain(values: Array) -> list[Any]:
    if values.dtype.kind == "f":
        return [None if value != value else value for value in values.tolist()]
    return list(values.tolist())


def _same(one: Array, other: Array) -> bool:
    if one.dtype != other.dtype:
        return False
    if one.dtype == object:
        return bool(one.tolist() == other.tolist())
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind in "fM"))
