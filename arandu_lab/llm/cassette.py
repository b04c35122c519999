"""A cassette as an experiment names it: a file, and whether models may be asked.

===============  =========================================================================
record           every question is put to the model; what was not in the file yet is added
replay           what the file holds is taken from it; the model is asked only what is missing
replay-only      the model is never asked; what is missing stops the run and says what differs
===============  =========================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.llm.backend import Backend
from arandu_lab.llm.open import Spec, open_backend
from arandu_lab.llm.recorded import Mode, Recorded
from arandu_lab.places import local

Replay: TypeAlias = Literal["record", "replay", "replay-only"]
MODES: Mapping[str, Mode] = {"record": "record", "replay": "auto", "replay-only": "replay"}
"""Mode of an experiment -> mode of :class:`arandu_lab.llm.recorded.Recorded`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cassette:
    """Answers of models in a file of JSON lines.

    >>> Cassette(path="results/cassettes/mine.jsonl").mode
    'replay'
    """

    path: str
    mode: Replay = "replay"

    def __post_init__(self) -> None:
        checked(self.mode)
        if self.mode == "replay-only" and not local(self.path, "cassette").is_file():
            raise ConfigError(f"replay-only of {self.path}: no such file; record it first (replay = 'record')")

    def before(self, model: Spec) -> Backend:
        """The model seen through the cassette."""
        return Recorded(open_backend(model), self.path, MODES[self.mode])


def checked(mode: str) -> Replay:
    """A mode by its name.

    Raises:
        ConfigError: none of that name.
    """
    if mode not in get_args(Replay):
        raise ConfigError(f"replay = {mode!r}; {nearest(mode, get_args(Replay))}")
    return cast("Replay", mode)
