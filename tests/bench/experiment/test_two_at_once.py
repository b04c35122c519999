"""Two who work on one folder of results at once: each gets its result whole, and what lies there afterwards is whole too."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from arandu_lab import experiment
from arandu_lab.bench.artifacts import whole
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.made import read_result

SCRIPT = """
import pickle, sys, time
from pathlib import Path
from arandu_lab import experiment
from arandu_lab.bench.outcome.result import Experiment

here, me = Path(sys.argv[1]), sys.argv[2]
lake = pickle.loads((here / "lake.pickle").read_bytes())
experiment  # imported; now both wait for each other
(here / f"ready-{me}").touch()
until = time.monotonic() + 120
while len(list(here.glob("ready-*"))) < 2 and time.monotonic() < until:
    time.sleep(0.001)
found = experiment(["bm25", "recency", "random"], lake, ["R@3"], depth=4, jobs=1, results=here / "results", progress=False)
print(found.summary().write_json())
"""


def test_a_folder_is_whole_whoever_writes_it(tmp_path: Path) -> None:
    """Many threads that put the same folder in its place again and again: none fails, no part of another is in it."""
    folder, failures = tmp_path / "one", list[BaseException]()

    def write(name: str) -> None:
        try:
            for _ in range(40):
                with whole(folder) as fresh:
                    for part in ("a", "b", "c"):
                        (fresh / part).write_text(name)
        except BaseException as error:  # noqa: BLE001 - a thread's failure is the test's
            failures.append(error)

    threads = [threading.Thread(target=write, args=(str(one),)) for one in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not failures, failures[0]
    assert len({(folder / part).read_text() for part in ("a", "b", "c")}) == 1
    assert [one.name for one in tmp_path.iterdir()] == ["one"], "nothing half-written is left"


@pytest.mark.slow
def test_two_processes_share_a_folder_of_results(lake: Dataset, tmp_path: Path) -> None:
    """Both begin at the same moment: both end well with the same figures, and the result there is that of one alone."""
    (tmp_path / "lake.pickle").write_bytes(pickle.dumps(lake))
    (tmp_path / "script.py").write_text(SCRIPT)
    both = [
        subprocess.Popen(
            [sys.executable, tmp_path / "script.py", tmp_path, name],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for name in "ab"
    ]  # fmt: skip
    ends = [one.communicate(timeout=180) for one in both]
    assert [one.returncode for one in both] == [0, 0], ends
    plain = [[{k: v for k, v in row.items() if "ms" not in k} for row in json.loads(out)] for out, _ in ends]
    alone = experiment(
        ["bm25", "recency", "random"], lake, ["R@3"], depth=4, jobs=1, results=tmp_path / "alone", progress=False
    )
    assert plain[0] == plain[1]
    (folder,) = (tmp_path / "results").glob("experiment-*")
    assert folder.name == alone.folder.name
    mine, theirs = read_result(alone.folder)[1], read_result(folder)[1]
    for name in ("questions", "usage", "errors"):
        assert getattr(mine, name).equals(getattr(theirs, name)), name
    assert not list((tmp_path / "results").rglob(".new-*"))
