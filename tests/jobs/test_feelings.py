"""Emotions of turns, and the moods that come of them: tagged in one batch, drawn as trends, never by a hostile answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from at_rest import AGENT, Bench
from looking_back import RUNS, hear, model, standing

from arandu_lab.jobs.consolidation import job


def run(bench: Bench, **given: Any) -> Any:
    """One consolidation that succeeds."""
    result = bench.run(job(), **given)
    assert result.success, result.error
    return result


def mood(label: str, intensity: float = 0.9) -> Mapping[str, Any]:
    return {"label": label, "intensity": intensity, "energy": "medium"}


def test_emotions_reach_the_events(bench: Bench) -> None:
    """Turns without an emotion are asked for in one batch and tagged; tagged ones are left; ``memory.events`` shows it."""
    hear(bench, *RUNS)
    scripted = model(bench, emotions=lambda i: mood("joy", 0.5 + i / 10))
    result = run(bench)
    assert result["events_tagged"] == 3
    assert len(scripted.asked("emotions")) == 1
    frame = bench.memory.events(AGENT)
    assert frame["emotion"].to_list() == ["joy"] * 3
    assert frame["emotion_intensity"].to_list() == [0.5, 0.6, 0.7]
    hear(bench, *RUNS)
    assert run(bench)["events_tagged"] == 3
    assert len(scripted.asked("emotions")[1].inputs["events"]) == 3


def test_hostile_emotions(bench: Bench) -> None:
    """Indices that were not shown, labels that are no words, values out of range: dropped one by one and told."""
    hear(bench, *RUNS)
    model(bench, emotions={"emotions": [
        {"i": 99, **mood("joy")}, {"i": -1, **mood("joy")}, {"i": 0, **mood("<b>joy</b>")},
        {"i": 1, **mood("fear", 7.0)}, {"i": 2, **mood("fear")}, {"i": 2, **mood("joy")},
    ]})  # fmt: skip
    result = run(bench)
    assert bench.memory.events(AGENT)["emotion"].to_list() == [None, None, "fear"]
    assert len(result.left) == 5


@pytest.mark.parametrize(("language", "words"), [("english", "getting better"), ("portuguese", "vem melhorando")])
def test_moods_are_observations(bench: Bench, language: str, words: str) -> None:
    """A speaker whose mood rises over the window has a trend with the turns as evidence; a steady one and an assistant none;
    news that make it steady withdraw it."""
    said = hear(bench, *[("Ana", f"Day {i}") for i in range(9)])
    hear(bench, *[("Assistant", f"Reply {i}") for i in range(9)])
    hear(bench, *[("Rui", f"Evening {i}") for i in range(9)])
    model(bench, emotions=lambda i: mood("sadness" if i % 9 < 4 else "joy") if i < 18 else mood("neutral"))
    run(bench, profile_language=language)
    (row,) = standing(bench, "trend")
    assert "Ana" in row.text
    assert words in row.text
    assert row.evidence_ids == tuple(said)
    assert run(bench, profile_language=language).changed == ()
    hear(bench, *[("Ana", f"Night {i}") for i in range(9)])
    model(bench, emotions=lambda i: mood("sadness"))
    run(bench, profile_language=language)
    assert not any(words in one.text for one in standing(bench, "trend"))
    assert sum(one.id == row.id for one in bench.memory.store.view(AGENT).observations()) == 1
