"""The controls that every table shows: what remembering the plain turns is worth, and where floor and ceiling are.

============  ======================================================================================
random        turns in an order drawn from seed, conversation and question: the floor
recency       the newest turns first
bm25          turns by the rare words they share with the question; those that share none behind, the earlier first
dense         turns by the cosine of their vectors
fused         reciprocal rank fusion (``k = 60``) of dense and of those that share a word, by bm25
verbatim      ranks as ``fused``; its context holds the newest turns and each hit with its neighbours, in order of time
full_context  no ranking (measures of ranking are null); the whole conversation as context
oracle        the evidence itself: the ceiling for whatever reads a context
============  ======================================================================================

One conversation is one corpus, and only turns said by ``now`` exist: word statistics too are of those alone. Ties go
to the earlier turn. The text of a turn is a ``template`` (see :func:`arandu_lab.systems.base.worded`): it moves the
figures more than the choice of a model does.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

import numpy as np

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pipeline.lab import Embed
from arandu_lab.pure.bm25 import BM25, Variant, tokens
from arandu_lab.pure.fusion import reciprocal_rank_fusion
from arandu_lab.records import Vector
from arandu_lab.systems.base import DatedTurn, Ranked, worded
from arandu_lab.systems.corpus import TEMPLATE, Scores, TurnCorpus
from arandu_lab.systems.options import check_options
from arandu_lab.trace import Usage

Asked: TypeAlias = tuple[str, str, datetime]
"""A question: conversation, words and moment."""


class Random(TurnCorpus):
    """An order drawn from ``seed``, the conversation and the question: the same in every run and on every machine."""

    label = "random"

    def __init__(self, *, seed: int = 0, template: str = TEMPLATE, language: str = "en") -> None:
        super().__init__(template=template, language=language)
        self.seed = seed

    async def scores(self, question: str, heard: Sequence[DatedTurn]) -> tuple[Scores, Usage]:
        """Independent draws from 0 to 1."""
        said = "\0".join((str(self.seed), str(self.conversation), question)).encode()
        drawn = np.random.default_rng(int.from_bytes(hashlib.sha256(said).digest()[:8], "big"))
        return drawn.random(len(heard)), Usage()


class Recency(TurnCorpus):
    """The newest turns first; the score is the moment in seconds since 1970."""

    label = "recency"

    async def scores(self, question: str, heard: Sequence[DatedTurn]) -> tuple[Scores, Usage]:
        """The moment of each turn."""
        return np.array([turn.occurred_at.timestamp() for turn in heard], dtype=np.float64), Usage()


class Bm25(TurnCorpus):
    """Okapi BM25 as rank-bm25 computes it, over ``\\w+`` in lower case; every turn has a place."""

    label = "bm25"

    def __init__(
        self,
        *,
        variant: Variant = "okapi",
        k1: float = 1.5,
        b: float = 0.75,
        template: str = TEMPLATE,
        language: str = "en",
    ) -> None:
        super().__init__(template=template, language=language)
        self.variant, self.k1, self.b = variant, k1, b
        self._index: tuple[tuple[str, ...], BM25] = ((), BM25.fit([], k1=k1, b=b, variant=variant))

    async def scores(self, question: str, heard: Sequence[DatedTurn]) -> tuple[Scores, Usage]:
        """BM25; 0 for a turn that shares no word."""
        return self.index(heard).scores(tokens(question)), Usage()

    def voice(self, question: str, heard: Sequence[DatedTurn]) -> Scores:
        """BM25 as one voice among others: silent (``nan``) on a turn that shares no word."""
        index, words = self.index(heard), tokens(question)
        return np.where(index.shares_a_word(words), index.scores(words), np.nan)

    def index(self, heard: Sequence[DatedTurn]) -> BM25:
        """The index of exactly these turns; the last one is kept."""
        texts = tuple(worded(turn, self.template, language=self.language) for turn in heard)
        if texts != self._index[0]:
            self._index = (texts, BM25.fit(map(tokens, texts), k1=self.k1, b=self.b, variant=self.variant))
        return self._index[1]


class Dense(TurnCorpus):
    """Cosines of an embedder's vectors, on its documented scale. ``embed`` None: the bundled default.

    A turn is embedded when it is heard; one without a vector (nothing in it) is no candidate.
    """

    label = "dense"

    def __init__(self, embed: Embed | None = None, *, template: str = TEMPLATE, language: str = "en") -> None:
        super().__init__(template=template, language=language)
        self.embed = _opened() if embed is None else embed
        self._vectors: dict[str, Vector | None] = {}

    async def begin(self, conversation_id: str) -> None:
        """Forget everything, vectors too."""
        await super().begin(conversation_id)
        self._vectors = {}

    async def end(self) -> None:
        """Forget everything, vectors too."""
        await super().end()
        self._vectors = {}

    async def take(self, turn: DatedTurn) -> Usage:
        """Embed the turn."""
        text = worded(turn, self.template, language=self.language)
        [self._vectors[turn.id]] = await self.embed([text])
        return Usage(embedded_texts=1)

    async def scores(self, question: str, heard: Sequence[DatedTurn]) -> tuple[Scores, Usage]:
        """Cosines; all ``nan`` when the question has no vector."""
        [asked] = await self.embed([question])
        out = np.full(len(heard), np.nan)
        vectors = [(place, v) for place, turn in enumerate(heard) if (v := self._vectors[turn.id]) is not None]
        if asked is not None and vectors:
            matrix = np.stack([vector for _, vector in vectors]).astype(np.float64)
            out[[place for place, _ in vectors]] = self.embed.scale(matrix @ asked.astype(np.float64))
        return out, Usage(embedded_texts=1)


class Fused(Dense):
    """Reciprocal rank fusion of the two voices; a question that shares no word is left to the vectors alone."""

    label = "fused"

    def __init__(self, embed: Embed | None = None, *, template: str = TEMPLATE, language: str = "en") -> None:
        super().__init__(embed, template=template, language=language)
        self.lexical = Bm25(template=template, language=language)

    async def scores(self, question: str, heard: Sequence[DatedTurn]) -> tuple[Scores, Usage]:
        """RRF; ``nan`` where both voices are silent."""
        dense, usage = await super().scores(question, heard)
        return reciprocal_rank_fusion([self.lexical.voice(question, heard), dense]), usage


class Verbatim(Fused):
    """Turns themselves as memory: ranked as ``fused``, read with what was said around them.

    The context holds, in order of time, each hit with ``window`` turns before and after it in its session, and the
    ``recent`` newest turns, as an agent without a memory system would keep them.
    """

    label = "verbatim"

    def __init__(
        self,
        embed: Embed | None = None,
        *,
        window: int = 1,
        recent: int = 6,
        template: str = TEMPLATE,
        language: str = "en",
    ) -> None:
        super().__init__(embed, template=template, language=language)
        if window < 0 or recent < 0:
            raise ConfigError(f"verbatim with window={window}, recent={recent}; both 0 or more")
        self.window, self.recent = window, recent

    def context(self, heard: Sequence[DatedTurn], best: Sequence[int]) -> str:
        """Hits with neighbours and the newest turns, each once, in order of time."""
        shown = set(range(max(0, len(heard) - self.recent), len(heard)))
        for hit in best:
            for position in range(max(0, hit - self.window), min(len(heard), hit + self.window + 1)):
                if heard[position].session_id == heard[hit].session_id:
                    shown.add(position)
        return self.transcript(heard[position] for position in sorted(shown))


class FullContext(TurnCorpus):
    """Everything said by ``now``, in order; it ranks nothing, and ``k`` does not bind it."""

    label = "full_context"

    async def ask(self, question: str, *, now: datetime, k: int) -> Ranked:
        """The transcript; ``turns`` is None."""
        if self.conversation is None:
            raise ConfigError(f"{self.name}: ask before begin")
        began = time.perf_counter()
        context = self.transcript(turn for turn in self.turns if turn.occurred_at <= now)
        return Ranked(context=context, ms=(time.perf_counter() - began) * 1000.0)


class Oracle(TurnCorpus):
    """Shows the evidence and nothing else; not a memory, a ceiling.

    Args:
        evidence: What was asked, and when -> ids of turns; the same words may be asked again when the answer is another.
    """

    label = "oracle"

    def __init__(
        self, evidence: Mapping[Asked, Iterable[str]], *, template: str = TEMPLATE, language: str = "en"
    ) -> None:
        super().__init__(template=template, language=language)
        self.evidence = {key: frozenset(ids) for key, ids in evidence.items()}
        self._now: datetime | None = None

    async def ask(self, question: str, *, now: datetime, k: int) -> Ranked:
        """The evidence of what is asked at that moment."""
        self._now = now
        return await super().ask(question, now=now, k=k)

    async def scores(self, question: str, heard: Sequence[DatedTurn]) -> tuple[Scores, Usage]:
        """1 for evidence, ``nan`` for all else."""
        assert self._now is not None
        wanted = self.evidence.get((str(self.conversation), question, self._now), frozenset())
        return np.array([1.0 if turn.id in wanted else np.nan for turn in heard], dtype=np.float64), Usage()


CONTROLS: Mapping[str, Callable[..., TurnCorpus]] = {
    one.label: one for one in (Random, Recency, Bm25, Dense, Fused, Verbatim, FullContext, Oracle)
}


def control(name: str, **options: Any) -> TurnCorpus:
    """A control by the name of its row.

    Raises:
        ConfigError: an unknown name, or options that it does not take, or of another type.

    >>> control("bm25", template="text")
    <Bm25 bm25(text)>
    """
    if name not in CONTROLS:
        raise ConfigError(f"control {name!r}; {nearest(name, CONTROLS)}")
    try:
        check_options(CONTROLS[name], options)
        if options.get("embed") is not None:
            options["embed"] = _opened(options["embed"])
        return CONTROLS[name](**options)
    except (TypeError, ConfigError) as failed:
        raise ConfigError(f"control {name!r}: {failed}") from failed


def _opened(spec: Any = None) -> Embed:
    from arandu_lab.embed.open import open_embedder

    return open_embedder(spec)
