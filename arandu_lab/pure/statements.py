"""A statement about a project, read as words with their places: what is before the verb, what follows it, in which phrase.

Read in English and Portuguese by the tables beside this file. This is no grammar: it finds just enough to see whether
two statements differ in one place only, and in what kind of place.
"""

# ruff: noqa: E501  (tables and patterns read better on long lines)

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from types import ModuleType

from arandu_lab.pure import statements_en, statements_pt
from arandu_lab.pure.alternatives import canonical
from arandu_lab.pure.quantities import MARK, Quantity, marked
from arandu_lab.pure.stems import LANGUAGES, Language, stem
from arandu_lab.pure.text import fold, leaning
from arandu_lab.pure.verbs import (
    infinitive_of,
    listed,
    nouns_too,
    participle,
    past,
    role,
    table_of,
    verb_key,
    verb_place,
)

MAX_CHARACTERS = 400
"""Longer sentences are no statements here."""
MAX_SENTENCES = 8


@dataclass(frozen=True, slots=True)
class Word:
    """A content word. ``key``: its stem, a verb's infinitive, or ``#`` for a quantity. ``case``: the preposition that leads
    its phrase, "" in the subject and the object. ``proper``: written as a name. ``after``: it follows the verb.
    ``complement``: it is the verb, or says directly what something is. ``beside``: it stands right after a quantity,
    or is one right after a word of its phrase.
    """

    key: str
    case: str = ""
    phrase: int = 0
    proper: bool = False
    after: bool = False
    complement: bool = False
    beside: bool = False
    quantity: Quantity | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement and what qualifies it. ``denied``: something is not, or no more. ``joined``: phrases that list several
    things. ``instead``: keys of what it says was given up for its own. ``verb`` is "be", "use", an infinitive's stem or "".
    """

    words: tuple[Word, ...]
    verb: str = ""
    passive: bool = False
    denied: bool = False
    hedged: bool = False
    future: bool = False
    past: bool = False
    partial: bool = False
    excepted: bool = False
    additive: bool = False
    joined: frozenset[int] = frozenset()
    instead: frozenset[str] = frozenset()
    definite: bool = False
    language: Language = "en"

    @property
    def table(self) -> ModuleType:
        """The words of its language."""
        return table_of(self.language)


@lru_cache(maxsize=8192)
def statements(text: str) -> tuple[Statement, ...]:
    """The statements of a text, one per sentence, questions and sentences over 400 characters left out; at most eight.

    >>> one, = statements("Deploys never run on Fridays")
    >>> one.verb, one.denied, [word.key for word in one.words]
    ('run', True, ['deploy', 'run', '#'])
    """
    sentences = [part.strip() for part in _SENTENCE.split(text)]
    whole = [part for part in sentences if part and not part.endswith("?") and len(part) <= MAX_CHARACTERS]
    read = (_read(part.rstrip(" .!;…")) for part in whole[:MAX_SENTENCES])
    return tuple(statement for statement in read if statement.words)


def language_of(text: str) -> Language:
    """``en`` or ``pt``, by function words and by verbs: short notes ("usamos MySQL") have few of the former.

    >>> language_of("usamos MySQL"), language_of("use MySQL"), language_of("Deploys run on Fridays")
    ('pt', 'en', 'en')
    """
    found = [fold(word) for word in _WORD.findall(text)]
    english, portuguese = (sum(word in _telling(language) for word in found) for language in LANGUAGES)
    verbs = [
        bool(infinitive_of(word, "pt", statements_pt)) - bool(infinitive_of(word, "en", statements_en))
        for word in found
    ]
    endings = sum(bool(_ENDINGS.search(word)) for word in found)
    lean = leaning(text) - found.count("no")
    return "pt" if 2 * lean + portuguese + sum(verbs) + endings > english else "en"


_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_WORD = re.compile(r"[^\W_][\w]*(?:[.+/'’-][\w]+)*[+#]*", re.UNICODE)
_PIECE = re.compile(rf"[{chr(MARK)}-\U000fffff]|{_WORD.pattern}|[,&]", re.UNICODE)
_ENDINGS = re.compile(r"(?:[aei]mos|cao|coes|dade|mente)$")
_LABELLED = re.compile(r"^([^\W\d][\w -]{1,40}?)\s*(?::|=|→|->)\s+(?=\S)")
_QUOTED = re.compile(r"[`\"“”«»*]")
CASES = {
    **dict.fromkeys("in on at upon onto within".split(), "in"),
    **dict.fromkeys("em no na nos nas num numa".split(), "em"),
    **dict.fromkeys("por pelo pela pelos pelas".split(), "por"),
    **dict.fromkeys("para pra ao aos".split(), "para"),
    **dict.fromkeys("using via through".split(), "with"),
}
"""Prepositions that count as one."""
_PLURAL = re.compile(r"[oa]es$")
_LABELS = frozenset(
    """room ticket issue sprint step phase pr task story epic bug case chapter stage node shard milestone level item rule section adr rfc
    sala chamado etapa fase tarefa historia caso capitulo estagio no fragmento marco nivel item regra secao""".split()
)


def _read(text: str) -> Statement:
    language = language_of(text)
    table = table_of(language)
    said = _QUOTED.sub("", canonical(re.sub("[’´]", "'", text)))
    said = _LABELLED.sub(lambda m: f"{m[1]} {'is' if language == 'en' else 'são'} ", said)
    said = re.sub(r"\((?:[^()]{0,200})\)", " ", said)
    said = re.sub(table.REASON, "", said, flags=re.IGNORECASE)
    instead: set[str] = set()
    if migrated := re.search(table.MIGRATED, said, re.IGNORECASE):
        old, new = migrated["old"] or migrated["old2"], migrated["new"] or migrated["new2"]
        instead.add(_key(old, language, table))
        said = f"{said[: migrated.start()]} {table.USES} {new} {said[migrated.end() :]}"
    for pattern, plain in table.REWRITES:
        said = re.sub(pattern, plain, said, flags=re.IGNORECASE)
    if given_up := re.search(table.INSTEAD, said, re.IGNORECASE):
        instead |= {_key(word, language, table) for word in _WORD.findall(given_up["v"] or given_up["v2"])}
        said = said[: given_up.start()] + said[given_up.end() :]
    said, quantities = marked(said, language)
    return _placed(_PIECE.findall(said), quantities, frozenset(instead), language, table)


def _placed(
    pieces: list[str], quantities: tuple[Quantity, ...], instead: frozenset[str], language: Language, table: ModuleType
) -> Statement:
    folded = [fold(piece) for piece in pieces]
    place = verb_place(folded, language, table)
    verb, be = verb_key(folded, place, language, table)
    flags = dict.fromkeys(("denied", "hedged", "future", "partial", "excepted", "additive", "inner"), False)
    bygone = any(word in listed(language, "WAS") for word in folded[: place + 2]) or past(folded, place, be, language)
    words: list[Word] = []
    joined: set[int] = set()
    phrase, case, complement = 0, "", False
    for number, (piece, word) in enumerate(zip(pieces, folded, strict=True)):
        after = number > place
        if MARK <= ord(piece[0]) < MARK + len(quantities):
            quantity = quantities[ord(piece[0]) - MARK]
            named = bool(words) and not words[-1].quantity and words[-1].phrase == phrase
            label = folded[number - 1] if number else ""
            if (
                quantity.kind in ("count", "version")
                and named
                and (label in _LABELS or (not after and place >= 0 and not words[-1].proper))
            ):
                words.append(Word(f"#{quantity.label or format(quantity.low, 'g')}", case, phrase, False, after))
            else:
                words.append(Word("#", case, phrase, False, after, after and complement, named, quantity))
            complement = False
            continue
        kind = role(word, language)
        if kind in flags and kind != "inner" and not (kind == "denied" and flags["inner"]):
            flags[kind] = True
        elif kind == "denied":
            words.append(Word("¬", case, phrase, False, after))
        elif kind == "join" or piece == ",":
            joined.add(phrase)
        if kind in ("inner", "preposition"):
            flags["inner"] |= word in listed(language, "INNER") and number > 0
            phrase, case, complement = phrase + 1, CASES.get(word, word), False
        if number == place:
            phrase, case = phrase + 1, ""
            complement = be
            if not be:
                words.append(Word(verb, "", phrase, False, True, True))
            continue
        if (kind is not None and kind != "content") or not word[0].isalnum():
            continue
        if len(word) == 1 and not (piece.isupper() and number > 0):
            continue
        if be and after and verb not in ("be", "") and complement and infinitive_of(word, language, table) == verb:
            words.append(Word(verb, "", phrase, False, True, True))
            phrase, complement = phrase + 1, False
            continue
        loud = complement and piece.isupper() and participle(word, language)
        cased = piece != piece.lower() and number > 0 and not loud
        proper = cased or any(c in "_+#/.-" or c.isdigit() for c in piece)
        beside = bool(words) and words[-1].quantity is not None and words[-1].phrase == phrase
        words.append(Word(_key(piece, language, table), case, phrase, proper, after, complement, beside))
        complement = False
    return Statement(
        tuple(words), verb, be and verb not in ("be", ""), flags["denied"], flags["hedged"], flags["future"], bygone,
        flags["partial"], flags["excepted"], flags["additive"], frozenset(joined), instead,
        _definite(folded, place, language), language,
    )  # fmt: skip


def _definite(folded: list[str], place: int, language: Language) -> bool:
    """Whether "the" stands right after the verb: "is the lead"."""
    return 0 <= place < len(folded) - 1 and folded[place + 1] in ("the", "o", "a", "os", "as", "our", "nosso", "nossa")


def _key(piece: str, language: Language, table: ModuleType) -> str:
    if re.fullmatch(r"[A-Z]{2,}s", piece):  # "PRs"
        piece = piece[:-1]
    word = _PLURAL.sub("ao", fold(piece)) if language == "pt" else fold(piece)
    infinitive = infinitive_of(word, language, table)
    if infinitive and infinitive not in nouns_too(language):
        return infinitive
    return stem(word, language)


@cache
def _telling(language: Language) -> frozenset[str]:
    """Words that only this language has here."""
    mine, other = (
        frozenset().union(
            *(
                listed(each, name)
                for name in ("BE", "WAS", "VERBS", "WEAK", "FILLERS", "PREPOSITIONS", "NOT", "HEDGES", "MODAL")
            )
        )
        for each in ((language, "pt" if language == "en" else "en"))
    )
    return mine - other - {"no"}
