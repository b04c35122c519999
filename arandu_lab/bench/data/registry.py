"""Datasets by name: where each comes from, under which licence, and which bytes are meant.

Our own sets lie in the repository's ``datasets/`` folder. Sets of others are looked for there and under ``root``; a
path of the user's own is always accepted. Nothing is ever downloaded, and no environment variable is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench.data.locomo import load_locomo
from arandu_lab.bench.data.longmemeval import load_longmemeval
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.data.own import digest_of, load_own
from arandu_lab.errors import ConfigError, DatasetError, nearest
from arandu_lab.places import local

HERE = Path(__file__).parents[3] / "datasets"
"""The repository's own folder; not there when the package was installed from a wheel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A known dataset. ``paths`` are looked for under each root; ``pinned`` is the sha256 of the bytes meant."""

    language: str
    licence: str
    citation: str
    origin: str
    read: Callable[..., Dataset] = field(repr=False)
    name: str = ""
    paths: tuple[str, ...] = ()
    pinned: str | None = None


_OWN = Entry(
    licence="MIT", citation="arandu_lab", origin="written for arandu_lab (datasets/)", read=load_own, language="en"
)
_WORLD = replace(_OWN, origin="made by arandu-lab world (configs/world_*.toml)")
_TALK = replace(_OWN, origin="written for arandu_lab (datasets/talks), no gold: for retrieval alone")

_LOCOMO = Entry(
    language="en",
    licence="CC BY-NC 4.0",
    citation="Maharana et al. 2024, Evaluating Very Long-Term Conversational Memory of LLM Agents (ACL)",
    origin="github.com/snap-research/LoCoMo data/locomo10.json",
    read=load_locomo,
)
_LONGMEMEVAL = Entry(
    language="en",
    licence="MIT",
    citation="Wu et al. 2025, LongMemEval: Benchmarking Chat Assistants on Long-Term Interactive Memory (ICLR)",
    origin="github.com/xiaowu0162/LongMemEval",
    read=load_longmemeval,
)


def _ours(entry: Entry, folder: str, names: str) -> Iterator[Entry]:
    """Entries of our own sets: in their folder of the repository, or straight under a root of the user's."""
    for name in names.split():
        yield replace(entry, name=name, language=name[-2:], paths=tuple(dict.fromkeys((f"{folder}{name}", name))))


ENTRIES: Mapping[str, Entry] = {
    entry.name: entry
    for entry in (
        *_ours(_OWN, "", "harbor_en mare_pt"),
        *_ours(_WORLD, "world/", "brook_en brook_pt cove_en cove_pt"),
        *_ours(_TALK, "talks/", "quay_en delta_en bayou_en sound_en skerry_en foz_pt ria_pt igarape_pt"),
        replace(
            _LOCOMO,
            name="locomo",
            paths=("locomo10.json", "locomo/locomo10.json"),
            pinned="79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4",
        ),
        replace(
            _LOCOMO,
            name="locomo4",
            paths=("locomo4.json", "locomo/locomo4.json"),
            pinned="091b90037f183ba7315ddd42b71680b1a62f0a736305e279288c427256e3063d",
        ),
        replace(
            _LONGMEMEVAL,
            name="longmemeval_oracle",
            paths=("longmemeval_oracle.json", "longmemeval/longmemeval_oracle.json"),
            pinned="821a2034d219ab45846873dd14c14f12cfe7776e73527a483f9dac095d38620c",
        ),
        replace(
            _LONGMEMEVAL,
            name="longmemeval_s",
            paths=("longmemeval_s_cleaned.json", "longmemeval_s.json", "longmemeval/longmemeval_s_cleaned.json"),
            pinned="d6f21ea9d60a0d56f34a05b609c79c88a451d2ae03597821ea3d5a9678c3a442",
        ),
        replace(_LONGMEMEVAL, name="longmemeval_mini", paths=("longmemeval_mini",)),
    )
}


def load(name_or_path: str | Path, *, root: str | Path | None = None, **options: Any) -> Dataset:
    """A dataset by name, or from a path whose layout is recognised.

    Args:
        name_or_path: A name of :func:`available`, or a file or folder.
        root: A folder to look in before the repository's own.
        options: Passed to the loader (``asked="end"`` for LongMemEval).

    Returns:
        The dataset; its card gains ``citation``, ``pinned`` (the expected digest or None) and ``as_pinned`` (whether
        the bytes are those; None when no digest is pinned).

    Raises:
        ConfigError: an unknown name, an option that the loader does not take, or data that lie nowhere we looked.
        DatasetError: data that break their format.
    """
    name = str(name_or_path)
    entry = ENTRIES.get(name)
    if entry is None:
        place = local(name_or_path, "dataset")
        if not place.exists():
            raise ConfigError(f"dataset {name!r} is no known name and no path; {nearest(name, ENTRIES)}")
        entry = _recognise(place)
    else:
        place = _find(entry, root)
    taken = [one.name for one in signature(entry.read).parameters.values() if one.kind is Parameter.KEYWORD_ONLY]
    for option in options:
        if option not in taken:
            raise ConfigError(f"option {option!r} of dataset {name!r}; {nearest(option, taken)}")
    found = entry.read(place, **options)
    as_pinned = None if entry.pinned is None else found.digest == entry.pinned
    card = {**found.card, "citation": entry.citation, "pinned": entry.pinned, "as_pinned": as_pinned}
    return replace(found, name=entry.name or found.name, card=card)


def available(root: str | Path | None = None) -> pl.DataFrame:
    """Every known dataset: ``name language licence citation origin pinned path`` (null: it lies nowhere we looked)."""
    rows = [
        {
            "name": entry.name,
            "language": entry.language,
            "licence": entry.licence,
            "citation": entry.citation,
            "origin": entry.origin,
            "pinned": entry.pinned,
            "path": next((str(place) for place in _places(entry, root) if place.exists()), None),
        }
        for entry in ENTRIES.values()
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(rows[0], pl.String))


def digest(name_or_path: str | Path, *, root: str | Path | None = None) -> str:
    """The sha256 of one of our own sets, computed from its files as they are now, without parsing them.

    Raises:
        ConfigError: an unknown name, or one that lies nowhere we looked.
        DatasetError: not a set of our own.
    """
    entry = ENTRIES.get(str(name_or_path))
    place = _find(entry, root) if entry is not None else local(name_or_path, "dataset")
    try:
        return digest_of(place)
    except OSError as failed:
        raise DatasetError(f"{failed.filename}: {failed.strerror}; only sets of our own are digested here") from failed


def _places(entry: Entry, root: str | Path | None) -> list[Path]:
    bases = [HERE] if root is None else [local(root, "root"), HERE]
    return [base / path for base in bases for path in entry.paths]


def _find(entry: Entry, root: str | Path | None) -> Path:
    places = _places(entry, root)
    for place in places:
        if place.exists():
            return place
    looked = ", ".join(map(str, places))
    raise ConfigError(
        f"dataset {entry.name!r} lies at none of {looked}; get it from {entry.origin} ({entry.licence}), "
        "then give its path, or the folder it is in as root="
    )


def _recognise(place: Path) -> Entry:
    """The loader for a path; the entry's empty name lets the dataset keep its own."""
    if place.is_dir():
        return _LONGMEMEVAL if (place / "sessions.jsonl.gz").exists() else _OWN
    first = _first_item(place)
    if "qa" in first and "conversation" in first:
        return replace(_LOCOMO, pinned=ENTRIES["locomo"].pinned) if place.name == "locomo10.json" else _LOCOMO
    if "haystack_sessions" in first:
        return _LONGMEMEVAL
    raise DatasetError(
        f"{place}:1: neither LoCoMo (a list of qa and conversation) nor LongMemEval (a list of haystack_sessions); "
        "a set of our own is a folder with set.toml"
    )


def _first_item(place: Path) -> Mapping[str, Any]:
    try:
        items = json.loads(place.read_bytes())
    except ValueError as failed:
        raise DatasetError(f"{place}:{getattr(failed, 'lineno', 1)}: not JSON: {failed}") from failed
    first = items[0] if isinstance(items, list) and items else {}
    return first if isinstance(first, dict) else {}
