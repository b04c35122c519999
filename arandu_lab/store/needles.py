"""Words to look for, in every spelling that a file may give them: as they are, as JSON, as XML, as base64."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

SHORT = 6
"""Texts of fewer bytes stand anywhere by chance; they are looked for in whole cells only."""

_CODED = 12
"""Texts of fewer bytes are not looked for in base64."""

_FEW = 64
_CHUNK = 1 << 26


class Needles:
    """Texts to look for; what is found is told by their numbers, in the order given.

    >>> sought = Needles(["O cofre abre com 4417", "Ana"])
    >>> sought.in_bytes(b'{"text": "O cofre abre com 4417"}'), sought.in_cells(["Ana"]), sought.in_cells(["Anahi"])
    ({0}, {1}, set())
    """

    def __init__(self, texts: Sequence[str], *, coded: bool = True) -> None:
        """``coded`` False leaves base64 out: a store writes none."""
        self.texts = tuple(texts)
        self.whole: dict[str, set[int]] = {}
        self.parts: dict[str, set[int]] = {}
        for number, text in enumerate(texts):
            for form in _forms(text, coded) if text.strip() else ():
                latin = _latin(form)
                long = len(latin) >= SHORT
                (self.parts if long else self.whole).setdefault(latin if long else form, set()).add(number)
        self._patterns = list(self.parts)
        self._bytes = [(pattern, pattern.encode("latin-1")) for pattern in self._patterns]
        self._longest = max(map(len, self._patterns), default=0)

    def in_cells(self, cells: Sequence[str | bytes]) -> set[int]:
        """Numbers of the texts in some cells: long ones as part of one, short ones as the whole of one."""
        return self._in_many([cells])[0]

    def in_rows(self, found: Any) -> Iterator[tuple[int, set[int]]]:
        """Place and numbers of each row of an arrow table that holds a text in any column, however nested."""
        texts = found.select(_textual(found.schema))
        if not len(texts) or not texts.column_names:
            return
        suspects = self._suspects(texts)
        cells = [list(_texts(row.values())) for row in texts.take(suspects).to_pylist()] if suspects else []
        yield from ((place, here) for place, here in zip(suspects, self._in_many(cells), strict=True) if here)

    def in_bytes(self, data: bytes) -> set[int]:
        """Numbers of the long texts whose bytes stand there."""
        return self._hits([data])[0]

    def in_file(self, path: Path) -> set[int]:
        """The same of a file of any size."""
        found: set[int] = set()
        with path.open("rb") as file:
            tail = b""
            while piece := file.read(_CHUNK):
                found |= self.in_bytes(tail + piece)
                tail = (tail + piece)[-self._longest :] if self._longest else b""
        return found

    def _suspects(self, texts: Any) -> list[int]:
        """Rows that may hold a text; far fewer than there are rows, and found column by column."""
        import polars as pl

        sought = [pattern.encode("latin-1").decode("utf-8", "replace") for pattern in self._patterns]
        suspects: set[int] = set()
        for column in texts.columns:
            kind = column.type
            if _plain(kind):
                series = pl.Series(pl.from_arrow(column.combine_chunks())).cast(pl.String)
                hit = series.str.contains_any(sought) if sought else series.is_in([])
                hit |= series.is_in(list(self.whole))
                suspects.update(hit.fill_null(value=False).arg_true().to_list())
            else:
                cells = [list(_texts([value])) for value in column.to_pylist()]
                suspects.update(place for place, here in enumerate(self._in_many(cells)) if here)
        return sorted(suspects)

    def _in_many(self, rows: Sequence[Sequence[str | bytes]]) -> list[set[int]]:
        parts = self._hits([b"\n".join(map(_coded, cells)) for cells in rows])
        short = [[self.whole[cell] for cell in cells if isinstance(cell, str) and cell in self.whole] for cells in rows]
        return [one.union(*others) for one, others in zip(parts, short, strict=True)]

    def _hits(self, data: Sequence[bytes]) -> list[set[int]]:
        """Few texts one by one; many at once, for which the machine that does it takes time to be made."""
        if not self._patterns or not data:
            return [set() for _ in data]
        if len(self._patterns) <= _FEW:
            found = [[pattern for pattern, coded in self._bytes if coded in one] for one in data]
            return [set().union(*(self.parts[hit] for hit in one)) for one in found]
        import polars as pl

        hay = pl.Series([one.decode("latin-1") for one in data], dtype=pl.String)
        hits = hay.str.extract_many(self._patterns, overlapping=True).to_list()
        return [set().union(*(self.parts[hit] for hit in set(one))) for one in hits]


def _forms(text: str, with_base64: bool) -> set[str]:
    """A text as files write it: plain, JSON (also inside JSON), XML, and base64 whatever stands before it."""
    plain = {
        text,
        json.dumps(text, ensure_ascii=False)[1:-1],
        json.dumps(text)[1:-1],
        escape(text),
        escape(text, quote=False),
    }
    nested = {json.dumps(form, ensure_ascii=False)[1:-1] for form in plain}
    data = text.encode("utf-8", "replace")
    coded: set[str] = set()
    if with_base64 and len(data) >= _CODED:
        for shift in range(3):
            whole = base64.b64encode(b"\0" * shift + data).decode().rstrip("=")
            inside = whole[(0, 2, 3)[shift] : len(whole) - (1 if (shift + len(data)) % 3 else 0)]
            coded |= {inside, inside.replace("+", "-").replace("/", "_")}
    return plain | nested | coded


def _latin(form: str) -> str:
    return form.encode("utf-8", "replace").decode("latin-1")


def _coded(cell: str | bytes) -> bytes:
    return cell if isinstance(cell, bytes) else cell.encode("utf-8", "replace")


def _plain(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _textual(schema: Any) -> list[str]:
    """Columns that may hold a text."""
    import pyarrow as pa

    def textual(kind: Any) -> bool:
        if pa.types.is_nested(kind):
            return any(textual(kind.field(place).type) for place in range(kind.num_fields))
        return (
            _plain(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_dictionary(kind)
        )

    return [field.name for field in schema if textual(field.type)]


def _texts(values: Any) -> Iterator[str | bytes]:
    for value in values:
        if isinstance(value, str | bytes):
            yield value
        elif isinstance(value, dict):
            yield from _texts(value.values())
        elif isinstance(value, list | tuple):
            yield from _texts(value)
