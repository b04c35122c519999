"""A conversation in which a model uses the workspace's tools: ask, carry out the calls, tell what came, ask again."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.backend import wellformed

if TYPE_CHECKING:
    from arandu_lab.workspace.face import Workspace

Message: TypeAlias = Mapping[str, Any]
"""One message of the OpenAI form: role, content, and tool_calls or tool_call_id."""

Speaker: TypeAlias = Callable[[Sequence[Message], Sequence[Mapping[str, Any]]], Awaitable[Message]]
"""What answers messages, given the tools it may call: the assistant's next message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A tool that the model called: the arguments as it wrote them, and what it was told."""

    name: str
    arguments: str
    told: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What came of it. ``finished`` is False where the model still called tools in its last round; ``text`` is empty then."""

    text: str
    messages: tuple[Message, ...]
    calls: tuple[Called, ...]
    finished: bool


async def converse(
    workspace: Workspace,
    model: str | Speaker,
    messages: Sequence[Message],
    *,
    agent: str,
    role: str,
    repo: str | None = None,
    session_id: str = "session",
    rounds: int = 8,
) -> Conversation:
    """Let a model answer with the workspace's tools in hand; the preamble for the last user message is shown to it first.

    Args:
        workspace: Where the tools act.
        model: A litellm model string of a model that calls tools, or what answers in its place.
        messages: The conversation so far, ending with the task of a user.
        agent: Who the model is; its role, repository and session are not its own to say either.
        role: The role that grants are asked about.
        repo: Where it works.
        session_id: The session that ``remember`` keeps items for.
        rounds: How often the model is asked at most, 1 or more.

    Raises:
        ConfigError: no messages, or the last is none of a user; ``rounds`` below 1; litellm knows no such provider.
        BackendError: the model failed, or its message is none.
    """
    if rounds < 1:
        raise ConfigError(f"rounds={rounds}; 1 or more")
    if not messages or messages[-1].get("role") != "user":
        raise ConfigError("messages want at least one, the last of role 'user'")
    speak = speaker(model) if isinstance(model, str) else model
    name = model if isinstance(model, str) else getattr(model, "name", "model")
    box = workspace.toolbox(agent, role=role, repo=repo, session_id=session_id)
    tools = box.tools()
    said = _introduced(messages, workspace.preamble(agent, _words(messages[-1]), repo=repo).text)
    calls: list[Called] = []
    for _ in range(rounds):
        answer = await speak(tuple(said), tools)
        asked = _asked(answer, name)
        said.append({"role": "assistant", **answer})
        if not asked:
            return Conversation(text=_words(answer), messages=tuple(said), calls=tuple(calls), finished=True)
        for call_id, tool, arguments in asked:
            told = await box.call(tool, arguments)
            calls.append(Called(name=tool, arguments=arguments, told=told))
            content = wellformed(json.dumps(told, ensure_ascii=False))
            said.append({"role": "tool", "tool_call_id": call_id, "content": content})
    return Conversation(text="", messages=tuple(said), calls=tuple(calls), finished=False)


def speaker(model: str, **parameters: Any) -> Speaker:
    """A model by its litellm string, asked with tools; ``parameters`` go to every call.

    Raises:
        ConfigError: litellm knows no provider for the string.
    """
    from arandu_lab.llm.litellm import LiteLLM, load
    from arandu_lab.llm.litellm_errors import translated

    LiteLLM(model)
    library = load()

    async def speak(messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        try:
            response = await library.acompletion(
                model=model,
                messages=[dict(one) for one in messages],
                tools=[dict(one) for one in tools],
                **{"temperature": 0.0, "num_retries": 0, **parameters},
            )
        except Exception as error:  # a foreign library may raise anything: it leaves as ours
            raise translated(error, model) from error
        if not getattr(response, "choices", None):
            raise BackendError("a response without choices", kind="empty", backend=model)
        message: Message = response.choices[0].message.model_dump(exclude_none=True)
        return message

    return speak


def _introduced(messages: Sequence[Message], preamble: str) -> list[Message]:
    """The messages with the preamble at the end of the system's, which is made where there is none."""
    first, rest = (messages[0], messages[1:]) if messages[0].get("role") == "system" else (None, messages)
    text = preamble if first is None else f"{_words(first)}\n\n{preamble}"
    return [{"role": "system", "content": wellformed(text)}, *rest]


def _words(message: Message) -> str:
    """The text of a message, whose content is a text, parts, or nothing."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content or () if isinstance(part, Mapping))


def _asked(answer: Any, model: str) -> list[tuple[str, str, str]]:
    """Id, tool and arguments of each call in a message; arguments are the tool's to understand."""
    try:
        calls = answer.get("tool_calls") or ()
        return [(str(one["id"]), one["function"]["name"], _text(one["function"].get("arguments"))) for one in calls]
    except (AttributeError, KeyError, TypeError) as error:
        raise BackendError(f"a message that is none: {str(answer)[:200]}", kind="malformed", backend=model) from error


def _text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
