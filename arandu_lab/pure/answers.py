"""How far a said answer holds what the gold answer holds, by words: English and Portuguese, no judge, no model.

Words are compared as stems, without articles and small prepositions; numbers in words, ordinals, marks of thousands,
clock times, months and dates are brought to one form first. This is a measure of words and no more: an answer that
holds every word of the gold and denies it scores full, but for one that begins with the opposite *yes* or *no*.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from arandu_lab.pure.stems import LANGUAGES, Language, stem
from arandu_lab.pure.text import fold


@dataclass(frozen=True, slots=True)
class Overlap:
    """Shares from 0 to 1: ``recall`` of the gold's words, ``precision`` of the said ones, and their harmonic mean ``f1``."""

    recall: float
    precision: float
    f1: float


def overlap(said: str, golds: str | Sequence[str], language: str = "en") -> Overlap:
    """The best overlap of ``said`` with one of the gold answers.

    Args:
        said: The answer.
        golds: One gold answer, or several of which any will do. A list inside one ("Ana, Rui and Bia") is wanted whole,
            in any order.
        language: ``en`` or ``pt``; words of another language are compared unstemmed.

    >>> overlap("She moved there on March 3rd, 2021.", "3 March 2021").recall
    1.0
    >>> overlap("Ele mora em Olinda", ["Recife", "na cidade de Olinda"], "pt").recall
    0.5
    >>> overlap("Yes, she drives.", "No, she does not drive").f1
    0.0
    """
    best = Overlap(0.0, 0.0, 0.0)
    found = gold_tokens(said, language)
    for gold in (golds,) if isinstance(golds, str) else golds:
        one = _overlap(found, gold_tokens(gold, language), _opposed(said, gold))
        if (one.f1, one.recall) > (best.f1, best.recall):
            best = one
    return best


def gold_tokens(text: str, language: str = "en") -> Counter[str]:
    """The words of an answer that count, each in its one form; never none where the text has a word.

    >>> sorted(gold_tokens("The first two weeks of May, 1,200 miles"))
    ['1', '1200', '2', 'm05', 'mile', 'week']
    >>> gold_tokens("19/05/2024", "pt") == gold_tokens("em 19 de maio de 2024", "pt")
    True
    """
    tongue: Language | None = language if language in LANGUAGES else None
    words = _TOKEN.findall(_numbers(fold(text), tongue or "en"))
    small = _SMALL[tongue] if tongue else frozenset()
    kept = [word for word in words if word not in small] or words
    return Counter(_form(word, tongue) for word in kept)


def abstains(said: str | None) -> bool:
    """Whether an answer says that it does not know, or says nothing. What follows a "but" is an answer.

    >>> abstains("I don't know."), abstains("Isso nunca foi mencionado."), abstains(""), abstains("No, she doesn't know him")
    (True, True, True, False)
    >>> abstains("The conversation does not say where, but Ana lives in Recife")
    False
    """
    text = " ".join(fold(said or "").replace("’", "'").split()).strip(" .!\"'")
    if not text or text in _NOTHING:
        return True
    if _ANSWERS_ALL_THE_SAME.search(text):
        return False
    return any(pattern.search(text) for pattern in _ABSTAINS)


def polarity(text: str) -> str | None:
    """``yes`` or ``no`` where an answer begins so, else None.

    >>> polarity("Não, só ovo e queijo"), polarity("No Hospital da Restauração"), polarity("yes, again")
    ('no', None, 'yes')
    """
    found = _POLAR.match(" ".join(text.split()))
    if not found:
        return None
    return "yes" if fold(found["word"]) in ("yes", "sim") else "no"


def _overlap(said: Counter[str], gold: Counter[str], opposed: bool) -> Overlap:
    shared = (said & gold).total()
    if opposed or not shared:
        return Overlap(0.0, 0.0, 0.0)
    recall, precision = shared / gold.total(), shared / said.total()
    return Overlap(recall, precision, 2 * precision * recall / (precision + recall))


def _opposed(said: str, gold: str) -> bool:
    one, other = polarity(said), polarity(gold)
    return None not in (one, other) and one != other


# ---------------------------------------------------------------- one form for a word


def _numbers(text: str, language: Language) -> str:
    """Folded text with dates, thousands, clock times and ordinals as plain numbers."""
    text = _ISO.sub(lambda d: f" {int(d[3]) if d[3] else ''} m{int(d[2]):02d} {d[1]} ", text)
    text = _SLASHED.sub(lambda d: _slashed(d, language), text)
    text = _THOUSANDS.sub(lambda n: re.sub(r"[.,\s]", "", n[0]), text)
    text = re.sub(r"(?<=\d)[.,]0+(?!\d)", "", re.sub(r"\b(?:r|us)?\$", " ", text))
    text = _AFTERNOON.sub(lambda t: f"{int(t[1]) % 12 + 12}{t[2] or ''}", text)
    text = re.sub(r"(?<=\d)[.,](?=\d)", "_", text)
    text = re.sub(r"\b(\d{1,2})(?::00|h00|h)(?!\d)", r"\1", text)
    text = re.sub(r"\b(\d{1,2})[:h](\d\d)\b", r"\1_\2", text)
    return re.sub(r"\b(\d+)\s?(?:st|nd|rd|th|am|pm|o|a|º|ª|%)\b|\b(\d+)[ºª%]", r"\1\2", text)


def _slashed(found: re.Match[str], language: Language) -> str:
    """A date with strokes: the day first in Portuguese, and wherever the month could be none."""
    first, second, year = int(found[1]), int(found[2]), found[3]
    day, month = (first, second) if language == "pt" or first > 12 else (second, first)
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return found[0]
    return f" {day} m{month:02d} {year if len(year) == 4 else '20' + year} "


@lru_cache(maxsize=65536)
def _form(word: str, language: Language | None) -> str:
    if word[0].isdigit():
        return word.lstrip("0") or "0"
    for tongue in (language,) if language else LANGUAGES:
        if word in _FORMS[tongue]:
            return _FORMS[tongue][word]
    return stem(word, language) if language else word


def _table(words: str, first: int, form: str) -> dict[str, str]:
    """Words in order, variants parted by ``|``, each with its form."""
    return {
        word: form.format(number)
        for number, variants in enumerate(words.split(), start=first)
        for word in variants.split("|")
    }


_FORMS: dict[Language, dict[str, str]] = {
    "en": _table(
        "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sep|sept october|oct "
        "november|nov december|dec",
        1,
        "m{:02d}",
    )
    | _table(
        "one|once two|twice three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty",
        1,
        "{}",
    )
    | _table(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
        "sixteenth seventeenth eighteenth nineteenth twentieth",
        1,
        "{}",
    )
    | {"thirty": "30", "forty": "40", "fifty": "50", "hundred": "100", "zero": "0"},
    "pt": _table(
        "janeiro|jan fevereiro|fev marco abril|abr maio|mai junho|jun julho|jul agosto setembro outubro|out "
        "novembro|nov dezembro",
        1,
        "m{:02d}",
    )
    | _table(
        "um|uma dois|duas tres quatro cinco seis sete oito nove dez onze doze treze quatorze|catorze quinze "
        "dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove vinte",
        1,
        "{}",
    )
    | _table("primeiro|primeira segundo terceiro|terceira quarto quinto sexto setimo oitavo nono decimo", 1, "{}")
    | {"trinta": "30", "quarenta": "40", "cinquenta": "50", "cem": "100", "cento": "100", "zero": "0"},
}
"""Months and small numbers. Short forms that are words of their own language (``set``, ``dez``, ``ago``) are left out."""

_SMALL: dict[Language, frozenset[str]] = {
    "en": frozenset("a an the and of in at on to s it is was are were she he they her his their".split()),
    "pt": frozenset(
        "o a os as um uma uns umas e de do da dos das em no na nos nas ao aos por pelo pela para pra foi ela ele eles elas "
        "seu sua feira".split()
    ),
}
"""What an answer may begin with or leave out. Never a negation: *no* is one in English, *em o* in Portuguese."""

_TOKEN = re.compile(r"[^\W_]+(?:_\d+)*", re.UNICODE)
_ISO = re.compile(r"\b(\d{4})-(0[1-9]|1[0-2])(?:-(\d\d)(?:t[\d:.+z-]*)?)?\b")
_SLASHED = re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)\b")
_AFTERNOON = re.compile(r"\b(\d{1,2})(:\d\d)? ?p\.?m\b")
_THOUSANDS = re.compile(r"\b\d{1,3}(?:([.,\s])\d{3})(?:\1\d{3})*(?!\d)")
_POLAR = re.compile(r"(?P<word>yes|nope|no|sim|não|nao)(?=[,.;:!]|$)", re.IGNORECASE)

_NOTHING = frozenset(
    {
        *(
            "unknown",
            "n/a",
            "idk",
            "not known",
            "not mentioned",
            "not specified",
            "not stated",
            "no information",
            "no idea",
        ),
        *("no answer", "nao sei", "nao se sabe", "desconhecido", "sem informacao", "nao informado", "nao mencionado"),
        *("nao consta", "nada consta", "sem resposta"),
    }
)
_TOLD = r"(?:known|mentioned|stated|specified|said|discussed|provided|given|recorded|told)"
_DITO = r"(?:mencionad|dit|informad|especificad|falad|conhecid|citad|registrad)[oa]s?"
_ASKING = r"(?:onde|quando|quem|qual|quais|que|o que|como|por que|quanto|se|a resposta|responder|dizer|informar)"
_ABSTAINS = tuple(
    re.compile(pattern)
    for pattern in (
        r"^(?:(?:i'm )?sorry,? |unfortunately,? )?(?:but )?i (?:really )?(?:don't|do not|cannot|can't|could not|couldn't) "
        r"(?:know|tell|say|find|determine|answer|recall|have (?:any |enough |that |the )?(?:information|idea))\b"
        r"(?! (?:him|her|them)\b)",
        rf"\b(?:was|were|is|are|has|have) (?:not|never)(?: been)? (?:\w+ly )?{_TOLD}\b",
        rf"\b(?:wasn't|isn't|weren't|aren't|hasn't been|haven't been) (?:\w+ly )?{_TOLD}\b",
        r"\b(?:context|conversations?|messages?|text|memory|information|notes?|chats?) (?:\w+ )?(?:does not|doesn't|do not|don't|"
        r"did not|didn't|never|provides? no|has no|have no|contains? no|gives? no|holds? no)\b",
        r"^(?:there is|there's|there was|i have|we have) no (?:information|mention|record|evidence|answer|indication)\b",
        r"^(?:no|not enough|insufficient) (?:information|mention|record|evidence|context|data)\b",
        r"\bcannot be (?:determined|answered|known)\b|\bnobody (?:ever )?(?:said|told|mentioned|knows)\b",
        rf"\bnever (?:said|mentioned)$|^not {_TOLD}\b",
        rf"^(?:desculpe,? |infelizmente,? )?(?:eu )?nao (?:sei|posso|consigo|da para|e possivel)(?: {_ASKING}\b|$)",
        r"^(?:desculpe,? |infelizmente,? )?(?:eu )?nao (?:se sabe|consta|encontrei|tenho informac\w+|"
        r"ha (?:informac\w+|menc\w+|registro))",
        rf"\b(?:nunca|nao) (?:foi|foram|e|sao) {_DITO}\b",
        r"\b(?:contexto|conversas?|mensage(?:m|ns)|texto|memoria) (?:\w+ )?nao (?:diz|dizem|menciona|mencionam|informa|informam|"
        r"contem|traz|fala|falam|responde|especifica|ha)\b",
        r"\bninguem (?:disse|falou|contou|mencionou|sabe)\b|^sem (?:informac|menc)\w+",
    )
)
_ANSWERS_ALL_THE_SAME = re.compile(
    r"(?:,|;|\.) ?(?:but|however|though|mas|porem|contudo)\b(?! i (?:don't|do not)\b)(?! nao\b)"
)


def known(golds: Iterable[str | None]) -> tuple[str, ...]:
    """The gold answers that say something.

    >>> known([None, " ", "Recife"])
    ('Recife',)
    """
    return tuple(gold for gold in golds if gold and gold.strip())
