"""Our own sets: a folder of files, read strictly.

``datasets/README.md`` is the schema. Whatever breaks it is a :class:`DatasetError` that names every broken line;
nothing is repaired here, because whoever wrote the line can mend it.
"""

from __future__ import annotations

import hashlib
import tomllib
import zoneinfo
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from arandu_lab.bench.data.lines import EntityLine, FactLine, GoldLine, QuestionLine, SetHead, TurnLine
from arandu_lab.bench.data.model import (
    Conversation,
    Dataset,
    DatedTurn,
    GoldEntity,
    GoldFact,
    GoldRelation,
    GoldTurn,
    NamedEntity,
    Question,
    Session,
)
from arandu_lab.errors import DatasetError, nearest

FILES = ("set.toml", "turns.jsonl", "questions.jsonl")
GOLD = ("entities.jsonl", "gold.jsonl")
"""What a set has beside them, unless its set.toml says `gold = false`: it judges retrieval alone then."""

BESIDE = ("truth.jsonl", "states.jsonl")
"""What a simulated world has beside them: its truth at every date (:mod:`arandu_lab.bench.world`)."""

_ORDER = ("set.toml", "entities.jsonl", "turns.jsonl", "gold.jsonl", "questions.jsonl", *BESIDE)

UNANSWERABLE = ("absent", "deletion")
"""Categories of questions without evidence: never said, or to be forgotten."""


def load_own(folder: str | Path) -> Dataset:
    """Read a set of our own; one folder is one conversation.

    Raises:
        DatasetError: a missing file, or lines that break the schema: each as ``file:line: what is wrong``.
    """
    place = Path(folder)
    _there(place, FILES)
    found = _Reading(place)
    head = found.head()
    found.stop_if_broken()
    assert head is not None
    if head.gold:
        _there(place, GOLD, "; or `gold = false` in set.toml, for a set that judges retrieval alone")
    elif (beside := next((name for name in GOLD if (place / name).exists()), None)) is not None:
        raise DatasetError(f"{place / beside}: set.toml says `gold = false`")
    entities = found.lines("entities.jsonl", EntityLine) if head.gold else []
    turns = found.lines("turns.jsonl", TurnLine)
    gold = found.lines("gold.jsonl", GoldLine) if head.gold else None
    questions = found.lines("questions.jsonl", QuestionLine)
    found.stop_if_broken()
    _check_entities(found, entities)
    _check_turns(found, turns, head)
    types: dict[str, str] = {line.name: line.type for _, line in entities}
    said = {line.id: line for _, line in turns}
    if gold is not None:
        _check_gold(found, gold, types, said)
    _check_questions(
        found, questions, said, None if gold is None else {one.id for _, line in gold for one in line.facts}
    )
    for shown, entity in head.cast().items():
        if entity is not None and entity not in types:
            known = nearest(entity, types) if types else "the set has no entities (`gold = false`)"
            found.wrong("set.toml", 0, f"speaker {shown!r} is {entity!r}, no such entity; {known}")
    found.stop_if_broken()
    return Dataset(
        name=head.name,
        language=head.language,
        title=head.title,
        licence=head.licence,
        conversations=(_conversation(_story(head, place), entities, turns, gold, questions),),
        digest=digest_of(place),
        card={
            "description": head.description,
            "timezone": head.timezone,
            "speakers": head.cast(),
            "source": str(place),
            "citation": f"{head.name}, datasets of arandu_lab",
            "pinned": None,
        },
    )


def _there(place: Path, names: Iterable[str], otherwise: str = "") -> None:
    for name in names:
        if not (place / name).is_file():
            raise DatasetError(f"{place / name}: no such file; a set has {', '.join((*FILES, *GOLD))}{otherwise}")


def digest_of(folder: str | Path) -> str:
    """The sha256 of a set: names and bytes of its files in a fixed order, and of a world's truth."""
    total = hashlib.sha256()
    for name in (one for one in _ORDER if one in FILES or (Path(folder) / one).is_file()):
        total.update(name.encode() + b"\0" + (Path(folder) / name).read_bytes() + b"\0")
    return total.hexdigest()


Line = TypeVar("Line", bound=BaseModel)


@dataclass
class _Reading:
    """The files of one set and what was found wrong in them so far."""

    place: Path
    problems: list[str] = field(default_factory=list)

    def wrong(self, name: str, number: int, what: str) -> None:
        self.problems.append(f"{self.place / name}:{number}: {what}")

    def stop_if_broken(self) -> None:
        if self.problems:
            more = len(self.problems) - 40
            raise DatasetError("\n".join(self.problems[:40]) + (f"\n… and {more} more" if more > 0 else ""))

    def head(self) -> SetHead | None:
        try:
            return SetHead.model_validate(tomllib.loads((self.place / "set.toml").read_text("utf-8-sig")))
        except ValidationError as failed:
            for said in _said(failed):
                self.wrong("set.toml", 0, said)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as failed:
            self.wrong("set.toml", 0, str(failed))
        return None

    def lines(self, name: str, shape: type[Line]) -> list[tuple[int, Line]]:
        """The lines of a file with their numbers, from 1; a broken line is noted and left out, as is a file of none."""
        out = []
        content = (self.place / name).read_bytes().removeprefix(BOM_UTF8)
        if not content.strip() and shape in (TurnLine, QuestionLine):
            self.wrong(name, 0, "is empty; a set has at least one turn and one question")
        for number, raw in enumerate(content.splitlines(), start=1):
            try:
                out.append((number, shape.model_validate_json(raw)))
            except ValidationError as failed:
                for said in _said(failed):
                    self.wrong(name, number, said)
        return out


def _said(failed: ValidationError) -> Iterator[str]:
    for error in failed.errors():
        where = ".".join(str(part) for part in error["loc"])
        yield f"{where}: {error['msg']} (is {error['input']!r:.80})" if where else error["msg"]


def _check_entities(found: _Reading, entities: list[tuple[int, EntityLine]]) -> None:
    seen: set[str] = set()
    for number, line in entities:
        if line.name in seen:
            found.wrong("entities.jsonl", number, f"entity {line.name!r} stands twice")
        seen.add(line.name)
        if len(set(line.aliases)) < len(line.aliases):
            found.wrong("entities.jsonl", number, f"an alias of {line.name!r} stands twice")


def _check_turns(found: _Reading, turns: list[tuple[int, TurnLine]], head: SetHead) -> None:
    known, closed = zoneinfo.available_timezones(), set[str]()
    if known and head.timezone not in known:
        found.wrong("set.toml", 0, f"timezone {head.timezone!r}; {nearest(head.timezone, known)}")
    seen: set[str] = set()
    before: TurnLine | None = None
    for number, line in turns:
        if line.id in seen:
            found.wrong("turns.jsonl", number, f"turn {line.id} stands twice")
        if not line.id.startswith(f"{line.session}t"):
            found.wrong("turns.jsonl", number, f"turn {line.id} is not of session {line.session}")
        if line.speaker not in head.cast():
            found.wrong("turns.jsonl", number, f"speaker {line.speaker!r}; {nearest(line.speaker, head.cast())}")
        if before is not None and line.occurred_at < before.occurred_at:
            found.wrong("turns.jsonl", number, f"turn {line.id} lies before {before.id}; turns stand in order of time")
        if before is not None and line.session != before.session:
            closed.add(before.session)
        if line.session in closed:
            found.wrong("turns.jsonl", number, f"session {line.session} begins again")
        seen.add(line.id)
        before = line


def _check_gold(
    found: _Reading,
    gold: list[tuple[int, GoldLine]],
    types: dict[str, str],
    turns: dict[str, TurnLine],
) -> None:
    facts: dict[str, FactLine] = {}
    closed: dict[str, str] = {}
    said = [line.turn for _, line in gold]
    for at, (have, want) in enumerate(zip_longest(said, turns), start=1):
        if have != want:
            what = f"turn {have}, expected {want or 'the end'}; one line a turn, in the order of turns.jsonl"
            found.wrong("gold.jsonl", at, what)
            break
    for number, line in gold:
        turn = turns.get(line.turn)
        for name in [
            *(fact.subject for fact in line.facts),
            *(entity.name for entity in line.entities),
            *(end for edge in line.relations for end in (edge.source, edge.target)),
        ]:
            if name not in types:
                found.wrong("gold.jsonl", number, f"entity {name!r} is not in entities.jsonl; {nearest(name, types)}")
        for entity in line.entities:
            if entity.type != types.get(entity.name, entity.type):
                found.wrong("gold.jsonl", number, f"{entity.name!r} is a {types[entity.name]}, not a {entity.type}")
            if turn is not None and entity.mention.casefold() not in turn.text.casefold():
                found.wrong("gold.jsonl", number, f"mention {entity.mention!r} does not stand in turn {line.turn}")
        closing: dict[str, str] = {}
        for fact in line.facts:
            if fact.id in facts:
                found.wrong("gold.jsonl", number, f"fact {fact.id} stands twice")
            if turn is not None and fact.valid_from > turn.occurred_at.date():
                found.wrong("gold.jsonl", number, f"fact {fact.id} holds from {fact.valid_from}, after its turn")
            if fact.valid_to is not None and fact.valid_to < fact.valid_from:
                found.wrong("gold.jsonl", number, f"fact {fact.id} ends on {fact.valid_to}, before {fact.valid_from}")
            if (fact.decision == "ADD") != (fact.of is None):
                found.wrong("gold.jsonl", number, f"fact {fact.id}: decision {fact.decision} with of={fact.of!r}")
            if fact.of is not None and fact.of not in facts:
                found.wrong("gold.jsonl", number, f"fact {fact.id} is of {fact.of!r}, which no earlier fact is")
            if fact.of in closed:
                found.wrong("gold.jsonl", number, f"fact {fact.id} is of {fact.of}, which {closed[fact.of]} had closed")
            if fact.of is not None and fact.decision in ("UPDATE", "DELETE"):
                closing[fact.of] = fact.id
            facts[fact.id] = fact
        closed |= closing


def _check_questions(
    found: _Reading, questions: list[tuple[int, QuestionLine]], turns: dict[str, TurnLine], facts: set[str] | None
) -> None:
    seen: set[str] = set()
    for number, line in questions:
        if line.id in seen:
            found.wrong("questions.jsonl", number, f"question {line.id} stands twice")
        seen.add(line.id)
        absent = line.category in UNANSWERABLE
        if absent != (not line.evidence) or absent != (line.answer is None):
            wants = "neither evidence nor an answer" if absent else "evidence and an answer"
            found.wrong("questions.jsonl", number, f"{line.id}: a question of category {line.category} has {wants}")
        for fact_id in (*line.facts, *line.stale):
            if facts is None:
                found.wrong("questions.jsonl", number, f"{line.id}: fact {fact_id}, in a set without gold")
            elif fact_id not in facts and not fact_id.startswith("d"):
                found.wrong("questions.jsonl", number, f"{line.id}: no fact of gold.jsonl is {fact_id}")
        if len(set(line.evidence)) < len(line.evidence):
            found.wrong("questions.jsonl", number, f"{line.id}: a turn of evidence stands twice")
        count = len(line.evidence)
        if (line.category == "single" and count != 1) or (line.category == "multi" and count < 2):
            found.wrong("questions.jsonl", number, f"{line.id}: {line.category} with {count} turns of evidence")
        for turn_id in line.evidence:
            if turn_id not in turns:
                found.wrong("questions.jsonl", number, f"{line.id}: evidence {turn_id!r}; {nearest(turn_id, turns)}")
            elif turns[turn_id].occurred_at > line.asked_at:
                found.wrong("questions.jsonl", number, f"{line.id} is asked before its evidence {turn_id} was said")


def _story(head: SetHead, place: Path) -> str:
    """The conversation's id, which the tellings of one story share: ``story``, or the set's name; the sets of a simulated
    world are called by it and their language."""
    world = any((place / name).is_file() for name in BESIDE)
    return head.story or (head.name.removesuffix(f"_{head.language}") if world else head.name)


def _conversation(
    story: str,
    entities: list[tuple[int, EntityLine]],
    turns: list[tuple[int, TurnLine]],
    gold: list[tuple[int, GoldLine]] | None,
    questions: list[tuple[int, QuestionLine]],
) -> Conversation:
    began: dict[str, Any] = {}
    place: dict[str, int] = {}
    session: dict[str, str] = {}
    for position, (_, line) in enumerate(turns):
        began.setdefault(line.session, line.occurred_at)
        place[line.id], session[line.id] = position, line.session
    return Conversation(
        id=story,
        sessions=tuple(Session(id=name, occurred_at=moment) for name, moment in began.items()),
        turns=tuple(
            DatedTurn(
                id=line.id, session_id=line.session, occurred_at=line.occurred_at, speaker=line.speaker, text=line.text
            )
            for _, line in turns
        ),
        questions=tuple(
            Question(
                id=line.id,
                text=line.question,
                asked_at=line.asked_at,
                answer=line.answer,
                evidence=(cited := tuple(sorted(line.evidence, key=place.__getitem__))),
                evidence_sessions=tuple(dict.fromkeys(session[turn_id] for turn_id in cited)),
                category=line.category,
                absent=line.category in UNANSWERABLE,
                wrong_answer=line.wrong_answer,
                facts=line.facts,
                stale=line.stale,
            )
            for _, line in questions
        ),
        entities=tuple(NamedEntity(name=line.name, type=line.type, aliases=line.aliases) for _, line in entities),
        gold=None
        if gold is None
        else {
            line.turn: GoldTurn(
                facts=tuple(GoldFact(**fact.model_dump()) for fact in line.facts),
                entities=tuple(GoldEntity(**entity.model_dump()) for entity in line.entities),
                relations=tuple(GoldRelation(**relation.model_dump()) for relation in line.relations),
            )
            for _, line in gold
        },
    )
