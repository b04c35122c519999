"""What a model is offered of a workspace: the tools it is shown, and calls of those and of no others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arandu_lab.errors import nearest
from arandu_lab.workspace.operations import Toolbox


class Offer:
    """The tools of one agent's toolbox that somebody is shown; a name that is not shown cannot be called either.

    ``rpc`` shows the operations for programs too: grants, the lexical search, the harvest of meetings.
    """

    def __init__(self, box: Toolbox, *, rpc: bool = False) -> None:
        self.box = box
        self.tools = box.tools(rpc=rpc)
        self.names = tuple(one["function"]["name"] for one in self.tools)

    async def call(self, name: Any, arguments: Mapping[str, Any] | str | None = None) -> dict[str, Any]:
        """Call a tool by name; bad input and names that are not on offer are told as ``{"error": …, "kind": …}``."""
        if name not in self.names:
            return {"error": f"tool {name!r}; {nearest(name, self.names)}", "kind": "ConfigError"}
        return await self.box.call(name, arguments)


def failed(told: Mapping[str, Any]) -> bool:
    """Whether what a call told is an error.

    >>> failed({"error": "a blank query", "kind": "ConfigError"}), failed({"facts": []})
    (True, False)
    """
    return set(told) == {"error", "kind"}
