"""Acts into words: one voice a language, with its own chance for the choice of sentences and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from arandu_lab.bench.world.acts import Act, Asked, Form, Person, Spoken, Stated, Value
from arandu_lab.bench.world.dates import When, month_year
from arandu_lab.bench.world.grammar import Grammar, Template
from arandu_lab.bench.world.lexicon import Item, Lang
from arandu_lab.bench.world.slots import SLOTS

_START = re.compile(r"(^[\"“']?|[.!?…][\"”']? +)([^\W\d_])")
_EM = {"o": "no ", "a": "na ", "os": "nos ", "as": "nas ", "": "em "}
_DE = {"o": "do ", "a": "da ", "os": "dos ", "as": "das ", "": "de "}
_A = {"o": "ao ", "a": "à ", "os": "aos ", "as": "às ", "": "a "}
_POR = {"o": "pelo ", "a": "pela ", "os": "pelos ", "as": "pelas ", "": "por "}
_O = {"o": "o ", "a": "a ", "os": "os ", "as": "as ", "": ""}
_CONTRACTED = {"em": _EM, "de": _DE, "a": _A, "por": _POR, "o": _O}
_SHE: dict[Lang, dict[str, tuple[str, str]]] = {
    "en": {"f": ("she", "her"), "m": ("he", "his")},
    "pt": {"f": ("ela", "dela"), "m": ("ele", "dele")},
}

Mentions = dict[tuple[int, str], tuple[Value, str]]
"""Proper names of a text, each (whom, with which words) once, in order."""


@dataclass(slots=True)
class Filling:
    """What a template is filled with. ``named``: the subject stands in it already, a pronoun does."""

    subject: Person | None = None
    me: bool = False
    name: Form = Form.FULL
    value: Value | None = None
    value_name: Form = Form.FULL
    old: Value | None = None
    old_name: Form = Form.FULL
    when: str = ""
    year: str = ""
    inner: str = ""
    other: str = ""
    mentions: Mentions = field(default_factory=dict)
    named: bool = False


class Voice:
    """Texts in one language. ``paraphrases`` bounds how many sentences of a family are in use."""

    def __init__(self, grammar: Grammar, rng: Random, paraphrases: int) -> None:
        self.grammar, self.rng, self.paraphrases = grammar, rng, paraphrases
        self.lang = grammar.lang
        self._small: list[int] = []

    def turn(self, spoken: Spoken) -> tuple[str, Mentions]:
        """The text of a turn, and the names that stand in it."""
        mentions: Mentions = {}
        said = ""
        for act in spoken.acts:
            clause = self._clause(act, mentions)
            said = self._joined(said, clause) if said else clause
        text = finished(said, casual=spoken.speaker.casual)
        return text, {key: (whom, _standing(words, text)) for key, (whom, words) in mentions.items()}

    def canonical(self, stated: Stated) -> str:
        """The sentence that a gold fact is written as."""
        every = self.grammar.all(stated.slot, stated.family) or self.grammar.all(stated.slot, "say")
        chosen = every[min(1, len(every) - 1)] if stated.other else every[0]
        when = stated.when
        if stated.slot == "event" and when is None:
            return finished(self._undated(chosen, stated), casual=False)
        told = "" if when is None else when.dated(self.lang) if stated.slot == "event" else when.bare(self.lang)
        text = self._fill(chosen, Filling(stated.subject, value=stated.value, when=told))
        return finished(text, casual=False)

    def question(self, asked: Asked) -> tuple[str, str | None, str | None]:
        """The question, its answer, and the wrong one where there is one."""
        when = month_year(asked.month, self.lang) if asked.month else ""
        filling = Filling(asked.subject, value=asked.value, when=when)
        text = finished(self._fill(self._one(self.grammar.all(asked.slot, asked.family)), filling), casual=False)
        wrong = self.value(asked.wrong, asked.subject) if asked.wrong is not None else None
        if asked.answer is None:
            return text, None, wrong
        if isinstance(asked.answer, When):
            return text, asked.answer.bare(self.lang), wrong
        if isinstance(asked.answer, str):
            return (
                text,
                {"yes": {"en": "Yes", "pt": "Sim"}, "no": {"en": "No", "pt": "Não"}}[asked.answer][self.lang],
                wrong,
            )
        return text, ", ".join(self.value(one, asked.subject) for one in asked.answer), wrong

    def value(self, value: Value, subject: Person) -> str:
        """A value in its plain form: whole names, and words by the gender of whom they are said of."""
        if isinstance(value, Person):
            return value.full[self.lang]
        word = value.word(self.lang)
        return word.f if subject.gender == "f" else word.m

    # -- clauses

    def _clause(self, act: Act, mentions: Mentions) -> str:
        lang, slot = self.lang, act.slot
        filling = Filling(
            act.subject, act.me, act.name, act.value, act.value_name, act.old, act.old_name,
            act.when.spoken(lang) if act.when else "", str(act.year or ""), mentions=mentions,
        )  # fmt: skip
        if not slot:
            return self._aside(act, filling)
        if act.family in ("topic", "topic_me"):
            single = SLOTS[slot].single
            fitting = [one for one in self.grammar.all(slot, act.family) if single or "V" in one.needs]
        elif act.family in ("ask", "answer", "late_me"):
            fitting = list(self.grammar.all(slot, act.family))
        else:
            old = act.old is not None and act.wrap != "correct"
            fitting = list(self.grammar.fitting(slot, act.family, old, act.when is not None))
        if act.family == "ask":
            return self._called(self._one(fitting), filling)
        text = self._fill(self._one(fitting), filling)
        if not act.wrap:
            return text
        outer = self._one(self.grammar.all("", act.wrap))
        filling.inner = text
        filling.named = False
        return self._fill(outer, filling)

    def _aside(self, act: Act, filling: Filling) -> str:
        every = self.grammar.all("", act.family)[: self.paraphrases]
        number = int(self.rng.random() * len(every))
        if act.family == "small":
            while number in self._small and len(every) > 8:
                number = (number + 1) % len(every)
            self._small = [*self._small[-5:], number]
        filling.name = Form.SHORT
        return self._fill(every[number], filling)

    def _called(self, template: Template, filling: Filling) -> str:
        filling.name = Form.SHORT
        text = self._fill(template, filling)
        if "N" in template.needs or filling.subject is None:
            return text
        name = filling.subject.short[self.lang]
        self._mention(filling, filling.subject, name)
        return f"{name}, {text}"

    def _joined(self, first: str, second: str) -> str:
        if first[-1] in "?!":
            return f"{first} {second}"
        return self._fill(self._one(self.grammar.all("", "join")), Filling(inner=first, other=second))

    def _one(self, fitting: Sequence[Template]) -> Template:
        count = min(len(fitting), self.paraphrases)
        return fitting[int(self.rng.random() * count)]

    def _undated(self, template: Template, stated: Stated) -> str:
        """The first clause of a dated sentence, without its date."""
        parts = tuple(part for part in template.parts if part[0] in ("N", "D"))
        spaced = tuple(piece for part in parts for piece in (part, ("text", " ", "")))[:-1]
        return self._fill(
            Template("", (*spaced, ("text", ".", "")), template.needs), Filling(stated.subject, value=stated.value)
        )

    # -- tokens

    def _fill(self, template: Template, filling: Filling) -> str:
        out: list[str] = []
        parts = template.parts
        for at, (op, one, two) in enumerate(parts):
            match op:
                case "text":
                    out.append(one)
                case "N":
                    out.append(self._subject(filling))
                case "N's":
                    out.append(self._possessive(filling))
                case "V":
                    out.append(self._value(filling, filling.value, filling.value_name, one, _bare(parts, at)))
                case "O":
                    out.append(self._value(filling, filling.old, filling.old_name, one, _bare(parts, at)))
                case "gender":
                    out.append(two if filling.subject is not None and filling.subject.gender == "f" else one)
                case "V?":
                    out.append(two if self._gender(filling, filling.value) == "f" else one)
                case "O?":
                    out.append(two if self._gender(filling, filling.old) == "f" else one)
                case "when":
                    out.append(filling.when)
                case "year":
                    out.append(filling.year)
                case "S" | "T" | "A":
                    out.append(filling.inner)
                case "B":
                    out.append(filling.other)
                case "D" | "K":
                    out.append(self._word(filling, op))
        return "".join(out)

    def _subject(self, filling: Filling) -> str:
        person = filling.subject
        assert person is not None
        if filling.name is Form.PRONOUN or filling.named:
            return _SHE[self.lang][person.gender][0]
        filling.named = True
        return self._name(filling, person, filling.name, plain=False)

    def _possessive(self, filling: Filling) -> str:
        person = filling.subject
        assert person is not None
        if filling.name is Form.PRONOUN or filling.named:
            return _SHE[self.lang][person.gender][1]
        filling.named = True
        name = self._name(filling, person, filling.name, plain=True)
        return f"{name}'s" if self.lang == "en" else f"d{'a' if person.gender == 'f' else 'o'} {name}"

    def _name(self, filling: Filling, person: Person, form: Form, *, plain: bool) -> str:
        full, short = person.full[self.lang], person.short[self.lang]
        if form is Form.SHORT or (form is Form.INTRO and (id(person), short) in filling.mentions):
            self._mention(filling, person, short)
            return short
        self._mention(filling, person, full)
        if form is Form.INTRO and not plain:
            self._mention(filling, person, short)
            return f"{full} ({short})"
        return full

    def _mention(self, filling: Filling, whom: Value, words: str) -> None:
        filling.mentions[id(whom), words] = (whom, words)

    def _value(self, filling: Filling, value: Value | None, form: Form, prefix: str, plain: bool) -> str:
        assert value is not None
        if isinstance(value, Person):
            said = self._name(filling, value, form, plain=plain)
            article = "a" if value.gender == "f" else "o"
            some = ""
        else:
            word = value.word(self.lang)
            feminine = filling.subject is not None and filling.subject.gender == "f"
            if value.family == "habit":
                said = word.me if filling.me else word.they
            else:
                said = word.f if feminine else word.m
            if value.type:
                self._mention(filling, value, said)
            article = word.art
            some = ("uma" if feminine else "um") if value.family == "role" and self.lang == "pt" else word.a
        if not prefix:
            return said
        if self.lang == "en":
            lead = some if prefix == "a" else prefix
            return f"{lead} {said}" if lead else said
        if prefix == "um":
            return f"{some} {said}" if some else said
        return _CONTRACTED[prefix][article] + said

    def _gender(self, filling: Filling, value: Value | None) -> str:
        if isinstance(value, Person):
            return value.gender
        assert value is not None
        return value.word(self.lang).gender

    def _word(self, filling: Filling, op: str) -> str:
        value = filling.value
        assert isinstance(value, Item)
        word = value.word(self.lang)
        if op == "K":
            return f"{word.kind_a} {word.kind}"
        return word.done_me if filling.me else word.done


def finished(text: str, *, casual: bool) -> str:
    """A text with capitals and a full stop, unless written casually.

    >>> finished("ana lives in Hull. oh, and I run", casual=False)
    'Ana lives in Hull. Oh, and I run.'
    """
    if casual:
        return text
    text = _START.sub(lambda found: found[1] + found[2].upper(), text)
    return text if text[-1] in ".!?…" else text + "."


def _standing(words: str, text: str) -> str:
    """A name as it stands in a text: at the head of a sentence its first letter is a capital."""
    return words if words in text else words[:1].upper() + words[1:]


def _bare(parts: Sequence[tuple[str, str, str]], at: int) -> bool:
    """Whether a possessive ending follows a token."""
    return at + 1 < len(parts) and parts[at + 1][0] == "text" and parts[at + 1][1].startswith("'")
