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


def of_agents(agent_ids: Iterable[str]) -> str:
    """Rows of any of some agents.

    >>> of_agents(["ana", "rui"])
    "agent_id IN ('ana', 'rui')"
    """
    return f"agent_id IN ({', '.join(text(one) for one in agent_ids)})"


def among(column: str, values: Iterable[str]) -> str:
    """Rows whose column (a literal of this package) holds one of some values."""
    return f"{column} IN ({', '.join(text(one) for one in values)})"


def standing(at: int) -> str:
    """Facts that may answer a question about a moment (microseconds since 1970 UTC): they held, or tell of what is over."""
    moment = f"to_timestamp_micros({int(at)})"
    return f"valid_from <= {moment} AND (valid_to IS NULL OR valid_to > {moment} OR closed_by = 'stated')"


def said_by(at: int) -> str:
    """Turns said up to a moment (microseconds since 1970 UTC)."""
    return f"occurred_at <= to_timestamp_micros({int(at)})"


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
