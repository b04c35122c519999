"""Pictures: names that do not overlap, colours that stay, bytes that repeat."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.viz.cost import quality_by_tokens
from arandu_lab.viz.labels import HIGH, WIDE, beside, spread
from arandu_lab.viz.recall import recall_curves
from arandu_lab.viz.theme import SPARE, STYLES, save, style_of

SYSTEMS = ["arandu", "arandu-blind", "bm25", "fused", "verbatim", "random", "chance"]


def curves() -> pl.DataFrame:
    rows = [
        {"dataset": "d", "language": "en", "system": name, "k": k, "recall": min(1.0, (6 - min(i, 5)) * k / 120)}
        for i, name in enumerate(SYSTEMS)
        for k in (1, 5, 20)
    ]
    return pl.DataFrame(rows)


@given(st.lists(st.floats(0, 300), min_size=1, max_size=12))
def test_names_keep_their_distance(wanted: list[float]) -> None:
    """R1: whatever the ends of the lines, names stand a line apart, inside the panel, in the order of the lines."""
    placed = spread(wanted, 16.0, 0.0, 300.0)
    order = sorted(range(len(wanted)), key=lambda one: (wanted[one], one))
    along = [placed[one] for one in order]
    assert all(b - a >= 16.0 - 1e-6 for a, b in pairwise(along))
    assert min(placed) >= -1e-6
    assert max(placed) <= 300 + 1e-6


def test_a_name_that_needs_no_room_stays() -> None:
    """R1: names far apart stand where their lines end."""
    assert spread([10.0, 100.0, 200.0], 16.0, 0.0, 300.0) == [10.0, 100.0, 200.0]


def test_names_of_a_crowd_do_not_overlap() -> None:
    """R1: eight points within thirty pixels, eight names, no two on top of each other."""
    points = [(100.0 + 9 * (i % 3), 120.0 + 8 * i) for i in range(8)]
    names = [f"system-{i}" for i in range(8)]
    boxes = []
    for (x, y), name, (dx, dy, align) in zip(points, names, beside(points, names, 400, 300), strict=True):
        room = len(name) * WIDE
        left = x + dx - {"left": 0.0, "right": room, "center": room / 2}[align]
        boxes.append((left, y + dy - HIGH / 2, left + room, y + dy + HIGH / 2))
    for a, b in combinations(boxes, 2):
        assert min(a[2], b[2]) <= max(a[0], b[0]) or min(a[3], b[3]) <= max(a[1], b[1])


def test_a_system_keeps_its_colour() -> None:
    """R1: a name of the box has one colour whatever stands beside it; strangers get others, no two the same."""
    assert style_of(["bm25"])["bm25"] == style_of(["mine", "bm25", "yours"])["bm25"] == STYLES["bm25"]
    strangers = style_of(["mine", "yours"])
    assert len({colour for colour, _ in strangers.values()}) == 2
    assert not {colour for colour, _ in STYLES.values()} & set(SPARE)


def test_lines_that_end_together_share_a_name() -> None:
    """R1: two systems with the same ranking are one line with both names, not one name hidden by the other."""
    said = str(recall_curves(curves(), {"d": "d, English"}).to_dict())
    assert "random = chance" in said


def test_the_same_picture_is_the_same_bytes(tmp_path: Path) -> None:
    """R1: SVG and PNG repeat to the byte, and the PNG is not empty."""
    table = pl.DataFrame(
        {
            "system": SYSTEMS,
            "R@10": [0.7, 0.6, 0.6, 0.6, 0.6, 0.1, 0.1],
            "context_tokens": [150.0, 150, 600, 600, 1500, 600, None],
            "tokens_asked": [700_000, 900_000, 0, 0, 0, 0, None],
        }
    )
    for folder in ("one", "two"):
        save(recall_curves(curves(), {"d": "d"}).to_dict(), tmp_path / folder, "recall")
        save(quality_by_tokens({"d": table}, {"d": "d"}, "R@10").to_dict(), tmp_path / folder, "tokens")
    for name in ("recall.svg", "recall.png", "tokens.svg", "tokens.png"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
        assert (tmp_path / "one" / name).stat().st_size > 5_000
