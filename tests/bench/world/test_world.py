"""A world on disk keeps its laws: aligned, exact, without leaks, the same again, and in bounded memory."""

from __future__ import annotations

import itertools
import json
import tempfile
import tomllib
import tracemalloc
from collections import defaultdict
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab.bench.data.own import load_own
from arandu_lab.bench.world import HELD_SEEDS, WorldConfig, fold, load_states, load_truth, make
from arandu_lab.bench.world.lexicon import load_lexicon
from arandu_lab.bench.world.truth import Ended, Told
from arandu_lab.errors import ConfigError
from arandu_lab.pure.text import content_words

STREAMS = ("turns", "gold", "questions", "truth", "states", "entities")


@st.composite
def configs(draw: st.DrawFn) -> WorldConfig:
    """Small worlds of every kind; open seeds and, now and then, held ones."""
    share = st.sampled_from((0.0, 0.1, 0.4))
    return WorldConfig(
        seed=draw(st.one_of(st.integers(0, 500), st.sampled_from(HELD_SEEDS))),
        turns=draw(st.integers(50, 260)),
        years=draw(st.sampled_from((0.25, 1.0, 6.0))),
        people=draw(st.integers(5, 24)),
        speakers=draw(st.integers(2, 5)),
        session_turns=draw(st.sampled_from((4, 14, 60))),
        questions=draw(st.sampled_from((1, 40, 120))),
        instants=draw(st.sampled_from((1, 60))),
        facts_per_turn=draw(st.sampled_from((1.0, 1.4, 3.0))),
        small_talk=draw(share), pronouns=draw(share), nicknames=draw(share), namesakes=draw(share), ellipsis=draw(share),
        across_turns=draw(share), hearsay=draw(share), corrections=draw(share), negations=draw(share), casual=draw(share),
        repeats=draw(st.sampled_from((0.0, 0.15))), changes=draw(st.sampled_from((0.0, 0.25))),
        late=draw(st.sampled_from((0.0, 0.1))), retractions=draw(st.sampled_from((0.0, 0.1))),
        forgets=draw(st.sampled_from((0.0, 0.1))), plans=draw(st.sampled_from((0.0, 0.15))),
        paraphrases=draw(st.sampled_from((1, 2, 64))),
    )  # fmt: skip


def lines(folder: Path, stream: str) -> list[dict[str, Any]]:
    return [json.loads(raw) for raw in (folder / f"{stream}.jsonl").read_text("utf-8").splitlines()]


def made(config: WorldConfig, out: Path) -> list[Path]:
    return make(config, out, held=config.split == "held")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A world of 1,500 turns with everything in it."""
    config = WorldConfig(
        turns=1500, seed=11, questions=200, instants=80, late=0.1, retractions=0.05, forgets=0.05, years=5
    )
    return make(config, tmp_path_factory.mktemp("world"))


def test_the_laws_hold_for_any_small_world() -> None:
    """For any configuration: the loader takes it, states are the fold of the truth, languages align, nothing leaks, mentions
    stand in their turns, and one value at a time holds in a slot of one value."""

    @settings(max_examples=12, deadline=None)
    @given(configs())
    def law(config: WorldConfig) -> None:
        with tempfile.TemporaryDirectory() as out:
            folders = made(config, Path(out))
            for folder in folders:
                load_own(folder)
                states_are_the_fold(folder)
                intervals_are_apart(folder)
                evidence_tells_the_facts(folder)
            languages_align(*folders)
            nothing_leaks(*folders)

    law()


def states_are_the_fold(folder: Path) -> None:
    truth, erased = load_truth(folder), set()
    erased = {line.fact for line in truth if isinstance(line, Ended) and line.why in ("correct", "retract", "forget")}
    begun = {line.fact: line.told_at for line in truth if isinstance(line, Told)}
    ended = {line.fact: line.told_at for line in truth if isinstance(line, Ended)}
    for state in load_states(folder):
        assert fold(truth, as_of=state.at, known_at=state.at) == (state.facts, state.derived)
        for fact in erased & {*state.facts, *state.derived}:
            assert begun[fact] < state.at < ended[fact], "taken back, and still held"


def intervals_are_apart(folder: Path) -> None:
    """Facts of one subject and slot of one value, derived ones included, never hold on the same day."""
    single = {"lives_in", "from", "works_at", "has_role", "studies", "partner", "boss", "diet", "birthday"}
    truth = load_truth(folder)
    until = {line.fact: line.until for line in truth if isinstance(line, Ended)}
    by_slot: dict[tuple[str, str], list[tuple[date, date]]] = defaultdict(list)
    for line in truth:
        if isinstance(line, Told) and line.slot in single:
            last = until.get(line.fact, date.max)
            assert line.since <= last
            if line.since < last:
                by_slot[line.subject, line.slot].append((line.since, last))
    for spans in by_slot.values():
        spans.sort()
        assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans)), spans


def evidence_tells_the_facts(folder: Path) -> None:
    """Every root that answers was told in a turn of the evidence, and no turn of the evidence tells nothing."""
    told = {fact["id"]: one["turn"] for one in lines(folder, "gold") for fact in one["facts"]}
    stating = {one["turn"] for one in lines(folder, "gold") if one["facts"]}
    for question in lines(folder, "questions"):
        assert {told[fact] for fact in question.get("facts", ())} <= set(question["evidence"])
        assert set(question["evidence"]) <= stating


def languages_align(english: Path, portuguese: Path) -> None:
    kept = {
        "turns": ("id", "session", "occurred_at"),
        "questions": ("id", "asked_at", "evidence", "category", "facts", "stale"),
        "truth": ("op", "fact", "turn", "told_at", "slot", "from", "until", "why", "premises"),
        "states": ("at", "facts", "derived"),
    }
    for stream, keys in kept.items():
        both = [[{key: line.get(key) for key in keys} for line in lines(one, stream)] for one in (english, portuguese)]
        assert both[0] == both[1], stream
    keys = ("id", "slot", "category", "confidence", "valid_from", "valid_to", "event_time", "decision", "of")
    for one, other in zip(lines(english, "gold"), lines(portuguese, "gold"), strict=True):
        assert [[fact.get(key) for key in keys] for fact in one["facts"]] == [
            [fact.get(key) for key in keys] for fact in other["facts"]
        ]
        assert [edge["type"] for edge in one["relations"]] == [edge["type"] for edge in other["relations"]]


def nothing_leaks(*folders: Path) -> None:
    """No content word of an answer stands in its question or in any name of somebody who writes, in either language."""
    for folder in folders:
        cast = tomllib.loads((folder / "set.toml").read_text("utf-8"))["speakers"]
        known = {entity["name"]: entity["aliases"] for entity in lines(folder, "entities")}
        every = [name for shown, whole in cast.items() for name in (shown, whole, *known[whole])]
        names = {word for name in every for word in content_words(name)}
        for question in lines(folder, "questions"):
            said = [question[key] for key in ("answer", "wrong_answer") if question.get(key) is not None]
            shown = names | set(content_words(question["question"]))
            assert all(shown.isdisjoint(content_words(one)) for one in said), question


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    """Two worlds of one configuration are the same byte for byte, alone or with the other language; another seed is not."""
    first = made(WorldConfig(seed=4, turns=200), tmp_path / "a")
    second = made(WorldConfig(seed=4, turns=200), tmp_path / "b")
    alone = make(WorldConfig(seed=4, turns=200), tmp_path / "c", languages=("pt",))
    other = made(WorldConfig(seed=5, turns=200), tmp_path / "d")
    for one, again in (*zip(first, second, strict=True), (first[1], alone[0])):
        assert [(path.name, path.read_bytes()) for path in sorted(one.iterdir())] == [
            (path.name, path.read_bytes()) for path in sorted(again.iterdir())
        ]
    assert (first[0] / "turns.jsonl").read_bytes() != (other[0] / "turns.jsonl").read_bytes()


def test_a_world_can_be_made_again_from_its_folder(tmp_path: Path) -> None:
    """``world.toml`` reads back to the configuration that made it."""
    config = WorldConfig(seed=8, turns=60, start=date(2020, 5, 17), years=0.5, name="mine")
    for folder in make(config, tmp_path):
        assert WorldConfig.from_toml(folder / "world.toml") == config


def test_every_kind_of_telling_and_question_occurs(world: list[Path]) -> None:
    """A world of some length has every decision, every way to end, and every category of question."""
    assert {fact["decision"] for one in lines(world[0], "gold") for fact in one["facts"]} == {
        "ADD",
        "UPDATE",
        "NOOP",
        "DELETE",
    }
    assert {line.get("why") for line in lines(world[0], "truth")} - {None} == {
        "update", "delete", "correct", "retract", "forget", "cascade",
    }  # fmt: skip
    assert {line["category"] for line in lines(world[0], "questions")} == {
        "state", "history", "change", "cascade", "absent", "deletion", "negation",
    }  # fmt: skip
    assert any(fact.get("valid_to") for one in lines(world[0], "gold") for fact in one["facts"]), (
        "nothing was told late"
    )
    assert any(line["derived"] for line in lines(world[0], "states"))


def test_stale_facts_no_longer_hold_and_answers_do(world: list[Path]) -> None:
    """For a question about now, the facts that answer hold when it is asked and the stale ones do not."""
    truth = load_truth(world[0])
    for question in lines(world[0], "questions"):
        asked = question["asked_at"]
        if question["category"] not in ("cascade", "deletion", "absent"):
            continue
        moment = datetime.fromisoformat(asked)
        held = set(fold(truth, as_of=moment, known_at=moment)[0])
        assert set(question.get("facts", ())) <= held
        assert not set(question.get("stale", ())) & held


def test_pets_have_one_owner_and_turns_end_cleanly(world: list[Path]) -> None:
    """A pet's name never has two owners; no text has an unfilled token, a doubled space or a doubled stop."""
    owner: dict[str, str] = {}
    for one in lines(world[0], "gold"):
        for fact in one["facts"]:
            if fact["slot"] == "pet":
                assert owner.setdefault(fact["value"], fact["subject"]) == fact["subject"]
    for folder in world:
        texts = [line["text"] for line in lines(folder, "turns")] + [
            line["question"] for line in lines(folder, "questions")
        ]
        texts += [fact["text"] for one in lines(folder, "gold") for fact in one["facts"]]
        for text in texts:
            assert not set("{}") & set(text), text
            assert "  " not in text, text
            assert not text.endswith(("..", ",.", ":.", " .")), text


def test_held_seeds_are_refused_unless_asked_for(tmp_path: Path) -> None:
    """A held seed wants ``held=True``, an open one refuses it, and only held worlds use held words."""
    with pytest.raises(ConfigError, match="held back"):
        make(WorldConfig(seed=9000, turns=50), tmp_path)
    with pytest.raises(ConfigError, match="held words need a seed"):
        make(WorldConfig(seed=1, turns=50), tmp_path, held=True)
    assert not list(tmp_path.iterdir())
    folders = make(WorldConfig(seed=9000, turns=80), tmp_path, held=True)
    given_names = {one.en for one in load_lexicon("held").given}
    people = [one["name"].split()[0] for one in lines(folders[0], "entities") if one["type"] == "person"]
    assert people
    assert set(people) <= given_names
    assert not given_names & {one.en for one in load_lexicon("open").given}


@pytest.mark.parametrize(
    ("given_values", "message"),
    [
        ({"sead": 1}, "did you mean 'seed'"),
        ({"turns": 49}, "turns = 49"),
        ({"speakers": 6, "people": 4}, "at most all of them write"),
        ({"changes": 0.9, "plans": 0.5}, "at most 0.9"),
        ({"timezone": "America/Recifi"}, "America/Recife"),
        ({"name": "../x"}, "name"),
    ],
)
def test_a_configuration_is_read_strictly(given_values: dict[str, Any], message: str) -> None:
    """What cannot be meant is refused by name, with what would be accepted."""
    with pytest.raises(ConfigError, match=message):
        WorldConfig.of(given_values)


def test_an_unknown_language_is_refused(tmp_path: Path) -> None:
    """Only the two languages can be asked for, each once."""
    for languages in (("es",), (), ("en", "en")):
        with pytest.raises(ConfigError):
            make(WorldConfig(turns=50), tmp_path, languages=languages)  # type: ignore[arg-type]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_turns(tmp_path: Path) -> None:
    """6,000 turns more raise the peak by less than 50 bytes a turn (a turn is written in some 1,500): nothing is kept."""
    make(WorldConfig(turns=2000, seed=3), tmp_path)  # caches of words are filled first
    peaks = []
    for turns in (2000, 8000):
        tracemalloc.start()
        make(WorldConfig(turns=turns, seed=3, questions=turns // 20, people=6, speakers=3), tmp_path, languages=("en",))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] <= 50 * 6000, peaks


def test_progress_reaches_the_end(tmp_path: Path) -> None:
    """The last call of ``progress`` says that all turns are written."""
    seen: list[tuple[int, int]] = []
    make(WorldConfig(turns=90), tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (90, 90)


def test_only_a_world_is_replaced_by_a_world(tmp_path: Path) -> None:
    """A folder with anything else in it, a file or a link in the place of the world is refused, and stays as it was."""
    config = WorldConfig(name="harbor", turns=60)
    (tmp_path / "harbor_en").mkdir()
    (tmp_path / "harbor_en" / "turns.jsonl").write_text("by hand", encoding="utf-8")
    with pytest.raises(ConfigError, match="holds something else"):
        make(config, tmp_path)
    assert (tmp_path / "harbor_en" / "turns.jsonl").read_text(encoding="utf-8") == "by hand"
    (tmp_path / "pond_pt").write_text("a file", encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "brook_en").symlink_to(tmp_path / "elsewhere")
    for name in ("pond", "brook"):
        with pytest.raises(ConfigError, match="no folder"):
            make(WorldConfig(name=name, turns=60), tmp_path)
    assert not list(tmp_path.glob(".new-*"))
    assert not (tmp_path / "pond_en").exists()
    first = make(WorldConfig(name="cove", turns=60, seed=1), tmp_path)
    assert make(WorldConfig(name="cove", turns=60, seed=2), tmp_path) == first


def test_a_world_without_questions_is_refused(tmp_path: Path) -> None:
    """Where nothing is told nothing can be asked: a ConfigError, and no folder that could not be read back."""
    with pytest.raises(ConfigError, match="no question"):
        make(WorldConfig(turns=50, small_talk=1.0), tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("wrong", [{"start": "0001-01-01"}, {"start": "9998-01-01"}, {"timezone": "localtime"}])
def test_dates_and_zones_are_such_that_the_world_can_be_read_anywhere(wrong: dict[str, str]) -> None:
    """Dates far off and a zone that depends on the machine are refused."""
    given_values: dict[str, Any] = dict(wrong)
    if "start" in wrong:
        given_values["start"] = date.fromisoformat(wrong["start"])
    with pytest.raises(ConfigError):
        WorldConfig.of(given_values)
