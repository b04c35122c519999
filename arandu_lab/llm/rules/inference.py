"""Facts that no single clause states outright: roles in apposition, jobs in passing, fragments, and who an unnamed
relative is.
"""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from arandu_lab.llm.rules import lexicon_en, lexicon_pt, slots_en, slots_pt
from arandu_lab.llm.rules.clauses import Bond, Clause, Level
from arandu_lab.llm.rules.discourse import Discourse
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.mentions import Mention
from arandu_lab.llm.rules.names import gender
from arandu_lab.llm.rules.slots import Slot
from arandu_lab.llm.rules.tokens import Token
from arandu_lab.pure.text import fold


@dataclass(frozen=True, slots=True)
class Inferred:
    """A fact put together from less than a clause."""

    subject: str
    text: str
    level: Level = "strong"


# secondary attributes -----------------------------------------------------------------------------------------------

_SECOND = ("works_at", "lives_in", "studies_at", "has_role")
_SAY = {
    "en": {"works_at": "{} works at {}", "lives_in": "{} lives in {}", "studies_at": "{} studies at {}"},
    "pt": {"works_at": "{} trabalha em {}", "lives_in": "{} mora em {}", "studies_at": "{} estuda em {}"},
}


_ONCE = re.compile(
    r"^(?:(?:once|also|já|também) )?(?:(?:was|were) (?:an?|the|at|with|living|working|studying)|had been|used to|worked|lived|studied|era|eram|(?:foi|foram)(?! (?:morar|trabalhar|estudar|viver|pra|para|pro|a)\b| \w+(?:ad|id)[oa]s?\b)|tinha sido|trabalh(?:ou|ava)|mor(?:ou|ava)|estud(?:ou|ava)|viv(?:eu|ia))\b"
)


def slot_past(predicate: str) -> bool:
    """Whether a predicate tells what somebody was, and not what they are.

    >>> slot_past("was a nurse at Mercy"), slot_past("moved to Porto"), slot_past("morava em Olinda")
    (True, False, True)
    """
    return bool(_ONCE.match(predicate))


_PROPER = r"(?P<name>(?:the )?[A-ZÀ-Ý][\w'’&.-]*(?: (?:(?:of|de|da|do|dos|das|&) )?[A-ZÀ-Ý][\w'’&.-]*)*)"
_EMPLOYER = {"en": re.compile(rf"\b(?:at|for) {_PROPER}"), "pt": re.compile(rf"\b(?:na|no|da|do) {_PROPER}")}


def secondary(clause: Clause, slot: Slot, language: Language) -> list[Inferred]:
    """Further attributes of one clause: *fixes databases at Kelpworks* also says where somebody works."""
    if slot.negated or slot.ended or clause.conditional or clause.subject.kind not in ("speaker", "person", "kin"):
        return []
    if slot.name in ("plan", "other", "event", "likes", "dislikes", "pet", "opinion") or slot_past(clause.predicate):
        return []
    table = slots_en if language == "en" else slots_pt
    out = []
    if slot.name == "has_role":
        employer = _EMPLOYER[language].search(clause.predicate)
        if employer:
            said = _SAY[language]["works_at"].format(clause.subject.text, employer["name"])
            return [Inferred(clause.subject.entity, said, "strong")]
    for name, pattern in table.patterns():
        if name not in _SECOND or name == slot.name or name not in _SAY[language]:
            continue
        match = pattern.search(clause.text)
        value = match and next((found for key, found in match.groupdict().items() if key.startswith("v") and found), "")
        if value and value[:1].isupper() and fold(value) not in fold(slot.value):
            out.append(
                Inferred(clause.subject.entity, _SAY[language][name].format(clause.subject.text, value), "strong")
            )
            break
    return out


# apposition ---------------------------------------------------------------------------------------------------------

_OPEN = frozenset({",", ":", "(", "-", "–", "—"})
_DET = frozenset("a an the um uma o my our minha meu nosso nossa".split())


def roles(tokens: Sequence[Token], mentions: Sequence[Mention], text: str, language: Language) -> list[Inferred]:
    """``Camille Arsenault, archivist`` and ``our architect Nadia``: the role of a person named."""
    lex = lexicon_en if language == "en" else lexicon_pt
    out = []
    for mention in mentions:
        if mention.type != "person":
            continue
        role = _role_after(tokens, mention, lex.ROLES, text) or _role_before(tokens, mention, lex.ROLES, text, lex.KIN)
        if role:
            if language == "en":
                out.append(
                    Inferred(
                        mention.name,
                        f"{mention.name} is {'an' if role[0].lower() in 'aeiou' else 'a'} {role}",
                        "explicit",
                    )
                )
            else:
                out.append(Inferred(mention.name, f"{mention.name} é {role}", "explicit"))
    return out


def _role_after(tokens: Sequence[Token], mention: Mention, known: frozenset[str], text: str) -> str:
    at = mention.last
    if at >= len(tokens) or tokens[at].text not in _OPEN:
        return ""
    at += 1
    start = at
    for place in range(at, min(at + 9, len(tokens))):
        token = tokens[place]
        if token.text == ",":
            start = place + 1
            continue
        if not token.word or token.low in lexicon_en.AUX or (token.low in ("who", "que", "i", "eu", "and")):
            return ""
        if token.low in known or token.bare in known:
            while start < place and tokens[start].low in _DET:
                start += 1
            end = place + 1
            if (
                end < len(tokens)
                and tokens[end].word
                and tokens[end].low not in ("at", "in", "for", "and", "da", "do", "na", "no", "e")
            ):
                return ""
            return text[tokens[start].start : tokens[place].end] if place - start < 4 else ""
    return ""


def _role_before(
    tokens: Sequence[Token], mention: Mention, known: frozenset[str], text: str, kin: Collection[str]
) -> str:
    at = mention.first - 1
    if (
        at < 1
        or not (tokens[at].low in known or tokens[at].bare in known)
        or tokens[at].capital
        or tokens[at].bare in kin
    ):
        return ""
    start = at
    while (
        start > 0
        and at - start < 3
        and tokens[start - 1].word
        and tokens[start - 1].low not in _DET | {"da", "do", "de", "with", "and", "com"}
    ):
        start -= 1
    if start > 0 and tokens[start - 1].low in _DET | {"da", "do"}:
        return text[tokens[start].start : tokens[at].end]
    return ""


_BORN = {
    "en": re.compile(r"^,(?: (?:[^,.]|\.(?=\d)){1,40},){0,2} (?:was )?born (?P<when>(?:on|in|at) [^,.]+)"),
    "pt": re.compile(
        r"^,(?: (?:[^,.]|[.,](?=\d)){1,40},){0,2} (?:nascid[oa]|nasceu) (?P<when>(?:em|no|dia|ontem|hoje) [^,.]+)"
    ),
}


def births(tokens: Sequence[Token], mentions: Sequence[Mention], text: str, language: Language) -> list[Inferred]:
    """``Margot, 3.6 kilos, born on the 4th``."""
    out = []
    for mention in mentions:
        match = (
            _BORN[language].match(text[tokens[mention.last - 1].end :]) if mention.type in ("person", "pet") else None
        )
        if match:
            verb = "was born" if language == "en" else "nasceu"
            out.append(Inferred(mention.name, f"{mention.name} {verb} {match['when']}", "explicit"))
    return out


# fragments ----------------------------------------------------------------------------------------------------------

_SPAN_EN = r"(?P<span>(?:\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|almost \w+|nearly \w+) (?:years?|months?|weeks?|days?))"
_SPAN_PT = r"(?P<span>(?:\d+|um|uma|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|quinze|vinte|trinta|quase \w+) (?:anos?|meses|mês|semanas?|dias?))"
_NAME = r"(?:the |a |o )?(?P<name>(?-i:[A-ZÀ-Ý][\w'’&.-]*(?: (?:(?:of|de|da|do|dos|das|&) )?[A-ZÀ-Ý][\w'’&.-]*)*))"
_FRAGMENTS: dict[Language, tuple[tuple[re.Pattern[str], str], ...]] = {
    "en": (
        (
            re.compile(
                r"(?:^|, |and )(?P<name>(?:\d+|\w+) (?:weeks|months) pregnant)\b(?! (?:and|with) )(?<!is \b)",
                re.IGNORECASE,
            ),
            "{s} is {name}",
        ),
        (
            re.compile(
                r"\b(?:made|gave|named|appointed) me (?:the |a |an |their )?(?P<name>(?:[\w-]+ ){0,2}?[\w-]+)(?=[.,;!]|$| at| in| of| last| on| as)",
            ),
            "{s} is the new {name}",
        ),
        (
            re.compile(rf"^(?:\w+, )?{_SPAN_EN} (?:in |now |working ){{0,2}}(?:at|with) {_NAME}", re.IGNORECASE),
            "{s} has worked at {name} for {span}",
        ),
        (
            re.compile(
                rf"\b{_SPAN_EN} (?:now )?without (?P<name>[\w' -]+?)(?= as of| now| today|[,.]|$)", re.IGNORECASE
            ),
            "{s} has gone {span} without {name}",
        ),
        (
            re.compile(
                r"^(?:oh |and |well |but )?(?:as (?:a|an|your)|being (?:a|an)|speaking as (?:a|an)) (?P<name>[\w -]{3,30}?), I\b",
                re.IGNORECASE,
            ),
            "{s} is a {name}",
        ),
    ),
    "pt": (
        (re.compile(r"(?P<name>\b\d{1,3} anos) (?:na cara|nas costas)\b"), "{s} tem {name}"),
        (
            re.compile(rf"^(?:\w+, )?{_SPAN_PT} (?:de (?:casa|trabalho|firma) )?(?:na|no|em) {_NAME}", re.IGNORECASE),
            "{s} trabalha em {name} há {span}",
        ),
        (
            re.compile(
                rf"\b{_SPAN_PT} sem (?P<name>fumar|beber|comer [\w ]+|cigarro|álcool|açúcar|carne)", re.IGNORECASE
            ),
            "{s} está há {span} sem {name}",
        ),
        (re.compile(r"(?:^|, )(?:como|enquanto) (?P<name>[\w -]{3,30}?),? eu\b", re.IGNORECASE), "{s} é {name}"),
    ),
}


def fragments(sentence: str, speaker: str, language: Language) -> list[Inferred]:
    """Verbless ways to state a fact: ``Six years at the Infirmary``, ``três semanas sem fumar``, ``as a nurse, I…``."""
    out = []
    roles_known = lexicon_en.ROLES if language == "en" else lexicon_pt.ROLES
    for pattern, shape in _FRAGMENTS[language]:
        match = pattern.search(sentence)
        if not match:
            continue
        name = match["name"].strip()
        if (
            shape in ("{s} is a {name}", "{s} é {name}", "{s} is the new {name}")
            and fold(name).split()[-1] not in roles_known
        ):
            continue
        if ("worked" in shape or "trabalha" in shape) and not name[:1].isupper():
            continue
        span = match.groupdict().get("span") or ""
        said = shape.format(s=speaker, name=name.lower() if name.isupper() else name, span=span.lower())
        out.append(Inferred(speaker, said.replace(" is the new ", " is "), "strong"))
    return out


# relatives ----------------------------------------------------------------------------------------------------------

_MY = frozenset("my our meu minha nosso nossa".split())


def unnamed(tokens: Sequence[Token], mentions: Sequence[Mention], language: Language) -> list[tuple[str, str]]:
    """(word, attribute) of the speaker's relatives, bosses and pets that a sentence mentions without a name."""
    lex = lexicon_en if language == "en" else lexicon_pt
    at = {mention.first for mention in mentions}
    ends = {mention.last for mention in mentions}
    out = []
    for index, token in enumerate(tokens):
        slot = lex.KIN.get(token.bare) or lex.KIN.get(token.low) or ("pet" if token.bare in lex.PETS else "")
        if not slot or slot in ("friend", "colleague") or token.capital:
            continue
        before = [tokens[place].low for place in range(max(0, index - 3), index)]
        mine = any(word in _MY for word in before)
        got = slot == "pet" and any(
            word in {"adopted", "adotei", "adotamos", "rescued", "tenho", "have"}
            for word in [tokens[place].low for place in range(max(0, index - 6), index)]
        )
        if not (mine or got):
            continue
        if any(place in at for place in range(index + 1, min(index + 4, len(tokens)))) or (
            index - len(before) in ends and "," in before
        ):
            continue
        out.append((token.low, slot))
    return out


def introduced(
    roles_found: Sequence[tuple[int, str, str]], names: Sequence[tuple[int, Mention]], discourse: Discourse
) -> Bond | None:
    """One unnamed relative and one new name in other sentences of a message: the name is the relative's.

    ``My husband has put the cot together. Kevin is a land surveyor.``
    """
    lex = lexicon_en if discourse.language == "en" else lexicon_pt
    if len({(word, slot) for _, word, slot in roles_found}) != 1:
        return None
    place, word, slot = roles_found[0]
    fresh = {mention.name: (index, mention) for index, mention in names}
    if len(fresh) != 1:
        return None
    index, mention = next(iter(fresh.values()))
    if (
        index == place
        or abs(index - place) > 2
        or (slot == "pet" and gender(mention.name) != "u")
        or (slot != "pet" and mention.type == "pet")
    ):
        return None
    sex = gender(mention.name)
    key = fold(word)
    if (
        (key in lex.FEMALE and sex == "m")
        or (key in lex.MALE and sex == "f")
        or mention.type not in ("person", "pet", "concept")
    ):
        return None
    return Bond(discourse.speaker, word, slot, mention.name, "pet" if slot == "pet" else "person", "strong")


def following(
    roles_found: Sequence[tuple[int, str, str]],
    names: Sequence[tuple[int, Mention]],
    sentences: Sequence[Sequence[Token]],
    discourse: Discourse,
) -> Bond | None:
    """``My girlfriend carries her to bed. Camille Arsenault, archivist``: a full name set off in the next sentence."""
    there = Counter(index for index, _, _ in roles_found)
    after: dict[int, list[Mention]] = {}
    for index, mention in names:
        after.setdefault(index - 1, []).append(mention)
    for place, word, slot in roles_found:
        if there[place] != 1 or slot == "pet":
            continue
        for mention in after.get(place, ()):
            tokens = sentences[place + 1]
            apart = mention.last < len(tokens) and tokens[mention.last].text == ","
            if not mention.first and " " in mention.name and mention.type == "person" and apart:
                return Bond(discourse.speaker, word, slot, mention.name, "person", "strong")
    return None


_NAMED = re.compile(
    r"\b(?i:(?:her|his|its|their) name is|(?:he|she|it) is (?:called|named)|we named (?:him|her|it)|called (?:him|her|it)|"
    r"o nome d(?:ele|ela) é|(?:ele|ela) se chama|se chama|chama-se|demos o nome de|nome:?)\s+([A-ZÀ-Ý][\w'’-]*)"
)


def name_of_pet(text: str, word: str, discourse: Discourse) -> Bond | None:
    """``Her name is Dosa`` after a pet was mentioned."""
    match = _NAMED.search(text)
    if match is None or not word:
        return None
    return Bond(discourse.speaker, word, "pet", match[1], "pet")
