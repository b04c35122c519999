"""Where somebody's mood is going: readings of emotion over time, brought to one number, and whether they rise or fall.

A direction needs two things: the last third lies apart from the first by a visible step, and the order of the readings says
so too (Mann-Kendall), so that a mixed bag of feelings is not read as a trend.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arandu_lab.pure.text import fold
from arandu_lab.records import Event

Direction: TypeAlias = Literal["rising", "falling", "steady"]
Of: TypeAlias = Literal["mood", "energy"]

LEAST = 6
"""Readings below which nothing is said."""

_BINS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """How readings moved: the mean of their first and of their last third, ``change`` between them, from how many.

    Mood lies in [-1, 1] (valence times intensity), energy in [0, 1].
    """

    direction: Direction
    before: float
    after: float
    change: float
    n: int
    since: datetime
    until: datetime


def trend(moments: Sequence[datetime], values: ArrayLike, *, step: float = 0.25, z: float = 1.96) -> Trend | None:
    """The trend of readings, in whatever order they come; None where fewer than six of them are numbers.

    Args:
        moments: when each was taken.
        values: Shape ``(n,)``; ``nan`` is no reading.
        step: the least change between the first and the last third that counts.
        z: how far the order of readings must lie from chance, in standard deviations (1.96: one false alarm in twenty).

    >>> from datetime import UTC, timedelta
    >>> days = [datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=n) for n in range(6)]
    >>> trend(days, [-0.8, -0.5, -0.4, 0.1, 0.3, 0.7]).direction, trend(days, [0.5, -0.5] * 3).direction, trend(days[:5], [0] * 5)
    ('rising', 'steady', None)
    """
    read = np.asarray(values, dtype=np.float64)
    told = sorted(
        (moment, value) for moment, value in zip(moments, read.tolist(), strict=True) if not math.isnan(value)
    )
    if len(told) < LEAST:
        return None
    line = np.array([value for _, value in told])
    third = len(line) // 3
    before, after = float(line[:third].mean()), float(line[-third:].mean())
    order = _kendall(line)
    direction: Direction = "steady"
    if abs(after - before) >= step and abs(order) >= z and (after > before) == (order > 0.0):
        direction = "rising" if after > before else "falling"
    return Trend(
        direction=direction, before=before, after=after, change=after - before, n=len(line),
        since=told[0][0], until=told[-1][0],
    )  # fmt: skip


def by_speaker(events: Iterable[Event], of: Of = "mood") -> dict[str, Trend]:
    """The trend of each speaker with enough tagged turns, speakers in the order of their names.

    ``mood`` reads label and intensity, ``energy`` the energy. A label that the table does not know is no reading.
    """
    said: dict[str, list[Event]] = {}
    for event in events:
        said.setdefault(event.speaker, []).append(event)
    found = {}
    for speaker in sorted(said):
        readings = [_energy(event) if of == "energy" else _mood(event) for event in said[speaker]]
        line = trend([event.occurred_at for event in said[speaker]], readings)
        if line is not None:
            found[speaker] = line
    return found


def valence(label: str) -> float | None:
    """How pleasant an emotion is, -1 to 1, by its English or Portuguese name; None for a name that is not in the table.

    >>> valence("joy"), valence("Tristeza"), valence("neutral"), valence("zugzwang")
    (1.0, -0.8, 0.0, None)
    """
    return _VALENCE.get(fold(label).strip())


_ENERGY: Mapping[str | None, float] = {"low": 0.0, "medium": 0.5, "high": 1.0}
_WORDS: dict[float, str] = {
    1.0: """joy happiness delight elation bliss excitement enthusiasm euphoria love thrilled happy excited ecstatic joyful
        alegria felicidade empolgacao animacao entusiasmo euforia amor feliz animado animada empolgado empolgada""",
    0.8: """gratitude pride affection triumph satisfaction amusement admiration adoration grateful proud gratidao orgulho
        carinho afeto satisfacao diversao admiracao grato grata orgulhoso orgulhosa ternura""",
    0.5: """hope optimism contentment relief calm serenity interest curiosity confidence trust anticipation hopeful content
        relieved caring approval desire esperanca otimismo contentamento alivio calma tranquilidade serenidade interesse
        curiosidade confianca expectativa aliviado aliviada""",
    0.0: "neutral none surprise realization neutro neutra neutralidade nenhuma surpresa indiferenca indifference",
    -0.3: """nostalgia confusion boredom longing impatience uncertainty confused bored saudade confusao tedio nostalgico
        impaciencia duvida incerteza""",
    -0.4: "tiredness fatigue exhaustion tired exhausted cansaco exaustao fadiga cansado cansada esgotamento",
    -0.6: """worry concern nervousness stress overwhelm disappointment embarrassment annoyance frustration guilt worried
        stressed nervous frustrated disappointed disapproval preocupacao nervosismo estresse sobrecarga decepcao vergonha
        irritacao frustracao culpa preocupado preocupada irritado irritada frustrado frustrada""",
    -0.8: """sadness anger fear disgust anxiety grief loneliness shame jealousy hurt remorse sad angry afraid scared anxious
        lonely tristeza raiva medo nojo ansiedade luto solidao ciume inveja magoa remorso triste ansioso ansiosa sozinho
        sozinha pesar""",
    -1.0: "despair rage terror hate hatred misery panic depression desespero furia odio panico angustia depressao",
}  # fmt: skip
_VALENCE = {word: value for value, line in _WORDS.items() for word in line.split()}


def _mood(event: Event) -> float:
    known = None if event.emotion is None else valence(event.emotion)
    if known is None:
        return math.nan
    return known * (0.5 if event.emotion_intensity is None else event.emotion_intensity)


def _energy(event: Event) -> float:
    return _ENERGY.get(event.energy, math.nan)


def _kendall(line: NDArray[np.float64]) -> float:
    """How far the order of readings lies from chance, in standard deviations, above 0 where later ones are greater."""
    if len(line) > _BINS:
        line = np.array([part.mean() for part in np.array_split(line, _BINS)])
    n = len(line)
    score = float(np.sum(np.triu(np.sign(line[None, :] - line[:, None]), 1)))
    _, ties = np.unique(line, return_counts=True)
    spread = (n * (n - 1) * (2 * n + 5) - float(np.sum(ties * (ties - 1) * (2 * ties + 5)))) / 18.0
    return 0.0 if spread <= 0.0 else (score - float(np.sign(score))) / math.sqrt(spread)
