"""How many day-grain time expressions the resolver gets exactly right, on the development halves of two corpora.

A case is exact when `find_times` returns just the days that the corpus does: no fewer, no more, no other. Cases whose
answer is an hour or a longer period are skipped. Duckling resolves undirected names ahead; Recognizers gives both ways,
and each is measured. A Recognizers case whose answer is no date ("Feb 30", "at 4-22") is exact when nothing is found.

    python benchmarks/timex.py [--data DIRECTORY] [--misses] [--into docs/measured.md]
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Literal

from measured import measured

from arandu_lab.pure.timex import find_times

Days = tuple[tuple[date, date], ...]
Language = Literal["en", "pt"]
Direction = Literal["past", "future"]

DUCKLING: dict[Language, str] = {"en": "duckling_time/en.json", "pt": "duckling_time/pt.json"}
RECOGNIZERS: dict[Language, str] = {
    "en": "recognizers_datetime/English_DateParser.json",
    "pt": "recognizers_datetime/Portuguese_DateParser.json",
}
DUCKLING_NOW = datetime(2013, 2, 12, 4, 30, tzinfo=timezone(timedelta(hours=-2)))


@dataclass(frozen=True, slots=True)
class Case:
    """One expression with the days that the corpus gives it."""

    text: str
    now: datetime
    language: Language
    direction: Direction
    expected: Days

    def found(self) -> Days:
        """The days that the resolver gives it."""
        spans = find_times(self.text, self.now, language=self.language, weekday=self.direction)
        return tuple((span.first, span.last) for span in spans)


def main() -> int:
    """Print the table, and the misses when asked."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    default = Path(__file__).resolve().parents[1].parent / "shared" / "datasets"
    options.add_argument("--data", type=Path, default=default, help="the directory of the datasets")
    options.add_argument("--misses", action="store_true", help="print each case that is not exact")
    asked = options.parse_args()
    try:
        rows = {label: list(cases) for label, cases in files(asked.data)}
    except FileNotFoundError as error:
        print(
            f"benchmarks/timex.py: no {error.filename}; give the directory of the datasets with --data", file=sys.stderr
        )
        return 2
    print(f"{'file':<48}{'day-grain cases':>16}{'exact':>8}{'share':>8}")
    missed: list[tuple[str, Case]] = []
    for label, cases in rows.items():
        misses = [case for case in cases if case.found() != case.expected]
        missed += [(label, case) for case in misses]
        exact = len(cases) - len(misses)
        print(f"{label:<48}{len(cases):>16}{exact:>8}{exact / max(1, len(cases)):>8.1%}")
    if asked.misses:
        for label, case in missed:
            print(f"{label}: {case.text!r}: expected {_told(case.expected)}, found {_told(case.found())}")
    return 0


def files(data: Path) -> Iterator[tuple[str, Iterator[Case]]]:
    """The rows of the table, each with its cases."""
    for language, name in DUCKLING.items():
        yield f"{name} (future)", duckling(data / name, language)
    for language, name in RECOGNIZERS.items():
        for direction in ("future", "past"):
            yield f"{name} ({direction})", recognizers(data / name, language, direction)


def duckling(path: Path, language: Language) -> Iterator[Case]:
    """Day-grain cases of a Duckling corpus; its intervals end before their last value."""
    for case in _load(path):
        days = [date.fromisoformat(value[:10]) for value in case["values"]] if case["grain"] == "Day" else []
        if days:
            last = days[1] - timedelta(days=1) if case["kind"] == "interval" and len(days) > 1 else days[0]
            yield Case(case["text"], DUCKLING_NOW, language, "future", ((days[0], last),))


def recognizers(path: Path, language: Language, direction: Direction) -> Iterator[Case]:
    """Cases of a Recognizers date parser, in one direction."""
    key = "FutureResolution" if direction == "future" else "PastResolution"
    for case in _load(path):
        now = datetime.fromisoformat(case["Context"]["ReferenceDateTime"]).replace(tzinfo=UTC)
        days = [date.fromisoformat(result["Value"][key]["date"]) for result in case.get("Results") or ()]
        yield Case(case["Input"], now, language, direction, tuple((day, day) for day in days if day.year > 1))


def _load(path: Path) -> list[dict[str, Any]]:
    packed = path.with_name(path.name + ".gz")
    text = gzip.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes()
    loaded: list[dict[str, Any]] = json.loads(text.decode("utf-8-sig"))
    return loaded


def _told(days: Days) -> str:
    return ", ".join(f"{first}" if first == last else f"{first}..{last}" for first, last in days) or "nothing"


if __name__ == "__main__":
    sys.exit(measured(main))
