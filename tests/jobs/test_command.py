"""Jobs on the command line, and in a replay."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from pathlib import Path

import pytest
from at_rest import AGENT, T0, TOLD

from arandu_lab import Memory, cli
from arandu_lab.bench.data.model import Conversation, Question, Session
from arandu_lab.bench.plan import row_of
from arandu_lab.bench.replay import replay
from arandu_lab.bench.rows import changed, filled
from arandu_lab.bench.sweeps.ingested import memory_of
from arandu_lab.errors import ConfigError
from arandu_lab.systems.arandu import Arandu
from arandu_lab.systems.base import DatedTurn


def command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        cli.main(list(arguments))
    return int(ended.value.code or 0)


def test_says_then_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """J9: ``--dry-run`` prints what would change and changes nothing; then the same is changed; then nothing is left to do."""
    store = tmp_path / "memory"
    with Memory.open(store, embedder="hashing") as memory:
        for hour, (speaker, text) in enumerate(TOLD):
            asyncio.run(memory.write(AGENT, text, speaker, occurred_at=T0 + timedelta(hours=hour)))
        before = memory.store.view(AGENT).sequence
    said = []
    for extra in (["--dry-run"], [], []):
        assert command("jobs", str(store), "--agent", AGENT, "--now", "2025-03-04T00:00:00+00:00", *extra) == 0
        said.append(capsys.readouterr().out)
        with Memory.open(store, embedder="hashing", read_only=True) as memory:
            assert (memory.store.view(AGENT).sequence == before) == (extra == ["--dry-run"])
    assert "would change" in said[0]
    assert "compute_entity_importance" in said[0]
    rows = [re.findall(r"chang(?:e|ed)\s+(\d+)\s+row", one) for one in said]
    assert rows[1] == rows[0]
    assert set(rows[2]) <= {"0", "1", "2"}  # a distilled fact is news for its cluster; then all is at rest
    assert command("directives", str(store), "--agent", AGENT) == 0


@pytest.mark.parametrize(
    "given", [["--agent", "b"], ["--agent", AGENT, "--only", "run_memfy"], ["--agent", AGENT, "--now", "soon"]]
)
def test_wrong_words(given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown agent or job and a moment that is none are one line and exit code 2."""
    with Memory.open(tmp_path / "memory", embedder="hashing") as memory:
        asyncio.run(memory.write(AGENT, "I live in Recife.", "Rafael", occurred_at=T0))
    assert command("jobs", str(tmp_path / "memory"), *given) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def talk() -> Conversation:
    """Two turns a month apart, and a question a month later."""
    turns = [
        DatedTurn(
            id="t1", session_id="s1", occurred_at=T0, speaker="Ana", text="I live in Recife and work at Orion Tech."
        ),
        DatedTurn(
            id="t2", session_id="s2", occurred_at=T0 + timedelta(days=30), speaker="Ana", text="I adopted a dog."
        ),
    ]
    asked = Question(
        id="q", text="Where does Ana live?", asked_at=T0 + timedelta(days=60), answer="Recife", evidence=("t1",),
        evidence_sessions=("s1",), category="state",
    )  # fmt: skip
    sessions = (Session(id="s1", occurred_at=T0), Session(id="s2", occurred_at=T0 + timedelta(days=30)))
    return Conversation(id="c", sessions=sessions, turns=tuple(turns), questions=(asked,))


def test_a_schedule_fires_at_simulated_times() -> None:
    """In a replay jobs run between turns and before questions at the dates of the schedule, and their cost counts as writing."""
    quiet = Arandu(embedder="hashing")
    busy = Arandu(embedder="hashing", jobs="compute_entity_importance=1d, refresh_entity_summaries=7d")
    seen: list[tuple[str, str]] = []

    class Watching(Arandu):
        async def end(self) -> None:
            if self._memory is not None:
                view = self._memory.store.view("listener")
                seen.extend((one.key, str(one.summary_at)) for one in view.entities() if one.summary_at)
            await super().end()

    watching = Watching(embedder="hashing", jobs="refresh_entity_summaries=7d")
    done = [asyncio.run(replay(system, talk(), depth=5)) for system in (quiet, busy, watching)]
    assert done[1].listened.calls > done[0].listened.calls
    assert {one.phase for one in done[0].times} == {"listen", "ask"}
    assert {one.phase for one in done[1].times} == {"listen", "ask", "rest"}
    assert "refresh_entity_summaries" in (done[1].by_stage or {})
    assert seen
    assert all(moment >= str(T0 + timedelta(days=7)) for _, moment in seen)


def test_a_row_says_its_jobs() -> None:
    """A schedule is a setting of a row: filled in, part of its address, refused where it names no job; a sweep refuses it."""
    row = row_of("jobs", {"base": "arandu", "jobs": "run_memify=24h", "embedder": "hashing"})
    assert filled(row)["jobs"] == "run_memify=1d"
    assert changed(row)["jobs"] == "run_memify=1d"
    assert filled(row_of("plain", {"base": "arandu"}))["jobs"] == ""
    with pytest.raises(ConfigError, match="run_memify"):
        filled(row_of("wrong", {"base": "arandu", "jobs": "run_memfy=1d"}))
    with pytest.raises(ConfigError, match="sweep"):
        memory_of(row, talk(), language="en")
