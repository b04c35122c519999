"""The answers of many settings to the questions of one ingested conversation, as each alone would have given them.

Work is shared where settings agree on what it reads (:mod:`arandu_lab.bench.sweeps.tree`). Every answer equals that of
:func:`arandu_lab.bench.replay.replay` of the row under the setting: turns, context, tokens asked, what degraded, and the
error where something failed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arandu_lab.bench.data.model import Conversation
from arandu_lab.bench.plan import Row
from arandu_lab.bench.replay import Answer, Error, Replay, answered, broken, fault, one_line
from arandu_lab.bench.sweeps.ingested import Ingested
from arandu_lab.bench.sweeps.judgements import Judgements, Served, Wanted, answer_tokens, asked_tokens
from arandu_lab.bench.sweeps.rescoring import covers, rescore
from arandu_lab.bench.sweeps.settled import Settled, settled
from arandu_lab.bench.sweeps.tree import Branch, Passed, Work, grown
from arandu_lab.bench.sweeps.walk import Moment, Walk, open_walk, order
from arandu_lab.bench.workers import finished
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.read.evidence.hearing import HEARD, know
from arandu_lab.read.found import Rendered, kept
from arandu_lab.systems.arandu import evidence
from arandu_lab.systems.base import Ranked, RankedFact, RankedTurn
from arandu_lab.trace import Span, Usage

Setting = Mapping[str, Any]

MANY = 12
"""Settings from which on reckoning them as columns is faster than reading them one after the other."""


def read_settings(
    ingested: Ingested,
    conversation: Conversation,
    row: Row,
    settings: Sequence[Setting],
    *,
    depth: int = 20,
    language: str = "en",
    seed: int = 0,
    llm: Any = None,
    judgements: Judgements | None = None,
    contexts: bool = False,
    tick: Callable[[int], None] | None = None,
) -> list[list[Answer]]:
    """The answers under each setting, one list a setting, in the conversation's own order of questions.

    Args:
        depth: how many turns an answer returns.
        llm: a model in the place of the row's (a cassette around it).
        judgements: where grades are looked up and kept; the union of what all settings show is graded first.
        contexts: keep the text that a reader would be shown (``Answer.context``); it is what takes room.
        tick: told after each question, answered under every setting, how many are done.

    Raises:
        ConfigError: a setting is wrong, or would have written another memory than this one; a stage says that it is used
            wrongly.
        BackendError: the store cannot be read.
    """
    walk = open_walk(ingested, conversation, row, language=language, seed=seed, llm=llm)
    chosen = chosen_for(walk, settings)
    if ingested.broke is not None:
        return [_silent(ingested.broke, walk) for _ in chosen]
    bulk = [] if contexts else in_bulk(walk, chosen, judgements)
    rest = sorted({*range(len(chosen))} - {*bulk})
    found: dict[int, list[Answer]] = {}
    try:
        if bulk:
            alike = [chosen[place] for place in bulk]
            scored = rescore(walk, alike, depth=depth, judgements=judgements, tick=None if rest else tick)
            found.update((place, _billed(scored.answers(n), judgements)) for n, place in enumerate(bulk))
        if rest:
            others = [chosen[place] for place in rest]
            reader = _Reader(walk, others, depth=depth, judgements=judgements, contexts=contexts, tick=tick)
            found.update(zip(rest, finished(reader.read()), strict=True))
    except ConfigError as error:
        raise ConfigError(f"{row.name} × {conversation.id}: {error}") from error
    return [found[place] for place in range(len(chosen))]


def in_bulk(walk: Walk, chosen: Sequence[Settled], judgements: Judgements | None) -> list[int]:
    """The settings (by place) that are reckoned as columns: those of the documented pipeline, where they are many.

    A judge that may grade a fact by the others beside it is asked about each setting's own pool, unless its grades are kept.
    """
    apart = judgements is not None or str(getattr(walk.llm, "names", {}).get("judge", "")).startswith("offline/")
    alike = [n for n, one in enumerate(chosen) if covers(one.read) and (apart or "judge" not in one.read.names())]
    return alike if len(alike) >= MANY else []


def _billed(answers: list[Answer], judgements: Judgements | None) -> list[Answer]:
    """Where no grade is kept each setting pays for its own, as it would alone."""
    if judgements is not None:
        return answers
    return [
        replace(one, usage=replace(one.usage, billed_calls=one.usage.calls, billed_tokens=one.usage.total_tokens))
        for one in answers
    ]


def chosen_for(walk: Walk, settings: Sequence[Setting]) -> list[Settled]:
    """The settings over a walk's assembly, each checked.

    Raises:
        ConfigError: as :func:`arandu_lab.bench.sweeps.settled.settled`; or the setting writes another memory.
    """
    chosen = [settled(walk.assembly, setting) for setting in settings]
    for one in chosen:
        if one.written != walk.ingested.written:
            raise ConfigError(
                f"{walk.name} × {walk.conversation.id}: this memory was written under other settings than"
                f" {dict(one.setting)}; ingest the conversation under them first"
            )
    return chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What judging would ask, before it is asked: ``known`` of the ``pairs`` are kept already and cost nothing.

    ``output_tokens`` takes an answer of one grade a pair.
    """

    pairs: int = 0
    known: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(**{name: getattr(self, name) + getattr(other, name) for name in self.__slots__})


def estimate(
    ingested: Ingested,
    conversation: Conversation,
    row: Row,
    settings: Sequence[Setting],
    *,
    language: str = "en",
    seed: int = 0,
    llm: Any = None,
    judgements: Judgements | None = None,
) -> Estimate:
    """The pairs, calls and tokens that judging these settings would take; no judge is asked.

    Raises:
        ConfigError: as :func:`read_settings`.
    """
    walk = open_walk(ingested, conversation, row, language=language, seed=seed, llm=llm)
    chosen = chosen_for(walk, settings)
    book = judgements if judgements is not None else Judgements()
    reader = _Reader(walk, chosen, depth=1, judgements=book, contexts=False, tick=None)
    return finished(reader.counted()) if ingested.broke is None else Estimate()


class _Reader:
    def __init__(
        self,
        walk: Walk,
        chosen: Sequence[Settled],
        *,
        depth: int,
        judgements: Judgements | None,
        contexts: bool,
        tick: Callable[[int], None] | None,
    ) -> None:
        self.walk, self.chosen, self.depth, self.book = walk, chosen, depth, judgements
        self.contexts, self.tick = contexts, tick
        self.tree = grown(chosen)
        self.stopped: dict[int, tuple[Moment, str]] = {}

    async def read(self) -> list[list[Answer]]:
        """Every answer, a list for each setting."""
        found: list[list[tuple[int, Answer]]] = [[] for _ in self.chosen]
        for done, moment in enumerate(self.walk, start=1):
            answers = await self._moment(moment)
            for member, answer in answers.items():
                found[member].append((moment.place, answer))
            if self.tick:
                self.tick(done)
        return [self._whole(member, told) for member, told in enumerate(found)]

    async def counted(self) -> Estimate:
        """What is lacking, question by question."""
        total = Estimate()
        assert self.book is not None
        for moment in self.walk:
            served = self.book.served(self.walk.llm)
            await self._down(moment, served, {}, ask=False)
            total = total + _lacks(served)
        return total

    async def _moment(self, moment: Moment) -> dict[int, Answer]:
        """The answer of each setting to one question."""
        answers: dict[int, Answer] = {}
        served = None if self.book is None else self.book.served(self.walk.llm)
        if stages := HEARD.intersection(name for one in self.chosen for name in one.read.names()):
            # paid for when turns were written, by no question
            await know(self.walk.lab(moment, Span("written")), stages)
        await self._down(moment, served, answers, ask=True)
        return answers

    async def _down(self, moment: Moment, served: Served | None, answers: dict[int, Answer], *, ask: bool) -> None:
        """All branches, level by level; where grades are lacking the level waits until all have said which."""
        work = Work(self.walk.lab(moment, Span("retrieve"), llm=served))
        query = self.walk.query(moment)
        level: list[tuple[Branch, Passed | None]] = [(branch, None) for branch in self.tree]
        while level:
            waiting, after = level, []
            while waiting:
                lacking: list[tuple[Branch, Passed | None]] = []
                for branch, way in waiting:
                    value = query if way is None else way.outcome.value
                    try:
                        outcome = await work.run(branch.node, value, branch.values)
                    except Wanted:
                        lacking.append((branch, way))
                        continue
                    after.append(Passed(branch, outcome, way))
                if lacking and ask and served is not None:
                    await served.answer()
                waiting = lacking if ask else []
            work.forget()
            level = []
            for passed in after:
                if passed.outcome.error is not None:
                    self._failed(passed, moment, answers)
                    continue
                if ask and passed.branch.ends:
                    self._ended(passed, moment, answers)
                level += [(child, passed) for child in passed.branch.children]

    def _failed(self, passed: Passed, moment: Moment, answers: dict[int, Answer]) -> None:
        """Settings whose read failed: a backend's failure is a null, anything else breaks the system from here on."""
        error = passed.outcome.error
        assert error is not None
        members = passed.branch.members()
        if isinstance(error, BackendError):
            error.stage = error.stage or (passed.branch.path[-1][1] if passed.branch.path else "")
            null = Answer(question=moment.question.id, heard=len(moment.heard), error=one_line(error))
            answers.update(dict.fromkeys(members, null))
            return
        self._broken(members, moment, fault(error))

    def _ended(self, passed: Passed, moment: Moment, answers: dict[int, Answer]) -> None:
        members = passed.branch.ends
        try:
            answer = answer_of(
                passed.outcome.value,
                moment,
                by=self.walk.name,
                turn_ids=self.walk.ingested.turn_ids,
                depth=self.depth,
                usage=passed.trace().usage,
                degraded=passed.degraded(),
            )
        except BackendError as error:
            answer = Answer(question=moment.question.id, heard=len(moment.heard), error=one_line(error))
        except BaseException as error:  # noqa: BLE001 - fault() lets the rest by
            self._broken(members, moment, fault(error))
            return
        answers.update(dict.fromkeys(members, answer if self.contexts else replace(answer, context=None)))

    def _broken(self, members: Sequence[int], moment: Moment, message: str) -> None:
        for member in members:
            self.stopped.setdefault(member, (moment, message))

    def _whole(self, member: int, told: Sequence[tuple[int, Answer]]) -> list[Answer]:
        """The answers of one setting; one that broke answers nothing, as in a replay."""
        if member not in self.stopped:
            return [answer for _, answer in sorted(told, key=lambda one: one[0])]
        moment, message = self.stopped[member]
        ends = [heard for _, question, heard in order(self.walk.conversation) if question.id == moment.question.id]
        return _silent(Error(phase="ask", where=moment.question.id, message=message), self.walk, heard=ends[0])


def answer_of(
    rendered: Rendered,
    moment: Moment,
    *,
    by: str,
    turn_ids: Mapping[str, str],
    depth: int,
    usage: Usage | None = None,
    degraded: Sequence[str] = (),
) -> Answer:
    """What a read comes to as an answer: facts by the turns they were told in, quoted turns, each by its best score.

    Args:
        by: the name of the system.
        turn_ids: event id -> turn id.

    Raises:
        BackendError: a score is no number.
        ConfigError: it names a turn that had not been heard.
    """
    view = moment.view
    facts = []
    for one in kept(rendered):
        fact = view.fact_at(one.position)
        told = turn_ids.get(fact.source_event_id)
        facts.append(RankedFact(text=fact.text, score=one.score, turn_ids=() if told is None else (told,)))
    quoted = []
    places = rendered.turns["position"].tolist() if len(rendered.turns) else []
    scores = rendered.turns["score"].tolist() if len(rendered.turns) else []
    for place, score in zip(places, scores, strict=True):
        told = turn_ids.get(view.event_at(place).id)
        if told is not None:
            quoted.append(RankedTurn(id=told, score=float(score or 0.0)))
    ranked = Ranked(
        turns=evidence(tuple(facts), tuple(quoted))[:depth],
        facts=tuple(facts),
        context=rendered.context,
        usage=Usage() if usage is None else usage,
        degraded=tuple(degraded),
    )
    return answered(moment.question, ranked, heard=moment.heard, by=by)


def _silent(error: Error, walk: Walk, *, heard: int | None = None) -> list[Answer]:
    """Nothing, for this reason, as :func:`arandu_lab.bench.replay.broken` tells it."""
    until = len(walk.ingested.sequences) if heard is None else heard
    asked = [
        Answer(question=question.id, heard=before)
        for _, question, before in order(walk.conversation)
        if before <= until
    ]
    done = Replay(answers=asked, turns=until)
    return broken(walk.conversation, done, error.phase, error.where, error.message).answers


def _lacks(served: Served) -> Estimate:
    total = Estimate(known=served.known)
    for task, union in served.lacking():
        pairs = len(union["facts"])
        grades = [{"grade": 0.5, "i": place} for place in range(pairs)]
        total = total + Estimate(
            pairs=pairs,
            calls=1,
            input_tokens=asked_tokens(task, union, served.model),
            output_tokens=answer_tokens(grades, served.model),
        )
    return replace(total, pairs=total.pairs + total.known)
