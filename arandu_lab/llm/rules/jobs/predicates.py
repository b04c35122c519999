"""What a fact says of whom: the name it opens with, what follows, and the aspect of life that it belongs to."""

# ruff: noqa: E501  (tables and patterns read better on long lines)

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from arandu_lab.llm.rules import lexicon_en, lexicon_pt
from arandu_lab.llm.rules.jobs.given import Given, language_of
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.slots import detect_slot
from arandu_lab.pure.attributes import claim
from arandu_lab.pure.text import STOP, fold, words

ASPECTS = "role study home age family people health tastes pastimes pets things plans other".split()
"""Aspects of an entity, in the order in which they are told."""


@dataclass(frozen=True, slots=True)
class Said:
    """A fact read: ``who`` it opens with (empty: no name), what it ``says`` of that one, ``owned``: what of theirs it is
    about ("Ana's boss is …"), whether that is the entity itself (``own``), and whether its attribute is ``firm``: read
    whole, not guessed. ``telling``: how much it tells by itself, about 0 to 2.
    """

    given: Given
    who: str
    says: str
    owned: str
    own: bool
    attribute: str
    value: str
    firm: bool
    against: bool
    language: Language

    telling: float

    @property
    def aspect(self) -> str:
        """The aspect of life that its attribute belongs to, one of ``ASPECTS``."""
        return ASPECT.get(self.attribute, "other")


def read(line: Given, name: str) -> Said:
    """Read one fact of the entity ``name``.

    >>> said = read(Given(0, "Ana Dias is now allergic to latex, sadly"), "Ana")
    >>> said.who, said.says, said.aspect, said.value
    ('Ana Dias', 'is allergic to latex', 'health', 'latex')
    >>> read(Given(0, "O chefe de Ana é Rui Prado"), "Ana").owned, read(Given(0, "Ana's boss is Rui"), "Ana").owned
    ('chefe', 'boss')
    """
    return replace(_read(line.text, line.subject or name), given=line)


@lru_cache(maxsize=16384)
def _read(text: str, name: str) -> Said:
    language = language_of(text)
    who, says, owned = _opening(text, name, language)
    own = bool(who) and words(who)[0] in words(name)
    found = claim(text, who) if who else None
    slot = detect_slot(text, language)
    attribute, against = slot.name, slot.negated or slot.ended
    firm = attribute in _FIRM and bool(slot.value) and bool(who) and len(words(text)) <= 12
    if found is not None and not found.attribute.startswith("do ") and found.attribute not in ("any", "has"):
        attribute, firm = _CALLED.get(found.attribute, found.attribute), True
        against = against or found.negative or found.ended
    if found is not None and found.attribute == "named":
        attribute = "pet" if slot.name == "pet" else "owns"
    firm = firm or (attribute in _PLAIN_SLOTS and bool(who) and _plainly(says, against))
    if firm and attribute == "lives_in" and (not slot.value or _NO_PLACE.match(slot.value)):
        attribute, firm = "event", False
    if firm and ((attribute in _OPEN and _POINTING.search(fold(says))) or _NO_CLAIM.search(fold(says))):
        firm = False
    if firm and (owned not in ("", *_RELATION) or _PERSONAL.search(fold(says))):
        firm = owned in ("birthday", "aniversário", "hobby", "passatempo") and not _PERSONAL.search(fold(says))
    if _OF_SOMEBODY.match(says):  # "é chefe de Duda": whose, and not what
        firm = False
    says = _trimmed(says, firm)
    telling = _telling(says or text, firm) - 0.3 * (not own) - 0.2 * (not who)
    return Said(
        Given(0, text, key=text), who, says, owned, own, attribute, slot.value, firm, against, language, telling
    )


def _telling(said: str, firm: bool) -> float:
    """What is firm tells most, then what names, dates or numbers something; what points elsewhere tells little."""
    found = words(said)
    content = [word for word in found if word not in STOP and word not in _DULL and len(word) > 2]
    value = 1.2 * firm + 0.12 * min(len(content), 5)
    value += 0.25 * bool(re.search(r"\d", said)) + 0.25 * bool(re.search(r"(?<=\s)[A-ZÀ-Ý][a-zà-ÿ]", said))
    value -= 0.5 * bool(_POINTING.search(fold(said))) + 0.04 * max(0, len(found) - 14) + 0.15 * said.count(",")
    return value - 0.4 * (len(content) < 2 and not firm)


def _opening(text: str, name: str, language: Language) -> tuple[str, str, str]:
    """Who a text opens with, what it says of them, and what of theirs it is about."""
    if language == "pt" and (found := _DE.match(text)):
        return found["who"], found["says"], found["noun"]
    body = text if re.match(r"(?i)(?:o|a|os|as|the)\b", name) else _ARTICLE.sub("", text)
    found = _LEAD.match(body)
    lead = found[0] if found else ""
    plain = body[: len(name)]
    if (
        name
        and fold(plain) == fold(name)
        and body[len(name) : len(name) + 1] in (" ", "'", "’")
        and len(lead) <= len(name)
    ):
        lead = plain
    rest = body[len(lead) :].lstrip()
    if not lead or fold(lead) in _NO_NAMES:
        return "", text, ""
    who = name if fold(lead) == fold(name) else lead
    if own := _OWNED.match(rest):
        return who, own["says"], own["noun"]
    if not rest or not rest[0].isalpha() or rest[0].isupper() or _JOINT.match(rest):
        return "", text, ""
    return who, rest, ""


def _plainly(says: str, against: bool) -> bool:
    """Whether a predicate reads as a plain lasting statement: short, no aside, nothing pointed at."""
    found = words(says)
    if not 1 < len(found) <= 8 or "," in says or _POINTING.search(fold(says)):
        return False
    return len(found) > 3 or not against or bool(_ABSTAINS.search(fold(says)))


def _trimmed(says: str, firm: bool) -> str:
    """A predicate without "now" and, where it is firm, without a remark after a comma."""
    head, comma, tail = says.partition(", ")
    if firm and comma and not re.search(r"\d|[A-ZÀ-Ý]| (?:and|or|e|ou) ", tail):
        says = head
    return _NOW.sub(" ", f" {says} ").strip()


_OF_SOMEBODY = re.compile(r"(?:é|era|foi|is|was)\s+(?:(?:o|a|an|the)\s+)?[\w-]+\s+(?:d[eoa]|of)\s+[A-ZÀ-Ý]")

_LEAD = re.compile(
    r"(?:[A-ZÀ-Ý][\w-]*(?:[’'](?!s\b)\w+)?)(?: (?:(?:d[aeo]s?|van|von|of|the) )?[A-ZÀ-Ý][\w-]*(?:[’'](?!s\b)\w+)?)*"
)
_ARTICLE = re.compile(r"^(?:[OoAa]|[Tt]he) (?=[A-ZÀ-Ý])")
_OWNED = re.compile(
    r"[’']s? (?P<noun>(?!(?:been|not|is|a|an|the|now|got|just)\b)[a-z][\w-]*(?: [a-z][\w-]*){0,2}?) (?P<says>(?:is|are|was|were|has|will|starts?|goes|runs|ends|falls)\b.+)"
)
_DE = re.compile(r"(?:[OoAa]s? )?(?P<noun>[a-zà-ÿ][\wà-ÿ-]*(?: [a-zà-ÿ][\wà-ÿ-]*)?) d[aeo]s? (?P<who>[A-ZÀ-Ý][\w-]*(?: (?:d[aeo]s? )?[A-ZÀ-Ý][\w-]*)*) (?P<says>[a-zà-ÿ].+)")  # fmt: skip
_POINTING = re.compile(
    r"\b(?:he|she|they|it|them|this|that|there|himself|herself|the other|something|everything|anything|else|isso|isto|aquilo|disso|nisso|la|ai|ele|ela|eles|elas|dele|dela|desse|dessa|nele|nela|deste|one|another|him|her own|meu|minha|my|your|you)\b"
)  # fmt: skip
_DULL = frozenset("thing things coisa coisas time day days year years gone going went came come get got take takes put told said made make fez ficou foi vai vez dia dias".split())  # fmt: skip
_CALLED = {"home": "lives_in", "employer": "works_at", "role": "has_role", "school": "studies_at", "study": "studies", "origin": "from", "member": "member_of"}  # fmt: skip
_FIRM = frozenset("works_at has_role lives_in from studies_at spouse partner ex_partner child sibling boss colleague friend relative pet allergy birthday age language member_of".split())  # fmt: skip
ASPECT = {
    **dict.fromkeys("has_role works_at".split(), "role"),
    **dict.fromkeys("studies_at studies".split(), "study"),
    **dict.fromkeys("lives_in from".split(), "home"),
    **dict.fromkeys("age birthday name".split(), "age"),
    **dict.fromkeys("spouse partner ex_partner child parent sibling relative".split(), "family"),
    **dict.fromkeys("boss colleague friend".split(), "people"),
    **dict.fromkeys("allergy diet health".split(), "health"),
    **dict.fromkeys("likes dislikes opinion".split(), "tastes"),
    **dict.fromkeys("hobby habit member_of project language".split(), "pastimes"),
    "pet": "pets", "owns": "things",
    **dict.fromkeys("plan event".split(), "plans"),
}  # fmt: skip
_PLAIN_SLOTS = frozenset("diet habit hobby owns project language pet health studies".split())
_RELATION = frozenset(lexicon_en.KIN) | frozenset(lexicon_pt.KIN)
_NO_PLACE = re.compile(r"\d(?!\d* [A-Z])|(?:on|in|by|em|no dia)\b \d|[a-z]+ (?:of|de) \d")
_OPEN = frozenset("likes dislikes opinion owns plan health diet habit hobby project".split())
_NO_CLAIM = re.compile(
    r"\b(?:sick|tired|fed up|cansad[oa]) (?:of|de)\b|^(?:runs?|gets|goes) (?:out|off|up|away|down)$|^owned\b|^quer e\b"
)
_PERSONAL = re.compile(r"\b(?:i|he|she|we|they|eu|ele|ela|nos|voce|you)\b")
_JOINT = re.compile(r"(?:and|e|or|ou|&)\b")
_NOW = re.compile(r" (?:now|agora|currently|atualmente|nowadays|these days|just|also|também|btw) (?!that\b)")
_ABSTAINS = re.compile(r"\b(?:drive|swim|drink|smoke|eat|cook|dance|dirige|bebe|fuma|nada|come|cozinha|danca)\b")
_NO_NAMES = frozenset("mum mom dad the a o as os my your our his her their it this that there some i we you he she they and but mainha painho eu nos voce ele ela eles elas um uma isso isto".split())  # fmt: skip
ORDER = {attribute: place for place, attribute in enumerate((*ASPECT, "other"))}
"""Attributes in the order in which they are told."""
