"""A small grammar machine: rules whose words are regular expressions and whose holes are other rules.

A rule is a pattern such as ``"<nth> <weekday> of <period>"`` with a function that builds the meaning from what filled
the holes. A hole names either a *lexicon* (``weekday``, ``month``, ``number``: spliced into the pattern as an
alternation, so that ordinary regular-expression backtracking applies) or a *category* of rules (``period``, ``date``),
which is parsed recursively and memoised. A digit after a name (``<day2>``) tells two holes of one kind apart. A space
in a pattern stands for any run of white space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

M = TypeVar("M")

_HOLE = re.compile(r"<([a-z_]+?)(\d?)>")


class Lexicon:
    """Words that fill one kind of hole, with the value of each.

    Built from a mapping of words (or small regular expressions) to values, or from one pattern and a function that
    reads the value off the matched text (None: not such a word after all).
    """

    def __init__(self, entries: Mapping[str, Any] | None = None, *, pattern: str = "", read: Callable[[str], Any] | None = None):
        words = sorted(entries or {}, key=len, reverse=True)
        self.pattern = pattern or "|".join(words)
        self._exact = dict(entries or {})
        self._compiled = [(re.compile(word), (entries or {})[word]) for word in words]
        self._read = read

    def value(self, text: str) -> Any:
        """The value of a text that the pattern matched."""
        if self._read is not None:
            return self._read(text)
        if text in self._exact:
            return self._exact[text]
        return next((value for word, value in self._compiled if word.fullmatch(text)), None)


@dataclass(frozen=True, slots=True)
class Parse(Generic[M]):
    """One way to read the text from a position: where it ends, what it means, whether it needs company."""

    end: int
    meaning: M
    weak: bool = False


@dataclass(frozen=True, slots=True)
class _Rule(Generic[M]):
    steps: tuple[re.Pattern[str] | str, ...]  # patterns, and between them the keys of the categories
    lexical: Mapping[str, str]  # group name -> lexicon
    build: Callable[..., M | None]
    weak: bool


@dataclass(slots=True)
class Grammar(Generic[M]):
    """Rules by category. `weak` rules hold only in company: after a preposition, within a rule, or as the whole text."""

    lexicons: Mapping[str, Lexicon]
    categories: Mapping[str, tuple[str, ...]]  # a category and the categories that it includes
    _rules: dict[str, list[_Rule[M]]] = field(default_factory=dict)

    def add(self, category: str, pattern: str, build: Callable[..., M | None], *, weak: bool = False) -> None:
        """Add a rule. `build` takes what filled the holes, in order; None from it refuses the reading."""
        steps: list[re.Pattern[str] | str] = []
        lexical: dict[str, str] = {}
        piece, at = "", 0
        for hole in _HOLE.finditer(pattern):
            piece += pattern[at : hole.start()]
            at = hole.end()
            name, key = hole[1], hole[1] + hole[2]
            if name in self.lexicons:
                lexical[key] = name
                piece += f"(?P<{key}>{self.lexicons[name].pattern})"
            else:
                steps += [self._compile(piece), name]
                piece = ""
        steps.append(self._compile(piece + pattern[at:] + r"(?!\w)"))
        self._rules.setdefault(category, []).append(_Rule(tuple(steps), lexical, build, weak))

    def reader(self, text: str) -> Reader[M]:
        """A memoising reader of one text."""
        return Reader(self, text)

    def rules(self, category: str) -> Iterator[_Rule[M]]:
        """The rules of a category and of those it includes."""
        for name in (category, *self.categories.get(category, ())):
            yield from self._rules.get(name, ())

    @staticmethod
    def _compile(piece: str) -> re.Pattern[str]:
        return re.compile(piece.replace(" ", r"\s+"))


class Reader(Generic[M]):
    """All the parses of one text, found on demand and remembered."""

    def __init__(self, grammar: Grammar[M], text: str):
        self._grammar, self._text = grammar, text
        self._known: dict[tuple[str, int], tuple[Parse[M], ...]] = {}

    def parses(self, category: str, start: int) -> tuple[Parse[M], ...]:
        """Every reading of the category from `start`, longest first."""
        key = (category, start)
        if key not in self._known:
            self._known[key] = ()  # a rule that begins with its own category finds nothing, and so ends
            found = [parse for rule in self._grammar.rules(category) for parse in self._apply(rule, start)]
            found.sort(key=lambda parse: (-parse.end, parse.weak))
            self._known[key] = tuple(found)
        return self._known[key]

    def _apply(self, rule: _Rule[M], start: int) -> Iterator[Parse[M]]:
        for end, values in self._follow(rule, 0, start, ()):
            meaning = rule.build(*values)
            if meaning is not None:
                yield Parse(end, meaning, rule.weak)

    def _follow(self, rule: _Rule[M], index: int, at: int, values: tuple[Any, ...]) -> Iterator[tuple[int, tuple[Any, ...]]]:
        if index == len(rule.steps):
            yield at, values
            return
        step = rule.steps[index]
        if isinstance(step, str):
            for parse in self.parses(step, at):
                yield from self._follow(rule, index + 1, parse.end, (*values, parse.meaning))
            return
        match = step.match(self._text, at)
        if match is None:
            return
        read = []
        for key, text in match.groupdict().items():
            value = None if text is None else self._grammar.lexicons[rule.lexical[key]].value(text)
            if text is not None and value is None:
                return
            read.append(value)
        yield from self._follow(rule, index + 1, match.end(), (*values, *read))
