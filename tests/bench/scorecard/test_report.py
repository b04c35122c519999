"""A scorecard from its file to its folder: reused, repeated, recomputable, and honest about what failed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arandu_lab.bench.scorecard import tables
from arandu_lab.bench.scorecard.book import Book
from arandu_lab.bench.scorecard.made import read_scorecard
from arandu_lab.bench.scorecard.plan import only, plan_of_card, read_plan
from arandu_lab.bench.scorecard.run import recorded, scorecard
from arandu_lab.bench.scorecard.steps import Done, Step
from arandu_lab.errors import BackendError, ConfigError

CONFIG = """
[scorecard]
datasets = ["{place}"]
systems = ["arandu", "verbatim"]
oracle = ["arandu"]
given = ["arandu"]
jobs = 1

[system.arandu]
embedder = "hashing"

"""
PICTURES = {f"{name}.{kind}" for name in ("waterfall", "stages", "confusion") for kind in ("svg", "png")}


class Seen:
    """A watcher that remembers."""

    def __init__(self, stop: bool = False) -> None:
        self.stop, self.coming, self.reused, self.ended = stop, [], [], []  # type: ignore[var-annotated]
        self.moved = 0

    def begins(self, steps: Iterable[tuple[Step, int]], reused: Iterable[Step]) -> None:
        self.coming, self.reused = [step.label for step, _ in steps], [step.label for step in reused]

    def moves(self, step: Step, done: int) -> None:
        self.moved = max(self.moved, done)

    def ends(self, step: Step, result: Done) -> None:
        self.ended.append(step.label)
        if self.stop and len(self.ended) == 2:
            raise KeyboardInterrupt


@pytest.fixture(scope="module")
def config(tiny: Book, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("config") / "little.toml"
    place.write_text(CONFIG.format(place=tiny.path), "utf-8")
    return place


@pytest.fixture(scope="module")
def made(config: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a scorecard that was just written."""
    return scorecard(config, tmp_path_factory.mktemp("results"))


def test_the_folder_holds_all_that_it_should(made: Path) -> None:
    """Report, pictures, frames, what it was made with, and times apart."""
    names = {path.name for path in made.iterdir()}
    assert {"report.md", "made.toml", "times.json", "evidence.parquet", "questions.parquet"} <= names
    assert names >= PICTURES
    assert made.name.startswith("little-")


def test_the_report_begins_with_where_the_losses_are(made: Path) -> None:
    """First plain words, then the picture, then the summary, then where we lose with examples; cost before the legend."""
    said = (made / "report.md").read_text("utf-8")
    order = [
        *(
            "## In short",
            "waterfall.svg",
            "## Every stage in one line",
            "## Where we lose",
            "## Never said",
            "stages.svg",
        ),
        *(
            "## With extraction answered from the gold",
            "## Stage by stage",
            "confusion.svg",
            "## Cost",
            "## How to read it",
        ),
    ]
    places = [said.index(one) for one in order]
    assert places == sorted(places)
    assert "*arandu* delivers" in said
    assert "/tmp" not in said.replace(str(made), "")


def test_an_example_shows_what_was_said_and_what_happened(made: Path) -> None:
    """Every lost question of the small set stands in the report with its turn."""
    _, frames = read_scorecard(made)
    said = (made / "report.md").read_text("utf-8")
    asked = tables.of(frames["questions"], "arandu", "tiny_en", "end-to-end").drop_nulls("stage")
    for row in asked.iter_rows(named=True):
        assert f"{row['question']}: {row['text']}" in said
        assert f"{row['turn']} {row['said']}"[:60] in said


def test_the_same_run_is_the_same_bytes(config: Path, made: Path, tmp_path: Path) -> None:
    """Made again from nothing, everything but the times is the same to the byte."""
    again = scorecard(config, tmp_path)
    assert again.name == made.name
    for path in made.iterdir():
        if not path.name.startswith("times."):
            assert (again / path.name).read_bytes() == path.read_bytes(), path.name


def test_a_second_run_reuses_and_says_so(config: Path, made: Path) -> None:
    """Nothing is recorded again; ``force`` records everything, with a word after each turn and question."""
    seen = Seen()
    card = recorded(read_plan(config), made.parent / ".steps", watcher=seen)
    assert (len(seen.reused), seen.coming, seen.ended) == (4, [], [])
    assert card.address == made.name
    forced = Seen()
    recorded(only(read_plan(config), ["verbatim"]), made.parent / ".steps", force=True, watcher=forced)
    assert (forced.reused, len(forced.ended), forced.moved) == ([], 1, 14)


def test_what_is_reused_gives_the_same_bytes(config: Path, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder written again from judged steps is the same to the byte; nothing is judged or drawn for it."""
    before = {path.name: path.read_bytes() for path in made.iterdir() if not path.name.startswith("times.")}

    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("done again")

    monkeypatch.setattr("arandu_lab.bench.scorecard.run.rows", never)
    monkeypatch.setattr("arandu_lab.viz.theme.save", never)
    assert scorecard(config, made.parent) == made
    assert {name: (made / name).read_bytes() for name in before} == before


def test_ctrl_c_keeps_what_was_finished(config: Path, tmp_path: Path) -> None:
    """Stopped after two steps, two are kept whole, and the next run has the other two to do."""
    with pytest.raises(KeyboardInterrupt):
        recorded(read_plan(config), tmp_path, watcher=Seen(stop=True))
    assert len(list(tmp_path.glob("*/times.json"))) == 2
    assert not list(tmp_path.glob(".new-*"))


@pytest.mark.slow
def test_workers_do_the_same(config: Path, made: Path, tmp_path: Path) -> None:
    """Two processes give what one gives."""
    card = recorded(replace(read_plan(config), jobs=2), tmp_path)
    _, frames = read_scorecard(made)
    assert all(card.frames[name].equals(frame) for name, frame in frames.items() if name != "times")


def test_made_toml_makes_it_again(made: Path) -> None:
    """What is written down is the whole configuration: it leads to the same address, everything reused."""
    seen = Seen()
    card = recorded(read_plan(made / "made.toml"), made.parent / ".steps", watcher=seen)
    assert (card.address, len(seen.reused)) == (made.name, 4)
    said = tomllib.loads((made / "made.toml").read_text("utf-8"))
    assert said["scorecard"]["given"] == ["arandu"]
    assert said["made"]["datasets"].keys() == {"tiny_en"}


def test_tables_are_recomputable_from_the_files(made: Path) -> None:
    """The summary in the report is that of the Parquet files, cell by cell."""
    from arandu_lab.bench.scorecard.sections import summary

    _, frames = read_scorecard(made)
    assert summary(frames) in (made / "report.md").read_text("utf-8")
    card = tables.card(frames)
    assert card["mode"].to_list() == ["end-to-end", "oracle", "given", "end-to-end"]
    assert card.filter(card["mode"] == "oracle")["extraction"].to_list() == [1.0]
    assert card.filter(card["mode"] == "given")["state"].to_list() == [1.0]


BROKEN = """
from arandu_lab.errors import BackendError
from arandu_lab.systems.base import Ranked
from arandu_lab.trace import Usage

class Broken:
    name = "broken"
    async def begin(self, conversation_id): ...
    async def listen(self, turn): return Usage()
    async def ask(self, question, *, now, k): raise BackendError("gone", kind="unavailable", backend="nobody")
    async def end(self): ...
"""


def test_what_failed_is_null_and_fails_the_run(tiny: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that answers nothing has no share delivered, its errors stand in the report, and the run says so."""
    (tmp_path / "broken_system.py").write_text(BROKEN, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    config = tmp_path / "broken.toml"
    config.write_text(
        f'[scorecard]\ndatasets = ["{tiny.path}"]\nsystems = ["mine"]\njobs = 1\n[system.mine]\nbase = "broken_system:Broken"\n'
    )
    with pytest.raises(BackendError, match="0 of 9 turns and 5 of 5 questions lost"):
        scorecard(config, tmp_path / "results")
    [folder] = (tmp_path / "results").glob("broken-*")
    _, frames = read_scorecard(folder)
    assert tables.card(frames)["delivered"].to_list() == [None]
    assert "unavailable: gone" in (folder / "report.md").read_text("utf-8")
    assert not list((tmp_path / "results" / ".steps").glob("*"))


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ({"datasets": ["mare_pt"], "systems": ["bm25"], "orcale": ["bm25"]}, "did you mean 'oracle'"),
        ({"datasets": ["mare_pt"], "systems": ["bm25"], "given": ["bm25"]}, "bm25 keeps no facts"),
        ({"datasets": ["mare_pt"], "systems": ["arandu"], "oracle": ["arundo"]}, "known: arandu"),
        ({"datasets": ["mare_pt"], "systems": ["arandu"], "measures": ["R@5"]}, "unknown key 'measures'"),
        ({"datasets": ["mare_pt"]}, "wants systems"),
        ({"datasets": ["mare_pt"], "systems": ["arandu"], "examples": -1}, "at least 0"),
    ],
)
def test_what_cannot_be_meant_is_refused(head: dict[str, Any], said: str) -> None:
    """Each says what was written and what would be accepted."""
    with pytest.raises(ConfigError, match=said):
        plan_of_card({"scorecard": head})


def test_the_shipped_configuration_reads() -> None:
    """``configs/scorecard.toml`` is a plan, and some of its systems are too."""
    plan = read_plan(Path(__file__).parents[3] / "configs" / "scorecard.toml")
    assert plan.datasets == ("brook_en", "brook_pt", "cove_en", "cove_pt")
    assert plan.modes(plan.rows[0]) == ("end-to-end", "oracle", "given")
    some = only(plan, ["verbatim"])
    assert ([row.name for row in some.rows], some.oracle, some.given) == (["verbatim"], (), ())
