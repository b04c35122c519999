"""Sets, rows and systems that a scorecard must not take for others: stale, broken, at odds with themselves, of one's own."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arandu_lab.bench.data.model import Conversation, Question
from arandu_lab.bench.plan import Row
from arandu_lab.bench.scorecard.book import Book, open_book
from arandu_lab.bench.scorecard.dossier import Asked, Candidate, Dossier, Heard, Made, Named, ReadFact
from arandu_lab.bench.scorecard.dossier import Row as Stored
from arandu_lab.bench.scorecard.frames import frames, rows
from arandu_lab.bench.scorecard.given import given
from arandu_lab.bench.scorecard.linking import Gold
from arandu_lab.bench.scorecard.lives import read_operations
from arandu_lab.bench.scorecard.record import opened, record
from arandu_lab.bench.scorecard.run import scorecard
from arandu_lab.bench.scorecard.watched import Watched
from arandu_lab.bench.world import WorldConfig, load_truth, make
from arandu_lab.bench.world.truth import load_both
from arandu_lab.embed.calibration import Calibration
from arandu_lab.errors import BackendError, ConfigError, DatasetError
from arandu_lab.systems.arandu import Arandu
from arandu_lab.systems.base import DatedTurn
from arandu_lab.trace import Usage

# ---------------------------------------------------------------- books


def test_a_book_is_of_the_files_as_they_are(tmp_path: Path) -> None:
    """Two worlds written one after the other to one path are two books; an unchanged set stays one."""
    first, second = (
        WorldConfig(name="pond", seed=seed, turns=60, questions=8, instants=3, years=1.0) for seed in (1, 2)
    )
    [place] = make(first, tmp_path, languages=["en"])
    before = open_book(place)
    assert open_book(place) is before
    [again] = make(second, tmp_path, languages=["en"])
    assert again == place
    after = open_book(place)
    assert after.dataset.digest != before.dataset.digest
    assert [turn.text for turn in after.conversation.turns] != [turn.text for turn in before.conversation.turns]


def test_what_is_no_set_of_our_own_is_no_book(tmp_path: Path) -> None:
    """A place without a set says what is missing, time after time."""
    for _ in range(2):
        with pytest.raises(DatasetError, match=r"set\.toml"):
            open_book(tmp_path)


# ---------------------------------------------------------------- rows and systems

LOW = Calibration(((-0.5, -0.5), (0.5, 0.1), (0.99, 0.2)))
"""A scale on which nothing is near anything."""


@pytest.fixture
def low(tmp_path: Path) -> str:
    """The file of that scale."""
    place = tmp_path / "low.json"
    place.write_text(json.dumps(LOW.to_json()), "utf-8")
    return str(place)


def semantic(dossier: Dossier) -> list[float]:
    return [one.scores["semantic"] for asked in dossier.asked for one in asked.candidates if "semantic" in one.scores]


async def test_a_calibration_reaches_the_watched_memory(tiny: Book, low: str) -> None:
    """``calibration = "file"`` is a setting of a scorecard as of a run, and the cosines are read with it, alone too."""
    options = {"embedder": "hashing"}
    plain = Row(name="plain", base="arandu", options=options)
    scaled = Row(name="scaled", base="arandu", options={**options, "calibration": low})
    usual, lowered = await record(plain, tiny), await record(scaled, tiny)
    assert max(semantic(usual)) > 0.2
    assert semantic(lowered)
    assert max(semantic(lowered)) <= 0.2
    alone = await given(scaled, tiny, stages=["retrieval"])
    assert semantic(alone["retrieval"])
    assert max(semantic(alone["retrieval"])) <= 0.2


async def test_the_calibration_of_an_instance_is_kept(tiny: Book) -> None:
    """An ``arandu`` that was made with a scale is looked into with that scale."""
    made = opened(Arandu("mine", embedder="hashing", calibration=LOW), tiny)
    assert isinstance(made, Watched)
    found = semantic(await record(Arandu("mine", embedder="hashing", calibration=LOW), tiny))
    assert found
    assert max(found) <= 0.2


class Deaf(Arandu):
    """Hears nothing."""

    async def listen(self, turn: DatedTurn) -> Usage:
        return Usage()


async def test_a_class_made_of_arandu_stays_itself(tiny: Book) -> None:
    """What a class overrides is what is measured: it is recorded from outside, and finds nothing that it did not hear."""
    assert type(opened(Deaf("deaf", embedder="hashing"), tiny)) is Deaf
    dossier = await record(Deaf("deaf", embedder="hashing"), tiny)
    assert (dossier.system, dossier.heard, dossier.rows) == ("deaf", (), ())
    assert not any(asked.turns for asked in dossier.asked)
    with pytest.raises(ConfigError, match="which is not looked into"):
        await record(Deaf("deaf", embedder="hashing"), tiny, mode="oracle")
    patched = Arandu("patched", embedder="hashing")
    patched.listen = Deaf("deaf").listen  # type: ignore[method-assign]
    assert opened(patched, tiny) is patched


# ---------------------------------------------------------------- blame

FIRST, END = "2024-01-05T10:00:00-04:00", "2024-05-10T09:01:00-03:00"
WORKS = ReadFact(subject="Annie", text="Annie works at Orion.")
LEFT = ReadFact(subject="Annie", text="Annie no longer works at Orion.")
ANNIE = Named(name="Annie", key="person:annie", how="speaker")
BEGAN = Heard(
    turn="s01t01", facts=(WORKS,), kept=(0,), stated=(WORKS,), resolved=(ANNIE,),
    made=(Made(position=0, action="ADD", fact_id="w"),),
)  # fmt: skip
ENDED = Heard(
    turn="s03t02", facts=(LEFT,), kept=(0,), stated=(LEFT,), resolved=(ANNIE,),
    made=(Made(position=0, action="DELETE", target_id="w"),),
)  # fmt: skip
CLOSED = Stored(
    fact_id="w", key="person:annie", name="Annie", text="Annie works at Orion.", turn="s01t01", valid_from=FIRST,
    recorded_at=FIRST, valid_to=END, invalidated_at=END, closed_by="delete",
)  # fmt: skip
HELD = replace(CLOSED, valid_to=None, invalidated_at=None, closed_by=None)
UNREAD = replace(ENDED, facts=(), kept=(), stated=(), made=())


@pytest.mark.parametrize(
    ("ended", "row", "outcome", "stage"),
    [
        (ENDED, CLOSED, "delivered", None),
        (replace(ENDED, made=(Made(position=0, action="NOOP", target_id="w"),)), HELD, "merged away", "reconciliation"),
        (replace(ENDED, made=()), HELD, "merged away", "reconciliation"),
        (ENDED, HELD, "merged away", "state"),
        (replace(ENDED, kept=(), stated=(), made=()), HELD, "merged away", "dedup"),
        (UNREAD, HELD, "never extracted", "extraction"),
    ],
)
def test_an_end_is_delivered_by_a_closed_row(
    tiny: Book, ended: Heard, row: Stored, outcome: str, stage: str | None
) -> None:
    """A question whose evidence says that a fact is over has what it needs where that fact is closed, else who kept it open."""
    asks: Question = replace(
        tiny.conversation.questions[1], id="q01", text="Does Ana Prado still work at Orion Labs?", answer="No",
        evidence=("s03t02",), category="single", facts=(), stale=(),
    )  # fmt: skip
    told: Conversation = replace(tiny.conversation, questions=(asks,))
    gold = Gold.of(told, None, tiny.dataset.card["speakers"])
    dossier = Dossier(
        system="s", dataset="d", mode="end-to-end", heard=(BEGAN, ended), rows=(row,),
        asked=(Asked(question="q01", candidates=(Candidate(fact_id="x", rank=1),)),),
    )  # fmt: skip
    one = frames([rows(dossier, gold, language="en")])["questions"].row(0, named=True)
    assert (one["outcome"], one["stage"]) == (outcome, stage)


# ---------------------------------------------------------------- truth and states


@pytest.fixture(scope="module")
def pond(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small world."""
    config = WorldConfig(name="pond", seed=5, turns=60, questions=8, instants=6, years=1.0)
    [place] = make(config, tmp_path_factory.mktemp("ponds"), languages=["en"])
    return place


@pytest.fixture
def copy(pond: Path, tmp_path: Path) -> Path:
    """A copy of it to be broken."""
    place = tmp_path / "pond_en"
    shutil.copytree(pond, place)
    return place


def lines(place: Path) -> list[bytes]:
    return place.read_bytes().splitlines()


def but(**more: Any) -> Callable[[list[bytes]], bytes]:
    """The second line with other values."""
    return lambda old: json.dumps({**json.loads(old[1]), **more}).encode()


BROKEN: dict[str, tuple[Callable[[list[bytes]], bytes], str]] = {
    "no JSON": (lambda old: b"{nothing", "property name"),
    "Latin-1": (lambda old: '{"op": "né"}'.encode("latin-1"), "utf-8"),
    "null": (lambda old: b"null", "wants a JSON object, found null"),
    "number": (lambda old: b"7", "wants a JSON object, found 7"),
    "list": (lambda old: b"[]", r"wants a JSON object, found \[\]"),
    "blank": (lambda old: b"", "Expecting value"),
    "no offset": (but(told_at="2024-01-05T10:00:00"), "told_at = .* has no offset"),
    "no moment": (but(told_at=None), "told_at = None; wants a moment"),
    "no fact": (but(fact=None), "fact None; wants the id"),
    "no day": (but(**{"from": "soon"}), "from = 'soon'; wants a day"),
    "no key": (lambda old: b'{"op": "begin"}', "fact is missing"),
    "begun twice": (lambda old: old[0], "begins twice, first in line 1"),
    "out of order": (but(told_at="1999-01-05T10:00:00-03:00"), "before the line above it"),
    "end of nothing": (but(op="end", fact="f99999", until="2024-01-01", why="update"), "f99999 ends and never began"),
    "why": (but(op="end", until="2024-01-01", why="bored"), "why = 'bored'; known: update"),
    "op": (but(op="stop"), "op = 'stop'; known: begin, end"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_line_of_truth_is_named(copy: Path, name: str) -> None:
    """Whoever reads a truth stops at what is no operation, with its file and line; a scorecard too."""
    breaks, said = BROKEN[name]
    place = copy / "truth.jsonl"
    old = lines(place)
    place.write_bytes(b"\n".join([old[0], breaks(old), *old[2:]]) + b"\n")
    for reader in (load_truth, read_operations, open_book):
        with pytest.raises(DatasetError, match=rf"truth\.jsonl:2: .*{said}"):
            reader(copy)


def test_a_byte_order_mark_is_no_fault(pond: Path, copy: Path) -> None:
    """A file that an editor put a mark in front of is read as it was."""
    for name in ("truth.jsonl", "states.jsonl"):
        (copy / name).write_bytes(b"\xef\xbb\xbf" + (copy / name).read_bytes())
    assert load_both(copy) == load_both(pond)


def refused(place: Path, tmp_path: Path) -> str:
    """What a scorecard of a set says; it records nothing first."""
    config = tmp_path / "card.toml"
    config.write_text(f'[scorecard]\ndatasets = ["{place.as_posix()}"]\nsystems = ["recency"]\njobs = 1\n', "utf-8")
    with pytest.raises(DatasetError) as caught:
        scorecard(config, tmp_path / "results")
    assert not list((tmp_path / "results").glob("**/*.json"))
    return str(caught.value)


def test_a_state_without_an_offset_stops_a_scorecard_at_once(copy: Path, tmp_path: Path) -> None:
    """An instant that could be any is refused before anything is recorded."""
    place = copy / "states.jsonl"
    old = [json.loads(line) for line in lines(place)]
    old[1]["at"] = old[1]["at"][:19]
    place.write_text("".join(json.dumps(one) + "\n" for one in old), "utf-8")
    assert "states.jsonl:2: at = " in (said := refused(copy, tmp_path))
    assert "has no offset" in said


def test_a_state_that_the_truth_denies_stops_a_scorecard(copy: Path, tmp_path: Path) -> None:
    """Truth and states are two accounts of one thing; the first instant at which they differ is named."""
    place = copy / "states.jsonl"
    old = [json.loads(line) for line in lines(place)]
    gone = old[2]["facts"].pop(0)
    old[3]["facts"].append("f99999")
    place.write_text("".join(json.dumps(one) + "\n" for one in old), "utf-8")
    said = refused(copy, tmp_path)
    assert f"states.jsonl:3: at {old[2]['at']}" in said
    assert f"{gone} missing" in said


def test_a_truth_that_lacks_a_line_is_denied_by_the_states(copy: Path) -> None:
    """A begin that was cut from the truth is found out by the states, where its end did not already."""
    place = copy / "truth.jsonl"
    held = json.loads(lines(copy / "states.jsonl")[-1])["facts"][0]
    kept = [one for one in lines(place) if json.loads(one)["fact"] != held]
    place.write_bytes(b"\n".join(kept) + b"\n")
    with pytest.raises(DatasetError, match=rf"{held} too many"):
        read_operations(copy)


# ---------------------------------------------------------------- controls

HARD_OF_HEARING = """
from arandu_lab.errors import BackendError
from arandu_lab.systems.base import Ranked
from arandu_lab.trace import Usage

class Half:
    name = "half"
    heard = 0
    async def begin(self, conversation_id): ...
    async def listen(self, turn):
        self.heard += 1
        if self.heard <= 3:
            raise BackendError("what?", kind="timeout", backend="ears")
        return Usage()
    async def ask(self, question, *, now, k): return Ranked()
    async def end(self): ...
"""


def test_turns_that_a_control_did_not_hear_are_counted(
    tiny: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system that is not looked into loses turns like any other: so many of all of them, apart from questions."""
    (tmp_path / "half_system.py").write_text(HARD_OF_HEARING, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    config = tmp_path / "half.toml"
    head = f'[scorecard]\ndatasets = ["{tiny.path}"]\nsystems = ["mine"]\njobs = 1\n'
    config.write_text(head + '[system.mine]\nbase = "half_system:Half"\n', "utf-8")
    with pytest.raises(BackendError, match="3 of 9 turns and 0 of 5 questions lost"):
        scorecard(config, tmp_path / "results")


def test_dossiers_of_a_class_of_ones_own_repeat(tiny: Book) -> None:
    """Recorded from outside twice, a system made of arandu gives one dossier."""
    one, two = (asyncio.run(record(Deaf("deaf", embedder="hashing"), tiny)) for _ in range(2))
    assert one.to_json(times=False) == two.to_json(times=False)
