"""The sentences of a world: templates read from ``words/<split>_<lang>.toml`` and taken apart once, so that use is cheap."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from arandu_lab.bench.world.config import Split
from arandu_lab.bench.world.lexicon import Lang, read_words
from arandu_lab.bench.world.slots import SLOTS
from arandu_lab.errors import DatasetError, nearest

FAMILIES = (
    "begin_me", "begin_they", "since_me", "since_they", "change_me", "change_they", "again_me", "again_they", "end_me",
    "end_they", "late_me", "late_they", "ask", "answer", "say", "say_end", "q_now", "q_at", "q_history", "q_when",
    "q_before", "q_still", "q_cascade", "topic", "happened_me", "happened_they", "cancelled_me", "cancelled_they",
)  # fmt: skip
WRAPS = ("hear", "correct", "retract", "forget", "join", "opening", "small", "reaction")

Part: TypeAlias = tuple[str, str, str]
"""(operation, argument, argument): ``("text", "lives in ", "")``, ``("V", "em", "")``, ``("gender", "o", "a")``."""

_TOKEN = re.compile(r"\{([^{}]*)\}")
_PREFIXES: dict[Lang, tuple[str, ...]] = {"en": ("a", "the"), "pt": ("em", "de", "a", "por", "o", "um")}
_PLAIN = {"when": "when", "year": "year", "S": "S", "T": "T", "A": "A", "B": "B", "D": "D", "K": "K"}
_MINE = re.compile(r"^(o|a|os|as) ([^{}]+?) \{de N\}(.*)$")
_MY = {"o": "meu", "a": "minha", "os": "meus", "as": "minhas"}


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence taken apart. ``needs`` are the kinds of its tokens: of N V O D K when year S T A B."""

    text: str
    parts: tuple[Part, ...]
    needs: frozenset[str]


class Grammar:
    """The sentences of one language, by slot and family; slot "" holds the wraps."""

    def __init__(self, lang: Lang, families: Mapping[tuple[str, str], tuple[Template, ...]]) -> None:
        self.lang = lang
        self.families = families
        self._fitting: dict[tuple[str, str, bool, bool], tuple[Template, ...]] = {}

    def has(self, slot: str, family: str, *, old: bool = False, when: bool = False) -> bool:
        """Whether there is a sentence of a family that names the old value and a date, or neither, as asked."""
        return bool(self.fitting(slot, family, old, when))

    def fitting(self, slot: str, family: str, old: bool, when: bool) -> tuple[Template, ...]:
        """The sentences of a family that name an old value and a date exactly if asked to."""
        key = (slot, family, old, when)
        found = self._fitting.get(key)
        if found is None:
            every = self.families.get((slot, family), ())
            found = tuple(one for one in every if ("O" in one.needs) == old and ("when" in one.needs) == when)
            self._fitting[key] = found
        return found

    def all(self, slot: str, family: str) -> tuple[Template, ...]:
        """All sentences of a family, in the order of the file."""
        return self.families.get((slot, family), ())


@functools.cache
def load_grammar(split: Split, lang: Lang) -> Grammar:
    """The sentences of a split in a language.

    Raises:
        DatasetError: the file is missing or no TOML, or has an unknown slot, family or token.
    """
    name = f"{split}_{lang}.toml"
    return read_grammar(read_words(name), lang, name)


def read_grammar(data: Mapping[str, Any], lang: Lang, name: str) -> Grammar:
    """The sentences in a parsed file; ``name`` is for messages.

    Raises:
        DatasetError: an unknown slot, family or token.
    """
    families: dict[tuple[str, str], tuple[Template, ...]] = {}
    _known(name, "", data, ("slot", "wrap", "when"))
    _known(name, "[slot] ", data.get("slot", {}), SLOTS)
    for slot, table in data.get("slot", {}).items():
        _known(name, f"[slot.{slot}] ", table, FAMILIES)
        for family, texts in table.items():
            families[slot, family] = tuple(template(one, lang, f"{name}: [slot.{slot}] {family}") for one in texts)
        families[slot, "topic_me"] = tuple(_topics_of_mine(table.get("topic", ()), lang))
    for family, texts in data.get("wrap", {}).items():
        if family in WRAPS:
            families["", family] = tuple(template(one, lang, f"{name}: [wrap] {family}") for one in texts)
    return Grammar(lang, families)


def template(text: str, lang: Lang, where: str = "") -> Template:
    """A sentence taken apart.

    Raises:
        DatasetError: an unknown token.

    >>> template("moro {em V}", "pt").parts
    (('text', 'moro ', ''), ('V', 'em', ''))
    """
    parts: list[Part] = []
    at = 0
    for found in _TOKEN.finditer(text):
        if found.start() > at:
            parts.append(("text", text[at : found.start()], ""))
        parts.append(_part(found[1], lang, text, where))
        at = found.end()
    if at < len(text):
        parts.append(("text", text[at:], ""))
    if "{" in (rest := _TOKEN.sub("", text)) or "}" in rest:
        raise DatasetError(f"words/{where}: a bracket stands alone in {text!r}")
    heads = {"N's": "N", "V?": "V", "O?": "O"}
    needs = frozenset(heads.get(op, op) for op, _, _ in parts if op not in ("text", "gender"))
    return Template(text, tuple(parts), needs)


def _part(token: str, lang: Lang, text: str, where: str) -> Part:
    if token in _PLAIN:
        return (_PLAIN[token], "", "")
    if token == "um K" or token == "a K":
        return ("K", "", "")
    if token in ("N's", "de N"):
        return ("N's", "", "")
    if token == "N":
        return ("N", "", "")
    head, _, tail = token.rpartition(" ")
    if tail in ("V", "O") and head in ("", *_PREFIXES[lang]):
        return (tail, head, "")
    who, colon, forms = token.partition(":")
    if not colon:
        who, forms = "N", token
    masculine, slash, feminine = forms.partition("/")
    if slash and who in ("N", "V", "O"):
        return ("gender" if who == "N" else who + "?", masculine, feminine)
    raise DatasetError(f"words/{where}: unknown token {{{token}}} in {text!r}")


def _topics_of_mine(topics: Iterable[str], lang: Lang) -> Iterable[Template]:
    """Topics that the speaker can say of themself: "{N's} job" is "my job"; "o emprego {de N}" is "o meu emprego"."""
    for text in topics:
        if lang == "en":
            made = template(text, lang)
            if all(op != "N" for op, _, _ in made.parts) and "N" in made.needs:
                yield template(text.replace("{N's}", "my", 1).replace("{N's}", "my"), lang)
        elif (found := _MINE.match(text)) and "{N}" not in found[3] and "{de N}" not in found[3]:
            yield template(f"{found[1]} {_MY[found[1]]} {found[2]}{found[3]}", lang)


def _known(name: str, where: str, table: Mapping[str, Any], known: Iterable[str]) -> None:
    for key in table:
        if key not in known:
            raise DatasetError(f"words/{name}: {where}unknown key {key!r}; {nearest(key, known)}")
