"""LongMemEval (Wu et al. 2025, MIT): questions about a user's sessions with an assistant.

Two layouts of one data set are read:

* the public files (``longmemeval_oracle.json``, ``longmemeval_s.json``…): a list of questions, each with a haystack
  of its own, so each is a conversation of its own;
* the mini layout (``sessions.jsonl.gz`` and ``questions.jsonl`` in a folder): one haystack that all questions share.

What this loader decides:

* dates (``2023/05/20 (Sat) 02:21``) are read as UTC; sessions stand in order of time (the files do not keep it); turns
  follow one minute apart, closer when a session or a question comes sooner;
* evidence turns are those flagged ``has_answer`` in the sessions that the question cites;
* a question whose id ends in ``_abs`` is ``absent``; the near misses it cites are no evidence;
* sessions of a shared haystack may lie after a question. It is asked at its own date all the same, unless
  ``asked="end"``, which asks everything after the last turn (as published runs on the mini set do).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, TypeAlias

from arandu_lab.bench.data.model import Conversation, Dataset, DatedTurn, Question, Repair, Session
from arandu_lab.bench.data.pace import spread
from arandu_lab.errors import ConfigError, DatasetError

Asked: TypeAlias = Literal["question", "end"]
STEP = timedelta(minutes=1)


def load_longmemeval(path: str | Path, *, asked: Asked = "question") -> Dataset:
    """Read a public file, or a folder in the mini layout.

    Args:
        path: A JSON file (or ``.json.gz``), or a folder with ``sessions.jsonl.gz`` and ``questions.jsonl``.
        asked: ``question``: at the question's own date; ``end``: after the last turn.

    Raises:
        DatasetError: a file that is missing or not what the format promises, with its line or position.
        ConfigError: another ``asked``.
    """
    if asked not in ("question", "end"):
        raise ConfigError(f"asked={asked!r}; known: question, end")
    place = Path(path)
    total = hashlib.sha256()
    repairs: list[Repair] = []
    if place.is_dir():
        sessions = [_mini_session(one, where) for one, where in _lines(place / "sessions.jsonl.gz", total)]
        questions = [_mini_question(one, where) for one, where in _lines(place / "questions.jsonl", total)]
        conversations = [_conversation("default", sessions, questions, asked, repairs)]
    else:
        conversations = []
        for item, where in _items(place, total):
            question, haystack = _public(item, where, repairs)
            conversations.append(_conversation(question.id, haystack, [question], asked, repairs))
    return Dataset(
        name=place.name.split(".")[0],
        language="en",
        title="LongMemEval: questions about sessions with an assistant",
        licence="MIT",
        conversations=tuple(conversations),
        digest=total.hexdigest(),
        repairs=tuple(repairs),
        card={
            "source": str(place),
            "url": "https://github.com/xiaowu0162/LongMemEval",
            "timezone": "UTC",
            "asked": asked,
        },
    )


def moment(text: str) -> datetime:
    """A date of the data set.

    Raises:
        ValueError: another format, or no such day.

    >>> moment("2023/05/20 (Sat) 02:21").isoformat()
    '2023-05-20T02:21:00+00:00'
    """
    found = re.fullmatch(r"(\d{4})/(\d{2})/(\d{2})(?: \(\w{3}\))? (\d{2}):(\d{2})", text.strip())
    if found is None:
        raise ValueError(f"date {text!r}; expected one like '2023/05/20 (Sat) 02:21'")
    year, month, day, hour, minute = map(int, found.groups())
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Session:
    id: str
    at: datetime
    turns: tuple[tuple[str, str, bool], ...]
    """Role, content, has_answer."""


@dataclass(frozen=True, slots=True)
class _Question:
    id: str
    text: str
    at: datetime
    answer: str | None
    sessions: tuple[str, ...]
    category: str


def _conversation(
    name: str, given: Sequence[_Session], questions: Sequence[_Question], asked: Asked, repairs: list[Repair]
) -> Conversation:
    sessions = sorted(given, key=lambda one: one.at)
    if list(sessions) != list(given):
        why = "sessions out of order"
        repairs.append(Repair(where=f"{name}/sessions", before="order of the file", after="order of time", why=why))
    moments = sorted({one.at for one in sessions} | ({one.at for one in questions} if asked == "question" else set()))
    turns: list[DatedTurn] = []
    flagged: dict[str, list[str]] = {}
    for one in sessions:
        until = next((at for at in moments if at > one.at), None)
        for number, (at, (role, content, flag)) in enumerate(
            zip(spread(one.at, len(one.turns), until, step=STEP), one.turns, strict=True)
        ):
            turn_id = f"{one.id}_turn_{number:03d}"
            turns.append(
                DatedTurn(id=turn_id, session_id=one.id, occurred_at=at, speaker=role, text=content, role=role)
            )
            if flag:
                flagged.setdefault(one.id, []).append(turn_id)
    turns.sort(key=lambda turn: turn.occurred_at)
    began = {one.id: one.at for one in sessions}
    end = turns[-1].occurred_at + STEP if turns else max(one.at for one in questions)
    return Conversation(
        id=name,
        sessions=tuple(Session(id=one.id, occurred_at=one.at) for one in sessions),
        turns=tuple(turns),
        questions=tuple(_ask(one, f"{name}/{one.id}", end, asked, began, flagged, repairs) for one in questions),
    )


def _ask(
    one: _Question,
    where: str,
    end: datetime,
    asked: Asked,
    began: dict[str, datetime],
    flagged: dict[str, list[str]],
    repairs: list[Repair],
) -> Question:
    absent = one.id.endswith("_abs")
    cited = tuple(sorted(dict.fromkeys(name for name in one.sessions if name in began), key=began.__getitem__))
    if missing := sorted(set(one.sessions) - set(cited)):
        why = f"sessions that are not in the haystack: {missing}"
        repairs.append(Repair(where=where, before=repr(list(one.sessions)), after=repr(list(cited)), why=why))
    if absent and cited:
        why = "an abstention question has near misses, not evidence"
        repairs.append(Repair(where=where, before=repr(list(cited)), after="[]", why=why))
        cited = ()
    at = one.at if asked == "question" else end
    late = [name for name in cited if began[name] > at]
    if late:
        why = f"evidence lies after the date of the question: {late}"
        repairs.append(Repair(where=where, before=at.isoformat(), after=end.isoformat(), why=why))
        at = end
    return Question(
        id=one.id,
        text=one.text,
        asked_at=at,
        answer=None if absent else one.answer,
        evidence=tuple(turn_id for name in cited for turn_id in flagged.get(name, ())),
        evidence_sessions=cited,
        category=one.category,
        absent=absent,
    )


def _mini_session(raw: dict[str, Any], where: str) -> _Session:
    try:
        turns = tuple((one["role"], one["content"], bool(one["metadata"].get("has_answer"))) for one in raw["turns"])
        return _Session(raw["id"], moment(raw["timestamp"]), turns)
    except (KeyError, TypeError, AttributeError, ValueError) as failed:
        raise _broken(where, failed) from failed


def _mini_question(raw: dict[str, Any], where: str) -> _Question:
    try:
        gold = raw["ground_truth"]
        cited = tuple(gold["supporting_session_ids"])
        return _Question(
            raw["id"], raw["question"], moment(gold["valid_as_of"]), _text(gold["answer"]), cited, raw["category"]
        )
    except (KeyError, TypeError, AttributeError, ValueError) as failed:
        raise _broken(where, failed) from failed


def _public(raw: dict[str, Any], where: str, repairs: list[Repair]) -> tuple[_Question, list[_Session]]:
    try:
        question = _Question(
            raw["question_id"],
            raw["question"],
            moment(raw["question_date"]),
            _text(raw["answer"]),
            tuple(raw["answer_session_ids"]),
            raw["question_type"],
        )
        seen: Counter[str] = Counter()
        haystack = []
        for name, at, turns in zip(
            raw["haystack_session_ids"], raw["haystack_dates"], raw["haystack_sessions"], strict=True
        ):
            seen[name] += 1
            own = name if seen[name] == 1 else f"{name}#{seen[name]}"
            if own != name:
                at_place = f"{question.id}/{own}"
                repairs.append(Repair(where=at_place, before=name, after=own, why="a session that stands twice"))
            said = tuple((one["role"], one["content"], bool(one.get("has_answer"))) for one in turns)
            haystack.append(_Session(own, moment(at), said))
    except (KeyError, TypeError, AttributeError, ValueError) as failed:
        raise _broken(where, failed) from failed
    return question, haystack


def _text(answer: object) -> str | None:
    return None if answer is None else str(answer)


def _broken(where: str, failed: Exception) -> DatasetError:
    return DatasetError(f"{where}: no field {failed}" if isinstance(failed, KeyError) else f"{where}: {failed}")


def _read(place: Path, total: Any) -> bytes:
    try:
        raw = place.read_bytes()
        total.update(raw)
        return gzip.decompress(raw) if place.suffix == ".gz" else raw
    except (OSError, EOFError) as failed:
        raise DatasetError(f"{place}: {getattr(failed, 'strerror', None) or failed}") from failed


def _lines(place: Path, total: Any) -> Iterable[tuple[dict[str, Any], str]]:
    said = _read(place, total).removeprefix(BOM_UTF8)
    if not said.strip():
        raise DatasetError(f"{place}: is empty")
    for number, line in enumerate(said.splitlines(), start=1):
        try:
            yield json.loads(line), f"{place}:{number}"
        except ValueError as failed:
            raise DatasetError(f"{place}:{number}: not JSON: {failed}") from failed


def _items(place: Path, total: Any) -> Iterable[tuple[dict[str, Any], str]]:
    try:
        items = json.loads(_read(place, total))
    except ValueError as failed:
        raise DatasetError(f"{place}:{getattr(failed, 'lineno', 0)}: not JSON: {failed}") from failed
    if not isinstance(items, list):
        raise DatasetError(f"{place}:1: LongMemEval is a list of questions, this is {type(items).__name__}")
    return [(one, f"{place}: question {number}") for number, one in enumerate(items)]
