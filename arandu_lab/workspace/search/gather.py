"""Stage 3: the voices that spoke side by side, as one record; in whatever order they stand in the assembly."""

from __future__ import annotations

from arandu_lab.errors import ConfigError
from arandu_lab.pipeline import Lab, stage
from arandu_lab.workspace.search.found import Spoken, Voices


@stage
def gather(spoken: tuple[Spoken, ...], lab: Lab) -> Voices:
    """Put the voices together by name.

    Raises:
        ConfigError: one voice that speaks twice.
    """
    names = [one.voice for one in spoken]
    if len(set(names)) < len(names):
        raise ConfigError(f"voices {', '.join(names)}; each may speak once")
    held = Voices(asked=spoken[0].asked, spoken={}).joined(*spoken)
    lab.log(silent=sorted(held.silent))
    return held
