"""What a recording leaves behind and a measure reads: plain records, the only thing between the two.

A dossier says nothing about right or wrong. It holds what passed between the stages of a write, every row that the
store held at the end, which facts were live at which instants, and the candidates of every question with the reason
each was lost. All of it is JSON-able; ``times`` alone differs from run to run.

>>> heard = Heard(turn="s01t01", facts=(ReadFact(subject="Ana", text="Ana lives in Recife."),), kept=(0,))
>>> dossier = Dossier(system="arandu", dataset="mare_pt", mode="end-to-end", heard=(heard,))
>>> Dossier.from_json(dossier.to_json()) == dossier
True
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from functools import cache
from typing import Any, Literal

Mode = Literal["end-to-end", "oracle", "given"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFact:
    """A fact as a stage saw it. ``valid_from`` is an ISO day, None for the turn's own; ``context`` marks mirror facts."""

    subject: str
    text: str
    category: str = "unknown"
    confidence: float = 1.0
    valid_from: str | None = None
    event_time: str | None = None
    context: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A name of a turn and the entity it was taken for. ``key`` None: nobody; ``candidates``: whom else it may be."""

    name: str
    key: str | None
    how: str
    aliases: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What was decided about ``Heard.stated[position]``; ``fact_id`` is the row it became, None when none was written."""

    position: int
    action: str
    target_id: str | None = None
    why: str = ""
    fact_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One turn through the write stages.

    ``facts`` as extraction read them, of which dedup kept the positions ``kept``; ``stated`` is what reconciliation
    decided about: the kept ones and then mirrors. A fact that dedup passed on twice stands in ``kept`` twice. A turn
    that failed has an ``error`` and whatever came before it.
    """

    turn: str
    facts: tuple[ReadFact, ...] = ()
    entities: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    relations: tuple[tuple[str, str, str], ...] = ()
    kept: tuple[int, ...] = ()
    stated: tuple[ReadFact, ...] = ()
    resolved: tuple[Named, ...] = ()
    made: tuple[Made, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One version of a fact in the store at the end. ``turn`` said it; moments are ISO, with their offset."""

    fact_id: str
    key: str
    name: str
    text: str
    turn: str | None
    valid_from: str
    valid_to: str | None = None
    recorded_at: str = ""
    invalidated_at: str | None = None
    supersedes: str | None = None
    closed_by: str | None = None
    context: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A fact that a question brought up, ``rank`` from 1. ``lost``: ``pool vetoed min_score topk budget``, None when shown."""

    fact_id: str
    rank: int
    lost: str | None = None
    scores: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as it was answered. ``turns`` are those shown in the context (of a control: those it ranked)."""

    question: str
    candidates: tuple[Candidate, ...] = ()
    turns: tuple[str, ...] = ()
    context_tokens: int | None = None
    context: str = ""
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The facts that were live at an instant, known by then: ids of rows."""

    at: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one stage asked for over the whole replay."""

    stage: str
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    embedded_texts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Dossier:
    """All that one system did with one conversation.

    ``times`` is milliseconds by stage and is never compared; ``ids`` (mode ``given``) leads from a gold fact to the row
    that stands for it; ``errors`` are lines ``phase where: message``, and whatever stands there was not measured.
    """

    system: str
    dataset: str
    mode: Mode
    heard: tuple[Heard, ...] = ()
    rows: tuple[Row, ...] = ()
    states: tuple[State, ...] = ()
    asked: tuple[Asked, ...] = ()
    costs: tuple[Cost, ...] = ()
    times: dict[str, float] = field(default_factory=dict, compare=False)
    ids: dict[str, str] = field(default_factory=dict)
    errors: tuple[str, ...] = ()

    def to_json(self, *, times: bool = True) -> str:
        """One JSON object; without ``times`` it is the same byte for byte in every run."""
        plain = asdict(self)
        if not times:
            del plain["times"]
        return json.dumps(plain, ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Dossier:
        """The dossier that ``to_json`` wrote.

        Raises:
            ValueError: not JSON, or not of this shape.
        """
        built = _build(cls, json.loads(text))
        assert isinstance(built, Dossier)
        return built


@cache
def _hints(record: type) -> dict[str, Any]:
    return typing.get_type_hints(record)


def _build(kind: Any, value: Any) -> Any:
    """A JSON value as the annotation has it: lists as tuples, objects as records."""
    if is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(value, Mapping) or (strange := set(value) - {one.name for one in fields(kind)}):
            raise ValueError(f"{kind.__name__} of {sorted(strange) if isinstance(value, Mapping) else value!r}")
        hints = _hints(kind)
        try:
            return kind(**{name: _build(hints[name], inner) for name, inner in value.items()})
        except TypeError as error:
            raise ValueError(f"{kind.__name__}: {error}") from None
    if typing.get_origin(kind) is tuple:
        inside = typing.get_args(kind)
        if len(inside) == 2 and inside[1] is Ellipsis:
            return tuple(_build(inside[0], inner) for inner in value)
        return tuple(_build(one, inner) for one, inner in zip(inside, value, strict=True))
    if isinstance(kind, types.UnionType) and value is not None:
        return _build(next(one for one in typing.get_args(kind) if one is not types.NoneType), value)
    return value
