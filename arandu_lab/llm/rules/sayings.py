"""One plain sentence for each attribute, as the extraction states it: *Ana lives in Recife*, *Ana no longer lives in Recife*."""

from __future__ import annotations

import re

from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.names import gender
from arandu_lab.llm.rules.phrases_pt import _article

_EN = {
    "lives_in": ("{s} lives in {v}", "{s} no longer lives in {v}"),
    "from": ("{s} is from {v}", "{s} is not from {v}"),
    "works_at": ("{s} works at {v}", "{s} no longer works at {v}"),
    "has_role": ("{s} is {a}", "{s} is no longer {a}"),
    "studies_at": ("{s} studies at {v}", "{s} no longer studies at {v}"),
    "studies": ("{s} studies {v}", "{s} no longer studies {v}"),
    "partner": ("{s} is dating {v}", "{s} is no longer dating {v}"),
    "spouse": ("{s} is married to {v}", "{s} is no longer married to {v}"),
    "boss": ("{s}'s boss is {v}", "{s}'s boss is no longer {v}"),
    "diet": ("{s} is {v}", "{s} is no longer {v}"),
    "birthday": ("{s}'s birthday is {v}", "{s}'s birthday is not {v}"),
    "age": ("{s} is {v} years old", "{s} is not {v} years old"),
    "likes": ("{s} likes {v}", "{s} no longer likes {v}"),
    "dislikes": ("{s} dislikes {v}", "{s} no longer dislikes {v}"),
    "hobby": ("{s}'s hobby is {v}", "{s} has given up {v} as a hobby"),
    "allergy": ("{s} is allergic to {v}", "{s} is no longer allergic to {v}"),
    "pet": ("{s} has {k} called {v}", "{s} no longer has {k} called {v}"),
    "language": ("{s} speaks {v}", "{s} no longer speaks {v}"),
    "owns": ("{s} owns {a}", "{s} no longer owns {a}"),
    "project": ("{s} is working on {v}", "{s} is no longer working on {v}"),
    "member_of": ("{s} is a member of {v}", "{s} is no longer a member of {v}"),
    "sibling": ("{s}'s {k} is {v}", "{s}'s {k} is not {v}"),
    "child": ("{s}'s {k} is {v}", "{s}'s {k} is not {v}"),
    "friend": ("{s} is friends with {v}", "{s} is no longer friends with {v}"),
    "lives_with": ("{s} lives with {v}", "{s} no longer lives with {v}"),
    "health": ("{s} has {v}", "{s} no longer has {v}"),
    "habit": ("{s} {v}", "It is no longer true that {s} {v}"),
    "plan": ("{s} plans {v}", "{s} cancelled {v}"),
    "event": ("{s} {v}", "It is not the case that {s} {v}"),
}
_PT = {
    "lives_in": ("{s} mora em {v}", "{s} não mora mais em {v}"),
    "from": ("{s} é de {v}", "{s} não é de {v}"),
    "works_at": ("{s} trabalha em {v}", "{s} não trabalha mais em {v}"),
    "has_role": ("{s} é {v}", "{s} não é mais {v}"),
    "studies_at": ("{s} estuda em {v}", "{s} não estuda mais em {v}"),
    "studies": ("{s} estuda {v}", "{s} não estuda mais {v}"),
    "partner": ("{s} namora {v}", "{s} não namora mais {v}"),
    "spouse": ("{s} é casad{x} com {v}", "{s} não é mais casad{x} com {v}"),
    "boss": ("{s} tem {v} como chefe", "{s} não tem mais {v} como chefe"),
    "diet": ("{s} é {v}", "{s} não é mais {v}"),
    "birthday": ("{s} faz aniversário em {v}", "{s} não faz aniversário em {v}"),
    "age": ("{s} tem {v} anos", "{s} não tem {v} anos"),
    "likes": ("{s} gosta de {v}", "{s} não gosta mais de {v}"),
    "dislikes": ("{s} não gosta de {v}", "{s} não detesta mais {v}"),
    "hobby": ("{s} tem {v} como hobby", "{s} não tem mais {v} como hobby"),
    "allergy": ("{s} é alérgic{x} a {v}", "{s} não é mais alérgic{x} a {v}"),
    "pet": ("{s} tem {k}, {v}", "{s} não tem mais {k}, {v}"),
    "language": ("{s} fala {v}", "{s} não fala mais {v}"),
    "owns": ("{s} tem {a}", "{s} não tem mais {a}"),
    "project": ("{s} está trabalhando em {v}", "{s} não está mais trabalhando em {v}"),
    "member_of": ("{s} faz parte de {v}", "{s} não faz mais parte de {v}"),
    "sibling": ("{v} é {k} de {s}", "{v} não é {k} de {s}"),
    "child": ("{v} é {k} de {s}", "{v} não é {k} de {s}"),
    "friend": ("{s} tem amizade com {v}", "{s} não tem mais amizade com {v}"),
    "lives_with": ("{s} mora com {v}", "{s} não mora mais com {v}"),
    "health": ("{s} está com {v}", "{s} não está mais com {v}"),
    "habit": ("{s} {v}", "Já não é verdade que {s} {v}"),
    "plan": ("{s} planeja {v}", "{s} cancelou {v}"),
    "event": ("{s} {v}", "Não é verdade que {s} {v}"),
}
_TABLE: dict[Language, dict[str, tuple[str, str]]] = {"en": _EN, "pt": _PT}


def say(slot: str, subject: str, value: str, language: Language, *, ended: bool = False, kind: str = "") -> str:
    """The sentence. ``kind`` is the word for a pet, a sibling or a child where it is known.

    >>> say("pet", "Ana", "Thor", "en", kind="dog"), say("lives_in", "Ana", "Natal", "pt", ended=True)
    ('Ana has a dog called Thor', 'Ana não mora mais em Natal')
    """
    shape = _TABLE[language][slot][ended]
    bare = _LEAD.sub("", value)
    if slot == "plan" and ended and bare == value and value[:1].islower():
        value = f"{'the' if language == 'en' else _article(value.split(' ')[0])} {value}"
    if slot in ("sibling", "child"):
        kind = kind or _relative(slot, value, language)
    elif slot == "pet":
        word = kind or ("pet" if language == "en" else "bicho")
        kind = f"{_indefinite(word, language)} {word}"
    plural = bool(re.search(r"(?<!s)s$", bare)) and " of " not in bare
    article = "" if plural and language == "en" else f"{_indefinite(bare, language)} "
    vowel = "a" if gender(subject) == "f" else "o"
    return shape.format(s=subject, v=value, a=f"{article}{bare}", k=kind, x=vowel)


def after(said: str, slot: str, before: str, language: Language) -> str:
    """The sentence with what it replaces: ``Ana lives in Natal, after Recife``."""
    state = slot in ("has_role", "diet")
    bare = _LEAD.sub("", before)
    if language == "pt":
        return f"{said}, depois de {'ser ' if state else ''}{bare}"
    article = f"{_indefinite(bare, language)} " if slot == "has_role" else ""
    return f"{said}, after {'being ' if state else ''}{article}{bare}"


_LEAD = re.compile(r"^(?:an?|the|uma?|my|his|her|their|our|meu|minha|seu|sua) (?=\w)", re.IGNORECASE)


def _indefinite(word: str, language: Language) -> str:
    if language == "en":
        return "an" if word[:1].lower() in "aeiou" else "a"
    return "uma" if _article(word.split(" ")[0]) in ("a", "as") or word in ("cadela", "égua") else "um"


def _relative(slot: str, name: str, language: Language) -> str:
    sex = gender(name)
    if language == "en":
        words = {"sibling": ("sister", "brother", "sibling"), "child": ("daughter", "son", "child")}
    else:
        words = {"sibling": ("irmã", "irmão", "irmão"), "child": ("filha", "filho", "filho")}
    return words[slot][("f", "m", "u").index(sex)]
