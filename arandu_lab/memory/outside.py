"""Forgetting outside the store: recordings of model answers, remembered vectors, and places of the lab that are named."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from arandu_lab.errors import ConfigError
from arandu_lab.llm import recorded
from arandu_lab.memory import artefacts
from arandu_lab.places import local
from arandu_lab.pure.chunks import chunks
from arandu_lab.store.needles import Needles
from arandu_lab.store.residue import Residue

if TYPE_CHECKING:
    from arandu_lab.memory.keeping import Keeping


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """What went: lines of a recording, a result or export as a whole, or vectors that an embedder remembered."""

    place: str
    what: Literal["lines", "artefact", "vectors"]
    count: int = 1

    def __str__(self) -> str:
        if self.what == "artefact":
            return self.place
        return f"{self.count} {self.what} of {self.place}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What went outside the store, what a search found there afterwards, and where nobody looked.

    ``proven``: the same search found a word in every kind of file it can read. ``unseen``: one line for each place.
    """

    gone: tuple[Gone, ...] = ()
    found: tuple[Residue, ...] = ()
    files: int = 0
    bytes: int = 0
    unseen: tuple[str, ...] = ()
    proven: bool = True


class Places:
    """The places outside the store of one forgetting: first ``purge`` them, then ``look`` again.

    ``texts`` are the words to be forgotten, ``ids`` the events and facts; ``also`` are files and folders that the caller
    names. A folder of the lab that holds a word goes as a whole; a file of somebody else's is told, never touched.

    Raises:
        ConfigError: a named place is not there, or is a whole home or disk.
    """

    def __init__(
        self, memory: Keeping, texts: Sequence[str], ids: Sequence[str], also: Sequence[str | PathLike[str]]
    ) -> None:
        self.also = list(dict.fromkeys(map(_place, also)))
        self.backends = list(_backends(memory))
        self.embedder = memory.embed
        self.own = None if str(memory.store.path) == "memory://" else Path(memory.store.path)
        self.texts = list(texts)
        self.needles = Needles([*texts, *ids])
        size = getattr(getattr(memory, "config", None), "chunk_max_chars", 0)
        parts = [part.text for text in texts if size and len(text) > size for part in chunks(text, size=size)]
        self.asked = recorded.digests([*texts, *parts])

    def purge(self, *, dry_run: bool) -> tuple[Gone, ...]:
        """Take the words out of every place; a dry run tells what would go.

        Raises:
            ConfigError: something may not be removed.
            DatasetError: a recording is damaged.
        """
        if not self.needles.texts:
            return ()
        gone: list[Gone] = []
        for one in self.backends:
            if hasattr(one, "purge"):
                gone += self._lines(one.path, one.purge(self._holds, self.asked, dry_run=dry_run))
        found = artefacts.search(self.also, self.needles, own=self.own)
        kept = [
            one for one in self._files() if not any(one.is_relative_to(root) for root in found.made if root.is_dir())
        ]
        for path in kept:
            gone += self._lines(path, recorded.purge(path, self._holds, self.asked, dry_run=dry_run))
        for root in sorted(found.made):
            if root.is_dir() or not _is_recording(root):
                gone.append(Gone(place=self._shown(root), what="artefact"))
                if not dry_run:
                    _remove(root)
        if (forget := _cache(self.embedder)) is not None:
            held = len(self.embedder._seen) if dry_run else forget()
            gone += [Gone(place=f"embedder {self.embedder.name}", what="vectors", count=held)] if held else []
        return tuple(gone)

    def look(self, gone: tuple[Gone, ...], proof: str, *, dry_run: bool = False) -> Outside:
        """What stands in the places now."""
        if dry_run:
            return Outside(gone=gone, unseen=self._unseen({}))
        tapes = [one.path for one in self.backends if isinstance(getattr(one, "path", None), Path)]
        tapes = [path for path in dict.fromkeys(tapes) if path.is_file() and path.suffix != ".gguf"]
        found = artefacts.search([*tapes, *self.also], self.needles, own=self.own)
        places = {**found.made, **found.others}
        return Outside(
            gone=gone,
            found=tuple(
                Residue(text=min(number, len(self.texts)), place=self._shown(path))
                for path, numbers in places.items()
                for number in sorted(numbers)
            ),
            files=found.files,
            bytes=found.bytes,
            unseen=self._unseen(found.unread),
            proven=artefacts.control(proof),
        )

    def _holds(self, text: str) -> bool:
        return bool(self.needles.in_cells([text]))

    def _files(self) -> Iterator[Path]:
        """Recordings among the named places that no backend here has open."""
        opened = {one.path.resolve() for one in self.backends if isinstance(getattr(one, "path", None), Path)}
        for place in self.also:
            for path in [place] if place.is_file() else sorted(place.rglob("*.jsonl")):
                if path.is_file() and not path.is_symlink() and path.resolve() not in opened:
                    yield path

    def _lines(self, path: Path, count: int | None) -> list[Gone]:
        return [Gone(place=self._shown(path), what="lines", count=count)] if count else []

    def _shown(self, path: Path) -> str:
        """A place without the words, should its name hold them."""
        if self.needles.in_bytes(path.name.encode("utf-8", "surrogateescape")):
            return f"{path.parent}/… (its name holds the words)"
        return str(path)

    def _unseen(self, unread: dict[str, None]) -> tuple[str, ...]:
        said = list(unread)
        if not self.also:
            said.append(
                "results, kept replays, exports and recordings of the lab (name their files or folders with also=)"
            )
        if self.embedder is not None and _cache(self.embedder) is None:
            said.append(f"what embedder {self.embedder.name} remembers of its own")
        said.append("copies and backups, what a provider of models keeps, and the working memory of running programs")
        return tuple(said)


def _place(given: str | PathLike[str]) -> Path:
    path = local(given, "also")
    if not path.exists() and not path.is_symlink():
        raise ConfigError(f"also={str(given)!r}: no such file or folder; nothing was forgotten")
    if path.resolve() in (Path(path.anchor or "/"), Path.home()):
        raise ConfigError(
            f"also={str(given)!r} is a whole disk or home; name the folders of the lab; nothing was forgotten"
        )
    return path


def _backends(memory: Keeping) -> Iterator[Any]:
    """Every backend of a memory's models, those within others too, each once."""
    minds = getattr(memory, "llm", None)
    seen: list[Any] = []
    for one in (getattr(minds, "default", None), *getattr(minds, "roles", {}).values()):
        while one is not None and not any(one is other for other in seen):
            seen.append(one)
            yield one
            one = getattr(one, "inner", None)


def _cache(embedder: Any) -> Any:
    from arandu_lab.embed.base import Embedder

    return embedder.forget if isinstance(embedder, Embedder) else None


def _is_recording(path: Path) -> bool:
    return path.is_file() and recorded.purge(path, lambda _: False, (), dry_run=True) is not None


def _remove(root: Path) -> None:
    try:
        shutil.rmtree(root) if root.is_dir() else root.unlink()
    except OSError as error:
        raise ConfigError(
            f"{root} holds what is to be forgotten and cannot be removed: {error.strerror}; the store is as it was"
        ) from error
