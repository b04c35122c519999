"""Which questions choose a setting, and which ones judge the choice: whole conversations, or the later part of the only one.

A setting that is the best of many on some questions is partly the luckiest on them. So the best is chosen on the training
part, and what is claimed of it is what it does on questions that had no say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from arandu_lab.bench.data.model import Conversation, Dataset, Question
from arandu_lab.errors import ConfigError, nearest

HoldOut: TypeAlias = float | tuple[str, ...] | None
"""A share of the conversations (of the questions, where there is one), names of conversations or datasets, or nothing."""

HOW = (
    "give hold_out= a share of the conversations (hold_out=0.5) or their names (hold_out=['conv-26', …]);"
    " of a single conversation a share holds out its later questions"
)
"""How a split is given, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Question keys (dataset, conversation, question) of each part, and the sentence that says how they were parted."""

    training: frozenset[tuple[str, str, str]]
    held_out: frozenset[tuple[str, str, str]]
    said: str


def split(datasets: Mapping[str, Dataset], hold_out: HoldOut, *, seed: int = 0) -> Split:
    """Part the questions. Conversations of one id in several datasets (a story in two languages) stay together, by whichever of
    them they are named.

    Raises:
        ConfigError: an unknown name, or a part that would have no question with an answer to find.
    """
    everything = [(name, one, q) for name, dataset in datasets.items() for one in dataset for q in one.questions]
    ids = list(dict.fromkeys(one.id for _, one, _ in everything))
    if hold_out is None:
        keys = frozenset((name, one.id, q.id) for name, one, q in everything)
        return Split(training=keys, held_out=frozenset(), said="no question is held out")
    if isinstance(hold_out, float) and len(ids) == 1:
        return _by_time(everything, hold_out)
    if isinstance(hold_out, float):
        number = min(len(ids) - 1, max(1, round(hold_out * len(ids))))
        drawn = np.random.default_rng(seed).choice(len(ids), size=number, replace=False)
        names = {ids[place] for place in drawn}
    else:
        known = [*ids, *(f"{name}/{one.id}" for name, one, _ in everything), *datasets]
        for name in hold_out:
            if name not in known:
                raise ConfigError(f"hold_out names {name!r}, which is no conversation; {nearest(name, known)}")
        names = set(hold_out)
    told = list(dict.fromkeys(one.id for name, one, _ in everything if names & {one.id, f"{name}/{one.id}", name}))
    held = [key for key in everything if key[1].id in told]
    said = f"held out: {len(told)} of {len(ids)} conversations ({_listed(told)})"
    return _parted(everything, held, said)


def hold_out_of(given: Any) -> HoldOut:
    """What was given as ``hold_out``, checked.

    Raises:
        ConfigError: no share above 0 and below 1, and no list of names.

    >>> hold_out_of(0.5), hold_out_of(["conv-26"]), hold_out_of(None)
    (0.5, ('conv-26',), None)
    """
    if given is None:
        return None
    if isinstance(given, int | float) and not isinstance(given, bool):
        if not 0 < given < 1:
            raise ConfigError(f"hold_out = {given!r}; a share is above 0 and below 1")
        return float(given)
    names = [given] if isinstance(given, str) else given
    if (
        isinstance(names, list | tuple | set | frozenset)
        and names
        and all(isinstance(one, str) and one for one in names)
    ):
        return tuple(sorted(names) if isinstance(names, set | frozenset) else names)
    raise ConfigError(f"hold_out = {given!r}; {HOW}")


def _by_time(everything: Sequence[tuple[str, Conversation, Question]], share: float) -> Split:
    """The later questions of one conversation: by the moment they are put, and where that is one by that of their evidence.

    A question that is put in two languages at one moment stays on one side.
    """
    moments = {name: {turn.id: turn.occurred_at for turn in one.turns} for name, one, _ in everything}

    def when(key: tuple[str, Conversation, Question]) -> Any:
        name, conversation, question = key
        said_at = [moments[name][one] for one in question.evidence if one in moments[name]]
        return question.asked_at, max(said_at, default=conversation.turns[0].occurred_at), question.id

    ordered = sorted(everything, key=when)
    cut = math.ceil(len(ordered) * (1 - share))
    late = {when(key) for key in ordered[cut:]}
    held = [key for key in ordered if when(key) in late]
    said = f"held out: the last {len(held)} of {len(ordered)} questions of {everything[0][1].id}, by time"
    return _parted(everything, held, said)


def _parted(
    everything: Sequence[tuple[str, Conversation, Question]],
    held: Sequence[tuple[str, Conversation, Question]],
    said: str,
) -> Split:
    out = {(name, one.id, q.id) for name, one, q in held}
    for part, inside in (("training", False), ("held-out", True)):
        if not any(q.evidence for name, one, q in everything if ((name, one.id, q.id) in out) is inside):
            raise ConfigError(f"hold_out leaves no question with evidence in the {part} part; {HOW}")
    training = frozenset((name, one.id, q.id) for name, one, q in everything) - out
    return Split(training=training, held_out=frozenset(out), said=said)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
