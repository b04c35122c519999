"""A cassette: answers of a model kept in a file of JSON lines, so that a run can be repeated for nothing, byte by byte.

* Key: sha256 of model, messages, parameters, schema and repeat index. Whatever changes the answer changes the key.
* A failure is never kept, nor is a refusal: the next run asks again.
* Lines are only ever added, under a file lock, so threads and processes may share a cassette; of two answers to one
  key the first in the file counts. A line torn by a crash is cut away at the next recording.
* Only ``purge`` takes lines away: those that answer with words to be forgotten, or were asked about them. For that a line
  keeps short digests of what it was asked (``asked``), never the words. Whoever has the file open notices.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import threading
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from filelock import FileLock
from pydantic import BaseModel

from arandu_lab.errors import ConfigError, DatasetError, nearest
from arandu_lab.llm.backend import Backend, Completion, Message
from arandu_lab.llm.scripted import read_block
from arandu_lab.places import local
from arandu_lab.pure.text import normal

Mode = Literal["auto", "replay", "record"]
"""``auto`` asks only what is missing; ``replay`` never asks; ``record`` always asks, and adds what is missing."""


class Recorded:
    """``inner`` seen through a cassette at ``path``; has the name of ``inner``, and answers ``cached=True`` from it.

    Raises:
        ConfigError: no such mode, a folder in the place of the file, or a replay of a file that does not exist.
    """

    def __init__(self, inner: Backend, path: str | Path, mode: Mode = "auto") -> None:
        if mode not in get_args(Mode):
            raise ConfigError(f"cassette mode {mode!r}; {nearest(mode, get_args(Mode))}")
        self.inner = inner
        self.name = inner.name
        self.mode = mode
        self.path = local(path, "cassette")
        self.parameters: Mapping[str, Any] = getattr(inner, "parameters", {})
        self._tape = _Tape(self.path)
        self._asking: dict[str, asyncio.Lock] = {}
        if self.path.is_dir():
            raise ConfigError(f"cassette {self.path}: a folder; wanted the path of a file")
        if mode == "replay" and not self.path.is_file():
            raise ConfigError(f"replay of {self.path}: no such file")

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: type[BaseModel] | None,
        max_tokens: int | None,
        repeat: int = 0,
    ) -> Completion:
        """The kept answer, or the model's, which is then kept.

        Raises:
            ConfigError: a replay that was never recorded; it says what differs from the nearest recording.
            BackendError: the model failed.
        """
        parts = _parts(self.inner, messages, schema, max_tokens, repeat)
        key = _digest(parts)
        if self.mode != "record" and (kept := self._tape.find(key)) is not None:
            return kept
        if self.mode == "replay":
            raise ConfigError(self._tape.missing(parts, self.name))
        lock = self._asking.setdefault(key, asyncio.Lock())
        try:
            async with lock:
                if self.mode != "record" and (kept := self._tape.find(key)) is not None:
                    return kept
                fresh = await self.inner.complete(messages, schema=schema, max_tokens=max_tokens, repeat=repeat)
                if fresh.finish == "refused" or fresh.cached:
                    return fresh
                asked = sorted(digests(_strings(read_block(messages)[1])))
                return await asyncio.to_thread(self._tape.keep, key, {**parts, "asked": asked}, fresh)
        finally:
            if not lock.locked():
                self._asking.pop(key, None)

    def purge(self, holds: Callable[[str], bool], asked: Container[str], *, dry_run: bool = False) -> int:
        """Take away the lines whose answer ``holds`` something, or that were ``asked`` it (by ``digests``); how many.

        The file is replaced as a whole, under its lock. A dry run counts only.

        Raises:
            DatasetError: a line is none of a cassette; nothing was taken away.
        """
        return self._tape.purge(holds, asked, dry_run=dry_run)


def purge(path: Path, holds: Callable[[str], bool], asked: Container[str], *, dry_run: bool = False) -> int | None:
    """``Recorded.purge`` of a file that nobody has open; None where the file is no cassette.

    Raises:
        DatasetError: it begins as a cassette and does not go on as one.
    """
    with path.open("rb") as file:
        first = file.readline(1 << 24)
    try:
        told = json.loads(first)
    except ValueError:
        return None
    if not (isinstance(told, dict) and {"key", "answer", "task"} <= told.keys()):
        return None
    return _Tape(path).purge(holds, asked, dry_run=dry_run)


def digests(texts: Iterable[str]) -> set[str]:
    """What a line remembers of the texts it was asked about: eight digits for each, and for each longer line of one.

    >>> digests(["Oi!"]) == digests(["oi"]), len(digests(["one\\na line of some length"]))
    (True, 2)
    """
    said = {normal(text) for text in texts}
    lines = {normal(line) for text in texts for line in text.splitlines()}
    return {_digest(text)[:8] for text in said | {line for line in lines if len(line) >= _LINE} if text}


_LINE = 16
"""Shorter lines are said by anybody."""


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _strings(list(value.values()))
    elif isinstance(value, Sequence):
        for one in value:
            yield from _strings(one)


def _parts(
    inner: Backend, messages: Sequence[Message], schema: type[BaseModel] | None, max_tokens: int | None, repeat: int
) -> dict[str, Any]:
    """What the answer depends on, each part short enough to be kept beside it."""
    task, _ = read_block(messages)
    said = {role: [part.content for part in messages if part.role == role] for role in ("system", "user")}
    parameters = {**getattr(inner, "parameters", {}), "max_tokens": max_tokens}
    return {
        "task": task,
        "model": inner.name,
        "system": _digest(said["system"]),
        "user": _digest([*said["user"], [part.role for part in messages]]),
        "parameters": _digest(parameters),
        "schema": _digest(schema.model_json_schema()) if schema else "",
        "repeat": repeat,
    }


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, default=repr)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class _Line:
    parts: dict[str, Any]
    answer: dict[str, Any]


class _Tape:
    """The file, and what of it has been read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: dict[str, _Line] = {}
        self._read = 0
        self._count = 0
        self._tail = b""
        self._seen: tuple[int, int, int] | None = None
        self._lock = FileLock(f"{path}.lock")
        self._guard = threading.RLock()

    def find(self, key: str) -> Completion | None:
        with self._guard:
            if key not in self._lines or self._state() != self._seen:
                self._refresh()
            line = self._lines.get(key)
        return None if line is None else _completion(line.answer, cached=True)

    def keep(self, key: str, parts: dict[str, Any], fresh: Completion) -> Completion:
        """Add an answer, unless another process was faster: then its answer counts, though ours was paid for."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._guard, self._lock:
            self._refresh()
            if key in self._lines:
                return _completion(self._lines[key].answer, cached=False)
            answer = {
                "text": fresh.text,
                "input_tokens": fresh.input_tokens,
                "output_tokens": fresh.output_tokens,
                "model": fresh.model,
                "cost_usd": fresh.cost_usd,
                "finish": fresh.finish,
                "notes": list(fresh.notes),
            }
            line = json.dumps({"key": key, **parts, "answer": answer}, ensure_ascii=False) + "\n"
            with self.path.open("ab") as file:
                if file.tell() > self._read:
                    file.truncate(self._read)
                file.write(line.encode("utf-8", "surrogatepass"))
            self._refresh()
        return fresh

    def missing(self, parts: dict[str, Any], model: str) -> str:
        """What was asked, and how the nearest recording differs."""
        asked = f"replay: task {parts['task']!r} of {model!r} (repeat {parts['repeat']}) is not in {self.path}"
        if not self._lines:
            return f"{asked}, which is empty"
        compared = ("task", "model", "schema", "parameters", "system", "user", "repeat")
        best = max(self._lines.values(), key=lambda line: sum(line.parts[part] == parts[part] for part in compared))
        differs = [part for part in compared if best.parts[part] != parts[part]]
        tasks = sorted({str(line.parts["task"]) for line in self._lines.values()})
        same = sum(line.parts["task"] == parts["task"] for line in self._lines.values())
        return (
            f"{asked}: {same} of its {len(self._lines)} recordings are of this task (tasks: {', '.join(tasks)});"
            f" the nearest, a {best.parts['task']!r} of {best.parts['model']!r}, differs in {', '.join(differs)}"
        )

    def purge(self, holds: Callable[[str], bool], asked: Container[str], *, dry_run: bool) -> int:
        if not self.path.is_file():
            return 0
        with self._guard, self._lock:
            lines = self.path.read_bytes().splitlines(keepends=True)
            kept = [raw for number, raw in enumerate(lines, 1) if not self._tells(raw, number, holds, asked)]
            if gone := 0 if dry_run else len(lines) - len(kept):
                draft = self.path.with_name(f".{self.path.name}.part")
                with draft.open("wb") as file:
                    file.writelines(kept)
                    file.flush()
                    os.fsync(file.fileno())
                draft.replace(self.path)
                self._refresh()
            return len(lines) - len(kept) if dry_run else gone

    def _tells(self, raw: bytes, number: int, holds: Callable[[str], bool], asked: Container[str]) -> bool:
        if not raw.endswith(b"\n"):  # torn by a crash: nobody reads it
            return True
        _, line = self._line(raw, number)
        said = [str(line.answer["text"]), *map(str, line.answer.get("notes", ()))]
        with contextlib.suppress(ValueError):  # an answer in prose has no parts
            said += _strings(json.loads(said[0]))
        return any(map(holds, said)) or any(one in asked for one in line.parts.get("asked", ()))

    def _state(self) -> tuple[int, int, int] | None:
        """What tells that the file is another one now."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _refresh(self) -> None:
        """Read the lines added since, or all where lines were taken away; an unfinished last line is left for later."""
        self._seen = self._state()
        try:
            with self.path.open("rb") as file:
                file.seek(self._read - len(self._tail))
                if file.read(len(self._tail)) != self._tail:
                    self._lines, self._read, self._count, self._tail = {}, 0, 0, b""
                    file.seek(0)
                news = file.read()
        except FileNotFoundError:
            return
        whole = news[: news.rfind(b"\n") + 1]
        for raw in whole.splitlines():
            self._count += 1
            key, line = self._line(raw, self._count)
            self._lines.setdefault(key, line)
        self._read += len(whole)
        self._tail = (self._tail + whole)[-_TAIL:]

    def _line(self, raw: bytes, number: int) -> tuple[str, _Line]:
        try:
            line = json.loads(raw.decode("utf-8", "surrogatepass"))
            key, answer = line.pop("key"), line.pop("answer")
            _completion(answer, cached=True)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DatasetError(f"{self.path}:{number}: no line of a cassette: {error}") from error
        return str(key), _Line(line, answer)


_TAIL = 256
"""Bytes before the place read up to by which a file is known to be still the same: more than a key."""


def _completion(answer: Mapping[str, Any], *, cached: bool) -> Completion:
    return Completion(
        text=answer["text"],
        input_tokens=answer["input_tokens"],
        output_tokens=answer["output_tokens"],
        model=answer["model"],
        cost_usd=answer.get("cost_usd"),
        cached=cached,
        finish=answer.get("finish", "stop"),
        notes=tuple(answer.get("notes", ())),
    )
