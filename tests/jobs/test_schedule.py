"""When jobs run in a replay."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.jobs.preset import CADENCE, ORDER
from arandu_lab.jobs.schedule import Schedule, period, shown

START = datetime(2025, 1, 1, tzinfo=UTC)


@given(st.integers(1, 5000), st.lists(st.integers(1, 3000), max_size=12))
def test_first_and_last_of_what_was_missed(minutes: int, gaps: list[int]) -> None:
    """Of missed runs the first and the last are made, at whole numbers of periods after the start, never after now."""
    schedule = Schedule.of({"run_memify": f"{minutes}m"})
    last, now = {"run_memify": START}, START
    for gap in gaps:
        now += timedelta(minutes=gap)
        before = last["run_memify"]
        due = schedule.due(last, now)
        every = timedelta(minutes=minutes)
        times = [at for at, _ in due]
        missed = (now - before) // every
        assert times == sorted({before + count * every for count in (1, missed) if missed})
        for at, name in due:
            assert (at - START) % every == timedelta(0)
            last[name] = at


def test_same_time_in_the_order_of_a_cycle() -> None:
    """Jobs that are due at one moment run in the recommended order, whatever order they are given in."""
    schedule = Schedule.of(", ".join(f"{name}=4h" for name in reversed(ORDER)))
    due = schedule.due(dict.fromkeys(ORDER, START), START + timedelta(hours=5))
    assert [name for _, name in due] == list(ORDER)


@given(st.dictionaries(st.sampled_from(ORDER), st.integers(1, 10_000).map(lambda n: f"{n}m"), min_size=1))
def test_text_is_the_schedule(table: dict[str, str]) -> None:
    """A schedule as text is read back as itself."""
    made = Schedule.of(table)
    assert Schedule.of(str(made)) == made


def test_sources(tmp_path: Path) -> None:
    """A file with or without a table [jobs], a line, and the word for the documents' cadence say the same."""
    (tmp_path / "a.toml").write_text('[jobs]\nrun_memify = "1d"\n', encoding="utf-8")
    (tmp_path / "b.toml").write_text('run_memify = "24h"\n', encoding="utf-8")
    made = {Schedule.of(tmp_path / "a.toml"), Schedule.of(str(tmp_path / "b.toml")), Schedule.of("run_memify=1d")}
    assert len(made) == 1
    assert dict(Schedule.of("recommended").every) == CADENCE
    assert not Schedule.of({})


@pytest.mark.parametrize(
    "source", ["run_memfy=1d", "run_memify", "run_memify=soon", "run_memify=0h", {"run_memify": 4}, "nowhere.toml"]
)
def test_wrong_schedules(source: object) -> None:
    """An unknown job, a period that is none and a file that is not there are refused."""
    with pytest.raises(ConfigError, match="jobs"):
        Schedule.of(source)  # type: ignore[arg-type]


@given(st.integers(1, 10_000), st.sampled_from("mhdw"))
def test_periods(number: int, unit: str) -> None:
    """A period is read back from how it is shown."""
    assert period(shown(period(f"{number}{unit}"))) == period(f"{number}{unit}")
