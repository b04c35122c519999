"""What kind of thing a name names: its own words first, then the words around it."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

from collections.abc import Sequence

from arandu_lab.llm.rules import gazetteer, lexicon_en, lexicon_pt
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.names import is_first_name
from arandu_lab.llm.rules.tokens import Token

KIN = (
    frozenset(lexicon_en.KIN)
    | frozenset(lexicon_en.KIN_PLURAL)
    | frozenset(lexicon_pt.KIN)
    | frozenset(lexicon_pt.KIN_PLURAL)
)
_AT = {"en": frozenset({"at", "for"}), "pt": frozenset({"na", "no", "pela", "pelo"})}
_IN = {
    "en": frozenset(
        {"in", "to", "from", "near", "around", "across", "outside", "toward", "towards", "visiting", "visit", "visited"}
    ),
    "pt": frozenset({"em", "pra", "para", "a", "ao", "até", "de", "desde"}),
}
_WITH = frozenset("with com".split())


def type_of(tokens: Sequence[Token], start: int, end: int, *, language: Language) -> str:
    """The type of the thing named by tokens ``start`` to ``end``: its own words first, then its neighbours."""
    inner = [tokens[index].bare for index in range(start, end) if tokens[index].word]
    before = tokens[start - 1].bare if start else ""
    earlier = tokens[start - 2].bare if start > 1 else ""
    after = tokens[end].bare if end < len(tokens) else ""
    later = tokens[end + 1].bare if end + 1 < len(tokens) else ""
    name = " ".join(inner)
    if before == "em" and len(inner) > 1 and employs(tokens, start) and not is_first_name(inner[0]):
        return "organization"
    if (
        before in KIN
        or is_title(tokens[start])
        or before.rstrip(".") in lexicon_en.TITLES
        or (earlier in KIN and before in (",", "("))
    ):
        return "person"
    pets = lexicon_en.PETS if language == "en" else lexicon_pt.PETS
    near = [tokens[index].bare for index in range(max(0, start - 4), start)]
    if (
        any(word in pets for word in near)
        and not any(word in KIN for word in near)
        and (
            before in pets
            or before in {"named", "called", ",", ":", "chamado", "chamada", "chama", "o", "a", "name", "nome"}
        )
    ):
        return "pet"
    if name not in gazetteer.PLACES:
        if (
            after in gazetteer.PROJECT_WORDS
            or before in gazetteer.PROJECT_WORDS
            or inner[-1:] == ["project"]
            or inner[:1] == ["projeto"]
        ):
            return "project"
        if any(word in gazetteer.EVENT_WORDS for word in inner):
            return "event"
        if inner and (
            inner[-1] in gazetteer.ORG_WORDS
            or inner[-1].rstrip("s") in gazetteer.ORG_WORDS
            or inner[0] in gazetteer.ORG_WORDS
        ):
            return "organization"
        if len(inner) > 1 and (inner[-1] in gazetteer.PLACE_WORDS or inner[0] in gazetteer.PLACE_WORDS):
            return "place"
        if len(inner) > 2 and any(word in gazetteer.ORG_WORDS for word in inner):
            return "organization"
    first = is_first_name(inner[0]) if inner else False
    if name in gazetteer.PLACES and not (
        name in gazetteer.WEAK_PLACES and before not in _IN[language] | {"em", "no", "na"}
    ):
        return "place"
    if first and not (before in {"in", "em"} and len(inner) == 1):
        return "person"
    if name in gazetteer.PRODUCT_WORDS or (inner and inner[0] in gazetteer.PRODUCT_WORDS):
        return "product"
    if before == "," and len(inner) == 1 and start > 1 and tokens[start - 2].bare in gazetteer.PLACE_WORDS:
        return "place"
    if dwells(tokens, start, language):
        return "place"
    if before in _AT[language]:
        return "organization"
    if employs(tokens, start):
        return "organization"
    if before in {"in", "near", "em", "visit", "visiting", "visited"}:
        return "place" if before != "em" or len(inner) < 4 else "organization"
    if len(inner) == 1 and before in _TOWARDS[language] and tokens[start].text[1:].islower():
        return "place"
    if before in {"to", "from", "pra", "para", "ate"} and _moves(tokens, start, language):
        return "place"
    if _human(after, later, language):
        return "person"
    if before in _WITH | {"by", "por"} or earlier in _WITH:
        return "person"
    written = tokens[start].text
    if len(inner) == 1 and written.isupper() and 2 <= len(written) <= 6:
        return "organization" if before in _ORG_BEFORE else "acronym"
    if (
        any(char.isupper() for char in written[1:])
        and "-" not in written
        and not written.startswith(("Mac", "Mc", "O'", "D'", "De"))
    ):
        return "product" if len(inner) == 1 else "concept"
    if len(inner) > 1 and not first and _ordinary(inner):
        return "project"
    if len(inner) == 1 and before in {"the", "os", "as", "nos", "nas", "dos", "das"}:
        return "place" if earlier in {"in", "to", "from", "of", "across"} or before in {"nos", "nas"} else "concept"
    if len(inner) == 1 and before in {"no", "na"}:
        return "place"
    if before in {"on", "off", "onto", "sobre"} and len(inner) == 1:
        return "concept"
    if before in {"a", "an", "um", "uma", "this", "that", "some", "any", "no"} and language == "en":
        return "concept"
    if len(inner) < 4:
        return "person"
    return "concept"


_TOWARDS = {"en": frozenset({"to", "from"}), "pt": frozenset({"em", "pra"})}
_ORG_BEFORE = frozenset("at for from with by na no da do pela pelo em".split())


def _ordinary(inner: Sequence[str]) -> bool:
    """A title made of ordinary words: *Distributed Tracing*, *Cashflow Models*."""
    last = inner[-1]
    return (
        last.endswith(("ing", "tion", "ment"))
        or (last.endswith("s") and not last.endswith(("ss", "us", "is", "es")) and len(last) > 4)
        or last in lexicon_en.forms()
        or "-" in inner[0]
    )


_MOVING = frozenset(
    "move moved moving fly flying flew travel travelling traveling went go going drive drove come came back trip live lived "
    "mudar mudei mudou viajar viajei viajou ir fui foi vou vai voltar voltei voltou chegar cheguei viagem voo".split()
)


_DWELL = {
    "en": frozenset("live reside move relocate settle base".split()),
    "pt": frozenset("morar viver residir mudar".split()),
}
_DWELT_IN = {
    "en": frozenset("in to near".split()),
    "pt": frozenset("em no na nos nas para pra pro o a os as".split()),
}


def dwells(tokens: Sequence[Token], start: int, language: Language) -> bool:
    """A verb of dwelling near before, and the word that ties it to its place: *moro na Várzea*."""
    before = tokens[start - 1].low if start else ""
    if before not in _DWELT_IN[language] or (
        before in {"o", "a", "os", "as"} and (start < 2 or tokens[start - 2].low not in {"para", "pra"})
    ):
        return False
    lemma = lexicon_en.lemma if language == "en" else lexicon_pt.lemma
    return any(lemma(tokens[index].low) in _DWELL[language] for index in range(max(0, start - 6), start - 1))


_WORKING = frozenset(
    "join joined joining joins left quit leave leaving work works worked working hired resigned retired employed sair sai saiu trabalhar "
    "trabalho trabalha trabalhei trabalhava trabalhando entrei entrou contratada contratado demitido demitida demitiu emprego "
    "aula aulas leciono leciona ensino plantão plantao job interview entrevista aposentei aposentou".split()
)


def employs(tokens: Sequence[Token], start: int) -> bool:
    """A verb of work near before, and the word that ties it to its employer."""
    before = tokens[start - 1].low if start else ""
    if before in {"joined", "left", "quit", "joining", "leaving"}:
        return True
    return before in {
        "at",
        "for",
        "from",
        "by",
        "with",
        "da",
        "do",
        "na",
        "no",
        "pela",
        "pelo",
        "dos",
        "das",
        "pra",
        "em",
    } and any(
        tokens[index].low in _WORKING or tokens[index].bare in _WORKING for index in range(max(0, start - 5), start)
    )


def _moves(tokens: Sequence[Token], start: int, language: Language) -> bool:
    return any(tokens[index].bare in _MOVING for index in range(max(0, start - 5), start))


def _human(after: str, later: str, language: Language) -> bool:
    """What follows is what people do: a verb of speech, will or work, or any perfect or progressive."""
    if language == "en":
        if after in {"has", "had", "was", "is"}:
            return later in {"been", "always", "just", "never", "already"} or any(
                kind in ("ing", "participle") for _, kind in lexicon_en.forms().get(later, ())
            )
        return lexicon_en.lemma(after) in gazetteer.HUMAN_VERBS_EN
    return lexicon_pt.lemma(after) in gazetteer.HUMAN_VERBS_PT


def is_title(token: Token) -> bool:
    """``Dr``, ``Dona``, ``Captain``: part of the name it precedes."""
    return token.low.rstrip(".") in lexicon_en.TITLES or token.bare.rstrip(".") in lexicon_pt.TITLES
