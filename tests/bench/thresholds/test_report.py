"""Claims about the report: what lies in its folder, and that it is the same byte for byte."""

from __future__ import annotations

import asyncio

import numpy as np
import polars as pl
import pytest

from arandu_lab.bench.thresholds.run import FRAMES, Findings, findings, thresholds
from arandu_lab.embed.base import Embedder
from arandu_lab.embed.calibration import Calibration
from arandu_lab.embed.hashing import Hashing
from arandu_lab.errors import ConfigError, DatasetError


@pytest.fixture(scope="module")
def found() -> Findings:
    """Our two written sets under hashed n-grams, with a wider hash in the place of the documented scale."""
    return findings("hashing", reference="hashing:512")


@pytest.mark.slow
def test_the_folder_is_the_same_byte_for_byte(tmp_path, monkeypatch):
    """Two runs into two places: the same address, the same files, the same bytes; the frames and the map read back.

    PNG pictures are drawn from the same specification as the SVG ones, and left out here for speed.
    """
    monkeypatch.setattr("vl_convert.vegalite_to_png", lambda spec, scale: b"")
    sets = ("harbor_en",)
    one, two = (thresholds("hashing", sets=sets, reference="hashing:512", out=tmp_path / name) for name in "ab")
    assert one.name == two.name
    files = sorted(path.name for path in one.iterdir())
    assert files == sorted(path.name for path in two.iterdir())
    for name in files:
        assert (one / name).read_bytes() == (two / name).read_bytes(), name
    for name in FRAMES:
        assert not pl.read_parquet(one / f"{name}.parquet").is_empty()
    drawn = ("distributions", "merging", "losses", "gate")
    assert {f"{name}.{kind}" for name in drawn for kind in ("svg", "png")} <= set(files)
    assert Calibration.load(one / "calibration.json").knots


def test_the_report_begins_with_what_to_set(found):
    """The first paragraph holds both thresholds; what was looked for and is not there is said."""
    from arandu_lab.bench.thresholds.report import report

    text = report(found)
    head = text.split("##")[0]
    best = dict(found.choices.filter(scale="raw", language="all").select("what", "threshold").iter_rows())
    assert f"reconcile_gate = {best['gate']:g}" in head
    assert "semantic_dedup_threshold" in head
    assert "English" in text
    assert "Portuguese" in text
    assert "STS-B (stsb/)" in text


def test_the_recommended_calibration_comes_nearer_to_the_documented_scale(found):
    """Held out folds lie nearer to the documented quantiles under the map than without it, or hardly farther."""
    off = {name: (found.carried[name] - found.carried["reference"]).abs().mean() for name in ("raw", "held_out")}
    assert off["held_out"] <= off["raw"] + 0.005


def test_the_reference_needs_no_map():
    """An embedder that is the documented scale is recommended the identity, and no second scale is made up."""
    same = findings("hashing", sets=("harbor_en",), reference="hashing")
    assert same.scales == ("raw",)
    assert same.calibration.knots == ()


def test_a_shipped_calibration_is_in_force():
    """With a calibration, thresholds are chosen on its scale; choices on the raw scale map onto about the same pairs."""
    bent = Calibration(((0.2, 0.5), (0.6, 0.8)))
    mine = findings(Embedder(Hashing(), calibration=bent), sets=("harbor_en",), reference="hashing:512")
    assert mine.scales == ("raw", "shipped", "recommended")
    assert mine.in_force == "shipped"
    gate = {s: mine.choices.filter(scale=s, what="gate", language="en")["threshold"][0] for s in ("raw", "shipped")}
    assert gate["shipped"] == pytest.approx(float(bent(gate["raw"])), abs=0.011)
    raw = mine.pairs["raw"].to_numpy()
    assert np.allclose(mine.pairs["shipped"].to_numpy(), bent(raw), atol=2e-6)


def test_it_works_inside_a_running_loop():
    """A notebook has a loop running; the lab waits for its embedder all the same."""

    async def inside() -> int:
        return findings("hashing", sets=("harbor_en",), reference="hashing").pairs.height

    assert asyncio.run(inside()) > 0


def test_what_cannot_be_meant_is_refused(tmp_path):
    """An unknown set, and a folder of data that is not there."""
    with pytest.raises(ConfigError, match="harbor_en"):
        findings("hashing", sets=("harbour_en",))
    with pytest.raises(DatasetError, match="nowhere"):
        findings("hashing", sets=("harbor_en",), data=tmp_path / "nowhere")


def test_the_watcher_hears_the_end():
    """It is told how many texts are done, up to all of them."""
    heard = []
    findings("hashing", sets=("harbor_en",), reference="hashing", watcher=lambda *said: heard.append(said))
    assert heard[-1][1] == heard[-1][2] > 0
