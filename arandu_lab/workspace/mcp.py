"""The tools of a workspace for any MCP host, over stdio (extra ``mcp``).

Who the agent is, its role, its session and where it works come from whoever starts the server, never from the model. The
preamble of the workspace (policies, the agent's notes) stands in the server's instructions, as it is at the start; the
prompt ``preamble`` gives it as it is now, with the facts that may bear on a task. A server that was given a ``Lending`` has the
store during a call only, so servers of several agents share one.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import re
from collections.abc import AsyncIterable, AsyncIterator, Mapping
from typing import IO, Any

from arandu_lab.errors import BackendError, ConfigError, nearest
from arandu_lab.llm.backend import wellformed
from arandu_lab.workspace.lending import Held, Lending
from arandu_lab.workspace.operations import Toolbox, failed

_LOG = logging.getLogger(__name__)
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


async def serve(box: Toolbox | Lending, *, stdin: Any = None, stdout: Any = None) -> None:
    """Serve one client until stdin closes; nothing but the protocol goes to stdout.

    Args:
        box: The operations in the hands of one agent (whoever opened the workspace closes it), or what lends them.
        stdin: Lines in the place of the process's own: an async iterable of texts.
        stdout: What is written to in the place of the process's own, as an ``anyio.AsyncFile`` is.

    Raises:
        ConfigError: the extra ``mcp`` is not installed.
    """
    server = await server_of(box)
    transport = _library("mcp.server.stdio").stdio_server
    lines = _library("anyio").wrap_file(_stdin()) if stdin is None else stdin
    async with transport(_mended(lines), stdout) as (coming, going):
        await server.run(coming, going, server.create_initialization_options())


async def server_of(box: Toolbox | Lending) -> Any:
    """The server, an ``mcp.server.lowlevel.Server``, without a transport.

    Calls are carried out one after the other, in the order in which they came.

    Raises:
        ConfigError: the extra ``mcp`` is not installed.
        BackendError: somebody else keeps the store.
    """
    lending = Held(box) if isinstance(box, Toolbox) else box
    types = _library("mcp.types")
    server: Any = _library("mcp.server.lowlevel").Server
    refusal: Any = _library("mcp.shared.exceptions").MCPError
    turns = asyncio.Lock()
    async with lending.box() as first:
        title = f"Workspace memory of {first.workspace.workspace}"
        instructions = wellformed(first.workspace.preamble(first.agent, "", repo=first.repo).text)
        tools = [
            types.Tool(name=one["name"], description=one["description"], input_schema=one["parameters"])
            for one in (shown["function"] for shown in first.tools())
        ]

    async def listed(_context: Any, _page: Any) -> Any:
        return types.ListToolsResult(tools=tools)

    async def called(_context: Any, asked: Any) -> Any:
        async with turns:
            told = await _told(lending, asked.name, asked.arguments)
        text = wellformed(json.dumps(told, ensure_ascii=False))
        wrong = failed(told)
        shown = types.TextContent(type="text", text=wellformed(told["error"]) if wrong else text)
        return types.CallToolResult(content=[shown], structured_content=json.loads(text), is_error=wrong)

    task = types.PromptArgument(name=_TASK, description="What the agent is about to do, in words.", required=True)
    shown = types.Prompt(name=_PREAMBLE, description=_DISPATCH, arguments=[task])

    async def prompts(_context: Any, _page: Any) -> Any:
        return types.ListPromptsResult(prompts=[shown])

    async def prompt(_context: Any, asked: Any) -> Any:
        try:
            async with turns, lending.box() as now:
                text = _dispatched(now, asked.name, asked.arguments)
        except ConfigError as error:
            raise refusal(types.INVALID_PARAMS, wellformed(str(error))) from error
        except BackendError as error:  # the store is somebody else's
            raise refusal(types.INTERNAL_ERROR, wellformed(str(error))) from error
        said = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=_DISPATCH, messages=[said])

    return server(
        "arandu-lab",
        version=_version(),
        title=title,
        instructions=instructions,
        on_list_tools=listed,
        on_call_tool=called,
        on_list_prompts=prompts,
        on_get_prompt=prompt,
    )


def _dispatched(box: Toolbox, name: str, arguments: Mapping[str, str] | None) -> str:
    """The preamble of a dispatch: policies, the agent's notes, a few facts by words; no embedder and no grant is asked."""
    if name != _PREAMBLE:
        raise ConfigError(f"prompt {name[:200]!r}; {nearest(name, [_PREAMBLE])}")
    given = arguments or {}
    for one in given:
        if one != _TASK:
            raise ConfigError(f"{name} takes no {one[:200]!r}; {nearest(one, [_TASK])}")
    if _TASK not in given:
        raise ConfigError(f"{name} wants a {_TASK}")
    return wellformed(box.workspace.preamble(box.agent, given[_TASK], repo=box.repo).text)


_PREAMBLE = "preamble"
_TASK = "task"
_DISPATCH = (
    "What the workspace tells an agent before a task: its policies, the agent's notes, facts that may bear on it."
)


def mended(line: str) -> str:
    """A line in which half a surrogate pair was escaped (a text cut inside an emoji) with U+FFFD in its place.

    The protocol's own reader would refuse the line, and its sender would wait for an answer for ever.

    >>> mended('{"text": "a\\\\ud83d"}') == '{"text": "a\ufffd"}'
    True
    """
    if not _HALF.search(line):
        return line
    try:
        return wellformed(json.dumps(json.loads(line), ensure_ascii=False))
    except (ValueError, RecursionError):
        return line


async def _mended(lines: AsyncIterable[str]) -> AsyncIterator[str]:
    async for line in lines:
        yield mended(line)


def _stdin() -> IO[str]:
    return open(0, encoding="utf-8", errors="replace", closefd=False)


async def _told(lending: Lending | Held, name: str, arguments: Mapping[str, Any] | None) -> dict[str, Any]:
    try:
        async with lending.box() as box:
            return await box.call(name, arguments)
    except BackendError as error:  # the store is somebody else's
        return {"error": str(error), "kind": type(error).__name__}
    except Exception as error:  # noqa: BLE001 - logged and told at the edge, so that the client can go on
        _LOG.exception("%s failed", name)
        return {"error": f"{name}: a fault of the server ({type(error).__name__}); its log says more", "kind": "fault"}


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("arandu-lab")
    except PackageNotFoundError:
        return "0"


def _library(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ConfigError("the MCP server needs the extra mcp: pip install 'arandu-lab[mcp]'") from error
