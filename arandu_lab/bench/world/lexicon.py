"""The words of a world: aligned items of both languages, read from ``words/<split>.toml`` and frozen."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Literal, TypeAlias

from arandu_lab.bench.world.config import Split
from arandu_lab.errors import DatasetError, nearest

Lang: TypeAlias = Literal["en", "pt"]
LANGS: tuple[Lang, ...] = ("en", "pt")

TYPES = {"place": "place", "org": "organization", "school": "organization", "club": "organization",
         "project": "project", "pet": "pet"}  # fmt: skip
"""Families whose items are proper names, and so entities, with their type."""

KEYS: dict[str, tuple[set[str], set[str]]] = {
    "given": ({"gender", "en", "pt"}, {"en_nick", "pt_nick"}),
    "family": ({"en", "pt"}, set()),
    "place": ({"en", "pt", "pt_art"}, set()),
    "org": ({"en", "pt", "pt_art"}, {"en_art"}),
    "school": ({"en", "pt", "pt_art"}, {"en_art"}),
    "club": ({"en", "pt", "pt_art"}, set()),
    "project": ({"en", "pt", "pt_art"}, set()),
    "pet": ({"en", "pt", "gender", "kind"}, set()),
    "kind": ({"id", "en", "pt_m", "pt_f"}, {"en_a"}),
    "role": ({"en", "pt_m", "pt_f"}, {"en_a"}),
    "subject": ({"en", "pt"}, {"pt_art"}),
    "taste": ({"en", "pt", "pt_art"}, {"topic"}),
    "hobby": ({"en", "pt", "pt_art"}, set()),
    "allergen": ({"en", "pt"}, {"pt_art"}),
    "tongue": ({"en", "pt"}, {"pt_art"}),
    "thing": ({"en", "pt", "pt_g"}, {"en_a"}),
    "habit": ({"en_me", "en_they", "pt_me", "pt_they", "polarity"}, set()),
    "condition": ({"en", "pt"}, {"pt_art"}),
    "diet": ({"en", "pt_m", "pt_f"}, set()),
    "happening": ({"en", "pt", "en_done", "pt_done"}, {"pt_done_me", "en_done_me"}),
}
"""Per family: keys that an item must have, and those it may."""


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """How one item is written in one language.

    ``m`` and ``f`` are its forms by the gender of whom it is said, equal for most. ``art`` is its definite article in
    Portuguese ("" for none), ``a`` the indefinite one in either language, ``gender`` its own. ``me``, ``they``,
    ``done`` and ``done_me`` are predicates of habits and happenings; ``kind`` is a pet's kind.
    """

    m: str
    f: str
    art: str = ""
    a: str = ""
    gender: str = "m"
    me: str = ""
    they: str = ""
    done: str = ""
    done_me: str = ""
    kind: str = ""
    kind_a: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A thing of the world that facts are about: its family, number in it, and words by language.

    ``type`` is the entity type of proper names, "" for common nouns. ``note`` is the topic of a taste or the polarity
    of a habit.
    """

    family: str
    number: int
    en: Word
    pt: Word
    type: str = ""
    note: str = ""

    def word(self, lang: Lang) -> Word:
        """Its word in a language."""
        return self.en if lang == "en" else self.pt


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """A given name in both languages, with its nicknames."""

    gender: str
    en: str
    pt: str
    en_nick: tuple[str, ...]
    pt_nick: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """All words of a split. ``items`` by family, in the order of the file."""

    given: tuple[Given, ...]
    family: tuple[tuple[str, str], ...]
    items: Mapping[str, tuple[Item, ...]]


@functools.cache
def load_lexicon(split: Split) -> Lexicon:
    """The words of a split.

    Raises:
        DatasetError: the file is missing, is no TOML, or an item lacks a key or has an unknown one.
    """
    return read_lexicon(read_words(f"{split}.toml"), f"{split}.toml")


def read_words(name: str) -> dict[str, Any]:
    """A parsed file of ``words/``.

    Raises:
        DatasetError: it is missing or no TOML.
    """
    place = resources.files("arandu_lab.bench.world") / "words" / name
    try:
        return tomllib.loads(place.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise DatasetError(f"words/{name}: no such file") from None
    except tomllib.TOMLDecodeError as error:
        raise DatasetError(f"words/{name}: not TOML: {error}") from None


def read_lexicon(data: Mapping[str, Any], name: str) -> Lexicon:
    """The lexicon in a parsed file; ``name`` is for messages.

    Raises:
        DatasetError: an unknown family or key, or one that is missing.
    """
    for family in data:
        if family not in KEYS:
            raise DatasetError(f"words/{name}: unknown family {family!r}; {nearest(family, KEYS)}")
    for family, (must, may) in KEYS.items():
        if not data.get(family):
            raise DatasetError(f"words/{name}: no [[{family}]]")
        for number, entry in enumerate(data[family], start=1):
            for key in must - set(entry):
                raise DatasetError(f"words/{name}: [[{family}]] {number} has no {key!r}")
            for key in set(entry) - must - may:
                raise DatasetError(f"words/{name}: [[{family}]] {number}: key {key!r}; {nearest(key, must | may)}")
    kinds = {entry["id"]: entry for entry in data["kind"]}
    for entry in data["pet"]:
        if entry["kind"] not in kinds:
            raise DatasetError(
                f"words/{name}: [[pet]] {entry['en']!r}: kind {entry['kind']!r}; {nearest(entry['kind'], kinds)}"
            )
    return Lexicon(
        given=tuple(
            Given(one["gender"], one["en"], one["pt"], tuple(one.get("en_nick", ())), tuple(one.get("pt_nick", ())))
            for one in data["given"]
        ),
        family=tuple((one["en"], one["pt"]) for one in data["family"]),
        items={
            family: tuple(_item(family, number, entry, kinds) for number, entry in enumerate(data[family]))
            for family in KEYS
            if family not in ("given", "family", "kind")
        },
    )


def _item(family: str, number: int, entry: Mapping[str, Any], kinds: Mapping[str, Any]) -> Item:
    note = entry.get("topic") or entry.get("polarity") or ""
    en, pt = _english(family, entry, kinds), _portuguese(family, entry, kinds)
    return Item(family, number, en, pt, TYPES.get(family, ""), note)


def _english(family: str, entry: Mapping[str, Any], kinds: Mapping[str, Any]) -> Word:
    text = entry["en_they"] if family == "habit" else entry["en"]
    kind = kinds[entry["kind"]] if family == "pet" else {}
    noun = str(kind.get("en", ""))
    done = entry.get("en_done", "")
    return Word(
        m=text,
        f=text,
        art=entry.get("en_art", ""),
        a=entry.get("en_a", ""),
        gender=entry.get("gender", "m"),
        me=entry.get("en_me", ""),
        they=entry.get("en_they", ""),
        done=done,
        done_me=entry.get("en_done_me", done),
        kind=noun,
        kind_a=kind.get("en_a", "an" if noun[:1] in "aeiou" else "a") if noun else "",
    )


def _portuguese(family: str, entry: Mapping[str, Any], kinds: Mapping[str, Any]) -> Word:
    gendered = family in ("role", "diet")
    text = "" if gendered else entry["pt_they"] if family == "habit" else entry["pt"]
    article = entry.get("pt_art", "")
    gender = entry.get("gender") or entry.get("pt_g") or ("f" if article in ("a", "as") else "m")
    kind = kinds[entry["kind"]] if family == "pet" else {}
    done = entry.get("pt_done", "")
    return Word(
        m=entry["pt_m"] if gendered else text,
        f=entry["pt_f"] if gendered else text,
        art=gender_article(gender) if family in ("pet", "thing") else article,
        a="uma" if gender == "f" else "um",
        gender=gender,
        me=entry.get("pt_me", ""),
        they=entry.get("pt_they", ""),
        done=done,
        done_me=entry.get("pt_done_me", done),
        kind=kind.get("pt_f" if gender == "f" else "pt_m", ""),
        kind_a="uma" if gender == "f" else "um",
    )


def gender_article(gender: str) -> str:
    """The Portuguese definite article of a gender.

    >>> gender_article("f")
    'a'
    """
    return "a" if gender == "f" else "o"
