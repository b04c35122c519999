"""Claims about the scripted model: it says what it is told, in order, and knows when it has run out."""

import asyncio
import time

import pytest

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm import tasks
from arandu_lab.llm.faults import FaultKind
from arandu_lab.llm.mind import Minds, Patience
from arandu_lab.llm.scripted import Scripted, fail

MENTIONS = {"mentions": [{"i": 0, "name": "Ana", "candidates": []}]}
ITEMS = {"items": [{"i": 0, "fact": "x", "known": [{"i": 0}]}]}
FACTS = {"facts": [{"i": 0, "text": "x"}]}
TASKS = [
    (tasks.extract, {"speaker": "Iara"}),
    (tasks.entities, {"speaker": "Iara"}),
    (tasks.facts, {"speaker": "Iara"}),
    (tasks.relations, {"speaker": "Iara"}),
    (tasks.resolve, MENTIONS),
    (tasks.reconcile, ITEMS),
    (tasks.judge, FACTS),
]


async def outcome(asking):
    """What came: the answer or the BackendError."""
    try:
        return await asking
    except BackendError as error:
        return error


async def test_every_kind_of_answer():
    """Mappings, strings, models, callables and exceptions are all answers."""
    answer = {"facts": [{"subject": "A", "text": "A b"}]}
    model = tasks.FactsAnswer.model_validate(answer)
    script = Scripted([answer, '{"facts": []}', model, lambda messages: answer, ZeroDivisionError("x")])
    mind = Minds(script)
    found = [len((await mind.ask(tasks.facts(), {}, timeout=1)).value.facts) for _ in range(4)]
    assert found == [1, 0, 1, 1]
    with pytest.raises(ZeroDivisionError):
        await mind.ask(tasks.facts(), {}, timeout=1)
    assert script.calls[0].schema == "FactsAnswer"


async def test_queues_by_task():
    """Tasks asked at the same time draw each from its own queue; a constant never runs out; the rest is the default."""
    script = Scripted(
        by_task={"facts": [{"facts": [{"subject": "A", "text": "A 1"}]}], "relations": {"relations": []}},
        default={"grades": [{"i": 0, "grade": 0.1}]},
        delay=0.001,
    )
    mind = Minds(script)
    both = await asyncio.gather(
        mind.ask(tasks.relations(), {}, timeout=1),
        mind.ask(tasks.facts(), {}, timeout=1),
        mind.ask(tasks.relations(), {}, timeout=1),
        mind.ask(tasks.judge(), {}, timeout=1),
    )
    assert both[1].value.facts[0].text == "A 1"
    assert both[3].value.grades[0].grade == 0.1
    assert len(script.asked("relations")) == 2
    assert script.remaining == 0


async def test_running_out_says_where():
    """An exhausted script is an error of its own kind that names the task and the position."""
    mind = Minds(Scripted(by_task={"judge": [{"grades": []}]}))
    await mind.ask(tasks.judge(), {}, timeout=1)
    with pytest.raises(BackendError, match=r"judge.*has 1 answers.*number 2") as caught:
        await mind.ask(tasks.judge(), {}, timeout=1)
    assert caught.value.kind == "exhausted"
    with pytest.raises(BackendError, match="extract"):
        await mind.ask(tasks.extract(), {}, timeout=1)


def test_wrong_scripts_are_config_errors():
    """A fault of no such kind offers the nearest; sequence and queues exclude each other."""
    with pytest.raises(ConfigError, match="rate_limit"):
        fail("rate_limt")
    with pytest.raises(ConfigError, match="not both"):
        Scripted([{}], by_task={"judge": {}})


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task[0].__name__)
@pytest.mark.parametrize("kind", sorted(set(FaultKind.__args__) - {"hang"}))
async def test_every_fault_for_every_task(task, kind):
    """A fault yields its error or a spoiled answer, for every task; never anything else."""
    build, inputs = task

    async def no_sleep(_):
        return None

    mind = Minds(Scripted(default=fail(kind)), patience=Patience(retries=1, sleep=no_sleep))
    answered = await outcome(mind.ask(build(), inputs, timeout=2))
    if isinstance(answered, BackendError):
        told = {
            "filtered": "refused",
            "truncated": "malformed",
            "wrong_type": "malformed",
            "invalid_label": "malformed",
        }
        assert answered.kind == told.get(kind, kind)
    else:
        assert kind in {"truncated", "invalid_label", "invented_index", "surrogate"}
        if kind == "invented_index" and build in {tasks.reconcile, tasks.judge, tasks.resolve}:
            assert "999" in answered.value.model_dump_json()


async def test_zero_latency():
    """A thousand calls take well under a second of processor time each ten."""
    mind = Minds(Scripted(by_task={"judge": {"grades": [{"i": 0, "grade": 1}]}}))
    began = time.process_time()
    for _ in range(200):
        await mind.ask(tasks.judge(), {}, timeout=5)
    assert time.process_time() - began < 2.0
