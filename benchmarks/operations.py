"""Operations on a memory, planned by a seed and aimed at what is there when they are taken up: see ``concurrency.py``."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from arandu_lab import Memory
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.backend import Completion, Message
from arandu_lab.llm.mind import Minds, Patience
from arandu_lab.llm.offline import OfflineRules
from arandu_lab.llm.scripted import read_block
from arandu_lab.pure import ids
from arandu_lab.records import Changes, Event, Fact, NewEntity
from arandu_lab.store.journal import Unit, pack

AGENTS = ("hot", "cold1", "cold2", "cold3", "cold4")
T0 = datetime(2024, 1, 1, 9, tzinfo=UTC)
NOW = T0 + timedelta(days=900)
KINDS = {
    "write": 44,
    "again": 4,
    "failing": 3,
    "dry_run": 8,
    "retrieve": 16,
    "correct": 8,
    "merge": 5,
    "split": 4,
    "undo": 4,
    "forget": 3,
    "fork": 1,
}
PEOPLE = ("Ana Prado", "Caio Lins", "Bob", "Robert", "Elisa", "Otto Reis", "Julia", "Juliana")
CITIES = ("Recife", "Olinda", "Natal", "Lisbon", "Porto")
ORGS = ("Orion Tech", "Baoba Books", "Delta Labs")
FOODS = ("açaí", "ramen", "tapioca", "feijoada")
TALK = (
    "Julia likes ramen.",
    "Juliana likes tapioca.",
    "Julia knows Ana Prado.",
    "Julia trusts Ana Prado.",
    "Otto Reis knows Julia. Otto Reis likes ramen.",
    "Ana Prado likes feijoada.",
)
"""What two processes say over and over; Julia and Juliana share a short name, two sentences state one edge."""
BROKEN = "static noise"
SAID = {
    "lives in": ("lives in", "biographical_milestone", "lives_in", "place"),
    "moved to": ("lives in", "biographical_milestone", "lives_in", "place"),
    "works at": ("works at", "biographical_milestone", "works_at", "organization"),
    "married": ("is married to", "relationship_change", "spouse_of", "person"),
    "likes": ("likes", "stable_preference", "", ""),
    "hates": ("hates", "stable_preference", "", ""),
    "trusts": ("trusts", "stable_preference", "friend_of", "person"),
    "knows": ("is a friend of", "relationship_change", "friend_of", "person"),
}
"""Verb -> how the fact says it, its category, its relation and the type of the other end."""


@dataclass(frozen=True, slots=True)
class Act:
    """An operation before its target is known: ``pick`` (0 to 1) chooses among what the agent then has."""

    number: int
    kind: str
    agent: str
    pick: float
    text: str
    speaker: str
    at: datetime


@dataclass(slots=True)
class Done:
    """An operation that was done: on what, with what outcome, and its place in the serial order."""

    act: Act
    target: Any
    outcome: str
    unit: str | None = None
    began: int = 0
    seen: int = 0


class Plain:
    """A model for plain sentences, which gives way to other tasks as often as the prompt's digest says (0 to 7 times).

    It reads ``SAID`` sentence by sentence; verdicts and choices are the offline rules'.
    """

    name = "plain"

    def __init__(self) -> None:
        self.rules = OfflineRules()

    async def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        """The answer; a message that holds ``BROKEN`` has none.

        Raises:
            BackendError: it is broken.
        """
        task, inputs = read_block(messages)
        said = json.dumps(inputs)
        for _ in range(hashlib.blake2b(said.encode(), digest_size=1).digest()[0] % 8):
            await asyncio.sleep(0)
        if task != "extract":
            return await self.rules.complete(messages, **options)
        if BROKEN in str(inputs["message"]):
            raise BackendError("no answer", kind="unavailable", backend=self.name)
        return Completion(json.dumps(answered(str(inputs["message"]), str(inputs["speaker"]))), 1, 1, model=self.name)


def answered(message: str, speaker: str) -> dict[str, Any]:
    """Facts, entities and relations of a message made of ``SAID``.

    >>> answered("Ana moved to Recife.", "Caio")["facts"]
    [{'subject': 'Ana', 'text': 'Ana lives in Recife', 'importance_category': 'biographical_milestone'}]
    """
    types: dict[str, str] = {}
    facts, relations = [], []
    for sentence in filter(None, message.split(". ")):
        verb = next((one for one in SAID if f" {one} " in sentence), None)
        if verb is None:
            continue
        wording, category, relation, type = SAID[verb]
        subject, value = sentence.rstrip(".").split(f" {verb} ", 1)
        subject = speaker if subject == "I" else subject
        facts.append({"subject": subject, "text": f"{subject} {wording} {value}", "importance_category": category})
        types.setdefault(subject, "person")
        if relation:
            types.setdefault(value, type)
            relations.append({"source": subject, "type": relation, "target": value})
    entities = [{"name": name, "type": type, "aliases": _shorts(name, type)} for name, type in types.items()]
    return {"entities": entities, "facts": facts, "relations": relations}


def _shorts(name: str, type: str) -> list[str]:
    """The first three letters of a person's name: several share them."""
    return [name[:3] + "i"] if type == "person" and len(name) > 3 else []


def opened(path: Any, **more: Any) -> Memory:
    """A memory whose clock stands still."""
    minds = Minds(Plain(), patience=Patience(retries=0), malformed_retries=0)
    return Memory.open(path, llm=minds, embedder="hashing", clock=lambda: NOW, **more)


def planned(count: int, seed: int) -> list[Act]:
    """Operations in the order in which tasks take them up; half of them on the first agent."""
    rng = random.Random(seed)
    kinds = rng.choices(list(KINDS), list(KINDS.values()), k=count)
    acts: list[Act] = []
    for number, kind in enumerate(kinds):
        agent = "hot" if rng.random() < 0.5 else rng.choice(AGENTS[1:])
        speaker = rng.choice(("Rafael", "Marina"))
        one, two = rng.sample(PEOPLE, 2)
        text = rng.choice(
            (
                f"{one} lives in {rng.choice(CITIES)}.",
                f"{one} moved to {rng.choice(CITIES)}.",
                f"{one} works at {rng.choice(ORGS)}.",
                f"{one} married {two}.",
                f"I knows {two}. I likes {rng.choice(FOODS)}.",
                f"{one} likes {rng.choice(FOODS)}. {two} hates {rng.choice(FOODS)}.",
            )
        )
        if kind == "failing":
            text = f"{BROKEN} {number}"
        acts.append(Act(number, kind, agent, rng.random(), text, speaker, T0 + timedelta(hours=number)))
        if kind == "again" and (earlier := [a for a in acts[:-1] if a.kind == "write" and a.agent == agent]):
            acts[-1] = replace(rng.choice(earlier[-20:]), number=number, kind="again")
    return acts


def aimed(memory: Memory, act: Act, made: dict[str, list[int]]) -> Any:
    """What an operation is done to, chosen among what the agent has now; None where there is nothing."""
    view = memory.store.view(act.agent)

    def one(found: Sequence[Any]) -> Any:
        return found[int(act.pick * len(found))] if found else None

    facts = [row for row in view.rows() if isinstance(row, Fact)]
    keys = [entity.key for entity in view.entities()]
    match act.kind:
        case "correct":
            return one([fact.id for fact in facts if fact.valid_to is None])
        case "merge":
            pair = random.Random(act.number).sample(keys, 2) if len(keys) > 1 else None
            return tuple(pair) if pair else None
        case "split":
            fact = one(facts)
            return (fact.entity_key, fact.id) if fact else None
        case "undo":
            return one(made.get(act.agent, [])[-4:])
        case "forget":
            share = act.number % 10
            if share == 0 and act.agent != "hot" and view.sequence:
                return ("everything", True)
            if share < 3:
                return ("entity", one(keys)) if keys else None
            if share < 5:
                events = [row.id for row in view.rows() if isinstance(row, Event)]
                return ("event", one(events)) if events else None
            return ("fact_id", one([fact.id for fact in facts])) if facts else None
    return True


async def done(memory: Memory, act: Act, target: Any, names: dict[int, str]) -> Done:
    """Do it. ``names``: the unit of each edit, by the number of its operation."""
    view = memory.store.view(act.agent)
    result = Done(act, target, "idle", began=view.sequence, seen=view.sequence)
    if target is None:
        return result
    try:
        await _do(memory, act, target, names, result)
    except ConfigError as fault:
        result.outcome = f"refused: {type(fault).__name__}"
        result.unit = None
    if act.kind not in ("retrieve", "fork"):
        result.seen = memory.store.view(act.agent).sequence
    return result


async def _do(memory: Memory, act: Act, target: Any, names: dict[int, str], result: Done) -> None:
    match act.kind:
        case "write" | "again" | "failing" | "dry_run":
            dry_run = act.kind == "dry_run"
            told = await memory.write(act.agent, act.text, act.speaker, occurred_at=act.at, dry_run=dry_run)
            decided = [(one.action, one.fact.id, one.fact.text, one.before and one.before.id) for one in told.decided]
            why = [one.why for one in told.skipped]
            result.outcome = f"{told.success} {told.event_id is not None} {decided} {why}"
            if told.success and told.event_id and not dry_run and "this turn was written before" not in why:
                result.unit = f"write:{told.event_id}"
        case "record":
            event = event_of(act)
            memory.commit(Changes(agent_id=act.agent, rows=(event,)), unit_id=f"turn:{event.id}", kind="turn")
            result.outcome = "recorded"
        case "retrieve":
            found = await memory.retrieve(act.agent, act.text, now=NOW)
            result.outcome = str([(one.fact.id, one.fact.text, round(one.score, 9)) for one in found.facts])
        case "correct":
            corrected = await memory.correct(act.agent, target, f"{act.text} Really {act.number}", occurred_at=act.at)
            [new] = corrected.facts_updated
            result.outcome, result.unit = new.id, f"correct:{new.id}"
        case "merge" | "split" | "undo":
            if act.kind == "merge":
                edit = memory.merge(act.agent, *target)
            elif act.kind == "split":
                key, fact_id = target
                into = NewEntity(name=f"Other {act.number}", type="person")
                edit = memory.split(act.agent, key, into=into, facts=[fact_id])
            else:
                edit = memory.undo(act.agent, names.get(target, "?"))
            result.outcome, result.unit = (
                f"{edit.what} {sorted(edit.put.items())} {sorted(edit.removed.items())}",
                edit.unit_id,
            )
        case "forget":
            gone = memory.forget(act.agent, **{target[0]: target[1]})
            result.unit = gone.unit_id
            result.outcome = f"{sorted(gone.removed.items())} {sorted(gone.rewritten.items())}"
            result.outcome += f" {len(gone.hashes)}"
        case "fork":
            with memory.fork() as copy:
                result.outcome = state(copy, act.agent, settled=True)
                await copy.write(act.agent, f"Only the copy knows number {act.number}.", "Rafael", occurred_at=act.at)


def state(memory: Memory, agent: str, *, settled: bool = False) -> str:
    """32 hex digits over an agent's rows; ``settled``: without turns that were never read."""
    view = memory.store.view(agent)
    open_turns = set(memory.backlog(agent)["id"].to_list()) if settled else set()
    rows = []
    for row in view.rows():
        if isinstance(row, Event) and row.id in open_turns:
            continue
        rows.append(replace(row, times_retrieved=0, last_retrieved_at=None) if isinstance(row, Fact) else row)
    whole = Unit(
        id="", seq=0, kind="job", agent_id=agent, recorded_at=T0, rows=tuple(rows), born=tuple(range(len(rows)))
    )
    return hashlib.blake2b(pack(whole), digest_size=16).hexdigest()


def event_of(act: Act) -> Event:
    """The turn of a write."""
    return Event(
        id=ids.event_id(act.agent, None, act.at, act.speaker, act.text),
        agent_id=act.agent,
        text=act.text,
        speaker=act.speaker,
        occurred_at=act.at,
        recorded_at=NOW,
    )
