"""The two kinds of work of a sweep, each an artefact that is there whole or not at all: so a killed sweep goes on where it was.

* a **writing** hears one conversation under one write side (:mod:`arandu_lab.bench.sweeps.ingested`);
* a **reading** asks some questions of it under a batch of settings, and keeps a row for each answer with its measures.

Both are functions of a module that take bytes, because they run wherever a backend puts them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench.artifacts import code_digest, sources, whole
from arandu_lab.bench.damage import reading
from arandu_lab.bench.data.model import Conversation, Dataset
from arandu_lab.bench.measures import score
from arandu_lab.bench.owned import owned, packed, source_digest, unpacked
from arandu_lab.bench.plan import Row
from arandu_lab.bench.replay import Answer
from arandu_lab.bench.rows import told
from arandu_lab.bench.sweeps.ingested import ingest, kept_ingest
from arandu_lab.bench.sweeps.judgements import Judgements
from arandu_lab.bench.sweeps.purse import Allowance, filed, opened
from arandu_lab.bench.sweeps.reading import read_settings
from arandu_lab.bench.sweeps.remote import Shelf
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.prices import FREE
from arandu_lab.presets import Assembly
from arandu_lab.systems.base import Ranked, RankedTurn
from arandu_lab.trace import Usage

SIZE = 128
"""Settings a batch: what is lost at most for each job when a sweep is killed."""

BULK = 512
"""The same where settings are reckoned as columns: what comes before them is done once a batch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """A conversation to hear. ``setting`` is any of those that share its write side."""

    address: str
    row: Row
    dataset: str
    language: str
    conversation: Conversation
    setting: Mapping[str, Any]
    model: str
    replay: str | None
    seed: int

    @property
    def name(self) -> str:
        """What it is kept as."""
        return f"ingested/{self.address}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Questions to ask under a batch of settings; ``conversation`` holds those questions and no other."""

    address: str
    written: str
    row: Row
    dataset: str
    language: str
    conversation: Conversation
    settings: tuple[Mapping[str, Any], ...]
    points: tuple[int, ...] = field(compare=False)
    measures: tuple[str, ...]
    depth: int
    model: str
    replay: str | None
    seed: int

    @property
    def name(self) -> str:
        """What it is kept as."""
        return f"sweeps/{self.address}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What became of a piece of work. ``over``: it stopped before the cap; ``rows`` where it is not kept, for an error."""

    name: str
    paid: Usage = field(default_factory=Usage)
    over: bool = False
    errors: tuple[str, ...] = ()
    rows: pl.DataFrame | None = None


def payload(work: Writing | Reading, assembly: Assembly) -> bytes:
    """A piece of work for another process, with the stages of one's own that it needs."""
    return packed((work, owned(assembly.write, assembly.read)))


def do(given: bytes | Writing | Reading, shelf: Shelf, allowance: Allowance | None = None) -> Done:
    """Do a piece of work and keep it.

    Raises:
        ConfigError: settings or manners that are wrong: not weather, so it stops the sweep.
        BackendError: the shelf cannot be reached.
    """
    work: Writing | Reading = unpacked(given)[0] if isinstance(given, bytes) else given
    llm, purse = opened(work.model, shelf.here, replay=work.replay, allowance=allowance)
    try:
        done = _write(work, shelf, llm) if isinstance(work, Writing) else _read(work, shelf, llm)
    except ConfigError:
        if not purse.passed:
            raise
        return Done(name=work.name, paid=purse.paid, over=True)
    return replace(done, paid=purse.paid, over=purse.passed)


def reading_address(
    row: Row, assembly: Assembly, written: str, conversation: Conversation, settings: Sequence[Mapping[str, Any]],
    prints: Sequence[Any], *, measures: Sequence[str], depth: int, model: str,
) -> str:  # fmt: skip
    """What a reading is kept under: the memory, what is read of each setting, the questions, the measures, the code.

    Args:
        written: The address of the ingest.
        prints: Of each setting, the fingerprint of its read side.
    """
    said = {
        "written": written,
        "row": [row.base, dict(row.read)],
        "settings": [dict(one) for one in settings],
        "read": list(prints),
        "questions": [
            [q.id, q.text, q.asked_at.isoformat(), q.category, q.evidence, q.evidence_sessions, q.stale, q.facts]
            for q in conversation.questions
        ],
        "measures": list(measures),
        "depth": depth,
        "model": model,
        "own": source_digest(owned(assembly.write, assembly.read)),
        "code": _code(),
    }
    return hashlib.sha256(told(said).encode()).hexdigest()[:16]


def kept_reading(folder: Path) -> pl.DataFrame:
    """The rows of a reading: ``point`` counts the settings of its batch. ``DatasetError`` where it is damaged."""
    with reading(folder):
        return pl.read_parquet(folder / "answers.parquet")


def _write(work: Writing, shelf: Shelf, llm: Any) -> Done:
    shelf.fetch(work.name)
    made = ingest(
        work.row,
        work.conversation,
        dataset=work.dataset,
        language=work.language,
        seed=work.seed,
        results=shelf.here,
        setting=work.setting,
        llm=llm,
    )
    if made.address != work.address:
        raise ConfigError(
            f"{work.dataset}/{work.conversation.id}: this worker runs other code, or has other files, than the process that"
            f" sent the work ({made.address} there, {work.address} here); start both from the same version"
        )
    if made.errors:
        return Done(name=work.name, errors=tuple(f"{one.where}: {one.message}" for one in made.errors))
    if not made.reused:
        shelf.send(work.name)
    return Done(name=work.name)


def _read(work: Reading, shelf: Shelf, llm: Any) -> Done:
    folder = shelf.fetch(work.written) or shelf.folder(f"{work.written}.failed")
    ingested = kept_ingest(folder)
    if ingested is None:
        raise BackendError(f"{work.written} is not there to be read", kind="store", backend=shelf.place)
    book = None if work.model == FREE else Judgements(shelf.here / "judgements" / f"{filed(work.model)}.jsonl")
    answers = read_settings(
        ingested,
        work.conversation,
        work.row,
        work.settings,
        depth=work.depth,
        language=work.language,
        seed=work.seed,
        llm=llm,
        judgements=book,
    )
    rows = answered_rows(work.dataset, work.conversation, answers, work.measures, depth=work.depth)
    failed = rows.filter(pl.col("error").is_not_null())
    if not failed.is_empty() or ingested.errors:
        said = [
            f"{q}: {message}" for q, message in failed.select("question", "error").unique().sort("question").iter_rows()
        ]
        return Done(name=work.name, errors=tuple(said), rows=rows)
    with whole(shelf.folder(work.name)) as fresh:
        rows.write_parquet(fresh / "answers.parquet")
        (fresh / "settings.json").write_text(json.dumps([dict(one) for one in work.settings], default=list, indent=1))
    shelf.send(work.name)
    return Done(name=work.name)


def answered_rows(
    dataset: str,
    conversation: Conversation,
    answers: Sequence[Sequence[Answer]],
    measures: Sequence[str],
    *,
    depth: int,
) -> pl.DataFrame:
    """A row for each setting and question, with every measure and its level of chance; nulls where an answer failed.

    Rankings that are the same are measured once.
    """
    places: list[dict[Any, int]] = [{} for _ in conversation.questions]
    which = [
        [known.setdefault(_key(answer), len(known)) for known, answer in zip(places, one, strict=True)]
        for one in answers
    ]
    alone = Dataset(name=dataset, language="", title="", licence="", conversations=(), digest="")
    measured: list[dict[str, dict[str, Any]]] = []
    for turn in range(max(map(len, places), default=0)):
        asked = [place for place, known in enumerate(places) if len(known) > turn]
        some = replace(conversation, questions=tuple(conversation.questions[place] for place in asked))
        keys = [list(places[place])[turn] for place in asked]
        given = {(conversation.id, q.id): _ranked(key) for q, key in zip(some.questions, keys, strict=True)}
        found: dict[str, dict[str, Any]] = {q.id: {} for q in some.questions}
        for row in score(replace(alone, conversations=(some,)), given, measures, depth=depth).iter_rows(named=True):
            cells = found[row["question"]]
            cells["state"] = row["state"]
            cells[row["measure"]], cells[f"chance {row['measure']}"] = row["value"], row["chance"]
        measured.append(found)
    names = ["state", *(name for one in measures for name in (one, f"chance {one}"))]
    columns: dict[str, list[Any]] = {name: [] for name in (*_HEAD, *names)}
    for point, (said, turns) in enumerate(zip(answers, which, strict=True)):
        for question, answer, turn in zip(conversation.questions, said, turns, strict=True):
            values = measured[turn][question.id]
            for name, value in zip(_HEAD, _cells(point, question, answer), strict=True):
                columns[name].append(value)
            for name in names:
                columns[name].append(values.get(name))
    schema: dict[str, Any] = {**_HEAD, "state": pl.String, **dict.fromkeys(names[1:], pl.Float64)}
    return pl.DataFrame(columns, schema=schema)


def _cells(point: int, question: Any, answer: Answer) -> tuple[Any, ...]:
    usage = answer.usage
    return (
        point,
        question.id,
        question.category,
        question.absent,
        answer.error,
        answer.context_tokens,
        usage.calls,
        usage.total_tokens,
        usage.cost_usd,
        len(answer.degraded),
    )


def _key(answer: Answer) -> Any:
    return ("failed",) if answer.error is not None else ("unranked",) if answer.returned is None else (answer.returned,)


def _ranked(key: Any) -> Ranked | None:
    if key == ("failed",):
        return None
    if key == ("unranked",):
        return Ranked()
    return Ranked(turns=tuple(RankedTurn(id=one, score=0.0) for one in key[0]))


def _code() -> list[str]:
    here = Path(__file__).parent
    return [code_digest(readers=False), sources(here, _TELL), sources(here.parent / "measures", ())]


_HEAD: dict[str, Any] = {
    "point": pl.Int32,
    "question": pl.String,
    "category": pl.String,
    "absent": pl.Boolean,
    "error": pl.String,
    "context_tokens": pl.Int32,
    "calls": pl.Int32,
    "tokens": pl.Int64,
    "cost_usd": pl.Float64,
    "degraded": pl.Int32,
}
_TELL = (
    *(
        "backends.py",
        "costs.py",
        "course.py",
        "design.py",
        "effects.py",
        "estimates.py",
        "page.py",
        "plan.py",
        "purse.py",
    ),
    *("best.py", "remote.py", "result.py", "run.py", "split.py", "watching.py"),
)
"""Files of this folder that no answer depends on."""
