"""The calibration of a store: put down once, read at every opening, changed only on purpose."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arandu_lab.embed import calibration as scales
from arandu_lab.embed.calibration import Calibration
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.memory import Memory

STEEP = Calibration(((0.2, 0.0), (0.8, 0.5)), source="a test")


def scale_of(memory: Memory) -> float:
    return float(memory.embed.scale(0.8))


def test_a_store_keeps_the_calibration_it_was_made_with(tmp_path: Path) -> None:
    """Reopened without one, a store reads cosines as it was made to, whatever the embedder brings of its own."""
    with Memory.open(tmp_path / "m", embedder="hashing", calibration=STEEP) as memory:
        assert scale_of(memory) == 0.5
    with Memory.open(tmp_path / "m", embedder="hashing") as memory:
        assert scale_of(memory) == 0.5
    with Memory.open(tmp_path / "m", embedder="hashing", read_only=True) as memory:
        assert scale_of(memory) == 0.5


def test_another_calibration_is_refused(tmp_path: Path) -> None:
    """A second calibration is a ConfigError that names both, and the store can still be opened."""
    with Memory.open(tmp_path / "m", embedder="hashing"):
        pass
    with pytest.raises(ConfigError, match=r"reads its cosines.*recalibrate"):
        Memory.open(tmp_path / "m", embedder="hashing", calibration=STEEP)
    with Memory.open(tmp_path / "m", embedder="hashing", lease_timeout=0.5) as memory:
        assert scale_of(memory) == 0.8


def test_recalibrate_changes_it_for_good(tmp_path: Path) -> None:
    """``recalibrate`` holds at once and at the next opening."""
    path = tmp_path / "calibration.json"
    STEEP.save(path)
    with Memory.open(tmp_path / "m", embedder="hashing") as memory:
        memory.recalibrate(path)
        assert scale_of(memory) == 0.5
    with Memory.open(tmp_path / "m", embedder="hashing", calibration=path) as memory:
        assert scale_of(memory) == 0.5


def test_a_fork_keeps_the_scale(tmp_path: Path) -> None:
    """A copy reads cosines as its original does, in memory and on disk."""
    with Memory.open("memory://", embedder="hashing", calibration=STEEP) as memory:
        with memory.fork() as here, memory.fork(tmp_path / "copy") as there:
            assert scale_of(here) == scale_of(there) == 0.5
        with Memory.open(tmp_path / "copy", embedder="hashing") as again:
            assert scale_of(again) == 0.5


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"knots": 3}', '{"knots": [[1]]}', '{"knots": [["a", "b"]]}', "\xff"]
)
def test_a_file_that_is_no_calibration_is_named(tmp_path: Path, text: str) -> None:
    """Whatever stands in the file, the error is the user's to mend and says which file."""
    path = tmp_path / "kalibrierung.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(ConfigError, match="kalibrierung"):
        Memory.open("memory://", embedder="hashing", calibration=path)
    with pytest.raises(ConfigError, match="nowhere"):
        Memory.open("memory://", embedder="hashing", calibration=tmp_path / "nowhere.json")


def test_an_object_with_its_own_scale_takes_no_other() -> None:
    """An embedder object that has no ``scaled`` keeps its scale; giving a calibration is refused."""

    class Own:
        name, dim = "own", 2

        async def __call__(self, texts: list[str]) -> list[np.ndarray]:
            return [np.array([1.0, 0.0], dtype=np.float32) for _ in texts]

        def scale(self, cosine: float) -> float:
            return cosine

    with Memory.open("memory://", embedder=Own()) as memory:
        assert scale_of(memory) == 0.8
    with pytest.raises(ConfigError, match="own scale"):
        Memory.open("memory://", embedder=Own(), calibration=scales.IDENTITY)


def test_a_store_that_cannot_be_written_keeps_its_scale(tmp_path: Path) -> None:
    """``recalibrate`` on a reader raises and changes nothing."""
    with Memory.open(tmp_path / "m", embedder="hashing", calibration=STEEP):
        pass
    with Memory.open(tmp_path / "m", embedder="hashing", read_only=True) as memory:
        with pytest.raises(ConfigError):
            memory.recalibrate(scales.IDENTITY)
        assert scale_of(memory) == 0.5


async def test_users_of_one_store_read_with_one_scale(tmp_path: Path) -> None:
    """Whichever user recalibrates, the next write or read of every other uses the new scale."""
    with (
        Memory.open(tmp_path / "m", embedder="hashing") as one,
        Memory.open(tmp_path / "m", embedder="hashing") as other,
    ):
        other.recalibrate(STEEP)
        await one.retrieve("a", "Where does Ana live?")
        assert scale_of(one) == scale_of(other) == 0.5
    with Memory.open(tmp_path / "m", embedder="hashing") as again:
        assert scale_of(again) == 0.5


def test_a_kept_calibration_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Broken text in the store is a ConfigError that says where, not a parser's."""
    with Memory.open(tmp_path / "m", embedder="hashing") as memory:
        memory.store.scale("{nonsense")
    with pytest.raises(ConfigError, match="keeps a calibration"):
        Memory.open(tmp_path / "m", embedder="hashing")


@pytest.mark.parametrize("knots", [3, [[1]], [["a", "b"]], [(0.1, 0.2), None]])
def test_knots_are_pairs_of_numbers(knots: object) -> None:
    """Whatever is given as knots is checked when it is given, and lists are as good as tuples."""
    with pytest.raises(ConfigError):
        Calibration(knots)  # type: ignore[arg-type]
    assert Calibration([[0.2, 0.0], [0.8, 0.5]]) == Calibration(((0.2, 0.0), (0.8, 0.5)))  # type: ignore[arg-type]


class Line:
    """An embedder object whose every third call breaks, or that returns what it is told to."""

    name, dim = "line", 2

    def __init__(self, returns: object = None) -> None:
        self.calls, self.returns = 0, returns

    async def __call__(self, texts: list[str]) -> object:
        self.calls += 1
        if self.returns is not None:
            return self.returns
        if self.calls % 3 == 0:
            raise ConnectionResetError("the line broke")
        return [np.array([1.0, 0.0], dtype=np.float32) for _ in texts]

    def scale(self, cosine: float) -> float:
        return cosine


async def test_an_embedder_object_whose_line_breaks_loses_no_turn() -> None:
    """W6: an OSError of a user's embedder is a backend's failure: the write goes on without vectors and says so."""
    with Memory.open("memory://", embedder=Line()) as memory:
        for number in range(6):
            result = await memory.write("a", f"Moro na rua {number}.", "Ana")
            assert result.event_id is not None
        assert memory.events("a").height == 6


@pytest.mark.parametrize(
    "returned", [[], [None, None, None], [np.array([np.nan, 1.0])], [np.zeros(2)], ["x"], [np.ones(3)], "no list"]
)
async def test_what_are_no_vectors_is_a_failure_of_the_embedder(returned: object) -> None:
    """Too few, not finite, zero, of another length or no numbers: ``BackendError``, before anything is stored."""
    with Memory.open("memory://", embedder=Line(returned)) as memory, pytest.raises(BackendError, match="line"):
        await memory.embed(["a text"])
