"""Access logs of conversations: what was told, told again and asked, and what a memory returned for it.

Where a set has gold, the unit is a fact: told by its turn, told again by a ``NOOP``, asked by the questions that need it, and
watched until something replaces it. Without gold the unit is a turn: told when it was said, asked by the questions whose
evidence it is. Sets whose questions are all put at the end (LoCoMo) say when a fact was needed only as well as they date it.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from arandu_lab.bench.data.model import Conversation, Dataset, Question
from arandu_lab.bench.decay.log import SCHEMA, access_log
from arandu_lab.bench.replay import Answer, replay
from arandu_lab.bench.workers import finished
from arandu_lab.bench.world.config import WorldConfig
from arandu_lab.errors import BackendError, ConfigError

if TYPE_CHECKING:
    from arandu_lab.systems.base import System

LEVELS = {"explicit": 0.95, "strong": 0.80, "weak": 0.60, "speculation": 0.40}
"""Confidence of a gold fact, as the documented configuration reads its level."""


def conversation_log(
    *sets: Dataset, answers: Mapping[tuple[str, str], Sequence[Answer]] | None = None, uses: int = 10
) -> pl.DataFrame:
    """The log of one or more datasets; an agent is ``dataset/conversation``.

    Args:
        answers: ``(dataset, conversation)`` -> the answers of a replay; what they returned is logged as ``retrieved``.
        uses: Of the returned turns the first so many.

    Raises:
        ConfigError: no dataset, or one where nothing is ever told.
    """
    rows: list[dict[str, Any]] = []
    for dataset in sets:
        for conversation in dataset:
            talk = _Talk(dataset.name, conversation)
            rows += talk.rows((answers or {}).get((dataset.name, conversation.id), ()), uses)
    return access_log(pl.DataFrame(rows, schema=_RAW))


def world_log(*worlds: WorldConfig, system: str | None = None, depth: int = 10) -> pl.DataFrame:
    """The log of simulated worlds, told in English, made for this and not kept.

    Args:
        system: What hears and answers them (``bm25``, ``arandu`` …); None: nothing is retrieved.
        depth: How many turns it is asked for.

    Raises:
        ConfigError: a world that cannot be made, two of one name, an unknown system.
    """
    from arandu_lab.bench.data.registry import load
    from arandu_lab.bench.world.make import make

    if len({one.name for one in worlds}) < len(worlds):
        raise ConfigError(f"worlds of one name: {', '.join(sorted(one.name for one in worlds))}; a name each")
    with tempfile.TemporaryDirectory() as folder:
        sets = [load(make(one, Path(folder), languages=["en"])[0]) for one in worlds]
    return replay_log(*sets, system=system, depth=depth) if system else conversation_log(*sets)


def replay_log(*sets: Dataset, system: str = "bm25", depth: int = 10, **options: Any) -> pl.DataFrame:
    """The log of datasets with what a system returned when it heard them and was asked at their dates.

    Args:
        system: A name of ``arandu_lab.systems``; ``options`` are its own.
        depth: How many turns it is asked for; their ranks are kept, so a policy may count fewer.

    Raises:
        ConfigError: an unknown system or option.
        BackendError: a turn or question failed, so that a gap in the log would be a lie.
    """
    from arandu_lab.systems.open import open_system

    answers = {}
    for dataset in sets:
        for conversation in dataset:
            told = finished(_heard(open_system(system, **options), conversation, depth))
            answers[dataset.name, conversation.id] = told
    return conversation_log(*sets, answers=answers, uses=depth)


def memory_log(memory: Any, *agents: str, until: datetime) -> pl.DataFrame:
    """The log that a memory keeps itself: when facts were told, confirmed and last retrieved.

    A memory counts retrievals and dates the last one only. So the row of a fact that was retrieved several times stands
    for all of them (``times``), and the gap before it is left out of every fit.

    Args:
        memory: A :class:`arandu_lab.Memory`.
        agents: Whose.
        until: The moment at which one looks; with an offset. Versions that were over by then were watched until they were.

    Raises:
        ConfigError: no agent, one without facts, or a moment without an offset.
    """
    if until.tzinfo is None:
        raise ConfigError(f"memory_log until {until.isoformat()}, which has no offset; wants one such as +00:00")
    frames = [_remembered(memory, agent, until) for agent in agents]
    if not frames:
        raise ConfigError("memory_log of no agent; name at least one")
    return access_log(pl.concat(frames))


async def _heard(system: System, conversation: Conversation, depth: int) -> list[Answer]:
    done = await replay(system, conversation, depth=depth)
    await asyncio.sleep(0)
    if done.errors:
        first = done.errors[0]
        raise BackendError(
            f"{conversation.id}: {first.where}: {first.message}", kind="unavailable", backend=system.name
        )
    return done.answers


class _Talk:
    """What a conversation tells of its facts: by whom they are told, in which turns, until when they hold."""

    def __init__(self, dataset: str, conversation: Conversation) -> None:
        self.agent, self.conversation = f"{dataset}/{conversation.id}", conversation
        last = [conversation.turns[-1].occurred_at] if conversation.turns else []
        self.end = max([*last, *(one.asked_at for one in conversation.questions)], default=None)
        self.told: dict[str, list[datetime]] = {}
        self.over: dict[str, datetime] = {}
        self.about: dict[str, tuple[str, float]] = {}
        self.in_turn: dict[str, list[str]] = {}
        self.root: dict[str, str] = {}
        for turn in conversation.turns:
            self._hear(turn.id, turn.occurred_at, turn.speaker)

    def _hear(self, turn: str, at: datetime, speaker: str) -> None:
        if self.conversation.gold is None:
            self._tell(turn, turn, at, (speaker, 1.0))
            return
        gold = self.conversation.gold.get(turn)
        for fact in gold.facts if gold else ():
            of = self.root.get(fact.of, fact.of) if fact.of else None
            if of is not None and fact.decision in ("UPDATE", "DELETE"):
                self.over.setdefault(of, at)
            if fact.decision == "DELETE":
                continue
            name = of if fact.decision == "NOOP" and of in self.told else fact.id
            self.root[fact.id] = name
            self._tell(name, turn, at, (fact.subject, LEVELS.get(fact.confidence, 1.0)))
            if fact.valid_to is not None and fact.valid_to <= at.date():
                self.over.setdefault(name, at)

    def _tell(self, fact: str, turn: str, at: datetime, about: tuple[str, float]) -> None:
        self.told.setdefault(fact, []).append(at)
        self.about.setdefault(fact, about)
        self.in_turn.setdefault(turn, []).append(fact)

    def _asked(self, question: Question) -> Iterable[str]:
        if question.facts and self.conversation.gold is not None:
            return dict.fromkeys(self.root.get(one, one) for one in question.facts)
        return dict.fromkeys(fact for turn in question.evidence for fact in self.in_turn.get(turn, ()))

    def rows(self, answers: Sequence[Answer], uses: int) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        for fact, moments in self.told.items():
            out += [self._row(fact, at, "told") for at in moments]
        asked_at = {one.id: one.asked_at for one in self.conversation.questions}
        for question in self.conversation.questions:
            out += [self._row(fact, question.asked_at, "asked") for fact in self._asked(question) if fact in self.told]
        for answer in answers:
            best: dict[str, int] = {}
            for rank, turn in enumerate((answer.returned or ())[:uses], start=1):
                for fact in self.in_turn.get(turn, ()):
                    best.setdefault(fact, rank)
            out += [self._row(fact, asked_at[answer.question], "retrieved", rank) for fact, rank in best.items()]
        return [one for one in out if self.told[one["fact_id"]][0] <= one["at"] <= one["until"]]

    def _row(self, fact: str, at: datetime, kind: str, rank: int | None = None) -> dict[str, Any]:
        subject, confidence = self.about[fact]
        return {
            "agent": self.agent,
            "subject": subject,
            "fact_id": fact,
            "at": at,
            "kind": kind,
            "until": self.over.get(fact, self.end),
            "rank": rank,
            "times": 1,
            "confidence": confidence,
        }


def _remembered(memory: Any, agent: str, until: datetime) -> pl.DataFrame:
    history: pl.DataFrame = memory.history(agent)
    end = pl.lit(until).dt.convert_time_zone("UTC")
    if history.is_empty():
        raise ConfigError(f"memory_log of {agent!r}, of whom the memory knows no fact")
    said = memory.events(agent).select(pl.col("id").alias("source_event_id"), pl.col("occurred_at").alias("told"))
    facts = history.join(said, on="source_event_id", how="left").select(
        pl.lit(agent).alias("agent"),
        pl.col("entity_name").alias("subject"),
        pl.col("id").alias("fact_id"),
        pl.min_horizontal(pl.col("valid_to").fill_null(end), end).alias("until"),
        pl.col("confidence"),
        pl.col("told").fill_null(pl.col("valid_from")),
        *("last_confirmed_at", "last_retrieved_at", "times_retrieved", "reinforcement_count"),
    )
    parts = [
        facts.with_columns(pl.lit("told").alias("kind"), pl.col("told").alias("at"), pl.lit(1).alias("times")),
        facts.filter(pl.col("last_confirmed_at") > pl.col("told"), pl.col("reinforcement_count") > 0).with_columns(
            pl.lit("told").alias("kind"), pl.col("last_confirmed_at").alias("at"), _times("reinforcement_count")
        ),
        facts.filter(pl.col("last_retrieved_at") >= pl.col("told"), pl.col("times_retrieved") > 0).with_columns(
            pl.lit("retrieved").alias("kind"), pl.col("last_retrieved_at").alias("at"), _times("times_retrieved")
        ),
    ]
    names = ["agent", "subject", "fact_id", "at", "kind", "until", "times", "confidence"]
    rows = pl.concat([one.select(names) for one in parts], how="vertical_relaxed")
    return rows.filter((pl.col("at") <= pl.col("until")) & (pl.col("at").min().over("fact_id") <= pl.col("until")))


def _times(name: str) -> pl.Expr:
    return pl.col(name).cast(pl.Int64).alias("times")


_RAW = dict(SCHEMA)
