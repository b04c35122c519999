"""Listening: the words and sentences of new turns are embedded when they are written, so that no question waits for them.

Vectors lie beside the agent's rows, in memory (``words.py``, ``sentences.py``). They go by spelling, so a turn that comes late
moves none, and they go when the view is rebuilt, as it is when a turn is forgotten.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from arandu_lab.errors import BackendError
from arandu_lab.pipeline import Lab
from arandu_lab.read.evidence.reel import reel_of, told_so_far
from arandu_lab.read.evidence.sentences import own_vectors, sentence_vectors
from arandu_lab.read.evidence.words import kept_vectors, vectors_of

WORDS, SENTENCES = "softmatch", "nearest_sentences"
"""The stages of reading that look at single words, and at single sentences."""

HEARD = frozenset({WORDS, SENTENCES})
"""The stages for whose sake a written turn is listened to."""

MOST_NEW = 2048
"""Words, and sentences, that a write embeds at most: what one long message can bring; more are left to the first question."""


async def hear(lab: Lab, stages: Collection[str]) -> None:
    """Look at the turns that are new since the last look, and embed in one batch what these stages need of them.

    The cost is that of the new turns: where many are behind (a store that was just opened), nothing is done.

    Raises:
        BackendError: the embedder failed; nothing is lost, the first question embeds what is missing.
    """
    told, words, lines = told_so_far(lab.memory), kept_vectors("words", lab), kept_vectors("sentences", lab)
    spelled = _few(words.missing(told.spelled[len(words) :])) if WORDS in stages else []
    said = _few(lines.missing(told.sentences[len(lines) :])) if SENTENCES in stages else []
    own = own_vectors(said, told.wholes, lab.memory)
    fresh = [text for text in said if text not in own]
    vectors = await lab.embed([*spelled, *fresh]) if spelled or fresh else []
    words.add(spelled, vectors[: len(spelled)])
    found = {**own, **dict(zip(fresh, vectors[len(spelled) :], strict=True))}
    lines.add(said, [found[text] for text in said])
    lab.log(words=len(spelled), sentences=len(said))


def _few(texts: list[str]) -> list[str]:
    """The texts, or none of them where they are too many for a write."""
    return texts if len(texts) <= MOST_NEW else []


async def know(lab: Lab, stages: Collection[str]) -> None:
    """Have all vectors that these stages need, as a memory has that heard its turns one by one; a failure loses nothing."""
    reel = reel_of(lab.memory)
    with suppress(BackendError):
        if WORDS in stages:
            await vectors_of(reel, lab)
        if SENTENCES in stages:
            await sentence_vectors(reel, lab)
