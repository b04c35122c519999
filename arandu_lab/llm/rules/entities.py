"""The entities of a message: the names it mentions, whom its facts are about, and their types and aliases."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from arandu_lab.llm.rules import gazetteer, lexicon_en, lexicon_pt
from arandu_lab.llm.rules.names import is_first_name
from arandu_lab.llm.rules.reading import Reading
from arandu_lab.pure.text import fold

if TYPE_CHECKING:
    from arandu_lab.llm.rules.extraction import Found


def listed(reading: Reading, found: list[Found]) -> list[dict[str, Any]]:
    """Entity items, the speaker first when a fact is about them; aliases only where the text gives them as such."""
    types: dict[str, str] = {}
    names: dict[str, str] = {}

    def add(name: str, kind: str) -> None:
        key = fold(name)
        if not key.strip() or len(name) > 300:
            return
        if key not in names:
            names[key] = name
            types[key] = kind
        elif types[key] == "concept":
            types[key] = kind

    speaker = reading.discourse.speaker
    if any(fold(speaker) in (fold(fact.subject), fold(fact.slot.value)) for fact in found) or any(
        fold(bond.owner) == fold(speaker) for bond in reading.bonds
    ):
        add(speaker, "person")
    typed = {fold(bond.name): bond.type for bond in reading.bonds}
    for mention in reading.mentions:
        add(mention.name, typed.get(fold(mention.name), mention.type))
    for fact in found:
        kind = fact.type if fact.type != "thing" else "concept"
        add(fact.subject, "person" if fold(fact.subject) == fold(speaker) else kind)
    for bond in reading.bonds:
        add(bond.owner, "person")
        add(bond.name, bond.type)
    _retype(reading, found, names, types)
    _complete(found, names, types)
    out = []
    for key, name in names.items():
        aliases = [alias for alias in reading.aliases.get(name, []) if _alias(alias) and fold(alias) != key]
        out.append({"name": name, "type": types[key], "aliases": aliases})
    return _merge_parts(out)


def _alias(alias: str) -> bool:
    """Faults B7: a common noun or pronoun is no alias."""
    words = fold(alias).split()
    return bool(words) and not all(
        word in lexicon_en.COMMON or word in lexicon_pt.COMMON or word in lexicon_en.KIN or word in lexicon_pt.KIN
        for word in words
    )


_BY_SLOT = {
    "lives_in": "place",
    "from": "place",
    "works_at": "organization",
    "studies_at": "organization",
    "pet": "pet",
}


def _retype(reading: Reading, found: list[Found], names: dict[str, str], types: dict[str, str]) -> None:
    """A fact tells a type that the name alone does not: one works at an organization and lives in a place."""
    for fact in found:
        kind = _BY_SLOT.get(fact.slot.name)
        key = fold(fact.slot.value)
        if (
            kind
            and key in types
            and (
                types[key] == "concept"
                or (kind == "place" and types[key] == "organization" and not _institutional(key))
            )
        ):
            types[key] = kind
        if fact.slot.name == "owns":
            owned = [name for name in parts_of(key) if types.get(name) in ("person", "concept")]
            for name in owned:
                if not is_first_name(name.split()[0]):
                    types[name] = "product"


def parts_of(words: str) -> list[str]:
    """Every run of words within the words, from left to right and the longer first: what names a value may hold."""
    split = words.split()[:12]
    return [" ".join(split[first:last]) for first in range(len(split)) for last in range(len(split), first, -1)]


_WHOLE = re.compile(r"[A-ZÀ-Ý][\w'’&.-]*(?: (?:(?:of|de|da|do|dos|das|&) )?[A-ZÀ-Ý][\w'’&.-]*)*")


def _complete(found: list[Found], names: dict[str, str], types: dict[str, str]) -> None:
    """A place or firm that only a fact names in full: the opening of a sentence hid the first word of its name."""
    for fact in found:
        kind = _BY_SLOT.get(fact.slot.name)
        value = fact.slot.value
        key = fold(value)
        if not kind or kind == "pet" or key in names or not _WHOLE.fullmatch(value) or len(value) > 80:
            continue
        if any(f" {key} " in f" {name} " for name in names):
            continue
        for part in [name for name in parts_of(key) if types.get(name) in ("person", "concept")]:
            if not is_first_name(part.split()[0]) and part != fold(fact.subject):
                del names[part], types[part]
        names[key], types[key] = value, kind


def _institutional(name: str) -> bool:
    return any(word in gazetteer.ORG_WORDS for word in name.split())


def _merge_parts(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """``Helen`` beside ``Helen Stroud`` in one message is the same person: the fuller name keeps the shorter as
    alias.
    """
    out: list[dict[str, Any]] = []
    longer: dict[str, list[dict[str, Any]]] = {}
    for item in items:
        words = fold(item["name"]).split()[:12]
        for end in range(1, len(words)) if item["type"] == "person" else ():
            longer.setdefault(" ".join(words[:end]), []).append(item)
    for item in items:
        fuller = longer.get(" ".join(fold(item["name"]).split()), []) if item["type"] == "person" else []
        if len(fuller) == 1:
            if item["name"] not in fuller[0]["aliases"]:
                fuller[0]["aliases"].append(item["name"])
            continue
        out.append(item)
    return out
