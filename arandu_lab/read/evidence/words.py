"""Vectors of single words, in memory beside the agent's rows (2 kB a word with the bundled embedder), never in the store.

The words of a new turn are embedded when it is written (``hearing.py``), so that no question waits for them. After a store
is opened, the first question embeds what its turns hold.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arandu_lab.pipeline import Lab
from arandu_lab.read.evidence.reel import Reel, kept_by
from arandu_lab.records import Vector


class Words:
    """Unit vectors of words, or of other texts, by their spelling, in order of arrival; grows at the end, and what was handed
    out stays.

    >>> words = Words(2)
    >>> words.add(["lake", "sea"], [np.array([1.0, 0.0]), None])
    >>> words.rows(["sea", "lake"]).tolist(), words.missing(["lake", "hill"])
    ([[0.0, 0.0], [1.0, 0.0]], ['hill'])
    """

    def __init__(self, dim: int) -> None:
        self._spelled: list[str] = []
        self._places: dict[str, int] = {}
        self._block = np.zeros((0, dim), dtype=np.float32)

    def __len__(self) -> int:
        return len(self._spelled)

    def missing(self, spelled: Sequence[str]) -> list[str]:
        """Those without a vector, each once, in order."""
        if self._spelled[: len(spelled)] == spelled:
            return []
        return [word for word in dict.fromkeys(spelled) if word not in self._places]

    def add(self, spelled: Sequence[str], vectors: Sequence[Vector | None]) -> None:
        """Vectors of further words; a word that is there already keeps its own. None: a zero row."""
        for word, vector in zip(spelled, vectors, strict=True):
            if word in self._places:
                continue
            place = self._places[word] = len(self._spelled)
            if place == len(self._block):
                grown = np.zeros((max(64, 2 * place), self._block.shape[1]), dtype=np.float32)
                grown[:place] = self._block
                self._block = grown
            if vector is not None:
                self._block[place] = vector
            self._spelled.append(word)

    def rows(self, spelled: Sequence[str]) -> Vector:
        """Their vectors, shape ``(len(spelled), dim)``; read-only. Raises KeyError: one is missing."""
        if self._spelled[: len(spelled)] == spelled:
            found = self._block[: len(spelled)]
        else:
            found = self._block[np.asarray([self._places[word] for word in spelled], dtype=np.int64)]
        found.flags.writeable = False
        return found


async def vectors_of(reel: Reel, lab: Lab) -> Vector:
    """Vectors of all words of a reel by number, shape ``(vocabulary, dim)``; those that are missing in one batch."""
    name = f"words by {lab.embed.name}"
    known: Vector | None = reel.derived.get(name)
    if known is None:
        words = kept_vectors("words", lab)
        spelled = reel.spelled[: reel.vocabulary]
        if fresh := words.missing(spelled):
            words.add(fresh, await lab.embed(fresh))
        known = reel.derived[name] = words.rows(spelled)
    return known


def kept_vectors(what: str, lab: Lab) -> Words:
    """The vectors of ``what`` ("words", "sentences") by this embedder that are kept beside the view."""
    kept: Words = kept_by(lab.memory).setdefault(f"{what} by {lab.embed.name}", Words(lab.embed.dim))
    return kept
