"""Claims about litellm: schema where possible, failures by kind, parameters dropped once, offline by name."""

import json
import os
from types import SimpleNamespace

import httpx
import pytest

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm import tasks
from arandu_lab.llm.backend import Message, ThrottledError
from arandu_lab.llm.litellm import LiteLLM, load
from arandu_lab.llm.litellm_errors import retry_after
from arandu_lab.llm.mind import Minds, messages
from arandu_lab.llm.offline import OfflineRules
from arandu_lab.llm.providers import register_offline

ASK = [Message("system", "Answer."), Message("user", "{}")]
REQUEST = httpx.Request("POST", "http://localhost")


def reply(text="{}", **given):
    message = SimpleNamespace(content=text, refusal=given.pop("refusal", None), tool_calls=None)
    usage = SimpleNamespace(prompt_tokens=11, completion_tokens=3)
    choice = SimpleNamespace(message=message, finish_reason=given.pop("finish", "stop"))
    return SimpleNamespace(choices=[choice], usage=usage)


class Fake:
    """The real litellm but for ``acompletion``, which takes its answers from a list."""

    def __init__(self, *answers):
        self.answers, self.requests = list(answers), []

    def __getattr__(self, name):
        return getattr(load(), name)

    async def acompletion(self, **request):
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def backend(*answers, model="openai/gpt-4.1-mini", **parameters):
    made = LiteLLM(model, **parameters)
    made._library = Fake(*answers)
    return made, made._library


async def complete(made, max_tokens=50):
    return await made.complete(ASK, schema=tasks.JudgeAnswer, max_tokens=max_tokens)


def raised(name, message="no", status=None, headers=None):
    kind = getattr(load().exceptions, name)
    error = kind(message, model="m", llm_provider="openai")
    if status:
        error.response = httpx.Response(status, headers=headers, request=REQUEST)
    return error


async def test_the_price_table_is_local():
    """Decision B3: litellm is told to use its own table before it is imported."""
    load()
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"


@pytest.mark.parametrize(
    ("model", "form"),
    [
        ("openai/gpt-4.1-mini", "json_schema"),
        ("openai/gpt-3.5-turbo", "json_schema"),
        ("ollama_chat/llama3", "json_object"),
    ],
)
async def test_the_schema_goes_as_far_as_it_can(model, form):
    """C5: json_schema where the model supports it, else json_object; what is not enforced is noted."""
    made, fake = backend(reply(), model=model)
    done = await complete(made)
    sent = fake.requests[0]["response_format"]["type"]
    assert sent in {"json_schema", "json_object"}
    if model != "openai/gpt-3.5-turbo":
        assert sent == form
    assert bool(done.notes) == (sent != "json_schema")
    assert (done.input_tokens, done.output_tokens) == (11, 3)


async def test_our_retries_and_not_litellms():
    """Decision B3: litellm is asked once; temperature is 0 unless said otherwise."""
    made, fake = backend(reply(), temperature=0.7, seed=1)
    await complete(made)
    assert fake.requests[0]["num_retries"] == 0
    assert (fake.requests[0]["temperature"], fake.requests[0]["seed"], fake.requests[0]["max_tokens"]) == (0.7, 1, 50)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Timeout", "timeout"),
        ("RateLimitError", "rate_limit"),
        ("ServiceUnavailableError", "unavailable"),
        ("InternalServerError", "unavailable"),
        ("APIConnectionError", "unavailable"),
        ("AuthenticationError", "refused"),
        ("ContentPolicyViolationError", "refused"),
        ("ContextWindowExceededError", "refused"),
        ("NotFoundError", "refused"),
    ],
)
async def test_failures_by_kind(name, kind):
    """H5, R3: each exception of litellm has its kind, and the message keeps the provider's words."""
    made, _ = backend(raised(name, "words of the provider"))
    with pytest.raises(BackendError, match="words of the provider") as caught:
        await complete(made)
    assert (caught.value.kind, caught.value.backend) == (kind, "openai/gpt-4.1-mini")


async def test_no_money_left_is_not_a_pause():
    """A 429 for an exhausted quota is a refusal: waiting would not help."""
    made, _ = backend(raised("RateLimitError", "insufficient_quota"))
    with pytest.raises(BackendError) as caught:
        await complete(made)
    assert caught.value.kind == "refused"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "12"}, 12.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
    ],
)
async def test_retry_after_is_read(headers, seconds):
    """H5: seconds, milliseconds or a date."""
    made, _ = backend(raised("RateLimitError", status=429, headers=headers))
    with pytest.raises(ThrottledError) as caught:
        await complete(made)
    assert caught.value.retry_after == seconds
    assert retry_after(ValueError("silent")) is None


async def test_a_rejected_parameter_is_dropped_once_and_remembered():
    """S1: the call is made again without it, the next call never sends it, and every answer says so."""
    made, fake = backend(
        raised("BadRequestError", "Unsupported value: 'temperature' does not support 0.0"), reply(), reply()
    )
    first, second = await complete(made), await complete(made)
    assert ["temperature" in request for request in fake.requests] == [True, False, False]
    assert first.notes == second.notes == ("parameter temperature: left out",)
    assert made.parameters == {"temperature": 0.0}


async def test_max_tokens_is_renamed_where_asked():
    """S1: 'use max_completion_tokens instead' is obeyed."""
    words = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    made, fake = backend(raised("BadRequestError", words), reply())
    await complete(made)
    assert "max_tokens" not in fake.requests[1]
    assert fake.requests[1]["max_completion_tokens"] == 50


async def test_a_rejected_schema_steps_down():
    """S1, C5: json_schema, then json_object, then the prompt alone, each step noted."""
    words = "Invalid parameter: 'response_format' of type 'json_schema' is not supported"
    made, fake = backend(raised("BadRequestError", words), raised("UnsupportedParamsError", words), reply())
    done = await complete(made)
    assert [request.get("response_format", {}).get("type") for request in fake.requests] == [
        "json_schema",
        "json_object",
        None,
    ]
    assert done.notes == ("schema not enforced (none)",)


async def test_another_bad_request_is_not_repeated():
    """A bad request that names no parameter fails at once."""
    made, fake = backend(raised("BadRequestError", "messages: too many"))
    with pytest.raises(BackendError, match="too many"):
        await complete(made)
    assert len(fake.requests) == 1


async def test_refusals_and_cuts_are_marked():
    """A refusal or a filter is ``refused``, the token limit is ``length``."""
    made, _ = backend(reply("", refusal="I can't"), reply(finish="content_filter"), reply(finish="length"))
    assert [(await complete(made)).finish for _ in range(3)] == ["refused", "refused", "length"]


async def test_an_unknown_price_is_none():
    """H2: cost is a number only where litellm knows one."""
    made, _ = backend(reply())
    assert (await complete(made)).cost_usd is None
    mocked = LiteLLM("openai/gpt-4.1-mini", mock_response="{}", api_key="x")
    done = await complete(mocked)
    assert done.text == "{}"
    assert done.cost_usd is not None
    assert done.cost_usd > 0


async def test_keys_stay_out_of_the_cassette():
    """What identifies a recording holds no secret."""
    made = LiteLLM("openai/gpt-4.1-mini", api_key="s3cret", extra_headers={"x": "y"}, max_tokens=3)
    assert made.parameters == {"temperature": 0.0, "max_tokens": 3}


def test_an_unknown_provider_is_told_at_once():
    """A wrong model string is the user's move: ConfigError when the backend is built."""
    with pytest.raises(ConfigError, match="no such provider"):
        LiteLLM("nosuch/model")


EXTRACT = {
    "message": "Moro em Recife e trabalho na Vertix.",
    "speaker": "Iara",
    "sent_at": "2024-05-02T12:00:00-03:00",
    "sent_on": "quinta-feira, 2 de maio de 2024",
    "recent_messages": [],
    "known": [],
    "profile_language": "english",
}


async def test_offline_rules_through_litellm_answer_the_same_bytes():
    """Decision B3: ``offline/rules`` is a litellm provider, and answers exactly what the direct backend does."""
    register_offline()
    register_offline()
    prompt = messages(tasks.extract(), EXTRACT)
    direct = await OfflineRules().complete(prompt, schema=tasks.ExtractAnswer, max_tokens=None)
    raw = [{"role": part.role, "content": part.content} for part in prompt]
    response = await load().acompletion(model="offline/rules", messages=raw)
    assert response.choices[0].message.content == direct.text
    assert response.usage.prompt_tokens == direct.input_tokens
    plain = load().completion(model="offline/rules", messages=raw)
    assert plain.choices[0].message.content == direct.text
    through = await LiteLLM("offline/rules").complete(prompt, schema=tasks.ExtractAnswer, max_tokens=100)
    assert (through.text, through.input_tokens, through.output_tokens) == (
        direct.text,
        direct.input_tokens,
        direct.output_tokens,
    )
    assert sum(entry["provider"] == "offline" for entry in load().custom_provider_map) == 1


async def test_an_error_of_ours_comes_through_litellm_as_itself():
    """A refusal of the offline rules is not dressed up as a connection error."""
    register_offline()
    with pytest.raises(BackendError, match="JSON block") as caught:
        await LiteLLM("offline/rules").complete([Message("user", "hi")], schema=None, max_tokens=None)
    assert caught.value.kind == "refused"


async def test_a_mind_over_litellm():
    """From a model string to a validated answer."""
    text = json.dumps({"grades": [{"i": 0, "grade": 0.5}]})
    mind = Minds(LiteLLM("openai/gpt-4.1-mini", mock_response=text, api_key="x"))
    answered = await mind.ask(tasks.judge(), {"query": "?", "facts": []}, timeout=30)
    assert answered.value.grades[0].grade == 0.5
