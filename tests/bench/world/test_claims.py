"""What gold claims was said, and what was said cannot be otherwise: faults of worlds, each as a law for every seed."""

from __future__ import annotations

import itertools
import json
import re
import tempfile
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab.bench.world import WorldConfig, load_truth, make
from arandu_lab.bench.world.acts import Form, Person
from arandu_lab.bench.world.dates import MONTHS, next_month
from arandu_lab.bench.world.lexicon import load_lexicon
from arandu_lab.bench.world.naming import Naming
from arandu_lab.bench.world.truth import Ended, Told

FILES = ("open_en", "open_pt", "held_en", "held_pt")
ERASED = ("correct", "retract", "forget")
DAY = re.compile(r"\b(?:\d{1,2} )?(?:" + "|".join(MONTHS["en"]) + r") \d{4}$")
AT = re.compile(r"\b(" + "|".join(MONTHS["en"]) + r") (\d{4})\b")


@st.composite
def configs(draw: st.DrawFn) -> WorldConfig:
    """Small open worlds in which much happens: few people, dense sessions, much that is changed and taken back."""
    return WorldConfig(
        seed=draw(st.integers(0, 8999)),
        turns=draw(st.sampled_from((90, 200))),
        years=draw(st.sampled_from((0.25, 2.0, 5.0))),
        people=draw(st.integers(5, 12)),
        speakers=draw(st.integers(2, 4)),
        session_turns=draw(st.sampled_from((5, 14))),
        questions=150, instants=1, small_talk=0.05, facts_per_turn=draw(st.sampled_from((1.2, 2.5))),
        pronouns=draw(st.sampled_from((0.5, 1.0))), nicknames=0.5, hearsay=0.5, corrections=0.3, casual=0.3,
        repeats=0.15, changes=0.35, late=0.1, retractions=0.08, forgets=0.06, plans=0.1,
    )  # fmt: skip


@dataclass(frozen=True)
class World:
    """A world read back."""

    folder: Path

    def lines(self, stream: str) -> list[dict[str, Any]]:
        return [json.loads(raw) for raw in (self.folder / f"{stream}.jsonl").read_text("utf-8").splitlines()]

    @cached_property
    def turns(self) -> list[dict[str, Any]]:
        return self.lines("turns")

    @cached_property
    def gold(self) -> list[dict[str, Any]]:
        return self.lines("gold")

    @cached_property
    def told(self) -> dict[str, Told]:
        return {line.fact: line for line in load_truth(self.folder) if isinstance(line, Told)}

    @cached_property
    def ended(self) -> dict[str, Ended]:
        return {line.fact: line for line in load_truth(self.folder) if isinstance(line, Ended)}

    @cached_property
    def said(self) -> dict[str, list[date]]:
        """By root, the days on which it was told to hold: when it was new, and again. What was over when told is left out."""
        days = {turn["id"]: datetime.fromisoformat(turn["occurred_at"]).date() for turn in self.turns}
        out: dict[str, list[date]] = defaultdict(list)
        for one in self.gold:
            for fact in one["facts"]:
                root = fact["of"] if fact["decision"] == "NOOP" else fact["id"]
                over = (
                    root in self.ended and self.ended[root].turn == self.told[root].turn if root in self.told else True
                )
                if fact["decision"] != "DELETE" and not over:
                    out[root].append(days[one["turn"]])
        return out

    def spans(self, slots: tuple[str, ...]) -> list[tuple[Told, date, date]]:
        """What held for some time in these slots, from when and until when."""
        out = []
        for fact in self.told.values():
            until = self.ended[fact.fact].until if fact.fact in self.ended else date.max
            if fact.slot in slots and fact.since < until:
                out.append((fact, fact.since, until))
        return out


def of_any_world(check: Any) -> Any:
    """A test that makes worlds in English and Portuguese and gives each to ``check``."""

    @settings(max_examples=6, deadline=None)
    @given(configs())
    def law(config: WorldConfig) -> None:
        with tempfile.TemporaryDirectory() as out:
            for folder in make(config, out):
                check(World(folder))

    law.__name__, law.__doc__ = check.__name__, check.__doc__
    return law


def apart(spans: dict[Any, list[tuple[date, date]]]) -> None:
    for key, every in spans.items():
        every.sort()
        assert all(first[1] <= second[0] for first, second in itertools.pairwise(every)), (key, every)


# -- what was told to hold holds


@of_any_world
def test_what_was_told_to_hold_on_a_day_ends_later(world: World) -> None:
    """A fact that was told, or told again, on a day is never over on that day or before, whoever ends it and how."""
    for root, days in world.said.items():
        end = world.ended.get(root)
        if end is not None and end.why not in ERASED:
            assert end.until > max(days), (root, days, end)


@of_any_world
def test_a_boss_is_told_of_only_while_there_is_a_job(world: World) -> None:
    """On a day on which somebody is told to have a boss they have a job, whatever is told of the job later."""
    for root, days in world.said.items():
        boss = world.told[root]
        if boss.slot != "boss":
            continue
        jobs = [one for one in world.told.values() if one.slot == "works_at" and one.subject == boss.subject]
        for day in days:
            assert any(
                job.since <= day
                and (
                    job.fact not in world.ended
                    or world.ended[job.fact].until > day
                    or world.ended[job.fact].why in ERASED
                )
                for job in jobs
            ), (boss, day)


@of_any_world
def test_those_who_have_one_another_have_nobody_else(world: World) -> None:
    """Partners, siblings and those who share a home do so with one at a time, whichever of the two is the subject."""
    for slot in ("partner", "sibling", "lives_with"):
        spans: dict[str, list[tuple[date, date]]] = defaultdict(list)
        for fact, since, until in world.spans((slot,)):
            spans[fact.subject].append((since, until))
            spans[fact.value].append((since, until))
        apart(spans)


@of_any_world
def test_the_same_is_not_said_of_one_time_twice(world: World) -> None:
    """A value holds once at a time in a slot of somebody, and nobody likes what they dislike."""
    slots = tuple({fact.slot for fact in world.told.values()} - {"event"})
    spans: dict[tuple[str, str, str], list[tuple[date, date]]] = defaultdict(list)
    for fact, since, until in world.spans(slots):
        slot = "likes" if fact.slot == "dislikes" else fact.slot
        spans[fact.subject, slot, fact.value].append((since, until))
    apart(spans)


@of_any_world
def test_what_never_changes_is_not_told_after_it_was_to_be_forgotten(world: World) -> None:
    """After "please forget my birthday" no birthday is told, nor another place of birth."""
    for end in world.ended.values():
        fact = world.told[end.fact]
        if end.why == "forget" and fact.slot in ("from", "birthday"):
            later = [one for one in world.told.values() if one.told_at > end.told_at]
            assert not [one for one in later if (one.subject, one.slot) == (fact.subject, fact.slot)]


# -- what is asked was said


@of_any_world
def test_a_date_that_is_asked_for_stands_in_its_evidence(world: World) -> None:
    """No question for or at a date rests on a correction, which gives the value and not the date."""
    corrections = {end.turn for end in world.ended.values() if end.why == "correct"}
    for question in world.lines("questions"):
        if DAY.search(question["answer"] or "") or AT.search(question["question"]):
            assert corrections.isdisjoint(question["evidence"]), question


@of_any_world
def test_a_month_that_is_asked_about_was_said(world: World) -> None:
    """A value at a month held from a day stated or told to one stated, told or today; no default bounds it."""
    gold = {fact["id"]: (fact, one["turn"]) for one in world.gold for fact in one["facts"]}
    replaced = {fact["of"]: fact for fact, _ in gold.values() if fact["decision"] == "UPDATE"}
    days = {turn["id"]: datetime.fromisoformat(turn["occurred_at"]).date() for turn in world.turns}
    for question in world.lines("questions"):
        found = AT.search(question["question"])
        if world.folder.name.endswith("_pt") or not found or not question["answer"]:
            continue
        (root,) = question["facts"]
        month = date(int(found[2]), MONTHS["en"].index(found[1]) + 1, 1)
        fact, _ = gold[root]
        since = date.fromisoformat(fact["valid_from"])
        asked = datetime.fromisoformat(question["asked_at"]).date()
        end = world.ended.get(root)
        if end is not None and datetime.fromisoformat(question["asked_at"]) < end.told_at:
            end = None
        if fact.get("valid_to"):
            present = next(
                one for one in world.told.values()
                if (one.subject, one.slot) == (fact["subject"], fact["slot"]) and one.since.isoformat() == fact["valid_to"]
                and one.fact != root
            )  # fmt: skip
            assert date(since.year + 1, 1, 1) <= month
            assert present.since < days[present.turn], "nobody said when the present value began"
            until = present.since
        elif end is None:
            assert since <= month
            until = asked
        else:
            assert since <= month
            new, told = gold[replaced[root]["id"]]
            stated = date.fromisoformat(new["valid_from"])
            until = stated if stated < days[told] else max(world.said[root])
        assert next_month(month) <= until, (question, until)


@of_any_world
def test_deletion_asks_for_what_was_to_be_forgotten(world: World) -> None:
    """A question of deletion is about a request to forget; one about what was never true is absent. Neither has an answer."""
    for question in world.lines("questions"):
        if question["category"] not in ("deletion", "absent"):
            assert question["answer"] is not None
            continue
        assert question["answer"] is None
        assert not question["evidence"]
        why = {world.ended[one].why for one in question.get("stale", ())}
        assert why == ({"forget"} if question["category"] == "deletion" else {"retract"} if why else set())
        assert ("wrong_answer" in question) == bool(why)


# -- names


@of_any_world
def test_a_mention_is_the_words_of_the_turn(world: World) -> None:
    """Every mention stands in its turn letter by letter, capitals and all."""
    for turn, gold in zip(world.turns, world.gold, strict=True):
        for entity in gold["entities"]:
            assert entity["mention"] in turn["text"], (entity, turn)


@of_any_world
def test_a_pronoun_reaches_to_the_turn_before_and_to_one_person(world: World) -> None:
    """Whoever is told of in a turn that does not name them was the subject of the turn before, named there, and neither
    anybody else named there nor who wrote it, if another, is of that gender."""
    lang = world.folder.name[-2:]
    gender = {one.en if lang == "en" else one.pt: one.gender for one in load_lexicon("open").given}
    speakers = tomllib.loads((world.folder / "set.toml").read_text("utf-8"))["speakers"]
    before: tuple[dict[str, Any], dict[str, Any]] | None = None
    for turn, gold in zip(world.turns, world.gold, strict=True):
        named = {one["name"] for one in gold["entities"] if one["type"] == "person"}
        writer = speakers[turn["speaker"]]
        for who in {fact["subject"] for fact in gold["facts"]} - named - {writer}:
            assert before is not None, turn
            last, spoken = before
            assert last["session"] == turn["session"]
            assert who in {fact["subject"] for fact in spoken["facts"]}, turn
            others = {one["name"] for one in spoken["entities"] if one["type"] == "person"}
            assert who in others, turn
            if (wrote := speakers[last["speaker"]]) != writer:
                others |= {wrote}
            sex = gender[who.split()[0]]
            assert not [one for one in others - {who} if gender[one.split()[0]] == sex], (turn, last)
        before = turn, gold


def somebody(number: int) -> Person:
    names: dict[Any, str] = {"en": f"P{number}", "pt": f"P{number}"}
    return Person(number, "fm"[number % 2], True, names, names, names, False, False, False, False, frozenset(), True)


@given(st.integers(0, 99), st.lists(st.tuples(st.sampled_from("tsvc"), st.integers(0, 4)), max_size=40))
def test_a_pronoun_is_never_in_doubt(seed: int, steps: list[tuple[str, int]]) -> None:
    """In any order of turns, subjects, objects and addresses a pronoun has one person of its gender to mean, a subject."""
    people = [somebody(number) for number in range(5)]
    naming = Naming(Random(seed), 0.8)
    log: list[tuple[Person, list[tuple[str, Person]]]] = []
    for step, number in [("t", 0), *steps]:
        one = people[number]
        if step == "t":
            naming.turn(one)
            log.append((one, []))
            continue
        speaker, here = log[-1]
        if step == "c":
            naming.called(one)
            here.append(("object", one))
            continue
        if step == "v":
            assert naming.value(one) is not Form.PRONOUN
            here.append(("object", one))
            continue
        leads = not here
        form = naming.subject(one, leads=leads)
        if form is Form.PRONOUN:
            assert one is not speaker
            wrote, last = log[-2] if leads else (speaker, here)
            assert any(person is one and (role == "name" or (role == "pronoun" and not leads)) for role, person in last)
            alike = [person for _, person in last if person.gender == one.gender]
            assert all(person is one for person in alike)
            assert wrote in (one, speaker) or wrote.gender != one.gender
        here.append(("pronoun" if form is Form.PRONOUN else "name", one))


# -- sentences


def sentences(name: str, *heads: str) -> list[tuple[str, str, str]]:
    place = resources.files("arandu_lab.bench.world") / "words" / f"{name}.toml"
    slots = tomllib.loads(place.read_text(encoding="utf-8"))["slot"]
    return [
        (slot, family, text)
        for slot, table in slots.items()
        for family, texts in table.items()
        if family.startswith(heads)
        for text in texts
    ]


BEGINS = {
    "en": r"(from|since) \{year\}|starting in \{year\}|back in \{year\}.* (moved|got|became|enrolled)",
    "pt": r"(de|desde|a partir de) \{year\}|lá em \{year\}.* (me mudei|foi morar|entr\w+|vir\w+|come[cç]\w+)|come[cç]\w+ em \{year\}"
    r"|começ\w+ .*lá em \{year\}",
}
ENDS = {"en": r"\buntil\b|\bbefore\b|\b(right )?up to\b", "pt": r"\baté\b|\bantes d"}


@pytest.mark.parametrize("name", FILES)
def test_what_is_long_over_has_a_beginning_and_an_end(name: str) -> None:
    """A late sentence says from which year it was so, and that it was so until what is now: both stand in gold."""
    lang = name[-2:]
    wrong = [
        one
        for one in sentences(name, "late_")
        if not (re.search(BEGINS[lang], one[2]) and re.search(ENDS[lang], one[2]))
    ]
    assert wrong == []


CLAIMS = {
    "en": r"apparently|word is|heard|\bhear\b|rumou?r|told me|take it as|trust|as you know|believe|\bsure\b|promise|honest|reckon|I think",
    "pt": r"parece|ouvi|dizem|boato|contaram|falaram|fofoca|\bacho\b|garanto|juro|pode (crer|apostar)|acredit|com certeza|como (se )?sab",
}


@pytest.mark.parametrize("name", FILES)
def test_what_hearsay_is_wrapped_around_is_plain(name: str) -> None:
    """A sentence about others that hearsay may be put around neither vouches for itself nor is hearsay already."""
    found = [
        one
        for one in sentences(name, "begin_they", "since_they", "change_they")
        if re.search(CLAIMS[name[-2:]], one[2])
    ]
    assert found == []


@of_any_world
def test_hearsay_comes_once_a_turn(world: World) -> None:
    """No turn tells two new things as hearsay."""
    for one in world.gold:
        assert sum(fact["confidence"] == "weak" for fact in one["facts"]) <= 1, one


@pytest.mark.parametrize("name", ["open_pt", "held_pt"])
def test_what_is_owned_no_longer_is_a_certain_thing(name: str) -> None:
    """An end of owning takes the definite article in Portuguese: it is the one of before."""
    assert [one for one in sentences(name, "end_", "say_end") if one[0] == "owns" and "{um V}" in one[2]] == []
