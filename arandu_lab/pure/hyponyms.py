"""Members of the classes that questions name: "Which instruments …?" is answered by a cello, which no embedder has to know.

A lexicon is a text, a line a class: ``class words : members``, ``+word`` taking in all members of the class called ``word``.
Phrases of up to four words are looked up. What a turn says is compared by stems, long enough not to be those of another
word (``mora`` and ``moreia`` share three letters); a class is named by a word that is listed, in the singular or plural.
Those that ship lie in :mod:`arandu_lab.lexica`.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pure.cues import asking_words
from arandu_lab.pure.stems import Language, capitals, stem
from arandu_lab.pure.text import fold, words

LONGEST = 4
"""Words of the longest phrase that is looked up."""

SHORTEST: Mapping[Language, int] = MappingProxyType({"en": 3, "pt": 4})
"""Letters of the shortest stem by which words are the same; Portuguese endings leave little of a short word."""

Phrase = tuple[str, ...]
"""The words of a phrase, each as it is compared."""


@dataclass(frozen=True, eq=False)
class Hyponyms:
    """A lexicon. ``members`` numbers every member of any class; ``classes`` has, for each class word, the numbers of its members.

    >>> lexicon = Hyponyms.read("instrument, instruments: cello, French horn\\nhobby: +instrument, reading", "en")
    >>> lexicon.said("She plays the French horns and two cellos")
    (0, 1)
    >>> [sorted(lexicon.classes[name]) for name in lexicon.named("What are her hobbies?")]
    [[0, 1, 2]]
    """

    language: Language
    members: Mapping[Phrase, int]
    classes: Mapping[Phrase, frozenset[int]]

    @classmethod
    def read(cls, text: str, language: Language, where: str = "lexicon") -> Hyponyms:
        """A lexicon from its text. A class word that any question may have (what, when, how) names no class.

        Raises:
            ConfigError: a line without class words, colon or members, or an unknown ``+word``; with its place.
        """
        lines = list(_lines(text, where))
        places: dict[str, list[int]] = {}
        for place, line in enumerate(lines):
            for name in line.names:
                places.setdefault(name, []).append(place)
        for line in lines:
            for name in line.taken:
                if name not in places:
                    raise ConfigError(f"{where}: '+{name}' of {line.names[0]!r}; {nearest(name, places)}")
        numbers: dict[Phrase, int] = {}
        own = [
            {numbers.setdefault(tuple(_member(words(one), language)), len(numbers)) for one in line.members}
            for line in lines
        ]
        taken = [[at for name in line.taken for at in places[name]] for line in lines]
        classes: dict[Phrase, set[int]] = {}
        for place, line in enumerate(lines):
            held = set().union(*(own[at] for at in _reached(place, taken)))
            for name in line.names:
                if any(fold(word) not in asking_words() for word in name.split()):
                    classes.setdefault(tuple(_class(words(name), language)), set()).update(held)
        return cls(
            language=language,
            members=MappingProxyType(numbers),
            classes=MappingProxyType({name: frozenset(held) for name, held in classes.items()}),
        )

    def said(self, text: str) -> tuple[int, ...]:
        """The members that a text says, by number, each once, ascending."""
        return self.heard(words(text))

    def heard(self, said: Sequence[str]) -> tuple[int, ...]:
        """As :meth:`said`, from the folded words of a text."""
        told = _member(said, self.language)
        return tuple(sorted({self.members[phrase] for phrase in _phrases(said, told, self.members)}))

    def named(self, question: str) -> tuple[Phrase, ...]:
        """The classes that a question names, in order; of a phrase and a word of it only the phrase.

        A word with a capital elsewhere than at the beginning is a name, and names no class: Rosa is no flower. In a question that
        is written in nothing but capitals they tell nothing.
        """
        names = frozenset() if question.isupper() else capitals(question)
        said = words(question)
        found = list(dict.fromkeys(_phrases(said, _class(said, self.language), self.classes, names)))
        within = {word for phrase in found if len(phrase) > 1 for word in phrase}
        return tuple(phrase for phrase in found if len(phrase) > 1 or phrase[0] not in within)

    def wanted(self, question: str) -> tuple[tuple[float, frozenset[int]], ...]:
        """The members of each class that a question names, but for those that it says itself, and how telling the class is.

        That is the log of how many times smaller the class is than the lexicon: to be a fruit says more than to be a thing to do.
        """
        own = set(self.said(question))
        sets = [self.classes[name] - own for name in self.named(question)]
        return tuple((math.log(len(self.members) / len(held)), held) for held in sets if held)


@dataclass(frozen=True)
class _Line:
    """A line of a lexicon: its class words, its own members, and the class words whose members it takes in."""

    names: tuple[str, ...]
    members: tuple[str, ...]
    taken: tuple[str, ...]


def _lines(text: str, where: str) -> Iterable[_Line]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        names, _, members = line.partition(":")
        said, told = _parts(names), _parts(members)
        if not said or not told or not all(words(one) for one in (*said, *told)):
            raise ConfigError(f"{where}:{number}: a line is `class words: members`, found {line.strip()!r:.60}")
        yield _Line(
            names=tuple(said),
            members=tuple(one for one in told if not one.startswith("+")),
            taken=tuple(one[1:] for one in told if one.startswith("+")),
        )


def _parts(text: str) -> list[str]:
    return [part for part in (one.strip() for one in text.split(",")) if part]


def _reached(place: int, taken: Sequence[Sequence[int]]) -> set[int]:
    """A line, and all lines that it takes in, directly or not."""
    reached, ahead = {place}, [place]
    while ahead:
        fresh = [at for at in taken[ahead.pop()] if at not in reached]
        reached.update(fresh)
        ahead += fresh
    return reached


def singular(word: str, language: Language) -> str:
    """A folded word without what makes it a plural, where that can be seen; two forms of one word become the same.

    >>> singular("hobbies", "en"), singular("dishes", "en"), singular("bus", "en")
    ('hobby', 'dish', 'bus')
    >>> singular("instrumentos", "pt"), singular("cancoes", "pt"), singular("animais", "pt")
    ('instrumento', 'cancao', 'animal')
    """
    if len(word) > 3:
        for ending, instead in _PLURALS[language]:
            if word.endswith(ending):
                return word[: len(word) - len(ending)] + instead
    return word


_PLURALS: Mapping[Language, tuple[tuple[str, str], ...]] = {
    "en": (
        ("ies", "y"), ("sses", "ss"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("ss", "ss"), ("us", "us"), ("is", "is"), ("s", ""),
    ),
    "pt": (
        ("oes", "ao"), ("aes", "ao"), ("ais", "al"), ("eis", "el"), ("ois", "ol"), ("uis", "ul"), ("ns", "m"), ("res", "r"),
        ("zes", "z"), ("ss", "ss"), ("is", "il"), ("s", ""),
    ),
}  # fmt: skip


def _member(said: Sequence[str], language: Language) -> list[str]:
    """Folded words as members are compared: the stem, or the word itself in the singular where the stem is short."""
    found = ((word, stem(word, language)) for word in said)
    return [root if len(root) >= SHORTEST[language] else singular(word, language) for word, root in found]


def _class(said: Sequence[str], language: Language) -> list[str]:
    """Folded words as class words are compared: in the singular."""
    return [singular(word, language) for word in said]


def _phrases(
    said: Sequence[str], told: Sequence[str], known: Container[Phrase], apart: frozenset[str] = frozenset()
) -> Iterable[Phrase]:
    """All phrases of a text that are known, from each word the shorter first. ``told``: its folded words as they are compared.

    A function word alone is none: it may look like another word ("pra" and "praia", "com" and "comer"). Nor is a word of
    ``apart``.
    """
    function = asking_words()
    for start, word in enumerate(said):
        least = 2 if word in function or word in apart else 1
        for stop in range(start + least, min(start + LONGEST, len(told)) + 1):
            phrase = tuple(told[start:stop])
            if phrase in known:
                yield phrase
