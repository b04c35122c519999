"""The only place where filters are built. Values are quoted here; column names are literals of this package."""

from __future__ import annotations

from collections.abc import Iterable


def text(value: str) -> str:
    """A string literal, safe for any content.

    >>> text("d'água' OR '1'='1")
    "'d''água'' OR ''1''=''1'"
    """
    return "'" + value.replace("'", "''") + "'"


def of_agent(agent_id: str) -> str:
    """Rows of one agent.

    >>> of_agent("ana")
    "agent_id = 'ana'"
    """
    return f"agent_id = {text(agent_id)}"


def after(seq: int) -> str:
    """Rows written by units later than ``seq``.

    >>> after(7)
    'seq > 7'
    """
    return f"seq > {int(seq)}"


def up_to(seq: int) -> str:
    """Rows written by units up to and with ``seq``."""
    return f"seq <= {int(seq)}"


def of_kind(kind: str) -> str:
    """Journal rows of one kind."""
    return f"kind = {text(kind)}"


def ids(keys: Iterable[str]) -> str:
    """Rows with one of these primary keys.

    >>> ids(["a", "b'"])
    "id IN ('a', 'b''')"
    """
    return f"id IN ({', '.join(text(key) for key in keys)})"


def both(*conditions: str) -> str:
    """All conditions together."""
    return " AND ".join(f"({condition})" for condition in conditions if condition)
