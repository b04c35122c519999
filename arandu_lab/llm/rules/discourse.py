"""Who is speaking of whom: the speaker, the people named so far, the relatives whose names are known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from arandu_lab.llm.rules import lexicon_en, lexicon_pt
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.names import Gender, gender, is_first_name
from arandu_lab.pure.text import fold

_FIRST = {
    "en": frozenset("i me my mine myself we us our ours ourselves".split()),
    "pt": frozenset("eu me mim meu minha meus minhas comigo nos nós nosso nossa".split()),
}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody (or a pet) that a pronoun may stand for."""

    name: str
    gender: Gender
    type: str = "person"
    role: str = ""

    @property
    def entity(self) -> str:
        """The name memory keeps: the kinship word of an unnamed relative, else the name."""
        return self.role or self.name


@dataclass(slots=True)
class Discourse:
    """What has been said of whom, while a message is read from left to right."""

    speaker: str
    language: Language
    people: list[Person] = field(default_factory=list)
    relatives: dict[str, str] = field(default_factory=dict)
    last: Person | None = None

    @property
    def gender(self) -> Gender:
        """The speaker's gender, as far as the name tells."""
        return gender(self.speaker)

    @property
    def they(self) -> str:
        """The English pronoun for the speaker."""
        return {"f": "she", "m": "he", "u": "they"}[self.gender]

    @property
    def their(self) -> str:
        """The English possessive for the speaker."""
        return {"f": "her", "m": "his", "u": "their"}[self.gender]

    def is_speaker(self, name: str) -> bool:
        """Whether a name is the speaker's own."""
        return fold(name) == fold(self.speaker)

    def name(self, name: str, kind: str = "person", sex: Gender | None = None, role: str = "") -> Person:
        """Somebody was named: the nearest a pronoun can mean."""
        person = Person(name, sex or gender(name), kind, role)
        if not self.is_speaker(name):
            self.people = [*[known for known in self.people if known.name != name][-20:], person]
        return person

    def he_or_she(self, sex: Gender) -> Person | None:
        """The one that *he*, *she*, *ele* or *ela* means: the last fitting one, if it is clear."""
        for person in reversed(self.people):
            if person.gender == sex:
                return person
            if person.gender == "u" and person.type in ("person", "pet") and not self._stranger(person):
                return person
        return None

    def _stranger(self, person: Person) -> bool:
        """A single word that may be no person's name, while somebody is known who fits better."""
        if fold(person.name).split()[:1] in (["project"], ["projeto"], ["programa"], ["programme"], ["operation"]):
            return True
        return (
            person.type == "person"
            and not person.role
            and " " not in person.name
            and not is_first_name(person.name)
            and any(other.gender != "u" for other in self.people)
        )

    def relative(self, word: str) -> str | None:
        """The name of the speaker's relative of that word, if it was said before."""
        return self.relatives.get(fold(word))


def begin(inputs: Mapping[str, Any], language: Language) -> Discourse:
    """The state before the message: its speaker, and who was named in what came before."""
    found = Discourse(speaker=str(inputs.get("speaker") or "").strip() or "user", language=language)
    for entity in _list(inputs.get("known")):
        for fact in _list(entity.get("facts")):
            _learn(found, str(fact.get("text", "")))
        if entity.get("profile"):
            _learn(found, str(entity["profile"]))
    return found


def _list(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list | tuple) else []


_NAME = r"(?P<name>[A-ZÀ-Ý][\w'’-]*(?: (?:d[aeo]s? )?[A-ZÀ-Ý][\w'’-]*){0,4})"
_TELLS = (
    re.compile(rf"(?P<owner>[A-ZÀ-Ý][\w' -]{{0,60}}?)['’]s (?P<word>[\w-]+)(?:'s name)? is (?:called |named )?{_NAME}"),
    re.compile(rf"{_NAME} is (?P<owner>[A-ZÀ-Ý][\w' -]{{0,60}}?)['’]s (?P<word>[\w-]+)"),
    re.compile(rf"{_NAME} é (?:a |o )?(?P<word>[\w-]+) d[aeo] (?P<owner>[A-ZÀ-Ý][\w' -]{{0,60}})"),
)


def _learn(found: Discourse, text: str) -> None:
    """``Ana is Rafael's wife`` tells whom Rafael means by *my wife*."""
    for shape in _TELLS:
        match = shape.search(text[:300])
        if match and fold(match["owner"]).split()[:1] == fold(found.speaker).split()[:1]:
            word = fold(match["word"])
            if word in lexicon_en.KIN or word in lexicon_pt.KIN:
                found.relatives.setdefault(word, match["name"])


def first_person(word: str, language: Language) -> bool:
    """Whether the word speaks of the speaker."""
    return word in _FIRST[language]
