"""Which attribute a sentence states, and its value: ``Ana lives in Recife`` -> ``Slot("lives_in", "Recife")``.

One table a language, read from top to bottom: the first pattern that fits wins. The same reading serves extraction,
verdicts and relevance, so that a question, a new fact and an old one meet on the same attribute.
"""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from arandu_lab.llm.rules import slots_en, slots_pt
from arandu_lab.llm.rules.language import Language, detect
from arandu_lab.pure.text import fold

SINGLE = frozenset("lives_in works_at has_role studies_at partner spouse birthday age name from boss".split())
"""Attributes of which somebody has one at a time."""
MANY = frozenset(
    "likes dislikes pet child friend sibling relative colleague language hobby event plan project owns allergy member_of opinion "
    "parent ex_partner habit other studies diet health".split()
)


@dataclass(frozen=True, slots=True)
class Slot:
    """An attribute and its value; ``negated`` when the sentence says it does not, or no longer, hold."""

    name: str
    value: str = ""
    negated: bool = False
    ended: bool = False
    at: int = field(default=0, compare=False, repr=False)


@lru_cache(maxsize=16384)
def detect_slot(text: str, language: Language | None = None) -> Slot:
    """The attribute that a sentence in the third person states.

    >>> detect_slot("Rafael has been working at Acme")
    Slot(name='works_at', value='Acme', negated=False, ended=False)
    >>> detect_slot("Ana não mora mais em Recife").ended
    True
    """
    text = text[:600]
    language = language or detect(text)
    table = slots_en if language == "en" else slots_pt
    negated = bool(table.NEGATION.search(text))
    ended = bool(table.ENDED.search(text))
    for name, pattern in table.patterns():
        match = pattern.search(text)
        if match:
            value = next((found for key, found in match.groupdict().items() if key.startswith("v") and found), "")
            return Slot(name, _cut(value, name, language), negated, ended, match.start())
    return Slot("other", "", negated, ended)


_CUT = {
    "en": re.compile(
        r"(?:,|;|\(|\bsince\b|\bbecause\b|\bwhen\b|\bwhile\b|\bbut\b|\bso\b|\bwhich\b|\bwho\b|\bafter\b|\bbefore\b|\buntil\b|\bas of\b|"
        r"\bthese days\b|\bnow\b|\bfor (?:\d+|a|two|three|four|five|six|seven|eight|nine|ten|many|several)\b|\bin \d{4}\b|"
        r"\bin (?:January|February|March|April|May|June|July|August|September|October|November|December)\b|"
        r"\bon \d|\bin the (?:week|weekend|summer|winter|spring|autumn|fall)\b|\bon the (?:morning|night|evening|afternoon|weekend)\b|\bwith (?:his|her|their)\b|\bevery\b|\blast\b|\bnext\b|\bthis (?:week|month|year)\b).*$"
    ),
    "pt": re.compile(
        r"(?:,|;|\(|\bdesde\b|\bporque\b|\bquando\b|\benquanto\b|\bmas\b|\bque\b|\bdepois\b|\bantes\b|\baté\b|\bagora\b|\bh[áa] \w+|"
        r"\bfaz \w+|\bem \d{4}\b|\bem (?:janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)\b|"
        r"\bem \d|\bn[ao] (?:semana|fim de semana|noite|manhã|tarde) de\b|\b(?:ontem|hoje|anteontem)\b|\bcom (?:o |a )?(?:seu|sua)\b|\btod[oa]s?\b|\bde novo\b|\bmais\b).*$"
    ),
}
_ARTICLE = re.compile(r"^(?:o|a|os|as) (?=[A-ZÀ-Ý])")
_LOOSE = frozenset("event plan other habit opinion birthday".split())


def _cut(value: str, name: str, language: Language) -> str:
    value = value.strip()
    if name not in _LOOSE:
        value = _CUT[language].sub("", value).strip() or value
    value = _ARTICLE.sub("", value)
    words = value.split()
    return " ".join(words[:10]).strip(" .,;:!?'\"")


def same_value(one: str, other: str) -> bool:
    """Whether two values name the same thing: equal when folded, or the one within the other.

    >>> same_value("São Paulo", "sao paulo, Brazil"), same_value("Recife", "Olinda")
    (True, False)
    """
    a, b = _key(one), _key(other)
    if not a or not b:
        return False
    return a == b or f" {a} " in f" {b} " or f" {b} " in f" {a} "


def _key(value: str) -> str:
    return " ".join(word for word in re.findall(r"\w+", fold(value)) if word not in _SMALL)


_SMALL = frozenset(
    "the a an o os as um uma de da do dos das in at em na no of to his her their seu sua is e and".split()
)


def category(slot: Slot, text: str, language: Language) -> str:
    """The importance category of a fact with this attribute."""
    if slot.name in _MILESTONE:
        moved = re.search(
            r"\b(?:moved|moving|relocated|left|quit|joined|hired|laid off|fired|promoted|mudou|mudar|saiu|entrou|contrat|demitid)",
            text,
            re.IGNORECASE,
        )
        return (
            "relationship_change"
            if moved and slot.name in ("lives_in", "works_at", "has_role")
            else "biographical_milestone"
        )
    return _CATEGORY.get(slot.name, "routine_activity")


_MILESTONE = frozenset("lives_in from works_at has_role studies_at studies pet birthday age name health".split())
_CATEGORY = {
    **dict.fromkeys(
        "partner spouse ex_partner child parent sibling friend relative colleague boss".split(), "relationship_change"
    ),
    **dict.fromkeys("likes dislikes diet allergy language opinion".split(), "stable_preference"),
    **dict.fromkeys("plan event owns".split(), "specific_event"),
    **dict.fromkeys("hobby habit project member_of".split(), "routine_activity"),
    "other": "conversational",
}
