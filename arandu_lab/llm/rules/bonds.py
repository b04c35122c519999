"""Relatives, friends, bosses and pets that a phrase names: ``my wife Ana``, ``Ana, minha irmã``, ``a dog called
Thor``.
"""

from __future__ import annotations

from collections.abc import Sequence

from arandu_lab.llm.rules import lexicon_en, lexicon_pt
from arandu_lab.llm.rules.clauses import Bond
from arandu_lab.llm.rules.discourse import Discourse
from arandu_lab.llm.rules.mentions import Mention
from arandu_lab.llm.rules.names import Gender
from arandu_lab.llm.rules.tokens import Token

_MY = {"en": frozenset({"my", "our"}), "pt": frozenset({"meu", "minha", "meus", "minhas", "nosso", "nossa"})}
_NAMING = {
    "en": frozenset("is called named are was , : who aka the - ( 's name".split()),
    "pt": frozenset("é se chama chama-se chamado chamada , : o a é ( - nome de que".split()),
}
_FILL = frozenset(
    "old older oldest young younger youngest little big best good dear new elder eldest twin lovely baby mais velho velha novo "
    "nova caçula melhor querido querida grande great only of years three two amor do meio".split()
)


def find(tokens: Sequence[Token], mentions: Sequence[Mention], discourse: Discourse) -> list[Bond]:
    """The bonds that the sentence names, in order; the discourse learns the names and their gender."""
    language = discourse.language
    lex = lexicon_en if language == "en" else lexicon_pt
    at = {mention.first: mention for mention in mentions}
    ends = {mention.last: mention for mention in mentions}
    out: list[Bond] = []
    for index, token in enumerate(tokens):
        slot = lex.KIN.get(token.bare) or lex.KIN.get(token.low) or ("pet" if token.bare in lex.PETS else "")
        if not slot:
            continue
        owner, start = _owner(tokens, index, discourse, ends)
        name = _name_after(tokens, index, at, language, strict=owner is None)
        if owner is None and slot == "pet" and name:
            continue
        aside = index > 0 and tokens[index - 1].low == "("  # Carol (namorada do Rafael)
        if owner is None and name is None and not aside:
            continue
        if owner is None:
            owner, start = _of(tokens, index, at, discourse)
            if owner is None:
                continue
            name = name if name and name.name != owner else None
        if name is None:
            name = _name_before(tokens, start, ends, language)
        if name is None or name.name == owner or name.type in ("place", "organization"):
            continue
        kind = "pet" if slot == "pet" else "person"
        out.append(Bond(owner, token.low, slot, name.name, kind))
        sex: Gender = "f" if token.bare in lex.FEMALE else "m" if token.bare in lex.MALE else "u"
        discourse.name(name.name, kind, sex if sex != "u" else None)
        if discourse.is_speaker(owner):
            discourse.relatives[token.bare] = name.name
    return out


def _owner(
    tokens: Sequence[Token], index: int, discourse: Discourse, ends: dict[int, Mention]
) -> tuple[str | None, int]:
    """Whose relative it is, and where that phrase starts."""
    at = index - 1
    while at >= 0 and index - at < 4 and tokens[at].low in _FILL:
        at -= 1
    if at < 0:
        return None, index
    low = tokens[at].low
    if low in _MY[discourse.language]:
        return discourse.speaker, at
    if low == "'s" and at in ends and ends[at].type in ("person", "concept"):
        return ends[at].name, ends[at].first
    if low in ("his", "her"):
        person = discourse.he_or_she("f" if low == "her" else "m")
        return (person.name, at) if person else (None, index)
    if low in ("seu", "sua") and discourse.last:
        return discourse.last.name, at
    if low in ("o", "a") and at > 1 and tokens[at - 1].low == "e" and tokens[at - 2].low in ("ele", "ela"):
        person = discourse.he_or_she("f" if tokens[at - 2].low == "ela" else "m")
        return (person.name, at) if person else (None, index)
    return None, index


def _of(tokens: Sequence[Token], index: int, at: dict[int, Mention], discourse: Discourse) -> tuple[str | None, int]:
    """``irmã do João``: the owner after the word."""
    if (
        discourse.language == "pt"
        and index + 2 < len(tokens)
        and tokens[index + 1].low in ("de", "do", "da")
        and index + 2 in at
    ):
        owner = at[index + 2]
        before = tokens[index - 1].low if index else ""
        start = index - 1 if before in ("o", "a", "é") else index
        return (owner.name, start) if owner.type in ("person", "concept") else (None, index)
    return None, index


def _name_after(
    tokens: Sequence[Token], index: int, at: dict[int, Mention], language: str, *, strict: bool
) -> Mention | None:
    place = index + 1
    steps = 0
    while place < len(tokens) and steps < (2 if strict else 5):
        if place in at:
            mention = at[place]
            if (
                strict
                and steps
                and tokens[place - 1].low not in ("called", "named", ",", "chamado", "chamada", "chama")
            ):
                return None
            if mention.last < len(tokens) and tokens[mention.last].low == "'s" and steps:
                return None
            return mention
        low = tokens[place].low
        if low in ("é", "is") and not strict:
            apposed = _apposed(tokens, place, at)
            if apposed:
                return apposed
        if low not in _NAMING["en" if language == "en" else "pt"] and low not in _FILL:
            return None
        if (
            low in ("is", "é", "was")
            and place + 1 not in at
            and not (place + 2 in at and tokens[place + 1].low in ("called", "named", "o", "a"))
        ):
            return None
        if low == "de" and tokens[place - 1].low != "nome":
            return None
        place += 1
        steps += 1
    return None


def _apposed(tokens: Sequence[Token], place: int, at: dict[int, Mention]) -> Mention | None:
    """``minha chefe é uma gaúcha, Ingrid``: the name after a description."""
    if place + 1 >= len(tokens) or tokens[place + 1].low not in ("um", "uma", "a", "an"):
        return None
    for index in range(place + 2, min(place + 6, len(tokens) - 1)):
        if tokens[index].text == ",":
            mention = at.get(index + 1)
            closing = mention is not None and (mention.last >= len(tokens) or not tokens[mention.last].word)
            return mention if closing and mention is not None and mention.type in ("person", "concept") else None
        if not tokens[index].word or tokens[index].low in ("que", "who", "e", "and"):
            return None
    return None


def _name_before(tokens: Sequence[Token], start: int, ends: dict[int, Mention], language: str) -> Mention | None:
    """``Ana, my wife``; ``Ana is my wife``; ``Ana é a minha esposa``."""
    place = start
    while place > 0 and tokens[place - 1].low in (
        ",",
        "is",
        "was",
        "é",
        "a",
        "o",
        "era",
        "(",
        ":",
        "-",
        "–",
        "foi",
        "also",
        "também",
    ):
        if place in ends:
            break
        place -= 1
    if place != start and place in ends and ends[place].type in ("person", "concept", "pet"):
        return ends[place]
    return None


def sentence(bond: Bond, language: str) -> tuple[str, str]:
    """(subject, text) of the fact that a bond states.

    >>> sentence(Bond("Rafael", "esposa", "spouse", "Ana"), "pt"), sentence(Bond("Mick", "sister", "sibling", "Liz"), "en")
    (('Ana', 'Ana é esposa de Rafael'), ('Mick', "Mick's sister is Liz"))
    """
    if language == "en":
        if bond.slot == "pet":
            article = "an" if bond.word[0] in "aeiou" else "a"
            return bond.owner, f"{bond.owner} has {article} {bond.word} called {bond.name}"
        return bond.owner, f"{bond.owner}'s {bond.word} is {bond.name}"
    if bond.slot == "pet":
        female = bond.word.endswith(("a", "ã")) or bond.word == "cadela"
        return (
            bond.owner,
            f"{bond.owner} tem {'uma' if female else 'um'} {bond.word} {'chamada' if female else 'chamado'} {bond.name}",
        )
    word = {"menina": "filha", "menino": "filho"}.get(bond.word, bond.word)
    return bond.name, f"{bond.name} é {word} de {bond.owner}"
