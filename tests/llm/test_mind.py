"""Claims about asking a model: deadline, retries, re-asking, and an account that adds up."""

import asyncio
import json
import time

import pytest

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm import tasks
from arandu_lab.llm.backend import Completion, ThrottledError, estimate
from arandu_lab.llm.mind import Minds, Patience, messages
from arandu_lab.llm.scripted import Reply, Scripted, fail
from arandu_lab.trace import Span, Usage

GRADES = {"grades": [{"i": 0, "grade": 1.0}]}
INPUTS = {"query": "Onde?", "asked_at": "2024-05-02", "facts": [{"i": 0, "text": "mora em Recife", "since": None}]}


def patient(**given):
    waited = []

    async def sleep(seconds):
        waited.append(seconds)

    return Patience(sleep=sleep, draw=lambda: 0.0, **given), waited


async def judge(mind, timeout=5.0):
    return await mind.ask(tasks.judge(), INPUTS, timeout=timeout)


def test_the_prompt_is_instructions_and_one_block():
    """The user message is one JSON block with sorted keys and readable letters; the system message holds no data."""
    system, user = messages(tasks.judge(), {"query": "São Paulo?", "facts": []})
    assert json.loads(user.content) == {"task": "judge", "inputs": {"query": "São Paulo?", "facts": []}}
    assert "São Paulo" in user.content
    assert user.content == messages(tasks.judge(), {"facts": [], "query": "São Paulo?"})[1].content
    assert (system.role, system.content) == ("system", tasks.judge().instructions)


def test_half_an_emoji_in_a_message():
    """C2: a lone surrogate in the inputs reaches the model as U+FFFD, never as a crash."""
    assert "\ufffd" in messages(tasks.judge(), {"query": "oi \ud83d"})[1].content


async def test_each_role_has_its_model():
    """W27: roles map to backends, the rest go to the default; an unknown role is told with the nearest name."""
    fast, smart = Scripted([GRADES], name="fast"), Scripted([{"facts": []}], name="smart")
    mind = Minds(smart, {"judge": fast})
    await judge(mind)
    await mind.ask(tasks.extract(), {}, timeout=1)
    assert [call.task for call in fast.calls + smart.calls] == ["judge", "extract"]
    assert mind.names["judge"] == "fast"
    with pytest.raises(ConfigError, match="'judge'"):
        Minds(smart, {"juge": fast})


@pytest.mark.parametrize("kind", ["timeout", "refused", "empty", "malformed", "unavailable", "rate_limit"])
async def test_each_failure_keeps_its_kind(kind):
    """Every way of failing is told apart in the error."""
    patience, _ = patient(retries=0)
    mind = Minds(Scripted([fail(kind)] * 2), patience=patience)
    with pytest.raises(BackendError) as caught:
        await judge(mind)
    assert (caught.value.kind, caught.value.backend) == (kind, "scripted")


async def test_filtered_answers_are_refusals_and_are_paid_for():
    """H2: a content filter's answer is a refusal, and its tokens count."""
    span = Span("judge")
    with pytest.raises(BackendError) as caught:
        await judge(Minds(Scripted([fail("filtered")])).metered(span))
    assert caught.value.kind == "refused"
    assert (span.usage.calls, span.usage.output_tokens) == (1, 7)


async def test_the_deadline_is_hard():
    """H1: a model that never answers costs the deadline and no more, and the call is counted."""
    span = Span("judge")
    began = time.monotonic()
    with pytest.raises(BackendError) as caught:
        await judge(Minds(Scripted([fail("hang")])).metered(span), timeout=0.05)
    assert caught.value.kind == "timeout"
    assert time.monotonic() - began < 1.0
    assert span.usage == Usage(calls=1)


async def test_the_deadline_holds_over_retries():
    """A wait that would pass the deadline is not begun, and the failure says what happened."""
    patience, waited = patient()
    with pytest.raises(BackendError) as caught:
        await judge(Minds(Scripted([fail("rate_limit", retry_after=60.0)] * 3), patience=patience), timeout=1.0)
    assert caught.value.kind == "rate_limit"
    assert waited == []


async def test_429_three_times_then_fine():
    """H5: waits grow, Retry-After is obeyed exactly, every attempt is counted and logged, nothing is lost."""
    patience, waited = patient(base=0.5)
    script = Scripted([fail("rate_limit"), fail("rate_limit", retry_after=3.0), fail("unavailable"), GRADES])
    span = Span("judge")
    answered = await judge(Minds(script, patience=patience).metered(span))
    assert answered.value.grades[0].grade == 1.0
    assert waited == [0.25, 3.0, 1.0]
    assert (span.usage.calls, span.usage.billed_calls) == (4, 1)
    assert len(span.data["backend_notes"]) == 3


async def test_retries_end():
    """H5: the retry budget is a number, and the last failure comes out."""
    patience, waited = patient(retries=2)
    script = Scripted(by_task={"judge": fail("unavailable")})
    with pytest.raises(BackendError, match="unavailable"):
        await judge(Minds(script, patience=patience))
    assert (len(script.calls), len(waited)) == (3, 2)


def test_jitter_stays_within_bounds():
    """H5: a wait lies between half and all of the step, and never above the cap."""
    for attempt in range(1, 12):
        step = min(20.0, 0.5 * 2 ** (attempt - 1))
        assert step / 2 <= Patience().wait(attempt, None) <= step
    assert Patience().wait(1, ThrottledError("", kind="rate_limit", backend="x", retry_after=7.0)) == 7.0


async def test_a_malformed_answer_is_asked_for_once_more():
    """C3: repair, then one more asking with another repeat index and a note to the model; both are counted."""
    script = Scripted([fail("malformed"), GRADES])
    span = Span("judge")
    await judge(Minds(script).metered(span))
    first, second = script.calls
    assert (first.repeat, second.repeat) == (0, 1)
    assert "could not be read" in second.messages[0].content
    assert second.inputs == first.inputs
    assert span.usage.calls == 2


async def test_malformed_twice_is_malformed():
    """C3, C6: after the second unreadable answer the caller learns so; both were paid for."""
    span = Span("judge")
    script = Scripted([fail("malformed"), fail("empty")])
    with pytest.raises(BackendError) as caught:
        await judge(Minds(script).metered(span))
    assert caught.value.kind == "empty"
    assert span.usage.billed_calls == 2


async def test_usage_adds_up_exactly():
    """H2: given counts, retries and re-asks included, sum to the token; a replayed call is asked but not billed."""
    script = Scripted(
        [
            Reply("no json", input_tokens=100, output_tokens=3),
            Reply(GRADES, input_tokens=110, output_tokens=20, cost_usd=0.5),
            Reply(GRADES, input_tokens=7, output_tokens=5, cost_usd=0.25, cached=True),
        ]
    )
    span = Span("judge")
    mind = Minds(script).metered(span)
    await judge(mind)
    await judge(mind)
    assert span.usage == Usage(
        calls=3, input_tokens=217, output_tokens=28, billed_calls=2, billed_tokens=233, cost_usd=0.75
    )


async def test_meters_are_apart():
    """I5: two spans over one mind, asked at once, never see each other's usage."""
    script = Scripted(by_task={"judge": GRADES}, delay=0.01)
    mind, spans = Minds(script), [Span("a"), Span("b")]
    await asyncio.gather(*(judge(mind.metered(span)) for span in spans), judge(mind.metered(spans[0])))
    assert [span.usage.calls for span in spans] == [2, 1]


async def test_dropped_items_are_logged():
    """C7: what was refused stands in the answer and in the span."""
    span = Span("judge")
    answer = {"grades": [{"i": 0, "grade": 0.5}, {"i": 1}]}
    answered = await judge(Minds(Scripted([answer])).metered(span))
    assert span.data["dropped"] == list(answered.dropped)
    assert len(answered.dropped) == 1


async def test_a_programming_error_is_no_backend_error():
    """Only backends fail as BackendError: a bug comes out as itself, at once."""

    def bug(_):
        raise KeyError("bug")

    script = Scripted([bug, GRADES])
    with pytest.raises(KeyError):
        await judge(Minds(script))
    assert len(script.calls) == 1


async def test_notes_of_the_backend_reach_the_trace():
    """C5: a schema that could not be enforced is said in the trace."""
    span = Span("judge")
    done = Completion(json.dumps(GRADES), 1, 1, "m", notes=("schema not enforced (none)",))
    await judge(Minds(Scripted([lambda _: done])).metered(span))
    assert span.data["backend_notes"] == ["judge: schema not enforced (none)"]


async def test_tokens_are_estimated_where_none_are_given():
    """One token for four characters of the prompt and of the answer."""
    span = Span("judge")
    await judge(Minds(Scripted([GRADES])).metered(span))
    prompt = "".join(message.content for message in messages(tasks.judge(), INPUTS))
    assert span.usage.input_tokens == estimate(prompt)
    assert span.usage.output_tokens == estimate(json.dumps(GRADES))
