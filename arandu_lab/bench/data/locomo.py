"""LoCoMo: ten long conversations between two friends (Maharana et al. 2024), from a file of the user's own.

What this loader decides, because the file is silent or irregular:

* **Evidence** is every ``D<session>:<turn>`` found in the evidence strings (``D:?(\\d+):(\\d+)``): ``D8:6; D9:17`` is
  two turns, ``D30:05`` is ``D30:5``. An id that is no turn of the conversation is dropped, a repeated one merged.
* **Time**: a session says when it began (``1:56 pm on 8 May, 2023``), in no zone: read as UTC. Its turns follow one
  minute apart, closer when the next session begins sooner. A question is asked one minute after the last turn.
* **Categories** 1…5 are ``multi temporal open single adversarial``. Adversarial questions are ``absent``: their
  evidence is the misleading turn, their ``wrong_answer`` what the careless say.
* **Captions** of images are kept beside the text, never inside; ``worded(turn, "text+caption")`` joins them.

Each irregularity is a :class:`Repair`. CC BY-NC 4.0: the file is never part of this package.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from arandu_lab.bench.data.model import Conversation, Dataset, DatedTurn, Question, Repair, Session
from arandu_lab.bench.data.pace import spread
from arandu_lab.errors import DatasetError

CATEGORIES = {1: "multi", 2: "temporal", 3: "open", 4: "single", 5: "adversarial"}
STEP = timedelta(minutes=1)


def load_locomo(path: str | Path) -> Dataset:
    """Read ``locomo10.json`` or a file with some of its samples.

    Raises:
        DatasetError: no such file, not JSON (with its line), or a sample without what the format promises.
    """
    place = Path(path)
    try:
        raw = place.read_bytes()
        samples = json.loads(raw)
    except OSError as failed:
        raise DatasetError(f"{place}: {failed.strerror}") from failed
    except ValueError as failed:
        line = getattr(failed, "lineno", 0)
        raise DatasetError(f"{place}:{line}: not JSON: {failed}") from failed
    if not isinstance(samples, list) or not samples:
        raise DatasetError(f"{place}:1: LoCoMo is a list of samples, this is {type(samples).__name__}")
    repairs: list[Repair] = []
    conversations = []
    for number, sample in enumerate(samples):
        try:
            conversations.append(_conversation(sample, repairs))
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as failed:
            what = f"no field {failed}" if isinstance(failed, KeyError) else str(failed)
            name = sample.get("sample_id", "?") if isinstance(sample, dict) else "?"
            raise DatasetError(f"{place}: sample {number} ({name}): {what}") from failed
    return Dataset(
        name=place.stem,
        language="en",
        title="LoCoMo: long-term conversations of two friends",
        licence="CC BY-NC 4.0",
        conversations=tuple(conversations),
        digest=hashlib.sha256(raw).hexdigest(),
        repairs=tuple(repairs),
        card={"source": str(place), "url": "https://github.com/snap-research/LoCoMo", "timezone": "UTC"},
    )


def moment(text: str) -> datetime:
    """The date of a session.

    Raises:
        ValueError: another format, or no such day.

    >>> moment("1:56 pm on 8 May, 2023").isoformat(), moment("12:09 am on 13 September, 2023").isoformat()
    ('2023-05-08T13:56:00+00:00', '2023-09-13T00:09:00+00:00')
    """
    found = _MOMENT.fullmatch(text.strip())
    if found is None or found["month"].lower() not in _MONTHS or not 1 <= int(found["hour"]) <= 12:
        raise ValueError(f"date {text!r}; expected one like '1:56 pm on 8 May, 2023'")
    hour = int(found["hour"]) % 12 + (12 if found["half"].lower() == "pm" else 0)
    month = _MONTHS.index(found["month"].lower()) + 1
    return datetime(int(found["year"]), month, int(found["day"]), hour, int(found["minute"]), tzinfo=UTC)


def evidence_ids(given: Iterable[str]) -> list[str]:
    """Turn ids in evidence strings, in order, without zero padding; repetitions kept.

    >>> evidence_ids(["D8:6; D9:17", "D30:05", "D", "D:11:26"])
    ['D8:6', 'D9:17', 'D30:5', 'D11:26']
    """
    return [f"D{int(session)}:{int(turn)}" for text in given for session, turn in _EVIDENCE.findall(text)]


def _conversation(sample: dict[str, Any], repairs: list[Repair]) -> Conversation:
    name, talk = sample["sample_id"], sample["conversation"]
    sessions = {
        int(found[1]): key for key in talk if (found := re.fullmatch(r"session_(\d+)", key)) and talk[key] is not None
    }
    for key in talk:
        dated = re.fullmatch(r"session_(\d+)_date_time", key)
        if dated and int(dated[1]) not in sessions:
            why = "date of a session that is not there"
            repairs.append(Repair(where=f"{name}/D{dated[1]}", before=talk[key], after="", why=why))
    numbers = sorted(sessions)
    began = {number: moment(talk[f"session_{number}_date_time"]) for number in numbers}
    turns: list[DatedTurn] = []
    for number, following in zip(numbers, [*numbers[1:], None], strict=True):
        until = None if following is None else began[following]
        if until is not None and until < began[number]:
            raise ValueError(f"session_{following} lies before session_{number}")
        said = talk[sessions[number]]
        for raw, at in zip(said, spread(began[number], len(said), until, step=STEP), strict=True):
            turns.append(_turn(raw, number, at, name, repairs))
    known = {turn.id: (position, turn.session_id) for position, turn in enumerate(turns)}
    if len(known) < len(turns):
        raise ValueError("two turns of one dia_id")
    if not turns:
        raise ValueError("no turns")
    asked_at = turns[-1].occurred_at + STEP
    return Conversation(
        id=name,
        sessions=tuple(Session(id=f"D{number}", occurred_at=began[number]) for number in numbers),
        turns=tuple(turns),
        questions=tuple(_question(raw, f"{name}/q{i}", asked_at, known, repairs) for i, raw in enumerate(sample["qa"])),
    )


def _turn(raw: dict[str, Any], number: int, at: datetime, name: str, repairs: list[Repair]) -> DatedTurn:
    given = raw["dia_id"]
    ids = evidence_ids([given])
    if len(ids) != 1 or not ids[0].startswith(f"D{number}:"):
        raise ValueError(f"dia_id {given!r} in session_{number}")
    if ids[0] != given:
        repairs.append(Repair(where=f"{name}/{ids[0]}", before=given, after=ids[0], why="irregular id of a turn"))
    return DatedTurn(
        id=ids[0],
        session_id=f"D{number}",
        occurred_at=at,
        speaker=raw["speaker"],
        text=raw["text"],
        caption=raw.get("blip_caption"),
    )


def _question(
    raw: dict[str, Any], where: str, asked_at: datetime, known: dict[str, tuple[int, str]], repairs: list[Repair]
) -> Question:
    given: list[str] = raw["evidence"]
    found = evidence_ids(given)
    merged = list(dict.fromkeys(found))
    evidence = sorted((one for one in merged if one in known), key=lambda one: known[one][0])
    reasons = [
        why
        for why, holds in (
            ("several ids in one string, or an irregular one", found != given),
            ("a repeated id", len(merged) < len(found)),
            ("an id that is no turn", len(evidence) < len(merged)),
        )
        if holds
    ]
    if reasons:
        repairs.append(Repair(where=where, before=repr(given), after=repr(evidence), why="; ".join(reasons)))
    category = CATEGORIES.get(raw["category"])
    if category is None:
        raise ValueError(f"{where}: category {raw['category']!r}; known: 1 to 5")
    answer = raw.get("answer")
    if answer is not None and not isinstance(answer, str):
        why = f"an answer that is {type(answer).__name__}, not text"
        repairs.append(Repair(where=where, before=repr(answer), after=repr(str(answer)), why=why))
        answer = str(answer)
    return Question(
        id=where.split("/")[1],
        text=raw["question"],
        asked_at=asked_at,
        answer=answer,
        evidence=tuple(evidence),
        evidence_sessions=tuple(dict.fromkeys(known[one][1] for one in evidence)),
        category=category,
        absent=category == "adversarial",
        wrong_answer=raw.get("adversarial_answer"),
    )


_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_MOMENT = re.compile(
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2}) (?P<half>am|pm) on (?P<day>\d{1,2}) (?P<month>[A-Za-z]+),? (?P<year>\d{4})",
    re.IGNORECASE,
)
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
