"""The presets: the documented one is as it was; the tuned ones open by name, in files, and as systems."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arandu_lab.errors import ConfigError
from arandu_lab.presets import TUNED, arandu, from_toml, tuned, tuned_turns
from arandu_lab.read.preset import reading
from arandu_lab.systems.base import DatedTurn
from arandu_lab.systems.open import known_systems, open_system


def test_the_documented_preset_is_untouched():
    """``arandu`` has the documented stages and no setting changed."""
    assert repr(arandu().read) == (
        "plan() >> expand_query() >> retrieval() >> spread() >> judge().otherwise(unjudged()) >> blend() >> cut() >> render()"
    )
    assert arandu().config.changed() == {}
    assert arandu().read == reading()


def test_tuned_is_a_value_and_takes_overrides():
    """Equal when made twice, rebuilt by its repr, and an override goes on top of its settings."""
    assert tuned() == tuned()
    assert tuned(topk_events=5).config.topk_events == 5
    assert tuned().config.changed() == {
        name: value for name, value in tuned().config.changed().items() if name in TUNED
    }
    assert {"learned", "period", "follow"} <= set(tuned().read.names())
    assert "turns" not in tuned().read.names()


def test_files_name_a_preset():
    """``preset = "tuned"`` in a file: its pipelines and settings, with changes on top; an unknown name is refused."""
    found = from_toml({"preset": "tuned", "config": {"topk_facts": 3}, "read": {"learned": {"blend": "mine.json"}}})
    assert found.config.topk_facts == 3
    assert found.config.score_weights == TUNED["score_weights"]
    assert found.read.pinned()["blend"] == "mine.json"
    assert from_toml({"preset": "tuned-turns"}).write == tuned_turns().write
    with pytest.raises(ConfigError, match="did you mean 'tuned'"):
        from_toml({"preset": "tunde"})


def test_the_page_says_what_tuned_changes():
    """docs/configuration.md has a row for each setting in which tuned differs."""
    page = (Path(__file__).parents[3] / "docs" / "configuration.md").read_text(encoding="utf-8")
    for name, value in TUNED.items():
        assert f"| `{name}` | `{value!r}`" in page, name


def test_systems_are_known():
    """Both are rows that a harness can name."""
    assert {"tuned", "tuned-turns"} <= set(known_systems())


@pytest.mark.parametrize("name", ["tuned", "tuned-turns"])
@pytest.mark.parametrize(
    ("said", "asked"),
    [
        (("I adopted a puppy called Rex!", "How lovely."), "What is the name of Ana's puppy?"),
        (("Adotei um cachorro chamado Rex!", "Que legal."), "Qual é o nome do cachorro da Ana?"),
    ],
)
async def test_a_system_answers_with_the_turn(name, said, asked):
    """Heard turn by turn with the shipped blend, the turn that says it comes first, in both languages."""
    system = open_system(name)
    start = datetime(2025, 3, 1, tzinfo=UTC)
    await system.begin("talk")
    for place, text in enumerate((*said, "Tchau!")):
        speaker = ("Ana", "Bia")[place % 2]
        await system.listen(
            DatedTurn(
                id=f"t{place}",
                session_id="s1",
                occurred_at=start + timedelta(minutes=place),
                speaker=speaker,
                text=text,
            )
        )
    ranked = await system.ask(asked, now=start + timedelta(days=1), k=10)
    assert ranked.turns is not None
    assert ranked.turns[0].id == "t0"
    assert "Rex" in ranked.context
    await system.end()


async def test_turns_alone_extract_nothing():
    """``tuned-turns`` keeps the event and its vector, asks no model, and stores no fact; its new words are embedded too."""
    system = open_system("tuned-turns", embedder="hashing")
    await system.begin("talk")
    turn = DatedTurn(
        id="t0", session_id="s1", occurred_at=datetime(2025, 3, 1, tzinfo=UTC), speaker="Ana", text="I live in Recife."
    )
    usage = await system.listen(turn)
    assert usage.calls == 0
    assert usage.embedded_texts == 1 + len(("live", "recife"))
    assert await system.live() == []
    assert system._opened().store.view("listener").events.matrix.shape == (1, 256)
    await system.end()
