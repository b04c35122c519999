"""The three modes of ``search_memory``, assembled. Each is a value: take a voice out, put a stage in another's place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pipeline import Pipeline, together
from arandu_lab.pure.intents import Voice
from arandu_lab.workspace.naming import one_of
from arandu_lab.workspace.search.stages import (
    classify,
    diversify,
    episodic,
    fade,
    favour,
    fuse,
    gather,
    meaning,
    present,
    recent,
    unheard,
    wording,
)


def keyword() -> Pipeline:
    """Words only. No embedder is asked, nothing fades.

    >>> keyword()
    classify() >> together(wording()) >> gather() >> fuse() >> favour() >> present()
    """
    return classify() >> together(wording()) >> gather() >> fuse() >> favour() >> present()


def semantic() -> Pipeline:
    """BM25 and vectors, by plain reciprocal rank fusion."""
    voices = together(wording(), meaning().otherwise(unheard()))
    return classify() >> voices >> gather() >> fuse(by_intent=False) >> favour() >> present()


def hybrid() -> Pipeline:
    """Four voices weighed by intent, faded by type, diversified.

    >>> "recent" in hybrid().names(), "recent" in hybrid().without("recent").names()
    (True, False)
    """
    voices = together(wording(), meaning().otherwise(unheard()), recent())
    ranked = gather() >> episodic() >> fuse() >> fade() >> favour() >> diversify()
    return classify() >> voices >> ranked >> present()


MODES: Mapping[str, Callable[[], Pipeline]] = MappingProxyType(
    {"keyword": keyword, "semantic": semantic, "hybrid": hybrid}
)

STAGES: Mapping[Voice, str] = MappingProxyType(
    {"lexical": "wording", "semantic": "meaning", "temporal": "recent", "graph": "episodic"}
)
"""Voice -> the stage that speaks for it."""


def searching(mode: str = "hybrid", *, without: tuple[str, ...] = ()) -> Pipeline:
    """The pipeline of a mode, with voices or stages taken out by name (``temporal`` and ``recent`` are the same).

    Raises:
        ConfigError: an unknown mode or name, or one whose loss leaves no pipeline.

    >>> searching(without=("temporal", "diversify")) == hybrid().without("recent").without("diversify")
    True
    """
    one_of("mode", mode, MODES)
    made = MODES[mode]()
    for name in without:
        stage = next((stage for voice, stage in STAGES.items() if voice == name), name)
        if stage not in made.names():
            known = [*(voice for voice, held in STAGES.items() if held in made.names()), *made.names()]
            raise ConfigError(f"mode {mode!r} without {name!r}; {nearest(name, known)}")
        made = made.without(stage)
        if stage == "meaning":
            made = made.without("unheard") if "unheard" in made.names() else made
    return made
