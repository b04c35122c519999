"""Pictures of the scorecard: bars that add up, numbers that do not overlap, bytes that repeat."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from arandu_lab.viz.confusion import confusions
from arandu_lab.viz.stages import WIDTH, _numbers, stage_dots
from arandu_lab.viz.theme import save
from arandu_lab.viz.thresholds import ridges
from arandu_lab.viz.waterfall import SCALE, together, waterfalls

STAGES = ("extraction", "dedup", "resolution", "reconciliation", "state", "retrieval", "ranking", "context")
TITLES = {"en": "English: brook_en", "pt": "Portuguese: brook_pt"}


def falls() -> pl.DataFrame:
    lines: list[dict[str, Any]] = []
    for language in TITLES:
        for system, mode, lost in (
            ("arandu", "end-to-end", (23, 0, 2, 0, 0, 3, 12, 0)),
            ("verbatim", "end-to-end", (0, 0, 0, 0, 0, 19, 0, 0)),
            ("arandu", "oracle", (0, 0, 5, 1, 0, 0, 18, 0)),
        ):
            head = {"language": language, "system": system, "mode": mode}
            left = 100
            lines.append({**head, "stage": "questions", "lost": 0, "left": left, "quoted": 0})
            for stage, number in zip(STAGES, lost, strict=True):
                left -= number
                lines.append({**head, "stage": stage, "lost": number, "left": left, "quoted": 0})
            lines.append({**head, "stage": "delivered", "lost": 0, "left": left, "quoted": 20})
    return pl.DataFrame(lines)


def matrix() -> pl.DataFrame:
    lines = [
        {
            **{"language": language, "system": "arandu", "mode": mode, "decision": decision, "action": action},
            **{"count": 3 if decision == action else 1, "share": 3 / 7 if decision == action else 1 / 7},
        }
        for language in TITLES
        for mode in ("end-to-end", "given")
        for decision in ("ADD", "UPDATE", "NOOP", "DELETE")
        for action in ("ADD", "UPDATE", "NOOP", "DELETE", "none")
    ]
    return pl.DataFrame(lines)


def dots() -> pl.DataFrame:
    return pl.DataFrame(
        [
            {"language": language, "system": "arandu", "mode": mode, "stage": stage, "value": value}
            for language in TITLES
            for stage in STAGES
            for mode, value in (("end-to-end", 0.90), ("oracle", 0.91), ("given", 0.915))
        ]
    )


def drawn(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """All rows that a specification draws."""
    return [row for rows in spec["datasets"].values() for row in rows]


def test_systems_stand_together_with_their_modes() -> None:
    """The same system measured with gold stands beside itself, systems in the order of the run."""
    keys = [("arandu", "end-to-end"), ("verbatim", "end-to-end"), ("arandu", "oracle")]
    assert together(keys) == [("arandu", "end-to-end"), ("arandu", "oracle"), ("verbatim", "end-to-end")]


def test_bars_of_a_waterfall_add_up() -> None:
    """R1: what is lost and what is delivered fill the width of all questions, without a gap and without overlap."""
    one = falls().filter(
        (pl.col("language") == "en") & (pl.col("system") == "arandu") & (pl.col("mode") == "end-to-end")
    )
    bars = [row for row in drawn(waterfalls(one, {"en": "English"}).to_dict()) if "x2" in row]
    spans = sorted((bar["x"], bar["x2"]) for bar in bars if (bar["x"], bar["x2"]) != (0.0, SCALE))
    assert spans[0][0] == 0.0
    assert spans[-1][1] == pytest.approx(SCALE)
    assert all(left[1] == pytest.approx(right[0]) for left, right in pairwise(spans))


def test_every_loss_has_its_number() -> None:
    """R1: no picture relies on the length of a bar alone."""
    said = {row["text"] for row in drawn(waterfalls(falls(), TITLES).to_dict()) if "text" in row}
    assert {"−23 · 23 %", "−12 · 12 %", "60 · 60 %", "100", "0", "reconciliation"} <= said


def test_a_stage_that_is_not_there_shows_nothing() -> None:
    """R1: a zero is a measurement; a stage that a system does not have has neither bar nor number."""
    one = falls().filter((pl.col("language") == "en") & (pl.col("system") == "verbatim"))
    none = one.with_columns(lost=pl.when(pl.col("stage").is_in(["extraction", "ranking"])).then(None).otherwise("lost"))
    before, after = (
        [row["text"] for row in drawn(waterfalls(some, {"en": "English"}).to_dict()) if "text" in row]
        for some in (one, none)
    )
    assert before.count("0") - after.count("0") == 2
    assert "extraction" in after


def test_numbers_of_a_stage_stand_apart() -> None:
    """R1: three values within two percent have three numbers that can be read; equal ones are said once."""
    rows = [
        {"stage": "state", "mode": mode, "value": value, "right": f"{100 * value:.0f}"}
        for mode, value in (("given", 0.99), ("oracle", 0.98), ("end-to-end", 0.981))
    ]
    places = sorted(row["place"] * WIDTH for row in _numbers(rows))
    assert len(places) == 2
    assert all(b - a >= 22.9 for a, b in pairwise(places))
    assert places[-1] <= WIDTH


def test_what_is_right_is_framed() -> None:
    """R1: the diagonal of decisions is marked by more than a shade."""
    cells = [row for row in drawn(confusions(matrix(), TITLES).to_dict()) if "right" in row]
    assert all(cell["right"] is (cell["decision"] == cell["action"]) for cell in cells)
    assert any(cell["right"] for cell in cells)


def test_the_same_picture_is_the_same_bytes(tmp_path: Path) -> None:
    """R1: SVG and PNG repeat to the byte, and show something; every picture can be drawn."""
    for folder in ("one", "two"):
        save(waterfalls(falls(), TITLES).to_dict(), tmp_path / folder, "waterfall")
    for kind in ("svg", "png"):
        one, two = (tmp_path / folder / f"waterfall.{kind}" for folder in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
        assert one.stat().st_size > 5_000
    for name, picture in (("confusion", confusions(matrix(), TITLES)), ("stages", stage_dots(dots(), TITLES))):
        save(picture.to_dict(), tmp_path, name)
        assert (tmp_path / f"{name}.png").stat().st_size > 5_000


def test_cosines_end_at_one_and_the_strong_line_has_a_name() -> None:
    """R1: no curve runs where no cosine lies; what is marked says what it is."""
    places = [round(0.05 * step, 2) for step in range(-4, 22)]
    head = {"kind": "facts", "language": "en", "relation": "duplicate"}
    heights = pl.DataFrame([{**head, "at": at, "height": 1.0} for at in places])
    shares = pl.DataFrame([{**head, "pairs": 9, "at_50": 1.0, "at_85": 0.5}])
    rows = drawn(ridges(heights, shares, [0.62], {"": "use", "en": "English"}).to_dict())
    assert max(row["at"] for row in rows if "high" in row and "at" in row) == 1.0
    assert "gate .62" in {row["said"] for row in rows if "said" in row}
