"""Facts that a message gives in passing: the flat on a street, the last day at a firm, the new love that a name follows."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from arandu_lab.llm.rules import gazetteer, lexicon_en, lexicon_pt
from arandu_lab.llm.rules.discourse import Discourse
from arandu_lab.llm.rules.inference import Inferred
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.mentions import Mention
from arandu_lab.llm.rules.names import is_first_name
from arandu_lab.llm.rules.tokens import Token
from arandu_lab.pure.text import fold

_NAME = r"(?P<name>[A-ZÀ-Ý][\w'’&.-]*(?: (?:(?:of|de|da|do|dos|das|&) )?[A-ZÀ-Ý][\w'’&.-]*)*)"
_HOME_EN = r"(?:place|flat|apartment|house|home|building|couch|kitchen|room|yard|street|condo)"
_HOME_PT = r"(?:casa|prédio|apê|apartamento|rua|quintal|quarto|sofá|cozinha|bairro|kitnet)"
_DEGREE_EN = r"(?:PhD|doctorate|degree|master'?s|bachelor'?s|MBA|thesis|(?:first|second|third|fourth|last|final)[- ]year(?: (?:of )?[a-z]+)?)"
_DEGREE_PT = r"(?:mestrado|doutorado|graduação|faculdade|especialização|pós|tcc|tese)"

# (word that must be in the text, pattern, kind of fact); what they say is about the speaker
_MINE: dict[Language, tuple[tuple[str, str, str], ...]] = {
    "en": (
        ("", rf"\b(?:my|our) (?:[a-z]+ )?{_HOME_EN} (?:on|in|at) {_NAME}", "lives_in"),
        ("couch", rf"\bfrom the (?:couch|sofa|kitchen|balcony) (?:on|in|at) {_NAME}", "lives_in"),
        ("with", rf"\bliv(?:es?|ing) with (?:me|us) (?:in|on|at) {_NAME}", "lives_in"),
        ("home", rf"\b(?:I|we) (?:\w+ ){{0,2}}?(?:fly|flew|go|going|went|drive|drove|came|head|heading|travel) (?:back )?home to {_NAME}", "from"),
        ("as", rf"\b[Aa]s a (?:son|daughter|native|child) of {_NAME}", "from"),
        ("my", rf"\b[Mm]y (?:first|last|next|new) (?:day|shift|week) at {_NAME}", "works_at"),
        ("since", rf"\b(?:I|we) (?:am|are|have been) (?:in|on) {_NAME} since\b", "lives_in"),
        ("hours", rf"\b(?:\d+|\w+teen|ten|eleven|twelve|eight|nine) hours at {_NAME} (?:on|yesterday|today|last)", "works_at"),
        ("years", rf"\b[Yy]ears of (?:a |my )?{_DEGREE_EN} at {_NAME}", "studies_at"),
        ("my", rf"\b[Mm]y {_DEGREE_EN} at {_NAME}", "studies_at"),
    ),
    "pt": (
        ("", rf"\b(?:meu|minha|nosso|nossa) (?:[a-zà-ÿ]+ )?{_HOME_PT} (?:no|na|em|nas|nos) {_NAME}", "lives_in"),
        ("mor", rf"\bmor(?:a|am|ar|ando) (?:comigo|com a gente) (?:no|na|em|nas|nos) {_NAME}", "lives_in"),
        ("desde", rf"\best(?:ou|amos) (?:morando )?(?:no|na|em) {_NAME} desde [^.]*, (?:apê|ap|apartamento|casa|quarto)\b", "lives_in"),
        ("casa", rf"\b(?:voltei|volto|fui|vou|voltar) (?:pra|para) casa(?: dos meus pais)?,? em {_NAME}", "from"),
        ("meu", rf"\b[Mm]eu (?:primeiro|último|novo) (?:dia|plantão|turno) (?:no|na) {_NAME}", "works_at"),
        ("meu", rf"\b[Mm](?:eu|inha) {_DEGREE_PT} (?:na|no|da|do) {_NAME}", "studies_at"),
    ),
}  # fmt: skip
_SAYS = {
    "en": {
        "lives_in": "{s} lives in {n}",
        "from": "{s} is from {n}",
        "works_at": "{s} works at {n}",
        "studies_at": "{s} studies at {n}",
    },
    "pt": {
        "lives_in": "{s} mora em {n}",
        "from": "{s} é de {n}",
        "works_at": "{s} trabalha em {n}",
        "studies_at": "{s} estuda em {n}",
    },
}


@cache
def _compiled(language: Language) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    return tuple((cue, re.compile(pattern), kind) for cue, pattern, kind in _MINE[language])


def asides(text: str, discourse: Discourse) -> list[Inferred]:
    """What a sentence says of its speaker in passing."""
    language = discourse.language
    low = text.casefold()
    out = []
    for cue, pattern, kind in _compiled(language):
        match = pattern.search(text) if cue in low else None
        if not match:
            continue
        name = match["name"]
        if kind in ("lives_in", "from") and not placelike(name):
            continue
        said = _SAYS[language][kind].format(s=discourse.speaker, n=name)
        if language == "en" and kind == "lives_in" and _street(name):
            said = said.replace(" in ", " on ", 1)
        out.append(Inferred(discourse.speaker, said, "strong"))
    return out


def placelike(name: str) -> bool:
    """Not a person's first name, nor an institution's."""
    words = fold(name).split()
    if words[0] in lexicon_en.NOT_NAMES or words[0] in lexicon_pt.NOT_NAMES - {"natal"}:
        return False
    return fold(name) in gazetteer.PLACES or not (
        (is_first_name(words[0]) and len(words) == 1) or words[-1] in gazetteer.ORG_WORDS
    )


def _street(name: str) -> bool:
    return fold(name).split()[-1] in {"street", "avenue", "road", "lane", "drive", "boulevard", "st", "ave"}


_LOVE = {
    "en": re.compile(
        r"\b(?:I am|I have been|we are|we have been|I started|I) (?:now |finally )?(?:seeing|dating) (?:someone|somebody)\b|\bwe (?:have been|are|got) together\b|"
        r"\bI (?:have )?met someone\b|\bI have a (?:new )?(?:girlfriend|boyfriend)\b"
    ),
    "pt": re.compile(
        r"\b(?:estou|tô|to|eu) (?:namorando|de rolo|saindo com alguém|ficando com alguém|apaixonad[oa])(?! (?:com|por) )|\bconheci (?:alguém|uma pessoa)\b|"
        r"\btenho (?:um |uma )?(?:namorad[oa]|nov[oa] amor)\b",
        re.IGNORECASE,
    ),
}


def love(
    sentences: Sequence[tuple[str, Sequence[Token], Sequence[Mention]]], known: frozenset[str], discourse: Discourse
) -> Inferred | None:
    """``I'm seeing someone. Nadia Haddad, librarian``: the new love is the one new name beside it."""
    for index, (text, _, _) in enumerate(sentences):
        if not _LOVE[discourse.language].search(text):
            continue
        near = [
            mention.name
            for _, tokens, names in sentences[max(0, index - 1) : index + 2]
            for mention in names
            if mention.type == "person"
            and fold(mention.name) not in known
            and not discourse.is_speaker(mention.name)
            and (mention.first == 0 or tokens[mention.first - 1].text in {".", ":", ","})
            and (mention.last >= len(tokens) or not tokens[mention.last].word)
        ]
        if len(set(near)) == 1:
            said = "is seeing" if discourse.language == "en" else "namora"
            return Inferred(discourse.speaker, f"{discourse.speaker} {said} {near[0]}", "strong")
    return None


_AGES = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
_AGE = {
    "en": re.compile(rf"^,? (?P<age>\d{{1,2}}|{'|'.join(_AGES)})(?: years? old)?(?=,|$|\. |\))"),
    "pt": re.compile(r"^,? (?P<age>\d{1,2}|\w+) an(?:os|inhos)(?=,|$|\.|\)| )"),
}


def ages(tokens: Sequence[Token], names: Sequence[Mention], text: str, language: Language) -> list[Inferred]:
    """``his daughter, Ivy, six, who``; ``Ademir, 66 anos``."""
    out = []
    for mention in names:
        if mention.type not in ("person", "pet"):
            continue
        rest = text[tokens[mention.last - 1].end :]
        match = _AGE[language].match(rest) if rest.startswith(",") else None
        if match:
            age = match["age"]
            said = f"{mention.name} is {age} years old" if language == "en" else f"{mention.name} tem {age} anos"
            out.append(Inferred(mention.name, said, "explicit"))
    return out


def roles_with_employer(
    tokens: Sequence[Token], names: Sequence[Mention], text: str, language: Language
) -> list[Inferred]:
    """``Nadia Haddad, librarian at Alderney Gate``: the role's place of work."""
    lex = lexicon_en if language == "en" else lexicon_pt
    out = []
    at = {mention.first: mention for mention in names}
    for mention in names:
        if mention.type != "person" or mention.last >= len(tokens) or tokens[mention.last].text not in (",", ":", "("):
            continue
        for place in range(mention.last + 1, min(mention.last + 6, len(tokens) - 2)):
            if not tokens[place].word:
                break
            if tokens[place].low in lex.ROLES or tokens[place].bare in lex.ROLES:
                place += 1
                if tokens[place].low == "the" and language == "en":
                    place += 1
                if tokens[place].low in ("at", "with", "na", "no", "da", "do"):
                    where = at.get(place + 1) or (at.get(place + 2) if tokens[place + 1].low == "the" else None)
                    if where and where.type not in ("person", "pet"):
                        verb = "works at" if language == "en" else "trabalha em"
                        out.append(Inferred(mention.name, f"{mention.name} {verb} {where.name}", "explicit"))
                break
    return out
