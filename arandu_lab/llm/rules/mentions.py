"""Where a message names something: runs of capitalised words, names already known, and what kind of thing each is."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from arandu_lab.llm.rules import gazetteer, lexicon_en, lexicon_pt
from arandu_lab.llm.rules.kinds import KIN, is_title, type_of
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.names import is_first_name
from arandu_lab.llm.rules.tokens import Token
from arandu_lab.pure.text import fold

_LINKS = {
    "en": frozenset({"of", "the", "&", "and", "de", "da", "du", "von", "van", "del", "la"}),
    "pt": frozenset({"de", "da", "do", "dos", "das", "e", "&", "of", "von", "van", "the"}),
}
_MAX_WORDS = 7
_PLACE_BEFORE = {
    "en": frozenset({"in", "to", "from", "near"}),
    "pt": frozenset({"em", "pra", "para", "de", "no", "na"}),
}


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a list of tokens: ``first`` to ``last`` (exclusive), and the type the context speaks for."""

    name: str
    type: str
    first: int
    last: int
    sure: bool = True


def find(
    tokens: Sequence[Token],
    text: str,
    *,
    language: Language,
    known: Collection[str] = (),
    types: dict[str, str] | None = None,
    kinds: dict[str, str] | None = None,
) -> list[Mention]:
    """The names in one sentence. ``known`` holds folded names that count in any case and position; ``types`` theirs.

    ``kinds`` remembers the types that stronger context gave to names of this message, by folded name.
    """
    out: list[Mention] = []
    heads = {name.partition(" ")[0] for name in known}
    at = 0
    while at < len(tokens):
        end = _known_run(tokens, at, known) if tokens[at].bare in heads else 0
        if not end or (end == at + 1 and tokens[at].capital):
            end = max(end, _run(tokens, at, language)) or _small_place(tokens, at, language)
        if not end:
            at += 1
            continue
        start = _after_role(tokens, at, end)
        name = text[tokens[start].start : tokens[end - 1].end]
        kind = (types or {}).get(fold(name)) or type_of(tokens, start, end, language=language)
        if kinds is not None:
            kind = kinds.get(fold(name), kind) if kind == "concept" else kinds.setdefault(fold(name), kind)
        sure = kind not in ("concept", "acronym")
        out.append(Mention(name, "concept" if kind == "acronym" else kind, start, end, sure))
        at = end
    return out


def _after_role(tokens: Sequence[Token], at: int, end: int) -> int:
    """``CFO Ivora Tinn`` is *Ivora Tinn*."""
    for index in range(end - 2, at - 1, -1):
        if tokens[index].low in lexicon_en.ROLES or (tokens[index].bare in lexicon_pt.ROLES and index == at):
            return index + 1 if not is_title(tokens[index]) else index
    return at


def _small_place(tokens: Sequence[Token], at: int, language: Language) -> int:
    """A known place written small after a preposition of place: ``em joão pessoa``."""
    if not at or tokens[at - 1].bare not in _PLACE_BEFORE[language] or tokens[at].capital or not tokens[at].word:
        return 0
    words = ""
    best = 0
    for end in range(at + 1, min(len(tokens), at + 4) + 1):
        words = f"{words} {tokens[end - 1].bare}".strip()
        if words in gazetteer.PLACES and (words not in gazetteer.WEAK_PLACES) and len(words) > 3:
            best = end
    return best


def _known_run(tokens: Sequence[Token], at: int, known: Collection[str]) -> int:
    if not known or not tokens[at].word:
        return 0
    best = 0
    words = ""
    for end in range(at + 1, min(len(tokens), at + _MAX_WORDS) + 1):
        words = f"{words} {tokens[end - 1].bare}" if words else tokens[at].bare
        if words in known and (len(words) > 2 or tokens[at].capital):
            best = end
    return best


def _run(tokens: Sequence[Token], at: int, language: Language) -> int:
    """The end of a run of name words that begins here, or 0."""
    token = tokens[at]
    if not _namely(token):
        return 0
    end = at + 1
    while end < len(tokens) and end - at < _MAX_WORDS:
        here = tokens[end]
        gap = here.start - tokens[end - 1].end
        numbered = here.text.isdigit() and len(here.text) < 4 and not _temporal(tokens[at])
        national = here.capital and here.word and tokens[end - 1].bare in gazetteer.ORG_WORDS and _temporal(here)
        if gap <= 1 and (_namely(here) or numbered or national):
            end += 1
        elif (
            here.low == "'s"
            and end + 1 < len(tokens)
            and _namely(tokens[end + 1])
            and not is_first_name(tokens[at].text)
            and (tokens[end + 1].bare in gazetteer.ORG_WORDS or tokens[end + 1].bare in gazetteer.PLACE_WORDS)
        ) or (gap == 1 and here.low in _LINKS[language] and _joined(tokens, at, end)):
            end += 2
        elif (
            gap == 1
            and here.low in ("of", "de", "do", "da")
            and end + 2 < len(tokens)
            and tokens[end + 1].low in ("the", "la", "los")
            and _namely(tokens[end + 2])
        ):
            end += 3
        else:
            break
    if _opening(tokens, at):
        common = lexicon_en.COMMON if language == "en" else lexicon_pt.COMMON
        first = tokens[at]
        if end - at > 1 and (first.low in common or first.bare in common) and not is_title(first):
            return 0
        if end - at > 1 and _acting(first, language):
            return 0
        if end - at == 1 and not _credible(tokens, at, end, language):
            return 0
    if end - at == 1 and (token.low in lexicon_en.NOT_NAMES or token.bare in lexicon_pt.NOT_NAMES):
        return end if _whereto(tokens, at, language) or _lives(tokens, at, language) else 0
    return end


def _lives(tokens: Sequence[Token], at: int, language: Language) -> bool:
    """``Christian lives in Natal``, ``o Marco mora em Recife``: a first name that is another word does what people do."""
    after, later = (tokens[place].low if place < len(tokens) else "" for place in (at + 1, at + 2))
    if not is_first_name(tokens[at].bare):
        return False
    if language == "en":
        verb = any(kind in ("third", "past") for _, kind in lexicon_en.forms().get(after, ()))
        lemma = lexicon_en.lemma(after)
        return verb and lemma in gazetteer.HUMAN_VERBS_EN and (lemma not in _ANYTHING or later in ("at", "as"))
    verbs = {lemma for lemma, tag in lexicon_pt.forms().get(after, ()) if tag.endswith("3s")}
    return bool(verbs & gazetteer.HUMAN_VERBS_PT - _ANYTHING)


_ANYTHING = frozenset(
    "work run move fly drive close pair help turn bring push pull vir ir ter estar ser contar ajudar mudar ligar".split()
)
"""Verbs that a day, a month and a plan have as well: *July works for me*."""


def _acting(token: Token, language: Language) -> bool:
    """A verb that can only be one opens the sentence: *Left Vertix*, *Saí da Vertix*."""
    if is_first_name(token.bare) or token.text.isupper():
        return False
    if language == "en":
        kinds = {kind for _, kind in lexicon_en.forms().get(token.low, ())}
        return "past" in kinds and "base" not in kinds
    return any(
        tag in ("pret.1s", "pret.3s", "pret.1p", "pres.1p", "pres.1s")
        for _, tag in lexicon_pt.forms().get(token.low, ())
    )


def _whereto(tokens: Sequence[Token], at: int, language: Language) -> bool:
    """``em Natal``, ``pra Natal``, ``sou de Natal``: the city, not the feast."""
    if language != "pt" or tokens[at].bare != "natal":
        return False
    before = tokens[at - 1].low if at else ""
    if before in ("em", "pra", "para"):
        return True
    return (
        before == "de" and at > 1 and lexicon_pt.lemma(tokens[at - 2].low) in ("ser", "vir", "sair", "voltar", "chegar")
    )


def _joined(tokens: Sequence[Token], at: int, end: int) -> bool:
    """Whether a small word at ``end`` joins two parts of one name, not two names."""
    if end + 1 >= len(tokens) or not _namely(tokens[end + 1]) or tokens[end + 1].start - tokens[end].end != 1:
        return False
    if tokens[end].low in ("and", "e", "&", "the"):
        organised = tokens[end].low == "&" or fold(tokens[at].text) in gazetteer.ORG_WORDS
        return organised and not is_first_name(tokens[at].text)
    if tokens[end].low in ("of", "de", "da", "do", "dos", "das") and end - at == 1:
        first = fold(tokens[at].text)
        if is_first_name(first) and tokens[end].low in ("of",):
            return False
        if is_first_name(first) and fold(tokens[end + 1].text) in gazetteer.PLACES - gazetteer.WEAK_PLACES:
            return False
    return not (tokens[end].low == "of" and end - at > 1 and not _institution(tokens[end - 1]))


def _institution(token: Token) -> bool:
    return (
        token.bare in gazetteer.ORG_WORDS
        or token.bare.rstrip("s") in gazetteer.ORG_WORDS
        or token.bare in gazetteer.PLACE_WORDS
    )


def _namely(token: Token) -> bool:
    if len(token.text) > 1 and token.text.isupper() and _shouted(token):
        return False
    return (
        token.capital
        and token.word
        and token.low not in ("i", "i'm", "eu", "ok")
        and (not _temporal(token) or token.bare in _INSIDE or (is_first_name(token.bare) and token.bare not in _TIMES))
    )


def _shouted(token: Token) -> bool:
    """A common word in capitals: *HIM*, *CINCO*."""
    low = token.low
    return (
        low in lexicon_en.COMMON
        or low in lexicon_en.ROLES
        or low in lexicon_en.forms()
        or token.bare in lexicon_pt.COMMON
        or low in lexicon_pt.forms()
    )


_INSIDE = frozenset("new day maria marco natal april may june august abril grade level mar jan section".split())

_TIMES = frozenset("eve july jun julho domingo".split())
"""Times that are first names too: before a name they tell when (*Christmas Eve Ana …*)."""


def _temporal(token: Token) -> bool:
    return token.low in lexicon_en.NOT_NAMES or token.bare in lexicon_pt.NOT_NAMES


def _opening(tokens: Sequence[Token], at: int) -> bool:
    """At the start, or right after a mark that starts anew."""
    return (
        at == 0
        or tokens[at - 1].text in {".", "!", "?", ":", '"', "“", "*", "(", "…", "-"}
        or (at == 1 and not tokens[0].word)
    )


def _credible(tokens: Sequence[Token], at: int, end: int, language: Language) -> bool:
    """Whether a single capitalised word at the start of a sentence is a name."""
    token = tokens[at]
    key = token.bare
    if language == "en":
        if token.low in lexicon_en.COMMON or token.low in lexicon_en.ROLES or token.low in lexicon_en.AUX:
            return False
        readings = lexicon_en.forms().get(token.low)
    else:
        if key in lexicon_pt.COMMON or token.low in lexicon_pt.COMMON:
            return False
        readings = lexicon_pt.forms().get(token.low)
    if is_first_name(key):
        return True
    if readings or key in KIN or (key in lexicon_en.EVENTS | lexicon_en.OWNED | lexicon_pt.EVENTS | lexicon_pt.OWNED):
        return False
    if key in gazetteer.PLACES:
        return True
    after = tokens[end] if end < len(tokens) else None
    if after is None:
        return False
    if after.low == "'s":
        return True
    following = tokens[end + 1] if end + 1 < len(tokens) else None
    if (
        after.low in ("and", "e", "&")
        and following
        and (following.capital or following.low in ("the", "o", "a"))
        and not token.low.endswith("s")
    ):
        return True
    if (
        after.text == ","
        and language == "en"
        and len(token.text) > 2
        and not token.low.endswith(("ly", "ing", "ed", "s"))
    ):
        return True
    if after.low in ("had", "has") and language == "en":
        return not token.low.endswith("s")
    if language == "en":
        found = lexicon_en.forms().get(after.low, ())
        return (
            after.low in {"is", "was", "has", "had", "will", "does", "did"}
            or any(kind in ("past", "third") for _, kind in found)
        ) and not (token.low.endswith(("ing", "ly", "s")) and after.low in {"is", "was", "has"})
    found = lexicon_pt.forms().get(after.low, ())
    return any(tag.endswith(("3s", "impf.1s")) for _, tag in found) and not token.low.endswith(
        ("mente", "ndo", "ção", "ões")
    )
