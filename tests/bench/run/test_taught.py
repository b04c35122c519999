"""What has to be known beside figures of a system that was trained."""

from __future__ import annotations

from pathlib import Path

from arandu_lab import experiment
from arandu_lab.bench.data.registry import load
from arandu_lab.bench.plan import Row
from arandu_lab.bench.taught import taught


def test_only_what_it_learned_from_is_told() -> None:
    """A set that the blend did not learn from, a system without one, and a row without its stage are not remarked on."""
    sets = {name: load(name) for name in ("harbor_en", "mare_pt")}
    assert taught([Row(name="bm25", base="bm25"), Row(name="arandu", base="arandu")], sets) == {}
    assert list(taught([Row(name="t", base="tuned-turns")], {"part": sets["mare_pt"].slice(questions=3)})) == ["part"]
    both = taught([Row(name="t", base="tuned"), Row(name="u", base="tuned-turns")], sets)
    assert sorted(both) == ["harbor_en", "mare_pt"]
    assert "t learned from this set (101 of its questions); u learned" in both["harbor_en"]


def test_an_experiment_says_so(tmp_path: Path) -> None:
    """The remark stands in what is printed, on the page, and in the report."""
    found = experiment(
        ["tuned-turns", "random"], [load("harbor_en").slice(questions=5)], ["R@10"], results=tmp_path, progress=False
    )
    told = "tuned-turns learned from this set"
    assert told in str(found)
    assert told in found._repr_html_()
    assert told in (found.folder / "report.md").read_text(encoding="utf-8")
