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
from functools import cache
from typing import Any, Generic, TypeVar

M = TypeVar("M")

#: How deep rules may nest: "the day after the week before the Sunday after Easter" and no deeper.
_DEEPEST = 8
_HOLE = re.compile(r"<([a-z_]+?)(\d?)>")


class Lexicon:
    """Words that fill one kind of hole, with the value of each.

    Built from a mapping of words (or small regular expressions) to values, or from one pattern and a function that
    reads the value off the matched text (None: not such a word after all).
    """

    def __init__(
        self, entries: Mapping[str, Any] | None = None, *, pattern: str = "", read: Callable[[str], Any] | None = None
    ):
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
    rank: int
    steps: tuple[str, ...]  # patterns, and between them the names of categories: odd places are categories
    lexical: Mapping[str, str]  # group name -> lexicon
    build: Callable[..., M | None]
    weak: bool
    opening: str  # a pattern of what any text of the rule begins with


@dataclass(slots=True)
class Grammar(Generic[M]):
    """Rules by category. `weak` rules hold only in company: after a preposition, in a rule, or as the whole text."""

    lexicons: Mapping[str, Lexicon]
    categories: Mapping[str, tuple[str, ...]]  # a category and the categories that it includes
    _rules: dict[str, list[_Rule[M]]] = field(default_factory=dict)
    _families: dict[str, list[tuple[re.Pattern[str], list[_Rule[M]]]]] = field(default_factory=dict)

    def add(self, category: str, pattern: str, build: Callable[..., M | None], *, weak: bool = False) -> None:
        """Add a rule. `build` takes what filled the holes, in order; None from it refuses the reading."""
        steps: list[str] = []
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
                steps += [piece, name]
                piece = ""
        steps.append(piece + pattern[at:] + r"(?!\w)")
        rank = sum(map(len, self._rules.values()))
        rule = _Rule(rank, tuple(steps), lexical, build, weak, self._opening(pattern))
        self._rules.setdefault(category, []).append(rule)
        self._families.clear()

    def reader(self, text: str) -> Reader[M]:
        """A memoising reader of one text."""
        return Reader(self, text)

    def rules(self, category: str) -> Iterator[_Rule[M]]:
        """The rules of a category and of those it includes."""
        for name in (category, *self.categories.get(category, ())):
            yield from self._rules.get(name, ())

    def families(self, category: str) -> list[tuple[re.Pattern[str], list[_Rule[M]]]]:
        """The rules of a category by what a text must begin with for them, so that one test refuses many."""
        if category not in self._families:
            by_opening: dict[str, list[_Rule[M]]] = {}
            for rule in self.rules(category):
                by_opening.setdefault(rule.opening, []).append(rule)
            self._families[category] = [(_compiled(opening), rules) for opening, rules in by_opening.items()]
        return self._families[category]

    def _opening(self, pattern: str) -> str:
        hole = _HOLE.search(pattern)
        start = pattern[: hole.start()] if hole else pattern
        if hole and start.count("(") != start.count(")"):  # the hole is within an optional group
            return ""
        return f"{start}(?:{self.lexicons[hole[1]].pattern})" if hole and hole[1] in self.lexicons else start


@cache
def _compiled(piece: str) -> re.Pattern[str]:
    return re.compile(piece.replace(" ", r"\s+"))


class Reader(Generic[M]):
    """All the parses of one text, found on demand and remembered."""

    def __init__(self, grammar: Grammar[M], text: str):
        self._grammar, self._text = grammar, text
        self._known: dict[tuple[str, int], tuple[Parse[M], ...]] = {}
        self._depth = 0

    def parses(self, category: str, start: int) -> tuple[Parse[M], ...]:
        """Every reading of the category from `start`, longest first."""
        key = (category, start)
        if key not in self._known:
            if self._depth == _DEEPEST:
                return ()
            self._depth += 1
            self._known[key] = ()  # a rule that begins with its own category finds nothing, and so ends
            found = [
                (rule.rank, parse)
                for opening, rules in self._grammar.families(category)
                if opening.match(self._text, start)
                for rule in rules
                for parse in self._apply(rule, start)
            ]
            found.sort(key=lambda pair: (-pair[1].end, pair[1].weak, pair[0]))
            self._known[key] = tuple(parse for _, parse in found)
            self._depth -= 1
        return self._known[key]

    def _apply(self, rule: _Rule[M], start: int) -> Iterator[Parse[M]]:
        for end, values in self._follow(rule, 0, start, ()):
            meaning = rule.build(*values)
            if meaning is not None:
                yield Parse(end, meaning, rule.weak)

    def _follow(
        self, rule: _Rule[M], index: int, at: int, values: tuple[Any, ...]
    ) -> Iterator[tuple[int, tuple[Any, ...]]]:
        if index == len(rule.steps):
            yield at, values
            return
        step = rule.steps[index]
        if index % 2:
            for parse in self.parses(step, at):
                yield from self._follow(rule, index + 1, parse.end, (*values, parse.meaning))
            return
        match = _compiled(step).match(self._text, at)
        if match is None:
            return
        read = []
        for key, text in match.groupdict().items():
            value = None if text is None else self._grammar.lexicons[rule.lexical[key]].value(text)
            if text is not None and value is None:
                return
            read.append(value)
        yield from self._follow(rule, index + 1, match.end(), (*values, *read))
