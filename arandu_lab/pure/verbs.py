"""Which word of a statement is its verb, in what tense, and under which key: "usamos", "is used" and "adopt" are ``use``.

Read in English and Portuguese from the tables of ``statements``; words are folded.
"""

from __future__ import annotations

import re
from functools import cache
from types import ModuleType

from arandu_lab.pure import statements_en, statements_pt
from arandu_lab.pure.stems import Language, stem


def verb_place(folded: list[str], language: Language, table: ModuleType) -> int:
    """The place of the verb that the statement turns on, -1 where none is known."""
    strong: list[int] = []
    weak: list[int] = []
    for place, word in enumerate(folded):
        if word in listed(language, "INNER") and place > 0 and (strong or weak):
            break
        if word in listed(language, "BE") or (
            word in listed(language, "WAS") and word not in ("did", "previously", "formerly")
        ):
            strong.append(place)
        elif (infinitive := infinitive_of(word, language, table)) and not _leads(folded, place, language):
            (weak if infinitive in nouns_too(language) else strong).append(place)
    if (
        strong
        and strong[0] == 0
        and len(strong) > 1
        and strong[1] <= 3
        and not _crossed(folded, 0, strong[1], language)
    ):
        return strong[1]
    if strong and (weak == [] or weak[0] > 0 or strong[0] <= 3 or folded[0] in listed(language, "FILLERS")):
        return strong[0]
    if weak:
        return next((place for place in weak if place > 0), weak[0])
    return strong[0] if strong else -1


def _leads(folded: list[str], place: int, language: Language) -> bool:
    """Whether a word follows an article or preposition, and so is a noun."""
    before = folded[place - 1] if place else ""
    return (
        before in _ARTICLES
        or before in listed(language, "PREPOSITIONS")
        or before in listed(language, "CONTENT_PREPOSITIONS")
    )


_ARTICLES = frozenset("the a an of o os um uma uns umas de do da dos das our its nosso nossa".split())


def _crossed(folded: list[str], start: int, end: int, language: Language) -> bool:
    return any(word in listed(language, "PREPOSITIONS") or word == "," for word in folded[start + 1 : end])


def verb_key(folded: list[str], place: int, language: Language, table: ModuleType) -> tuple[str, bool]:
    """The verb's key, and whether a form of "be" stands there ("is used" is ``use``)."""
    if place < 0:
        return "", False
    word = folded[place]
    if word in listed(language, "BE") or word in ("was", "were", "era", "eram", "foi", "foram", "estava", "estavam"):
        for following in folded[place + 1 : place + 4]:
            if following in listed(language, "PREPOSITIONS"):
                break
            if participle(following, language) and (found := infinitive_of(following, language, table)):
                return found, True
        return "be", True
    return infinitive_of(word, language, table) or word, False


def participle(word: str, language: Language) -> bool:
    """Whether a word looks like a participle."""
    if language == "pt":
        return bool(re.search(r"(?:[ai]d[oa]s?|escrit[oa]s?|feit[oa]s?|pag[oa]s?)$", word))
    return word.endswith(("ed", "en", "ning")) or word in {
        "kept",
        "built",
        "run",
        "held",
        "led",
        "made",
        "sent",
        "set",
        "paid",
        "read",
        "bound",
    }


def past(folded: list[str], place: int, be: bool, language: Language) -> bool:
    """Whether the verb at a place stands in the past; decisions taken ("chose", "migrated") hold now."""
    if place < 0 or be:
        return False
    word = folded[place]
    table = table_of(language)
    if infinitive_of(word, language, table) in stemmed(language, "DECIDED"):
        return False
    if word in listed(language, "PAST_FORMS"):
        return True
    if language == "pt":
        return any(
            word.endswith(ending) and word.removesuffix(ending) + infinitive in listed(language, "VERBS")
            for endings, infinitives in _PAST_ENDINGS
            for ending in endings.split()
            for infinitive in infinitives.split()
        )
    helped = place > 0 and folded[place - 1] in ("have", "has", "be", "get")
    return word.endswith("ed") and not helped and not word.endswith("eed")


_PAST_ENDINGS = (
    ("ava avam avamos ou aram", "ar"),
    ("eu eram", "er"),
    ("iu iram", "ir"),
    ("ia iam iamos", "er ir"),
)
"""Of the past in Portuguese, with the infinitive's: "gravam" and "expiram" are not of it."""


@cache
def infinitive_of(word: str, language: Language, table: ModuleType) -> str:
    """The key of a verb: "use" for all that use, else its stem; "" for what is no known verb."""
    if _NOUN.search(word):
        return ""
    base = stem(table.IRREGULAR.get(word) or _conjugated(word, language) or word, language)
    if base in stemmed(language, "USE"):
        return "use"
    return base if base in stemmed(language, "VERBS") or word in table.IRREGULAR else ""


def _conjugated(word: str, language: Language) -> str:
    """The infinitive of a Portuguese form of a verb of the table, "" for another word ("usamos", "escritas")."""
    if language == "pt":
        for endings, infinitives in _ENDINGS_OF:
            for ending in endings.split():
                for infinitive in infinitives.split():
                    if word.endswith(ending) and (found := word.removesuffix(ending) + infinitive) in listed(
                        "pt", "VERBS"
                    ):
                        return found
    return ""


_ENDINGS_OF = (
    ("amos ados adas ado ada ando avam avamos ava aram am ou a o e em", "ar"),
    ("emos imos idos idas ido ida endo indo iam ia eram iram eu iu em e", "er ir"),
)


@cache
def nouns_too(language: Language) -> frozenset[str]:
    """Keys of verbs that are nouns as often."""
    return stemmed(language, "WEAK") - stemmed(language, "USE")


@cache
def stemmed(language: Language, name: str) -> frozenset[str]:
    """The stems of a list of a table."""
    return frozenset(stem(word, language) for word in getattr(table_of(language), name))


@cache
def listed(language: Language, name: str) -> frozenset[str]:
    """A list of a table."""
    return frozenset(getattr(table_of(language), name))


def table_of(language: Language) -> ModuleType:
    """The words of a language."""
    return statements_pt if language == "pt" else statements_en


_NOUN = re.compile(r"(?:als?|tions?|sions?|ments?|ness|ances?|cao|coes|mentos?|dores?|doras?|[^fv]ers?)$")


@cache
def role(word: str, language: Language) -> str | None:
    """What a word that names nothing does in a statement (deny, hedge, join, lead a phrase …); None for other words."""
    if word in listed(language, "CONTENT_PREPOSITIONS"):
        return "content"
    for part, name in _ROLES:
        if word in listed(language, name) or (name == "NO" and word == table_of(language).NO):
            return part
    return None


_ROLES = tuple(
    (part, name)
    for part, names in (
        ("denied", "NOT NO"), ("hedged", "HEDGES"), ("future", "FUTURE"), ("partial", "PARTIAL"), ("excepted", "EXCEPT"),
        ("additive", "ADDITIVE"), ("join", "JOINS"), ("inner", "INNER"), ("preposition", "PREPOSITIONS"),
        ("filler", "BE WAS MODAL FILLERS"),
    )
    for name in names.split()
)  # fmt: skip
