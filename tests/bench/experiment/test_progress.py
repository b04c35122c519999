"""Where nobody could see a bar, an experiment and a sweep say on stderr how far they are, and nothing where told so."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from arandu_lab import experiment
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.shown import Slowly
from arandu_lab.bench.sweeps.watching import watching


def test_a_script_without_a_terminal_hears_of_every_step(lake: Dataset, tmp_path, capsys) -> None:
    """A line a finished step, numbered, on stderr; stdout stays the script's; a second time the steps are said to be known."""
    options = {"measures": ["R@3"], "depth": 4, "jobs": 1, "results": tmp_path}
    experiment(["bm25", "recency"], lake, **options)
    out, err = capsys.readouterr()
    assert out == ""
    steps = [line for line in err.splitlines() if line.startswith("[")]
    number = 2 * len(lake.conversations)
    assert [line.split("]")[0] for line in steps] == [f"[{place}/{number}" for place in range(1, number + 1)]
    assert all("4 turns, 3 questions" in line for line in steps)
    experiment(["bm25", "recency", "random"], lake, **options)
    assert f"reused {number} of" in capsys.readouterr().err


def test_false_is_silence(lake: Dataset, tmp_path, capsys) -> None:
    """``progress=False``: not a letter on either stream."""
    experiment("bm25", lake, ["R@3"], depth=4, jobs=1, results=tmp_path, progress=False)
    assert capsys.readouterr() == ("", "")


def test_a_sweep_tells_each_piece_of_work(capsys) -> None:
    """What begins and what is done is said at once, what lies between only every half minute; False: nothing."""
    with watching(None, "night") as told:
        for done in range(301):
            told(done, 300, "writing")
        told(0, 0, "reading")
        told(0, 2, "held out: reading")
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "night: writing, 300 to do",
        "night: writing, 300 of 300 done",
        "night: held out: reading, 2 to do",
    ]
    with watching(False, "night") as told:
        told(0, 2, "reading")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("pause", "lines"), [(0.0, 5), (3600.0, 0)])
def test_how_far_it_is_comes_now_and_then(pause: float, lines: int) -> None:
    """A line that only says how far it is waits for its time; hostile labels are printed as they are."""
    file = io.StringIO()
    say = Slowly(Console(file=file), pause)
    for _ in range(5):
        say("[red]x[/red] [/nope]")
    assert file.getvalue() == "[red]x[/red] [/nope]\n" * lines
