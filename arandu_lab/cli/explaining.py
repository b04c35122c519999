"""Asking a memory from the command line why it recalled a fact, or why it did not."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arandu_lab.cli.app import app
from arandu_lab.errors import ConfigError, nearest

if TYPE_CHECKING:
    from arandu_lab.memory import Memory


@app.command()
def why(
    store: Annotated[Path, typer.Argument(help="The folder of a memory.")],
    question: Annotated[str, typer.Argument(help="What is asked, in English or Portuguese.")],
    agent: Annotated[str, typer.Option(help="Whose memory.")],
    fact: Annotated[str | None, typer.Option(help="A fact by its id; without it, every fact that is recalled.")] = None,
    entity: Annotated[list[str] | None, typer.Option(help="Only facts that mention it; may be repeated.")] = None,
    as_of: Annotated[str | None, typer.Option(help="What held then: ISO 8601 with an offset.")] = None,
    known_at: Annotated[str | None, typer.Option(help="As the memory believed then.")] = None,
    now: Annotated[str | None, typer.Option(help="The moment of the question; now by default.")] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="A setting for this question, NAME=VALUE; may be repeated.")
    ] = None,
    llm: Annotated[str, typer.Option(help="The model that judges.")] = "offline/rules",
    embedder: Annotated[str | None, typer.Option(help="The store's own by default.")] = None,
) -> None:
    """Why a fact answers a question, or which stage lost it, by how much, and the smallest change that would recall it."""
    import asyncio

    given: dict[str, Any] = {
        "entity_keys": entity,
        "as_of": moment("--as-of", as_of),
        "known_at": moment("--known-at", known_at),
        "now": moment("--now", now) or datetime.now(UTC),
        "config_overrides": settings_of(setting),
    }
    with _reading(store, llm, embedder) as memory:
        said = asyncio.run(_explained(memory, agent, question, fact, given))
    typer.echo("\n\n".join(said) or "no fact answers")


async def _explained(memory: Memory, agent: str, question: str, fact: str | None, given: dict[str, Any]) -> list[str]:
    if fact is not None:
        found = await memory.why(agent, question, fact, **given)
        return [str(found if found.recalled else await memory.why_not(agent, question, fact, **given))]
    frame = (await memory.retrieve(agent, question, **given)).frame
    shown = frame.filter(frame["tier"].is_not_null())["fact_id"].to_list() if "tier" in frame.columns else []
    return [str(await memory.why(agent, question, one, **given)) for one in shown]


def _reading(path: Path, llm: str, embedder: str | None) -> Memory:
    """The memory in a folder, for reading, with the embedder it was made with.

    Raises:
        ConfigError: no store is there.
    """
    from arandu_lab.memory import Memory

    return Memory.open(path, llm=llm, embedder=store_embedder(path, embedder), read_only=True)


def store_embedder(path: Path, named: str | None = None) -> str:
    """What opens the embedder that the memory in a folder was made with; ``named`` where somebody names one.

    Raises:
        ConfigError: no store is there.
    """
    from arandu_lab.store.tables import Tables

    if not (path / "meta.lance").is_dir():
        raise ConfigError(f"{path}: no memory is there (a memory's folder holds meta.lance)")
    if named is not None:
        return named
    tables = Tables(str(path))
    tables.open("meta")
    return _opening(tables.meta()["embedder_name"])


def _opening(name: str) -> str:
    """What opens the embedder of a store, from the name it bears there."""
    kind, _, size = name.rpartition("-")
    return f"hashing:{size}" if kind == "hashing" else name


def moment(option: str, text: str | None) -> datetime | None:
    """A moment that was given as an option; None where none was.

    Raises:
        ConfigError: it is no moment, or has no offset.
    """
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ConfigError(f"{option} {text!r}; wants a moment such as 2024-03-09T14:00:00-03:00") from None
    if found.tzinfo is None:
        raise ConfigError(f"{option} {text}: wants an offset, as in 2025-01-01T12:00:00-03:00")
    return found


def settings_of(given: list[str] | None) -> dict[str, Any]:
    """The settings of ``--set``, each one that the memory or a stage in the box has."""
    from arandu_lab.config import MemoryConfig
    from arandu_lab.presets import own_settings

    found = dict(map(setting_of, given or ()))
    known = [*MemoryConfig.model_fields, *(row["name"] for row in own_settings())]
    for name in found:
        if name not in known:
            raise ConfigError(f"--set {name}: unknown setting; {nearest(name, known)}")
    return found


def setting_of(text: str) -> tuple[str, Any]:
    """A setting and its value, read as TOML reads it."""
    import tomllib

    name, equals, value = text.partition("=")
    try:
        if equals:
            return name.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        pass
    raise ConfigError(f"--set {text!r}; wants NAME=VALUE, as in min_score=0.1")
