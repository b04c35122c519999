"""The workspace memory: facts, policies and notes that agents share, over the same store and the same algebra."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arandu_lab.workspace.face import Workspace
    from arandu_lab.workspace.operations import OPERATIONS, Toolbox
    from arandu_lab.workspace.results import InsufficientMemoryPermission
    from arandu_lab.workspace.settings import WorkspaceConfig

_HOMES = {
    "Workspace": "face",
    "WorkspaceConfig": "settings",
    "InsufficientMemoryPermission": "results",
    "Toolbox": "operations",
    "OPERATIONS": "operations",
}

__all__ = ["OPERATIONS", "InsufficientMemoryPermission", "Toolbox", "Workspace", "WorkspaceConfig"]


def __getattr__(name: str) -> Any:
    """Names are looked up when asked for, so that the stages of the search wake no more than they need."""
    if name not in _HOMES:
        raise AttributeError(f"arandu_lab.workspace has no {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
