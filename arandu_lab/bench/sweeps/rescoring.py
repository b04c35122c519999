"""A thousand settings of the scoring over one walked conversation, in the time of a few reads.

What a setting of the scoring changes is arithmetic over columns that no such setting changes (``logged.py``). So it is done
for all of them at once, by the functions that a single read uses, on arrays with one more axis: every rank is the one that
:meth:`arandu_lab.memory.Memory.retrieve` gives, to the last digit. Settings that change anything further up are grouped by
what they change there, and each group is logged by itself.

A judge is asked about the union of what all settings would show it, one question a query, and its grades are kept by fact
(``judgements.py``); a model whose grade of a fact depends on the others beside it is asked once here, and not anew by each
setting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from arandu_lab.bench.replay import one_line
from arandu_lab.bench.sweeps.asking import judge_usage
from arandu_lab.bench.sweeps.judgements import Judgements
from arandu_lab.bench.sweeps.knobs import SCORING, Knobs, Piece
from arandu_lab.bench.sweeps.logged import Logged, Looked, logged
from arandu_lab.bench.sweeps.rescored import Outcome, Rescored
from arandu_lab.bench.sweeps.room import Room
from arandu_lab.bench.sweeps.settled import Settled, settled
from arandu_lab.bench.sweeps.walk import Walk
from arandu_lab.bench.workers import finished
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.pipeline import Node, Pipeline
from arandu_lab.pure import rescoring, scoring
from arandu_lab.pure.rescoring import NOBODY, Floats, Ints, Mask
from arandu_lab.read.cut import TOLERANCE
from arandu_lab.read.preset import reading
from arandu_lab.read.table import Table
from arandu_lab.trace import Span


def covers(pipeline: Pipeline, names: Iterable[str] = ()) -> bool:
    """Whether settings of these names over this read pipeline (as its flags leave it) can be reckoned here.

    Only the documented pipeline is, with its judge or without: the same stages, none pinned, replaced, added or left out.

    >>> covers(reading(), ["score_weights", "topk_facts"]), covers(reading(enable_reranker=False))
    (True, True)
    >>> covers(reading().without("spread")), covers(reading(), ["fuzzy_threshold"])
    (False, False)
    """
    return pipeline in _box() and set(names) <= set(pipeline.parameters())


def rescore(
    walk: Walk,
    settings: Sequence[Mapping[str, Any] | Settled],
    *,
    depth: int = 20,
    judgements: Judgements | None = None,
    tick: Callable[[int], None] | None = None,
) -> Rescored:
    """The rankings of every setting over the questions of a walk.

    Args:
        depth: How many turns an answer returns.
        judgements: Where grades are looked up and kept; in memory by default.
        tick: Told after each question, answered under every setting, how many are done.

    Raises:
        ConfigError: a setting is wrong, or not covered (:func:`covers`).
    """
    chosen = [one if isinstance(one, Settled) else settled(walk.assembly, one) for one in settings]
    for one in chosen:
        if not covers(one.read):  # the names are read, or settled() had refused them
            raise ConfigError(
                f"setting {dict(one.setting)} is of another pipeline than the documented; use read_settings"
            )
    return finished(_rescored(walk, chosen, depth, judgements if judgements is not None else Judgements(), tick))


async def _rescored(
    walk: Walk, chosen: Sequence[Settled], depth: int, book: Judgements, tick: Callable[[int], None] | None
) -> Rescored:
    groups: dict[Any, list[int]] = {}
    for number, one in enumerate(chosen):
        further = tuple(repr(one.values[name]) for name in sorted(one.read.parameters()) if name not in SCORING)
        groups.setdefault((one.read, further), []).append(number)
    parts = [(np.asarray(mine), Knobs.of([chosen[number].values for number in mine])) for mine in groups.values()]
    pieces = [Piece.all(knobs) for _, knobs in parts]
    found = Rescored.empty(walk.conversation, len(chosen), depth)
    places = {turn.id: place for place, turn in enumerate(walk.conversation.turns)}
    looked, room = Looked(), Room(walk.llm)
    for done, moment in enumerate(walk, start=1):
        for (mine, knobs), some in zip(parts, pieces, strict=True):
            one = chosen[mine[0]]
            lab = walk.lab(moment, Span("retrieve"), llm=book.served(walk.llm))
            values = {**one.values, "min_similarity": float(knobs.min_similarity.min())}
            try:
                log = await logged(one.read, walk.query(moment), lab, values, looked)
            except BackendError as error:
                found.fail(moment, mine, one_line(error))
                continue
            judge = one.read.nodes[4] if "judge" in one.read.names() else None
            question = _Question(log, judge, walk.ingested.turn_ids, room)
            outcome = Outcome.empty(len(mine), depth, log.degraded, log.usage)
            await question.answer(some, outcome)
            found.put(moment, mine, outcome, places)
        if tick:
            tick(done)
    return found


class _Question:
    """One question under many settings. Rows of all arrays are settings, columns are facts as :class:`Logged` has them."""

    def __init__(self, log: Logged, judge: Node | None, turn_ids: Mapping[str, str], room: Room) -> None:
        self.log, self.judge, self.turn_ids, self.room = log, judge, turn_ids, room
        self.turns: dict[str, int] = {}
        self._quoted: dict[float, tuple[Table, float]] = {}
        told = (log.fact(column).source_event_id for column in range(len(log)))
        self.source = np.asarray([*map(self._turn, told), NOBODY], dtype=np.int64)
        keys = dict.fromkeys(log.about)
        self.entities = tuple(keys)
        codes = {key: code for code, key in enumerate(keys)}
        self.about = np.asarray([*(codes[key] for key in log.about), NOBODY], dtype=np.int64)

    async def answer(self, pieces: Sequence[Piece], found: Outcome) -> None:
        """Put into ``found`` the ranking of each setting, its tokens, and how many facts it shows to the judge."""
        shown = [self._shown(piece, whole=self.judge is None) for piece in pieces]
        grades, failing = self._ungraded(), [np.zeros(len(piece.rows), dtype=np.bool_) for piece in pieces]
        if self.judge is not None:
            grades, failing = await self._graded(self.judge, [columns for columns, _ in shown])
        for piece, (columns, formulas), failed in zip(pieces, shown, failing, strict=True):
            found.failing[piece.rows] = failed
            if not failed.any():
                await self._settle(piece, columns, formulas, grades, found)
                continue
            judged, left = piece.only(~failed), piece.only(failed)
            await self._settle(judged, columns[~failed], formulas[~failed], grades, found)
            await self._settle(left, *self._shown(left, whole=True), self._ungraded(), found)
        found.turns = tuple(self.turns)
        if self.judge is not None:
            pools = _stacked([(piece.rows, columns) for piece, (columns, _) in zip(pieces, shown, strict=True)])
            found.judged[:] = (pools != NOBODY).sum(axis=1)
            graded = np.flatnonzero(~found.failing)
            found.asked[graded] = np.stack(judge_usage(self.log, pools[graded], grades), axis=1)

    # ------------------------------------------------------------ what is shown to the judge

    def _shown(self, piece: Piece, *, whole: bool) -> tuple[Ints, Floats]:
        """Columns of the facts that are shown, ascending, and their formula scores; ``whole``: of all candidates."""
        scores = self._formulas(piece)
        pool = piece.knobs.topk_facts * piece.knobs.reranker_pool_factor
        columns = rescoring.gathered(scores > -np.inf if whole else rescoring.shown(scores, pool))
        return columns, np.where(columns == NOBODY, 0.0, _at(scores, columns))

    def _formulas(self, piece: Piece) -> Floats:
        """The formula score of every candidate of each setting, those that spreading adds among them; else ``-inf``."""
        log, knobs = self.log, piece.knobs
        weights = {name: column[:, None] for name, column in knobs.score_weights.items()}
        columns = {
            **log.columns,
            "spread": np.zeros(len(log)),
            "recency": piece.recency(log.age),
            "pattern": piece.pattern(log.counted),
        }
        merit = scoring.weighed(weights, columns)
        there = log.named | (log.near >= knobs.min_similarity[:, None])
        scores = np.where(there, merit, -np.inf)
        arrived = self._arrived(knobs, scores, merit)
        new = (arrived > -np.inf) & ~there
        touched = np.flatnonzero(new.any(axis=0))
        if len(touched):
            mine = {name: column[..., touched] for name, column in columns.items()}
            mine["spread"] = np.where(new, arrived, 0.0)[:, touched]
            scores[:, touched] = np.where(new[:, touched], scoring.weighed(weights, mine), scores[:, touched])
        return scores

    def _arrived(self, knobs: Knobs, scores: Floats, merit: Floats) -> Floats:
        """The activation that spreading brings to each fact, ``-inf`` where it brings none."""
        nothing = np.full(scores.shape, -np.inf)
        most = int(knobs.spreading_seeds.max())
        if not len(self.log) or not self.log.values["spreading_activation_hops"]:
            return nothing
        best = rescoring.leaders(scores, most)
        best = np.where(np.arange(most) < knobs.spreading_seeds[:, None], best, NOBODY)
        starts, seeds = np.unique(self.about[best], return_inverse=True)
        known = starts != NOBODY  # nobody sorts first
        hops, near = self.log.spreading([self.entities[code] for code in starts[known].tolist()])
        if not near:
            return nothing
        seeds = seeds.reshape(best.shape) - int(not known.all())
        formulas = np.where(best == NOBODY, 0.0, _at(scores, best))
        reached, active = rescoring.activated(seeds, formulas, hops, knobs.left_by_hops, knobs.spreading_min_activation)
        return rescoring.spread(merit, near, reached, active, knobs.spreading_facts_per_entity)

    # ------------------------------------------------------------ what it says, and what comes of it

    async def _graded(self, judge: Node, pools: Sequence[Ints]) -> tuple[Floats, list[Mask]]:
        """The grade of every fact (the last is nobody's), and under which settings of each piece the judge failed."""
        failing = [np.zeros(len(pool), dtype=np.bool_) for pool in pools]
        there = np.zeros(len(self.log) + 1, dtype=np.bool_)
        for pool in pools:
            there[pool] = True
        union = np.flatnonzero(there[:-1])
        if not len(union):
            return self._ungraded(), failing
        grades, trace = await self.log.judged(judge, union)
        if not trace.failures:
            return grades, failing
        for pool, failed in zip(pools, failing, strict=True):
            for row, columns in enumerate(pool):  # what is known already is enough for some
                shown = columns[columns != NOBODY]
                if len(shown):
                    known, trace = await self.log.judged(judge, shown)
                    failed[row] = bool(trace.failures)
                    grades = np.where(np.isnan(grades), known, grades)
        return grades, failing

    def _ungraded(self) -> Floats:
        return np.full(len(self.log) + 1, np.nan)

    async def _settle(self, piece: Piece, shown: Ints, formulas: Floats, grades: Floats, found: Outcome) -> None:
        """Blend, cut, and rank the turns of these settings."""
        knobs = piece.knobs
        grade, veto = grades[shown], knobs.min_reranker_score[:, None]
        blended = scoring.blend(formulas, grade, knobs.reranker_weight[:, None], veto=veto)
        score = np.where(np.isnan(grade), formulas, blended)
        passing = np.nan_to_num(grade - veto, nan=0.0) >= 0.0
        passing &= (shown != NOBODY) & (score >= (knobs.min_score - TOLERANCE)[:, None])
        order = rescoring.ranked(np.where(passing, score, -np.inf), knobs.topk_facts)
        kept = np.where(order == NOBODY, NOBODY, _at(shown, order))
        scores = _at(score, order)
        left = np.ones(len(knobs), dtype=np.bool_)
        while left.any():
            quoted, upto = await self._quotes(float(knobs.min_similarity[left].min()))
            mine = np.flatnonzero(left & (knobs.min_similarity <= upto))
            left[mine] = False
            events = zip(quoted["event_id"].tolist(), quoted["score"].tolist(), strict=True)
            told = [(self._turn(event), score or 0.0) for event, score in events if event in self.turn_ids]
            rows = piece.rows[mine]
            found.returned[rows] = rescoring.turns(
                self.source[kept[mine]],
                scores[mine],
                np.asarray([turn for turn, _ in told], dtype=np.int64),
                np.asarray([score for _, score in told], dtype=np.float64),
                len(self.turns),
                found.returned.shape[1],
            )
            found.context_tokens[rows] = self.room.tokens(self.log, knobs.take(mine), kept[mine], quoted)

    async def _quotes(self, min_similarity: float) -> tuple[Table, float]:
        """The turns that are quoted with a least cosine, and the highest one with which they are the same."""
        for least, (table, upto) in self._quoted.items():
            if least <= min_similarity <= upto:
                return table, upto
        self._quoted[min_similarity] = await self.log.quotes(min_similarity)
        return self._quoted[min_similarity]

    def _turn(self, event: str) -> int:
        """The number of the turn that an event is; numbers are given as turns come."""
        turn = self.turn_ids.get(event)
        return NOBODY if turn is None else self.turns.setdefault(turn, len(self.turns))


@lru_cache(maxsize=1)
def _box() -> tuple[Pipeline, ...]:
    return reading(), reading(enable_reranker=False)


def _stacked(parts: Sequence[tuple[Ints, Ints]]) -> Ints:
    """One table of the rows of several, each in its place; ``NOBODY`` where a part is narrower."""
    width = max((columns.shape[1] for _, columns in parts), default=0)
    found = np.full((sum(len(rows) for rows, _ in parts), width), NOBODY, dtype=np.int64)
    for rows, columns in parts:
        found[rows, : columns.shape[1]] = columns
    return found


def _at(values: Any, columns: Ints) -> Any:
    """The value at each of the columns of its row; any where nobody stands."""
    if not columns.size:
        return np.zeros(columns.shape, dtype=values.dtype)
    return np.take_along_axis(values, np.where(columns == NOBODY, 0, columns), axis=1)
