"""What a stage promises before it runs: a value with a sentence, typed parameters, ranges, and a place in every sweep."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from arandu_lab.config import MemoryConfig, settings
from arandu_lab.errors import ConfigError
from arandu_lab.pipeline import REGISTRY, Group, Node, Param, Pipeline, Stage
from arandu_lab.pipeline.node import Run, flows
from arandu_lab.pipeline.stage import Definition
from arandu_lab.testing.claims import Claim, Passed, refused, wrong
from arandu_lab.testing.trial import Trial


def _sentence(on: Trial) -> None:
    first = on.definition.doc.strip().partition("\n")[0].rstrip()
    if not first:
        wrong("no docstring")
    if not first.endswith((".", ":", ",")):
        wrong(f"its docstring begins {first!r}")


def _value(on: Trial) -> None:
    node = on.definition()
    if not isinstance(node, Stage | Group):
        wrong(f"calling it gives a {type(node).__name__}")
    _one_value(node, on.definition())


def _one_value(node: Any, again: Any) -> None:
    """Equality, hash, pickle, copy and repr of a node, which is made twice."""
    if node != again or hash(node) != hash(again):
        wrong(f"made twice, {node!r} is not equal to itself or hashes otherwise")
    if pickle.loads(pickle.dumps(node)) != node or copy.deepcopy(node) != node:
        wrong(f"{node!r} comes back as another from a pickle or a copy")
    if eval(repr(node), REGISTRY.namespace()) != node:
        wrong(f"eval({node!r}) is another node")


def _types(on: Trial) -> None:
    node = on.definition()
    flows(node, node.accepts)
    if not isinstance(on.definition, Definition):
        return
    for what, kind in (("the value it takes", on.definition.accepts), ("what it gives", on.definition.gives)):
        if kind is None or kind is type(None):
            wrong(f"{what} is None")


def _ranges(on: Trial) -> None:
    for name, param in _own(on):
        if param.annotation is Any:
            wrong(f"parameter {name!r} has no annotation")
        if param.default is Param.required:
            if name not in MemoryConfig.model_fields:
                wrong(f"parameter {name!r} has no default and is no setting of MemoryConfig")
            value = getattr(MemoryConfig(), name)
        else:
            if name in MemoryConfig.model_fields:
                wrong(f"parameter {name!r} is a setting of MemoryConfig and brings a default of its own")
            value = param.default
        if param.check(value) != value:
            wrong(f"the default {name}={value!r} is not among the values that its annotation allows")


def _refuses(on: Trial) -> None:
    from arandu_lab.testing.strategies import illegal

    for name, param in _own(on):

        def test(bad: Any, name: str = name) -> None:
            refused(lambda: on.definition(**{name: bad}), name, what=f"{name}={bad!r}")

        _drawn(illegal(param.annotation), test)


def _keeps(on: Trial) -> None:
    from arandu_lab.testing.strategies import legal

    for name, param in _own(on):

        def test(good: Any, name: str = name) -> None:
            node = on.definition(**{name: good})
            if dict(node.pins)[name] != good:
                wrong(f"{name}={good!r} is pinned as {dict(node.pins)[name]!r}")
            _one_value(node, on.definition(**{name: good}))

        _drawn(legal(param.annotation), test)


def _unknown(on: Trial) -> None:
    if not isinstance(on.definition, Definition):
        raise Passed("a group has no parameters of its own")
    refused(lambda: on.definition(no_such_parameter=1), "no parameter", what="no_such_parameter=1")


def _sweep(on: Trial) -> None:
    if not any(_own(on)):
        raise Passed("it has no parameters")
    pipeline = Pipeline((on.definition(),))
    for name, param in _own(on):
        two = _two_values(param)
        prints = []
        for value in two:
            _, values = settings(MemoryConfig(), (pipeline,), {name: value}, strict=True)
            if values[name] != value:
                wrong(f"the override {name}={value!r} reaches it as {values[name]!r}")
            prints.append(pipeline.prefixes(values))
        if len(two) == 2 and prints[0] == prints[1]:
            wrong(f"{name}={two[0]!r} and {name}={two[1]!r} have one address, so a sweep would take one for the other")
        _pinned(Pipeline((on.definition(**{name: two[0]}),)), name, two[-1])


def _pinned(pipeline: Pipeline, name: str, value: Any) -> None:
    refused(
        lambda: settings(MemoryConfig(), (pipeline,), {name: value}, strict=True),
        *(name, "pinned"),
        what=f"an override of the pinned {name}, which could change nothing,",
    )


def _edits(on: Trial) -> None:
    node, name = on.definition(), on.definition.name
    whole = node >> _Beside()
    before = repr(whole)
    if whole.without(name) != Pipeline((_Beside(),)):
        wrong(f"without({name!r}) leaves {whole.without(name)!r}")
    if whole.replace(name, _Beside()) != Pipeline((_Beside(), _Beside())):
        wrong(f"replace({name!r}, …) leaves {whole.replace(name, _Beside())!r}")
    if whole.after(name, _Beside()).names().count("beside") != 2 or whole.before(name, _Beside()).nodes[1] != node:
        wrong(f"after or before {name!r} puts another node elsewhere")
    if repr(whole) != before:
        wrong("editing a pipeline changed the pipeline that was edited")


T = TypeVar("T")


class _Beside(Node):
    """A node that takes anything and passes it on."""

    name = "beside"
    accepts, gives = Any, T

    def parameters(self) -> dict[str, Param]:
        return {}

    def pinned(self) -> dict[str, Any]:
        return {}

    def pin(self, values: Any) -> Node:
        return self

    def fingerprint(self, values: Any) -> Any:
        return ["beside"]

    async def run(self, value: Any, run: Run) -> Any:
        return value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Beside)

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return "beside()"


def _own(on: Trial) -> Iterator[tuple[str, Param]]:
    """The parameters of a stage; a group has none of its own."""
    if isinstance(on.definition, Definition):
        yield from on.definition.parameters.items()


def _two_values(param: Param) -> list[Any]:
    """Two legal values that differ, or one where there is no second."""
    from arandu_lab.testing.strategies import examples_of

    known = param.name in MemoryConfig.model_fields
    found: list[Any] = [param.check(getattr(MemoryConfig(), param.name) if known else param.default)]
    for value in examples_of(param.annotation):
        try:
            checked = param.check(value)
            if known:
                MemoryConfig().replaced(**{param.name: value})
        except ConfigError:
            continue
        if checked not in found:
            return [*found, checked]
    return found


def _drawn(strategy: Any, test: Callable[[Any], None], examples: int = 8) -> None:
    from hypothesis import HealthCheck, Phase, given
    from hypothesis import settings as few_settings

    def one(value: Any) -> None:
        test(value)

    few: Any = few_settings
    over: Any = given
    drawn = few(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.explicit, Phase.generate),
    )(over(strategy)(one))
    drawn()


ON_PAPER: tuple[Claim, ...] = (
    Claim("sentence", "A stage says in a sentence what it does.",
          "Begin its docstring with a sentence that ends in a full stop.", _sentence),
    Claim("value", "A stage without arguments compares, hashes, pickles, copies, and is rebuilt by its repr.",
          "Make it with @stage at the top level of a module or cell, and give parameters values that compare and print.", _value),
    Claim("types", "A stage takes what it says it takes, and says what it gives.",
          "Annotate the first argument and the return value.", _types),
    Claim("ranges", "What a stage reads is a setting of MemoryConfig, or its own with a type, a range and a default in it.",
          "Annotate every parameter with a unit (arandu_lab.units); give a default to those MemoryConfig lacks.", _ranges),
    Claim("refuses", "A value outside of a parameter's range is refused with a ConfigError that names the parameter.",
          "Give the parameter an annotation with a range, such as arandu_lab.units.Share.", _refuses),
    Claim("keeps", "A value within the range is pinned as it is, and the pinned stage is a value like the default one.",
          "Let the annotation validate without changing what it is given.", _keeps),
    Claim("unknown", "A parameter that a stage does not have is refused with the nearest name.",
          "Take parameters by name after the star, not as **keywords.", _unknown),
    Claim("sweep", "Every parameter is an override of the pipelines that hold the stage, and moves their address.",
          "Read settings as keyword parameters only, and let their values print apart.", _sweep),
    Claim("edits", "Pipelines leave it out, replace it, and put others beside it by its name, and stay as they were.",
          "Do not change nodes after they are made.", _edits),
)  # fmt: skip
