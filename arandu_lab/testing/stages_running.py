"""What a stage promises when it runs: its type, a span, a full account, the same again, and hands off what it was given."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar, get_args, get_origin

from arandu_lab.config import MemoryConfig, settings
from arandu_lab.errors import ConfigError
from arandu_lab.llm.mind import Minds
from arandu_lab.llm.offline import OfflineRules
from arandu_lab.pipeline import Pipeline
from arandu_lab.pipeline.lab import Lab
from arandu_lab.pipeline.node import type_name
from arandu_lab.pipeline.waiting import waited
from arandu_lab.testing.claims import Claim, Passed, wrong
from arandu_lab.testing.sameness import differs
from arandu_lab.testing.trial import Trial
from arandu_lab.trace import PipelineTrace, Usage


class _Counting(OfflineRules):
    """The offline model, which counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def complete(self, *given: Any, **more: Any) -> Any:
        self.asked += 1
        return await super().complete(*given, **more)


class _Embedding:
    """An embedder that counts the texts it is given, whoever asks."""

    def __init__(self, inner: Any, counts: list[int]) -> None:
        self._inner, self._counts = inner, counts

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "_inner"), name)

    def metered(self, span: Any) -> _Embedding:
        return _Embedding(self._inner.metered(span) if hasattr(self._inner, "metered") else self._inner, self._counts)

    async def __call__(self, texts: Sequence[str]) -> Any:
        self._counts.append(sum(1 for text in texts if text.strip()))
        return await self._inner(texts)


class _Ran:
    """One run: what went in and how it looked before, what came out, its trace, and what was really asked."""

    def __init__(self, on: Trial, value: Any, lab: Lab) -> None:
        self.before = copy.deepcopy(value)
        self.value, self.model, self.texts = value, _Counting(), list[int]()
        self.lab = lab
        bench = replace(lab, llm=Minds(self.model), embed=_Embedding(lab.embed, self.texts))
        pipeline = Pipeline((on.node,))
        _, values = settings(MemoryConfig(), (pipeline,))
        self.result, self.trace = waited(_run(pipeline, value, bench, values))


async def _run(pipeline: Pipeline, value: Any, lab: Lab, values: Any) -> tuple[Any, PipelineTrace]:
    return await pipeline(value, lab, values)


def _first(on: Trial) -> _Ran:
    """The first run. Of the values of the box that fit its type it takes the first that it does not refuse."""
    from arandu_lab.testing.specimens import fitting, specimens

    if "ran" in on.kept:
        return on.kept["ran"]  # type: ignore[no-any-return]
    if on.example is not None:
        tried = [(on.example, on.lab or specimens()[0].lab)]
    else:
        tried = [(one.value, on.lab or one.lab) for one in fitting(on.node)]
    if not tried:
        raise Passed(f"nothing in the box gives a {type_name(on.node.accepts)}: give check_stage an example=")
    for value, lab in tried:
        try:
            on.kept["ran"] = _Ran(on, value, lab)
        except ConfigError:
            if value is tried[-1][0]:
                raise
        else:
            break
    return on.kept["ran"]  # type: ignore[no-any-return]


def _gives(on: Trial) -> None:
    ran = _first(on)
    wanted = on.node.gives
    if isinstance(wanted, TypeVar):
        wanted = type(ran.value)
    kinds = tuple(get_origin(kind) or kind for kind in (get_args(wanted) if _is_union(wanted) else (wanted,)))
    if ran.result is None or not (Any in kinds or isinstance(ran.result, kinds)):
        wrong(f"it promised {type_name(wanted)} and gave {type(ran.result).__name__}")


def _is_union(kind: Any) -> bool:
    import types
    import typing

    return isinstance(kind, types.UnionType) or get_origin(kind) is typing.Union


def _trace(on: Trial) -> None:
    ran = _first(on)
    names = [span.name for span in ran.trace.root.walk()]
    if ran.trace.find(on.node.name) is None:
        wrong(f"the trace shows {names}")
    for span in ran.trace.steps:
        if span.duration_ms <= 0.0:
            wrong(f"the step {span.name} took no time")


def _usage(on: Trial) -> None:
    ran = _first(on)
    told = ran.trace.root.usage
    found = Usage(calls=ran.model.asked, embedded_texts=sum(ran.texts))
    if (told.calls, told.embedded_texts) != (found.calls, found.embedded_texts):
        wrong(
            f"the model was asked {found.calls} times and {found.embedded_texts} texts were embedded;"
            f" its row says {told.calls} and {told.embedded_texts}"
        )


def _again(on: Trial) -> None:
    one = _first(on)
    other = _Ran(on, copy.deepcopy(one.before), one.lab)
    if where := differs(one.result, other.result):
        wrong(f"two runs on one value differ in {where}")


def _untouched(on: Trial) -> None:
    ran = _first(on)
    if where := differs(ran.before, ran.value):
        wrong(f"what it was given has changed in {where}")


RUNNING: tuple[Claim, ...] = (
    Claim("gives", "A stage gives a value of the type it promises.",
          "Return the value, or correct the annotation of what it returns.", _gives),
    Claim("trace", "A stage is a step of the trace under its own name, with its time.",
          "Leave running and naming to @stage.", _trace),
    Claim("usage", "All that a stage asks of models and embedders stands in its row of usage.",
          "Ask through lab.llm.ask and lab.embed of the lab it was given, and keep no other.", _usage),
    Claim("again", "The same value and settings give the same result.",
          "Take the moment from lab.now and order from the value: no clock, no chance, no memory of its own.", _again),
    Claim("untouched", "A stage leaves what it was given as it was.",
          "Build a new value (dataclasses.replace, with_columns) in the place of changing the given one.", _untouched),
)  # fmt: skip
