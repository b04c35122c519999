"""A message read once: its language, sentences, names, clauses and bonds. Everything the extraction tasks answer
from.
"""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from arandu_lab.llm.rules import (
    asides,
    bare,
    contractions,
    deaths,
    inference,
    lexicon_en,
    lexicon_pt,
    mentions,
    parse_en,
    parse_pt,
    prefaces,
    questions,
    replies,
    sentences,
    shouting,
)
from arandu_lab.llm.rules import bonds as bonding
from arandu_lab.llm.rules.clauses import Bond, Clause, Level
from arandu_lab.llm.rules.discourse import Discourse, begin
from arandu_lab.llm.rules.language import Language, detect, vote
from arandu_lab.llm.rules.mentions import Mention
from arandu_lab.llm.rules.names import gender
from arandu_lab.llm.rules.sentences import Sentence
from arandu_lab.llm.rules.stated import Stated, stated
from arandu_lab.llm.rules.tokens import tokenize
from arandu_lab.pure.text import fold

_NO_NAMES: frozenset[str] = frozenset()


_FEW = 4
"""So few words tell no language where the messages before tell one."""


@dataclass(slots=True)
class Reading:
    """What a message says, before any judgement of what is worth keeping."""

    language: Language
    discourse: Discourse
    sentences: list[Sentence] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    clauses: list[tuple[Clause, Sentence]] = field(default_factory=list)
    bonds: list[Bond] = field(default_factory=list)
    inferred: list[inference.Inferred] = field(default_factory=list)
    stated: list[tuple[Stated, Sentence, str, Level | None]] = field(default_factory=list)
    """What constructions state, the sentence, its text, and the level where a frame of hearsay set one."""
    aliases: dict[str, list[str]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)


def read(inputs: Mapping[str, Any]) -> Reading:
    """Read the message of an extraction task."""
    message = sentences.without_memory(str(inputs.get("message") or ""))
    recent = [str(text) for text in _items(inputs.get("recent_messages")) if isinstance(text, str)][-5:]
    spelt = [token for token in tokenize(message[:2000]) if token.word]
    voted = vote(spelt)
    language = (_hint(tuple(recent)) if len(spelt) <= _FEW else None) or voted or _hint(tuple(recent)) or "en"
    discourse = begin(inputs, language)
    known, types = _known(inputs)
    found = Reading(language, discourse, types=dict(types))
    for text in recent:
        opened = _SPOKEN_BY.match(text)
        if opened and fold(opened[1]) not in _ROLES:
            known.add(fold(opened[1]))
            types.setdefault(fold(opened[1]), "person")
    for text in recent if language == "pt" or _BACKWARD.search(message) else ():
        for name, kind in _recent_names(_SPOKEN_BY.sub("", text), _NO_NAMES):
            if kind in ("person", "pet"):
                discourse.name(name, kind)
    discourse.last = None
    spelled = {fold(name): name for name in (discourse.speaker, *_spelled(inputs))}
    split = [replace(one, text=shouting.quiet(one.text, spelled, language)) for one in sentences.split(message)]
    spoken = [prefaces.untagged(one, language) for one in prefaces.fronted(split, language)]
    kinds: dict[str, str] = {}
    prepared = []
    levels: list[Level | None] = []
    for sentence in spoken:
        text = contractions.expand(sentence.text) if language == "en" else contractions.expandir(sentence.text)
        text, level = (
            prefaces.plain(prefaces.time_last(text, language), language) if not sentence.question else (text, None)
        )
        levels.append("weak" if sentence.tagged else level)
        tokens = tokenize(text)
        prepared.append((sentence, text, tokens))
        if len(spoken) > 1:
            mentions.find(tokens, text, language=language, known=known, types=types, kinds=kinds)
    reader = parse_en.Reader if language == "en" else parse_pt.Reader
    named = [
        _aliased(
            found, text, tokens, mentions.find(tokens, text, language=language, known=known, types=types, kinds=kinds)
        )
        for _, text, tokens in prepared
    ]
    before = {*known, *(fold(person.name) for person in discourse.people)}
    _relatives(found, prepared, named, before)
    loved = asides.love(
        [(text, tokens, names) for (_, text, tokens), names in zip(prepared, named, strict=True)],
        frozenset(before),
        discourse,
    )
    if loved:
        found.inferred.append(loved)
    found.inferred += replies.places(prepared, named, discourse)
    for bond in replies.bonds(prepared, named, frozenset(before), discourse):
        found.bonds.append(bond)
        discourse.name(bond.name, "person")
    pet, pets = "", deaths.pets(inputs)
    supposed = False
    typed: dict[str, str] = {}
    for bond in found.bonds:
        typed.setdefault(bond.name, bond.type)
    for (sentence, text, tokens), names, level in zip(prepared, named, levels, strict=True):
        word = next(
            (token.low for token in tokens if token.bare in (lexicon_en.PETS if language == "en" else lexicon_pt.PETS)),
            "",
        )
        christened = inference.name_of_pet(text, word or pet, discourse)
        pet = word or pet
        if christened and christened.name not in typed:
            found.bonds.append(christened)
            typed[christened.name] = christened.type
            discourse.name(christened.name, "pet")
        found.inferred += inference.fragments(text, discourse.speaker, language) if not sentence.question else []
        found.sentences.append(sentence)
        bonds = bonding.find(tokens, names, discourse)
        found.bonds += bonds
        for bond in bonds:
            typed.setdefault(bond.name, bond.type)
        names = [_typed(mention, typed) for mention in names]
        found.mentions += names
        found.inferred += inference.roles(tokens, names, text, language) + inference.births(
            tokens, names, text, language
        )
        found.inferred += asides.ages(tokens, names, text, language)
        found.inferred += asides.roles_with_employer(tokens, names, text, language)
        found.inferred += asides.asides(text, discourse) if not sentence.question else []
        found.inferred += bare.bare(text, discourse) if not sentence.question else []
        silent = sentence.question or prefaces.repairs(text, language)
        told = [] if silent else stated(text, names, discourse)
        found.stated += [(one, sentence, text, level) for one in told]
        if not silent:
            reads = reader(text, tokens, names, discourse)
            reads.rest = sentence.rest
            clauses = reads.clauses()
            supposed = any(clause.conditional for clause in clauses) or (sentence.rest and supposed)
            if supposed and sentence.rest:
                clauses = [replace(clause, conditional=True) for clause in clauses]
            if level:
                clauses = [replace(clause, level=_weaker(clause.level, level)) for clause in clauses]
            found.clauses += [(clause, sentence) for clause in clauses]
            over = {fold(one.value) for one in told if one.ended and one.slot == "pet"}
            found.inferred += [
                end for clause in clauses if fold(clause.subject.entity) not in over
                for end in deaths.ends(clause, pets)
            ]  # fmt: skip
        for mention in names:
            if mention.type in ("person", "pet") or (
                mention.type == "concept" and mention.last - mention.first == 1 and mention.name[0].isupper()
            ):
                known_sex = next((person.gender for person in discourse.people if person.name == mention.name), None)
                discourse.name(mention.name, mention.type, known_sex or gender(mention.name))
    if prepared and not prepared[0][0].question and not _speaks(found, prepared[0][0]):
        answer = questions.answered(prepared[0][1], prepared[0][0].text, recent, discourse)
        if answer:
            found.stated.insert(0, (answer, prepared[0][0], prepared[0][1], levels[0]))
    return found


def _speaks(found: Reading, sentence: Sentence) -> bool:
    """Whether a sentence states something of its own."""
    return (
        any(one is sentence for _, one, *_ in found.stated)
        or any(
            one is sentence and clause.subject.kind != "thing" and clause.start < _comma(one.text)
            for clause, one in found.clauses
        )
        or bool(found.bonds and found.bonds[0].owner == found.discourse.speaker)
    )


def _comma(text: str) -> int:
    """Where the first comma of a sentence stands, or its end."""
    return text.index(",") if "," in text else len(text)


def _relatives(
    found: Reading, prepared: list[tuple[Sentence, str, Any]], named: list[list[Mention]], old: set[str]
) -> None:
    """Give an unnamed relative the one new name of the message (see ``inference.introduced``)."""
    roles = [
        (index, word, slot)
        for index, (_, _, tokens) in enumerate(prepared)
        for word, slot in inference.unnamed(tokens, named[index], found.language)
    ]
    if not roles:
        return
    fresh = [
        (index, mention)
        for index, names in enumerate(named)
        for mention in names
        if fold(mention.name) not in old
        and mention.type in ("person", "pet", "concept")
        and not found.discourse.is_speaker(mention.name)
        and fold(mention.name) not in _ROLES
        and not (mention.first and prepared[index][2][mention.first - 1].low in ("a", "an", "um", "uma"))
    ]
    bond = inference.introduced(roles, fresh, found.discourse) or inference.following(
        roles, fresh, [tokens for _, _, tokens in prepared], found.discourse
    )
    if bond:
        found.bonds.append(bond)
        found.discourse.relatives[fold(bond.word)] = bond.name


def _weaker(one: Level, other: Level) -> Level:
    """The less sure of two levels."""
    return one if _SURE[one] >= _SURE[other] else other


_SURE: dict[Level, int] = {"explicit": 0, "strong": 1, "weak": 2, "speculation": 3}


def _typed(mention: Mention, types: Mapping[str, str]) -> Mention:
    kind = types.get(mention.name)
    if kind and kind != mention.type and mention.type != "place":
        return Mention(mention.name, kind, mention.first, mention.last, mention.sure)
    return mention


@lru_cache(maxsize=256)
def _hint(recent: tuple[str, ...]) -> Language | None:
    votes = [_detected(text) for text in recent]
    if not votes:
        return None
    return "pt" if 2 * votes.count("pt") > len(votes) else "en"


@lru_cache(maxsize=1024)
def _detected(text: str) -> Language:
    return detect(text)


@lru_cache(maxsize=512)
def _recent_names(text: str, known: frozenset[str]) -> tuple[tuple[str, str], ...]:
    out = []
    for sentence in sentences.split(text[:2000])[:20]:
        language = _detected(text)
        said = shouting.quiet(sentence.text, {}, language)
        said = contractions.expand(said) if language == "en" else said
        out += [
            (mention.name, mention.type)
            for mention in mentions.find(tokenize(said), said, language=language, known=known)
        ]
    return tuple(out)


def _known(inputs: Mapping[str, Any]) -> tuple[set[str], dict[str, str]]:
    """Folded names that count wherever they stand, and their types."""
    names: set[str] = set()
    types: dict[str, str] = {}
    for entity in [*_items(inputs.get("known")), *_items(inputs.get("entities"))]:
        if not isinstance(entity, dict) or not entity.get("name"):
            continue
        for name in [entity["name"], *_items(entity.get("aliases"))]:
            key = " ".join(fold(str(name)).split())
            if len(key) > 1 and key not in lexicon_en.COMMON and key not in lexicon_pt.COMMON and key not in _ROLES:
                names.add(key)
                types[key] = str(entity.get("type") or "concept").lower()
    return names, types


def _spelled(inputs: Mapping[str, Any]) -> list[str]:
    """Known names as they are spelt."""
    known = [one for one in (*_items(inputs.get("known")), *_items(inputs.get("entities"))) if isinstance(one, dict)]
    return [str(name) for one in known for name in (*_items(one.get("aliases")), one.get("name")) if name]


_BACKWARD = re.compile(r"\b(?:he|she|his|her|him|my|our|seeing|dating|together)\b", re.IGNORECASE)
_SPOKEN_BY = re.compile(r"^([A-ZÀ-Ý][\w'-]{1,20}(?: [A-ZÀ-Ý][\w'-]{0,20})?): ")
_ROLES = frozenset(lexicon_en.KIN) | frozenset(lexicon_pt.KIN)


def _items(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


_ALIAS = re.compile(
    r"^\s*(?:,?\s*\(?\s*(?:aka|a\.k\.a\.?|also known as|known as|better known as|mais conhecid[oa] como|conhecid[oa] como|vulgo|ou melhor|"
    r"we all call (?:him|her)|everyone calls (?:him|her)|(?:que )?(?:a gente|todo mundo|todos) chama(?:m)? de|apelidad[oa] de|"
    r"(?:goes by|nicknamed)|or|ou)\s+[\"“']?|\s*\(\s*[\"“']?)$",
    re.IGNORECASE,
)


_OPEN = re.compile(r"(?!\s*[\"”’']?\s*(?:\)|,|$))")
"""What follows a name that is no alias though it opens a parenthesis: ``Carol (Rafael's girlfriend)``."""


def _aliased(found: Reading, text: str, tokens: Any, names: list[Mention]) -> list[Mention]:
    """Join ``Guili (Guilherme Maturana)`` and its like: the fuller name is the entity, the other an alias."""
    out = list(names)
    for one, other in itertools.pairwise(names):
        between = text[tokens[one.last - 1].end : tokens[other.first].start]
        if not between.strip() or not _ALIAS.match(between):
            continue
        if re.fullmatch(r"\s*,?\s*(?:or|ou)\s+", between):
            continue
        if "(" in between and other.type in ("place", "organization") and one.type == "person":
            continue
        if "(" in between and (_OPEN.match(text, tokens[other.last - 1].end) or found.discourse.is_speaker(other.name)):
            continue
        full, short = (one, other) if len(one.name) >= len(other.name) else (other, one)
        kind = one.type if one.type != "concept" else other.type
        found.aliases.setdefault(full.name, [])
        if short.name not in found.aliases[full.name]:
            found.aliases[full.name].append(short.name)
        out = [
            Mention(full.name, kind, mention.first, mention.last) if mention in (one, other) else mention
            for mention in out
        ]
    return out
