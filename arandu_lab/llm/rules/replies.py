"""Statements made of less than a sentence: an answer to the last question, an address, the place after *I moved*."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from collections.abc import Sequence

from arandu_lab.llm.rules.asides import placelike
from arandu_lab.llm.rules.clauses import Bond
from arandu_lab.llm.rules.discourse import Discourse
from arandu_lab.llm.rules.inference import Inferred
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.mentions import Mention
from arandu_lab.llm.rules.names import gender
from arandu_lab.llm.rules.sentences import Sentence
from arandu_lab.llm.rules.tokens import Token
from arandu_lab.pure.text import fold

Prepared = Sequence[tuple[Sentence, str, Sequence[Token]]]
_PROPER = r"(?P<name>[A-ZÀ-Ý][\w'’&.-]*(?: (?:(?:of|de|da|do|dos|das|&) )?[A-ZÀ-Ý][\w'’&.-]*)*)"
_SAYS: dict[Language, dict[str, str]] = {
    "en": {"works_at": "{s} works at {n}", "lives_in": "{s} lives in {n}", "from": "{s} is from {n}", "studies_at": "{s} studies at {n}", "age": "{s} is {n} years old"},
    "pt": {"works_at": "{s} trabalha em {n}", "lives_in": "{s} mora em {n}", "from": "{s} é de {n}", "studies_at": "{s} estuda em {n}", "age": "{s} tem {n} anos"},
}  # fmt: skip
_ADDRESS = re.compile(
    r"^(?P<name>(?:\d+ )?(?:[A-Z][\w'’-]+ ){1,3}(?:Street|Avenue|Road|Lane|Boulevard|Crescent|Terrace|St|Ave|Rd)|(?:Rua|Avenida|Travessa|Alameda) (?:(?:de|da|do|dos|das) )?[A-ZÀ-Ý][\w'’-]+(?: [A-ZÀ-Ý][\w'’-]+)*(?:, \d+)?)"
    r"(?:, (?P<town>[A-ZÀ-Ý][\w'’-]+(?: [A-ZÀ-Ý][\w'’-]+)*))?(?=,|$)"
)
_ARRIVED: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:I|we) (?:have )?(?:just |finally )?moved(?: in)?(?! (?:to|into|from|the|my|it))\b"),
    "pt": re.compile(r"\b(?:me mudei|mudei|nos mudamos|cheguei)(?! (?:a|o|de|pra|para|pro|em|no|na|as|os|meu|minha|tarde|cedo|atrasad\w) )\b", re.IGNORECASE),
}  # fmt: skip
_FRAGMENT = re.compile(rf"^{_PROPER}(?=,|$)")


def places(prepared: Prepared, names: Sequence[Sequence[Mention]], discourse: Discourse) -> list[Inferred]:
    """``47 Pelham Street, Lunenburg, yellow door``; ``Me mudei sábado. Casa Amarela, apê 302``."""
    language, speaker = discourse.language, discourse.speaker
    out = []
    moved = False
    for (sentence, text, _), found in zip(prepared, names, strict=True):
        match = _ADDRESS.match(sentence.text) if not sentence.question else None
        if match:
            near = "at" if match["name"][0].isdigit() else "on"
            told = (
                f"{speaker} lives {near} {match['name']}" if language == "en" else f"{speaker} mora na {match['name']}"
            )
            out.append(Inferred(speaker, told + (f", {match['town']}" if match["town"] else ""), "strong"))
        elif moved and (fragment := _FRAGMENT.match(sentence.text)) and placelike(fragment["name"]):
            out.append(Inferred(speaker, _SAYS[language]["lives_in"].format(s=speaker, n=fragment["name"]), "strong"))
        moved = bool(_ARRIVED[language].search(text)) and not any(mention.type == "place" for mention in found)
    return out


_BORN = re.compile(
    r"\bnasceu (?:a|o) (?:menin[ao]|filh[ao]|bebê|nenê) d[aeo] (?P<owner>[A-ZÀ-Ý][\w'’-]+)", re.IGNORECASE
)
_MENTOR = re.compile(rf"{_PROPER} que (?:me orienta|é minha orientadora|é meu orientador)")


def bonds(
    prepared: Prepared, names: Sequence[Sequence[Mention]], known: frozenset[str], discourse: Discourse
) -> list[Bond]:
    """``Nasceu a menina de Ana! Cecília, 3,2 kg``; ``é a Magda Correia que me orienta``; ``X: nurse, my girlfriend``."""
    out = []
    for index, (_, text, tokens) in enumerate(prepared):
        born = _BORN.search(text)
        if born:
            fresh = [
                mention.name
                for near in names[index : index + 2]
                for mention in near
                if mention.type == "person"
                and fold(mention.name) not in known
                and fold(mention.name) != fold(born["owner"])
            ]
            if len(set(fresh)) == 1:
                word = "filho" if gender(fresh[0]) == "m" else "filha"
                out.append(Bond(born["owner"], word, "child", fresh[0]))
        mentor = _MENTOR.search(text)
        if mentor:
            word = "orientadora" if gender(mentor["name"]) == "f" else "orientador"
            out.append(Bond(discourse.speaker, word, "boss", mentor["name"]))
        first = names[index][0] if names[index] else None
        if first and not first.first and first.type == "person" and first.last < len(tokens):
            out += _apposed(tokens, first, discourse)
    return out


def _apposed(tokens: Sequence[Token], name: Mention, discourse: Discourse) -> list[Bond]:
    """A verbless sentence that opens with a name and lists what they are, *my* somebody among it."""
    from arandu_lab.llm.rules import lexicon_en, lexicon_pt

    lex, my = (
        (lexicon_en, ("my", "our")) if discourse.language == "en" else (lexicon_pt, ("meu", "minha", "nosso", "nossa"))
    )
    if tokens[name.last].text not in (":", ",") or any(token.low in lexicon_en.AUX for token in tokens):
        return []
    for index in range(name.last + 1, len(tokens) - 1):
        closing = index + 2 >= len(tokens) or not tokens[index + 2].word
        if tokens[index].low in my and tokens[index - 1].text in (",", ":") and closing:
            slot = lex.KIN.get(tokens[index + 1].bare, "")
            if slot and slot not in ("friend", "colleague"):
                return [Bond(discourse.speaker, tokens[index + 1].low, slot, name.name)]
    return []
