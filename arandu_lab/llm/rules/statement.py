"""A sentence in the third person as verdicts see it: its attribute, its words, its numbers, and of what time it tells."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from arandu_lab.llm.rules import kinship
from arandu_lab.llm.rules.slots import Slot, detect_slot
from arandu_lab.llm.rules.stems import content, stem
from arandu_lab.pure.text import STOP, fold, normal
from arandu_lab.pure.text import words as words_of


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence as verdicts see it. ``matter``: its content without dates, phase verbs and light verbs."""

    text: str
    slot: Slot
    words: frozenset[str]
    matter: frozenset[str]
    numbers: frozenset[str]
    off: bool
    correcting: bool
    retracting: bool
    planned: bool
    past: bool
    former: bool
    head: str
    besides: bool
    said: frozenset[str]
    value: frozenset[str]
    lead: tuple[str, ...]


@lru_cache(maxsize=8192)
def statement(text: str) -> Statement:
    slot = detect_slot(text)
    words = content(_BACKGROUND.sub("", text))
    lead = text.partition(slot.value)[0] if slot.value else ""
    matter = frozenset(word for word in words - PHASE - kinship.DATE_STEMS if not word.isdigit())
    head = " ".join(normal(text).split()[:1])
    return Statement(
        text,
        slot,
        words,
        matter,
        frozenset(_NUMBER.findall(text)),
        slot.negated or slot.ended,
        bool(_CORRECT.search(text)),
        bool(_RETRACT.search(text)),
        bool(_PLANNED.search(text)),
        bool(_PAST.search(text)),
        bool(_FORMER.search(text)),
        head,
        bool(_BESIDES.search(text)),
        telling(text),
        telling(slot.value),
        tuple(words_of(lead)),
    )


_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_CORRECT = re.compile(
    r"\b(?:actually|correction|i mean|rather than|instead of|not (?:the|on|at|in)|e não|na verdade|corrigindo|ou melhor|em vez de|no lugar de|"
    r"moved? to|moved from|pushed back|rescheduled|postponed|remarcad\w|adiad\w|mudou para|changed to|now|agora|update)\b",
    re.IGNORECASE,
)
_RETRACT = re.compile(
    r"\b(?:no longer|any ?more|any longer|scratch that|forget (?:that|what)|cancel(?:l?ed|s)|called off|not happening|gave up|given up|"
    r"quit|stopped|dropped out|is over|fell through|changed (?:his|her|their) mind|"
    r"não [^.]{1,60} mais|não mais|desistiu|cancel(?:ou|ad[oa])|deixou de|parou de|largou|abandonou|não vai (?:ter|rolar|acontecer))\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:will|going to|plans?|wants?|hopes?|intends?|booked|scheduled|due|(?:is|are) (?:flying|moving|getting|having|starting|taking|leaving)|"
    r"starts? (?:on|at|in)|vai|quer|pretende|planeja|deve|começa (?:a |em |no |na )|marcou|marcad[oa]|reservou|muda-se|se muda)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|got|made|took|came|left|gave|bought|sold|met|ran|won|lost|\w{3,}ed|\w{2,}(?:ou|eu|iu|aram|eram|iram)|foi|fez|teve|veio|deu)\b"
)
_FORMER = re.compile(
    r"\b(?:used to|lived|worked|studied|was (?:an?|dating|seeing|married|engaged)|'s [\w -]{3,20} was|had been|until \d{4}|até \d{4}|were|formerly|tinha sido|namorava|namorou|morou|morava|trabalhou|trabalhava|estudou|estudava|era|foi(?! (?:morar|trabalhar|estudar|promovid|contratad))|would|might|may|"
    r"estaria|teria|seria|talvez|perhaps|maybe)\b",
    re.IGNORECASE,
)
ONCE = re.compile(
    r"\b(?:used to|had been|formerly|once lived|until \d{4}|from \d{4} to|antigamente|até \d{4}|tinha sido|morava|trabalhava|estudava|namorava|era (?:um|uma|o|a|[a-zà-ÿ]+(?:or|ora|ista|eir[oa]|[aá]ri[oa]|nte))|was (?:an?|the|dating|married|seeing|engaged))\b",
    re.IGNORECASE,
)
"""Words of what was so and is no more."""
REGIME = re.compile(
    r"\b(?:vegan\w?|vegetarian\w?|pescatarian|pescetarian\w?|keto|omnivore|onívor[oa])\b", re.IGNORECASE
)
_BESIDES = re.compile(
    r"\b(?:also|as well|besides|in addition|on top of|too(?=\W*$|[,.;!])|também|tambem|tbm?|ainda(?! n[ãa]o)|além d[aeo]s?|além diss?o)\b",
    re.IGNORECASE,
)
_TELLING = frozenset({"without", "sem"})
PHASE = frozenset(
    stem(fold(word))
    for word in (
        "start started begin began stop stopped quit give gave given up resume again still continue keep kept longer anymore more finish end over leave "
        "take taken took pick drop cancel cancelled call called get got go goes going went have been do does try apply applied want hope plan "
        "começar começou parar parou deixar deixou largar largou voltar voltou continuar continua continuou continua ainda mais desistir desistiu fazer faz fez "
        "ficar ficou passar passou virar virou querer quer pretender vai ir foi ter tem teve estar está aula aulas lesson lessons trocar trocou novo de "
        "acabar acabou cancelar cancelou remarcar adiar previsto planejado planned expected"
    ).split()
)


_BACKGROUND = re.compile(
    r"\b(?:after|following|despite) (?:the|his|her|their|a) [\w-]+(?: (?:with|from) [A-Z]\w+(?: [A-Z]\w+)*)?|\b(?:depois|apesar) d[aeo]s? (?:sua |seu )?[\w-]+(?: com [A-Z]\w+(?: [A-Z]\w+)*)?"
)
"""Against what something else is told."""
UNBORN = frozenset({"baby", "bebe", "nenem"})


def telling(text: str) -> frozenset[str]:
    """The stems of all that says something: no function words, but letters, digits and *without*."""
    letters = (f"{letter.lower()}." for letter in _LETTER.findall(text))  # vitamin D, which is no "d" of a contraction
    said = (stem(word) for word in words_of(text) if word in _TELLING or word not in STOP)
    return frozenset((*said, *letters))


_LETTER = re.compile(r"(?<=\w )[B-DF-HJ-NP-Z](?![\w'’])")
