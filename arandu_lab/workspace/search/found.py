"""What flows through a search: frozen records, each saying what is known by then.

``Request -> Asked -> Spoken, Spoken, Spoken -> Voices -> Ranking -> Presented``

The candidates lie in one table, which is seen as a polars frame. Every column has one writer and nothing is
overwritten, so explanation is ``select``:

==============  =====================================================================================================
written by      columns
==============  =====================================================================================================
``fuse``        ``fact_id position domain topic said_at``, the voices ``lexical semantic temporal graph`` (null: it
                cannot tell) and their places ``lexical_rank …`` (from 1; null: not nominated), ``fused``
                (``fuse_scores`` writes the same)
``fade``        ``decay`` (what the type of the fact has left of it), ``faded`` (``fused`` times ``decay``)
``favour``      ``home`` (is it of the repository asked for), ``score`` (the last of the above, times the favour of home)
``diversify``   ``mmr`` (the value it was chosen with), ``mmr_rank`` (from 1; null: takes no part)
``present``     ``rank`` (from 1; null: not shown)
==============  =====================================================================================================
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import Disagreed, MemoryFact, Sighting
from arandu_lab.pure.fusion import top
from arandu_lab.pure.intents import VOICES, Intent, Voice
from arandu_lab.read.table import Framed, Table, tabled
from arandu_lab.workspace.naming import named
from arandu_lab.workspace.search.library import Floats, Library, Mask, Positions


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A query to a workspace. ``role`` None asks as one without grants of its own; ``repo`` is where the agent works.

    Raises:
        ConfigError: a query without a character, a blank ``role`` or ``repo``, or a ``limit`` below 1.
    """

    query: str
    library: Library = field(repr=False)
    role: str | None = None
    repo: str | None = None
    limit: int = 10

    def __post_init__(self) -> None:
        if not isinstance(self.query, str) or not self.query.strip():
            raise ConfigError(f"query={self.query!r}; a search wants words")
        named(role=self.role, repo=self.repo)
        if isinstance(self.limit, bool) or not isinstance(self.limit, int) or self.limit < 1:
            raise ConfigError(f"limit={self.limit!r}; a whole number, 1 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request that is understood. Masks have one entry per fact of the library.

    ``open``: may answer (live, and in a domain that the role may see). ``walked``: may be walked over (told, and seen).
    ``period``: the time that the query names, first moment and first moment after it.
    """

    request: Request
    intent: Intent
    cue: str
    period: tuple[datetime, datetime] | None = None
    open: Mask = field(compare=False, repr=False)
    walked: Mask = field(compare=False, repr=False)

    @property
    def library(self) -> Library:
        """What is searched."""
        return self.request.library


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """One voice: a score for every fact (NaN: cannot tell), which facts it nominates, and why it is silent ("": it is not)."""

    asked: Asked
    voice: Voice
    scores: Floats = field(compare=False, repr=False)
    named: Mask = field(compare=False, repr=False)
    why_silent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voices:
    """The voices of an assembly by name, in the order of ``VOICES``; ``silent`` says why those that said nothing did not."""

    asked: Asked
    spoken: Mapping[Voice, Spoken] = field(compare=False, repr=False)

    @property
    def silent(self) -> Mapping[Voice, str]:
        """Voice -> why it says nothing."""
        return {voice: one.why_silent for voice, one in self.spoken.items() if one.why_silent}

    def joined(self, *more: Spoken) -> Voices:
        """With further voices."""
        held = {**self.spoken, **{one.voice: one for one in more}}
        return Voices(asked=self.asked, spoken={voice: held[voice] for voice in VOICES if voice in held})


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """The candidates, one row each, in the order of facts; their order of merit is in the columns. ``frame`` is polars."""

    asked: Asked
    silent: Mapping[Voice, str]
    frame: Framed = field(default=Framed(), compare=False, repr=False)

    @property
    def table(self) -> Table:
        """The candidates, as columns."""
        return tabled(self, "frame")

    def having(self, table: Table) -> Ranking:
        """The same with another table."""
        made = copy.copy(self)
        Ranking.__dict__["frame"].__set__(made, table)
        return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Disputed:
    """A fact of another scope that contradicts a hit: nobody's place is taken, and the reader is told."""

    fact_id: str
    domain: str
    content: str
    why: Disagreed


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A fact that was found. ``home``: of the repository asked for. ``sources``: the sightings that it cites and that are kept.

    ``set_apart``: the words that make an order of a fact of low veracity, None of any other (``pure/steering``).
    """

    fact: MemoryFact
    rank: int
    score: float
    scores: Mapping[str, float]
    home: bool = False
    disputed_by: tuple[Disputed, ...] = ()
    sources: tuple[Sighting, ...] = ()
    set_apart: str | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class Presented(Ranking):
    """What a search gives: hits best first. ``unembedded`` counts the open facts whose meaning no voice could hear."""

    hits: tuple[Hit, ...]
    unembedded: int = 0

    @property
    def intent(self) -> Intent:
        """What the query is after."""
        return self.asked.intent

    @property
    def cue(self) -> str:
        """The words of the query that showed it."""
        return self.asked.cue

    def __repr__(self) -> str:
        hits = [f"{one.score:.3f} {one.fact.content[:100]!r}" for one in self.hits[:10]]
        silent = [f"{voice} is silent: {why}" for voice, why in self.silent.items()]
        more = [f"{len(self.hits) - 10} more"] if len(self.hits) > 10 else []
        return f"<{len(self.hits)} hits, {self.intent}: {'; '.join([*hits, *more, *silent])}>"


def silence(asked: Asked, voice: Voice, why: str) -> Spoken:
    """A voice that says nothing, and why."""
    size = len(asked.library)
    return Spoken(
        asked=asked, voice=voice, scores=np.full(size, np.nan), named=np.zeros(size, dtype=np.bool_), why_silent=why
    )


def nominated(scores: Floats, among: Mask, place: Positions, limit: int) -> Mask:
    """Which are the ``limit`` best of some facts; ties go by ``place``. NaN is never among them."""
    named = np.zeros(len(scores), dtype=np.bool_)
    named[top(np.where(among, scores, np.nan), limit, tie=place)] = True
    return named


def worth(table: Table) -> Floats:
    """The latest of the columns that order candidates: ``score``, ``faded``, or ``fused``."""
    return table[next(name for name in ("score", "faded", "fused") if name in table)]
