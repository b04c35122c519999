"""A model that uses the workspace's tools in a conversation: a scripted one, and litellm's seam."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.workspace.conversing import Message, converse, speaker
from arandu_lab.workspace.face import Workspace
from arandu_lab.workspace.operations import OPERATIONS

TASK = [{"role": "user", "content": "Quando publicamos a API em produção?"}]


class Told:
    """Says its messages in order, and keeps what it was shown."""

    def __init__(self, *messages: Any) -> None:
        self.queue, self.shown = list(messages), list[tuple[Sequence[Message], Sequence[Mapping[str, Any]]]]()

    async def __call__(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        self.shown.append((messages, tools))
        return self.queue.pop(0)


def calling(name: str, arguments: Any, call_id: str = "c1") -> dict[str, Any]:
    given = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"content": None, "tool_calls": [{"id": call_id, "function": {"name": name, "arguments": given}}]}


async def test_a_model_proposes_searches_and_answers(bare: Workspace) -> None:
    """It is shown the preamble and the tools, each call acts, and what it was told stands in the next messages."""
    await bare.propose_policy("conventions", "Responda em português", agent="ana")
    proposal = {"domain": "conventions", "topic": "deploys", "content": "A API é publicada às segundas"}
    model = Told(
        calling("propose_fact", proposal), calling("search_memory", {"query": "API"}, "c2"), {"content": "Às segundas."}
    )
    done = await converse(bare, model, [{"role": "system", "content": "Seja breve."}, *TASK], agent="iris", role="dev")
    assert (done.text, done.finished, [one.name for one in done.calls]) == (
        "Às segundas.", True, ["propose_fact", "search_memory"],
    )  # fmt: skip
    messages, tools = model.shown[0]
    assert str(messages[0]["content"]).startswith("Seja breve.\n\n## ")
    assert "- [conventions] Responda em português" in messages[0]["content"]
    assert {one["function"]["name"] for one in tools} == {name for name, one in OPERATIONS.items() if not one.rpc}
    assert model.shown[2][0] == done.messages[:-1]
    assert [one["role"] for one in done.messages] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "assistant",
    ]
    assert done.messages[5]["tool_call_id"] == "c2"
    assert json.loads(done.messages[5]["content"])["facts"][0]["content"] == proposal["content"]
    assert bare.facts()["proposed_by"].to_list() == ["iris"]


@pytest.mark.parametrize(
    ("call", "told"),
    [(calling("propose_fact", "{broken"), "JSON"), (calling("propose_fact", []), "object"), (calling("propose_fact", {}), "domain"),
     (calling("propsoe_fact", {}), "propose_fact"), (calling("remember", {"text": "t", "agent": "ana"}), "takes no"),
     (calling("memory_access_grant.grant", {"role": "dev", "domain": "d", "permission": "write"}), "known")],
)  # fmt: skip
async def test_bad_calls_are_told_to_the_model(bare: Workspace, call: dict[str, Any], told: str) -> None:
    """Broken arguments, wrong names and operations it was not shown come back as errors, and the conversation goes on."""
    done = await converse(bare, Told(call, {"content": "ok"}), TASK, agent="iris", role="dev")
    assert done.finished
    assert told in done.calls[0].told["error"]
    assert json.loads(done.messages[3]["content"]) == done.calls[0].told


async def test_a_model_that_never_stops_calling_is_stopped(bare: Workspace) -> None:
    """After its rounds the conversation is not finished, and says so."""
    done = await converse(
        bare, Told(*[calling("list_memory_conflicts", {})] * 3), TASK, agent="iris", role="dev", rounds=2
    )
    assert (done.finished, done.text, len(done.calls)) == (False, "", 2)


@pytest.mark.parametrize("answer", [None, {"tool_calls": [{"id": "x"}]}, {"tool_calls": 7}, "text"])
async def test_what_is_no_message_is_the_backends_fault(bare: Workspace, answer: Any) -> None:
    """A message without the form of one is a malformed answer, never an empty one."""
    with pytest.raises(BackendError) as failed:
        await converse(bare, Told(answer), TASK, agent="iris", role="dev")
    assert failed.value.kind == "malformed"


@pytest.mark.parametrize("messages", [[], [{"role": "assistant", "content": "x"}]])
async def test_a_conversation_wants_a_task(bare: Workspace, messages: list[Message]) -> None:
    """Without a user's message there is nothing to do; nor in no round."""
    with pytest.raises(ConfigError):
        await converse(bare, Told(), messages, agent="iris", role="dev")
    with pytest.raises(ConfigError):
        await converse(bare, Told(), TASK, agent="iris", role="dev", rounds=0)


async def test_litellm_is_asked_with_the_tools(bare: Workspace) -> None:
    """litellm takes the tools as they are and its tool calls come back as ours; an unknown provider is refused at once."""
    asked = [
        {"id": "c1", "type": "function", "function": {"name": "remember", "arguments": '{"text": "Cache de 10 min"}'}}
    ]
    tools = bare.toolbox("iris", role="dev").tools()
    said = await speaker("openai/gpt-4.1-mini", mock_response="", mock_tool_calls=asked)(TASK, tools)
    done = await converse(bare, Told(said, {"content": "ok"}), TASK, agent="iris", role="dev", session_id="s9")
    assert done.calls[0].told["item"]["session_id"] == "s9"
    failing = speaker("openai/gpt-4.1-mini", mock_response="litellm.RateLimitError")
    with pytest.raises(BackendError) as failed:
        await converse(bare, failing, TASK, agent="iris", role="dev")
    assert failed.value.kind == "rate_limit"
    with pytest.raises(ConfigError, match="provider"):
        await converse(bare, "nosuch/model", TASK, agent="iris", role="dev")
