"""What jobs concluded, as far as it serves a question: observations, summaries of clusters, summaries of named entities.

A line is shown if at least half the facts that it rests on are about entities that the question names; if one of them
mentions such an entity, from ``min_mention_similarity`` up; and any other from ``min_pattern_similarity`` up. Measured with
clusters of ``harbor_en`` and ``mare_pt`` (bundled embedder, 225 questions): the cluster of a named entity rests on a turn that
answers the question in 52 and 61 of 100 cases, however near it lies, so it needs no nearness. One that mentions it does so in 11
and 6 of 100; a cosine of .20 keeps 67 and 50 of 100 of those that help and a third of the lines. Of the rest 1 in 100 does; from
.25 up 10 and 26 in 100 do, half a line a question, and from .30 up hardly any line is left.

The columns are made once for the rows that a view holds and kept beside them, so a read costs one product of a matrix and
a vector; without clusters and observations next to nothing.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain
from operator import is_
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from arandu_lab.pipeline import Lab
from arandu_lab.pipeline.lab import Mask, View
from arandu_lab.pure import scoring
from arandu_lab.pure.compare import differences, negative
from arandu_lab.pure.text import content_words
from arandu_lab.read.found import Candidates, Plan, micros
from arandu_lab.records import MARK, Cluster, Entity, Observation

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

HIDDEN = frozenset({"directive", MARK})
"""Kinds of observations that no context shows: how to behave is asked for by itself, and marks are a job's own."""

SUMMARIES = frozenset({"community_theme", "profile_overview"})
"""Kinds that say what holds, as clusters do. A contradiction is over with one of its sides; of the others one fact must hold."""

TELLS = 0.5
"""From this share of a fact's words (its name apart) up, a text that holds them tells of it."""

SAME = 0.8
"""From this share of a line's words up, what holds them says the same."""


def observed(
    found: Candidates, lab: Lab, *, most: int, min_similarity: float, min_mention_similarity: float
) -> list[str]:
    """At most ``most`` lines, nearest first (then the surest), of which none says what others say already. The summary of
    an entity gives way to the cluster of its facts.

    What tells of facts that have ended since is left out until its job has looked again. A historical question sees what
    had been concluded by then and not withdrawn. Under a filter by entity each fact that a line rests on must mention one
    of them.

    Args:
        min_similarity: least cosine, on the documented scale, of what has nothing to do with an entity that is named.
        min_mention_similarity: least cosine of what mentions one and is about others.
    """
    plan, view = found.plan, lab.memory
    if plan.strategy == "skip" or not most:
        return []
    moment = min(plan.as_of, plan.query.known_at or plan.as_of) if plan.historical else None
    concluded = _Concluded(found, lab, moment, (min_similarity, min_mention_similarity))
    summaries = sorted(_of_entities(found, view, moment, concluded), key=_order)
    chosen: list[_Line] = []
    for line in heapq.merge(concluded.lines(), summaries, key=_order):
        if len(chosen) == most:
            break
        if line.holds() and not _said(line, chosen):
            chosen.append(line)
    return [line.text for line in chosen]


@dataclass(frozen=True, slots=True)
class _Line:
    """A text that may be shown. ``order`` sorts the best first; ``holds`` says whether what it rests on still does."""

    text: str
    order: tuple[float, float, str]
    holds: Callable[[], bool]


def _order(line: _Line) -> tuple[float, float, str]:
    return line.order


@dataclass(frozen=True, slots=True, eq=False)
class _Shelf:
    """The clusters and observations of a view as columns of ``n`` rows; fact ``cited[i]`` is cited by row ``by[i]``.

    ``owed`` is how many facts each cites, those that the view does not hold among them; ``rank`` the order of ids.
    """

    source: tuple[Cluster | Observation, ...]
    rows: tuple[Cluster | Observation, ...]
    matrix: NDArray[np.float32]
    recorded: Ints
    gone: Ints
    cited: Ints
    by: Ints
    starts: Ints
    owed: Ints
    sure: Floats
    rank: Ints

    def facts(self, row: int) -> Ints:
        """Positions of the facts that a row cites."""
        return self.cited[self.starts[row] : self.starts[row + 1]]

    def share(self, mask: Mask) -> Floats:
        """The share of each row's facts that lie in a mask over facts; 0 where it cites none."""
        inside = np.bincount(self.by[mask[self.cited]], minlength=len(self.rows))
        return inside / np.maximum(self.owed, 1)


def _shelf(view: View) -> _Shelf:
    """The columns of a view, kept beside its rows while those stay what they are."""
    source: tuple[Cluster | Observation, ...] = (*view.clusters(), *view.observations())
    kept: dict[str, Any] = getattr(view, "kept", {})
    shelf: _Shelf | None = kept.get("observed")
    if shelf is None or len(shelf.source) != len(source) or not all(map(is_, shelf.source, source)):
        shelf = kept["observed"] = _made(view, source)
    return shelf


def _made(view: View, source: tuple[Cluster | Observation, ...]) -> _Shelf:
    rows = tuple(row for row in source if isinstance(row, Cluster) or row.kind not in HIDDEN)
    every = [[view.fact_position(one) for one in _evidence(row)] for row in rows]
    places = [[at for at in some if at is not None] for some in every]
    sizes = [len(some) for some in places]
    absent = [
        0
        if None not in some
        else sum(at is None and view.event(one) is None for at, one in zip(some, _evidence(row), strict=True))
        for some, row in zip(every, rows, strict=True)
    ]
    order = sorted(range(len(rows)), key=lambda number: rows[number].id)
    dim = next((len(row.vector) for row in rows if row.vector is not None), 0)
    matrix = np.zeros((len(rows), dim), dtype=np.float32)
    for number, row in enumerate(rows):
        if row.vector is not None and len(row.vector) == dim:
            matrix[number] = row.vector
    return _Shelf(
        source=source,
        rows=rows,
        matrix=matrix,
        recorded=np.asarray([micros(row.recorded_at) for row in rows], dtype=np.int64),
        gone=np.asarray(
            [_NEVER if row.invalidated_at is None else micros(row.invalidated_at) for row in rows], np.int64
        ),
        cited=np.fromiter(chain.from_iterable(places), dtype=np.int64, count=sum(sizes)),
        by=np.repeat(np.arange(len(rows), dtype=np.int64), sizes),
        starts=np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64),
        owed=np.asarray(sizes, dtype=np.int64) + np.asarray(absent, dtype=np.int64),
        sure=np.asarray([1.0 if isinstance(row, Cluster) else row.confidence for row in rows], dtype=np.float64),
        rank=np.argsort(np.asarray(order, dtype=np.int64)),
    )


class _Concluded:
    """The clusters and observations that stood at the moment, lie within the filter, and are near or about what is named."""

    def __init__(self, found: Candidates, lab: Lab, moment: datetime | None, floors: tuple[float, float]) -> None:
        plan, view = found.plan, lab.memory
        self._shelf = shelf = _shelf(view)
        self._view, self._live = view, _Live(plan, view)
        self._near = np.zeros(len(shelf.rows))
        self._chosen: list[int] = []
        if not len(shelf.rows):
            return
        at = None if moment is None else micros(moment)
        stands = shelf.gone == _NEVER if at is None else (shelf.recorded <= at) & (shelf.gone > at)
        if plan.query.entity_keys is not None:
            stands &= shelf.share(_mentioning(view, plan.query.entity_keys)) == 1.0
        asked = np.zeros(len(shelf.rows), dtype=np.bool_)
        if found.vector is not None and len(found.vector) == shelf.matrix.shape[1]:
            near = scoring.cosines(shelf.matrix, found.vector, lab.embed.scale)
            self._near, known = np.nan_to_num(near), ~np.isnan(near)
            asked = known & (self._near >= floors[0])
            if plan.deterministic:
                mentioned = shelf.share(_mentioning(view, plan.deterministic)) > 0.0
                asked |= known & (self._near >= floors[1]) & mentioned
        if plan.deterministic:
            asked |= shelf.share(_mentioning(view, plan.deterministic, about=True)) >= 0.5
        numbers = np.flatnonzero(stands & asked)
        self._chosen = numbers[np.lexsort((shelf.rank[numbers], -shelf.sure[numbers], -self._near[numbers]))].tolist()

    def lines(self) -> Iterator[_Line]:
        """Nearest first."""
        shelf = self._shelf
        for number in self._chosen:
            row = shelf.rows[number]
            text = row.summary if isinstance(row, Cluster) else row.text
            order = (-float(self._near[number]), -float(shelf.sure[number]), row.id)
            yield _Line(text, order, partial(self._holds, number))

    def sums_up(self, key: str) -> bool:
        """Whether the cluster of an entity's facts is among them and holds."""
        rows = self._shelf.rows
        return any(
            isinstance(row := rows[n], Cluster) and row.entity_key == key and self._holds(n) for n in self._chosen
        )

    def _holds(self, number: int) -> bool:
        places, row = self._shelf.facts(number), self._shelf.rows[number]
        if not len(places):
            return True
        held = self._live(places)
        if held.all() or not held.any():
            return bool(held.all())
        if isinstance(row, Cluster) or row.kind in SUMMARIES:
            return not _tells(row.summary if isinstance(row, Cluster) else row.text, places[~held], self._view)
        return row.kind != "contradiction"


def _of_entities(found: Candidates, view: View, moment: datetime | None, concluded: _Concluded) -> Iterator[_Line]:
    """The summaries of the entities that the question names; each as near as the nearest fact that mentions it.

    An entity with a cluster needs none; nor does one of which one fact is known: it would say what the fact says.
    """
    plan, filtered = found.plan, found.plan.query.entity_keys
    for key in plan.deterministic:
        entity = None if filtered is not None and key not in filtered else view.entity(key)
        if entity is None or not entity.summary_text or entity.summary_at is None:
            continue
        places = view.linked(key)
        places = places[plan.open[places]]
        if len(places) < 2 or (moment is not None and entity.summary_at > moment) or concluded.sums_up(key):
            continue
        scores = found.voices.get("semantic")
        near = np.zeros(0) if scores is None else scores[places]
        nearest = float(near[~np.isnan(near)].max(initial=0.0))
        yield _Line(entity.summary_text, (-nearest, -1.0, key), partial(_stands, plan, view, entity))


class _Live:
    """Which facts answer the question's moment, found out when first asked."""

    def __init__(self, plan: Plan, view: View) -> None:
        self._plan, self._view = plan, view
        self._mask: Mask | None = None

    def __call__(self, places: Ints) -> Mask:
        """Of some facts, which held at the moment and are not in doubt."""
        facts, plan = self._view.facts, self._plan
        if self._mask is None:
            self._mask = facts.live(as_of=plan.as_of, known_at=plan.query.known_at)
        held: Mask = self._mask[places]
        if not plan.historical and facts.stale[places].any():
            doubted = [self._view.fact_at(place).stale_why == "premise" for place in places.tolist()]
            held = held & ~np.asarray(doubted, dtype=np.bool_)
        return held


def _stands(plan: Plan, view: View, entity: Entity) -> bool:
    """Whether a summary tells of no fact that has ended since it was written."""
    then = view.facts.live(as_of=entity.summary_at or plan.as_of, known_at=entity.summary_at)
    now = view.facts.live(as_of=plan.as_of, known_at=plan.query.known_at)
    places = view.linked(entity.key)
    return not _tells(entity.summary_text or "", places[(then & ~now)[places]], view)


def _tells(text: str, places: Ints, view: View) -> bool:
    """Whether a text tells of one of these facts."""
    said = set(content_words(text))
    for fact in map(view.fact_at, places.tolist()):
        mine = set(content_words(fact.text)) - set(content_words(fact.entity_name))
        if len(mine & said) >= TELLS * len(mine):
            return True
    return False


def _mentioning(view: View, keys: Sequence[str], *, about: bool = False) -> Mask:
    """Which facts mention one of these entities; with ``about`` only those that are about one."""
    facts = view.facts
    mask = np.zeros(len(facts.confidence), dtype=np.bool_)
    for key in keys:
        places = view.linked(key)
        if about:
            codes = facts.entity_codes[places]
            places = places[np.isin(codes, [code for code in np.unique(codes) if facts.entity_keys[code] == key])]
        mask[places] = True
    return mask


def _said(line: _Line, chosen: Sequence[_Line]) -> bool:
    """Whether other lines say what this one says: nearly all its words stand in them together, or nearly all of the shorter
    of two in the longer. What denies, and what differs in a number or a date, is its own statement.
    """
    mine = set(content_words(line.text))
    others = [set(content_words(other.text)) for other in chosen]
    new = mine.difference(*others)
    if len(new) <= (1 - SAME) * len(mine) and not negative(line.text) and not any(map(_figure, new)):
        return True
    return any(
        len(mine & theirs) >= SAME * max(1, min(len(mine), len(theirs)))
        and not _AGAINST & set(differences(line.text, other.text))
        for theirs, other in zip(others, chosen, strict=True)
    )


def _figure(word: str) -> bool:
    return any(map(str.isdigit, word))


def _evidence(row: Cluster | Observation) -> tuple[str, ...]:
    return row.fact_ids if isinstance(row, Cluster) else row.evidence_ids


_AGAINST = frozenset({"polarity", "numbers", "dates", "antonyms"})
_NEVER = 2**63 - 1
