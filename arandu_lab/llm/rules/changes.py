"""States that change without the word for them: half done and done, third year after second, Saturdays and no longer Wednesdays.

And plans that came about on the day they were set for, whatever the words.
"""

# ruff: noqa: E501  (tables of patterns read better on long lines)

from __future__ import annotations

import re
from functools import lru_cache

from arandu_lab.llm.rules.matter import matter, shared
from arandu_lab.llm.rules.stems import stem
from arandu_lab.pure.text import fold

_DEGREE = r"(?P<d>half|partly|partially|nearly|almost|fully|completely|entirely|two-thirds|three-quarters|\d+ ?%|meio|meia|quase|parcialmente|totalmente|completamente|todo|toda|inteiramente)"
_DONE = re.compile(
    rf"\b{_DEGREE}[ -](?P<w>[a-z]{{4,}})\b|\b(?P<w2>[a-z]{{4,}}) (?:pela metade|por (?P<d2>inteiro|completo))\b"
)
_UNITS = r"(?P<u>year|grade|semester|term|week|month|chapter|season|lap|round|draft|trimester|ano|serie|semestre|periodo|semana|mes|capitulo|temporada|fase|etapa|trimestre|versao|rascunho)"
_ORDER = "first second third fourth fifth sixth seventh eighth ninth tenth last final".split()
_ORDER_PT = "primeir segund terceir quart quint sext setim oitav non decim ultim".split()
_COUNTED = re.compile(
    rf"\b(?P<o>{'|'.join(_ORDER)}|(?:{'|'.join(_ORDER_PT)})[oa]|\d+(?:st|nd|rd|th|o|a|º|ª))(?: (?:and|e) \w+)?[ -]{_UNITS}\b|\b{_UNITS.replace('<u>', '<u2>')} (?P<n>\d+|one|two|three|four|five|six)\b"
)
_TURN = re.compile(
    r"\b(?:now|from now on|instead|no longer|any ?more|these days|moved to|switched to|changed to|rather than|agora|em vez de|nao mais|passa(?:m|ou|ram)? (?:a|para|pra)|"
    r"mud(?:ou|aram|a)(?:-se)? (?:para|pra|pro)|troc(?:ou|aram)|hoje em dia|a partir de|e nao)\b|, not\b"
)
_WEEKDAY = re.compile(
    r"\b(?P<w>mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?P<p>segunda|terca|quarta|quinta|sexta)s?(?:-feiras?)?\b|\b(?P<q>sabado|domingo)s?\b|\b(?P<e>every (?:day|morning|evening|night|afternoon|weekend)|tod[oa]s? (?:[oa]s? )?(?:dia|manha|noite|tarde|fim de semana)s?)\b"
)
_HOUR = re.compile(r"\b(?:\d{1,2}(?::\d\d)? ?(?:am|pm|h\b|h\d\d)|as \d{1,2}h?)")
_HELD = re.compile(
    r"\b(?:was|were|had|did|went|got|made|took|came|moved|started|began|ran|won|gave|\w{3,}ed|\w{2,}(?:ou|eu|iu|aram|eram|iram)|foi|fez|teve|veio|deu)\b"
)
_COMING = re.compile(
    r"\b(?:will|going to|is due|plans?|wants?|hopes?|booked|scheduled|(?:is|are) (?:\w+ )?\w+ing|starts?|begins?|leaves?|flies|moves?|\w+'s [\w ]+ is (?:on|at|in)|vai|vao|quer|pretende|planeja|deve|comeca|muda|marc\w+|"
    r"defende|viaja|opera|casa|estreia|sera|e (?:em|no dia|dia))\b"
)
_WISH = re.compile(
    r"\b(?:wants?|hopes?|would like|is thinking|dreams?|intends?|aims?|might|may|quer|pretende|gostaria|sonha|espera|pensa|planeja|talvez)\b"
)
_SET = re.compile(
    r"\b(?:will|is going to|(?:is|are|has been|was) (?:set|scheduled|booked|fixed|due)|has (?:booked|set)|(?:is|are) \w+ing|vai|vao|marcou|esta marcad\w|foi marcad\w|reservou|agendou)\b"
)
_MONTH = re.compile(
    r"\b(january|february|march|april|may|june|july|august|september|october|november|december|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)\b"
)


def changed(new: str, old: str, subject: str, *, planned: bool) -> bool:
    """Whether a statement says of the same matter what it has become since.

    >>> changed("Ana's boat is fully painted", "Ana's boat is half painted", "Ana", planned=False)
    True
    >>> changed("O Baque passa a ensaiar aos sábados", "O Baque ensaia toda quarta", "Baque", planned=False)
    True
    >>> changed("Ana swims on Mondays", "Ana swims on Fridays", "Ana", planned=False)
    False
    """
    return (
        _degree(new, old, subject)
        or _counted(new, old, subject)
        or _timetable(new, old, subject)
        or came_about(new, old, subject, planned=planned)
        or _fixed(new, old, subject)
    )


def never_was(new: str, old: str, subject: str) -> str:
    """What becomes of a statement when another one denies that it happened: DELETE, or UPDATE if it was only meant to.

    >>> never_was("Ana has not signed the lease, because it had the wrong name", "Ana has signed the lease for Rui's flat", "Ana")
    'DELETE'
    >>> never_was("Ana does not eat meat", "Ana eats meat", "Ana")
    ''
    """
    denied = _DENIED.search(fold(_REASON.split(new)[0]))
    if not denied or _NO.search(fold(old)):
        return ""
    one, two = matter(_REASON.split(new)[0], subject), matter(old, subject)
    common = shared(one, two)
    if len(common) < 2 or len(common) < 0.8 * len(one.words) or not one.names <= two.names:
        return ""
    deed = stem((denied["pt"] or denied["en"] or "").strip())[:4]
    return "DELETE" if any(stem(word)[:4] == deed for word in fold(old).split()) else "UPDATE"


_REASON = re.compile(r",? (?:because|since|as|so|but|porque|pois|já que|mas|por causa)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:(?:has|have|had|did|was|were) (?:not|never)|(?:has|have|had|did|was|were)n't)(?P<en> \w+)?|\b(?:nao|nunca) (?:se )?(?P<pt>\w{2,}(?:ou|eu|iu|aram|eram|iram)|foi|teve|fez|veio|deu)\b"
)
_NO = re.compile(r"\b(?:not|never|no longer|nao|nunca|jamais)\b|n't\b")


def came_about(new: str, old: str, subject: str, *, planned: bool) -> bool:
    """Whether what was set for a day is told as done on it.

    >>> came_about("Ana moved into the loft on 1 May", "Ana is moving into Rui's flat on 1 May", "Ana", planned=False)
    True
    """
    if planned or not _HELD.search(fold(new)) or not _COMING.search(fold(old)) or _HELD.search(fold(old)):
        return False
    one, two = matter(new, subject), matter(old, subject)
    return bool(one.days & two.days) and bool(shared(one, two))


def _fixed(new: str, old: str, subject: str) -> bool:
    """A wish that has got its day: ``hopes to defend in August``, then ``will defend on 30 August``."""
    before, after = fold(old), fold(new)
    if not _WISH.search(before) or _WISH.search(after) or not _SET.search(after) or not matter(new, subject).days:
        return False
    if matter(old, subject).days or not set(_MONTH.findall(before)) <= set(_MONTH.findall(after)):
        return False
    one, two = matter(new, subject), matter(old, subject)
    common = shared(one, two)
    return bool(common) and len(common) >= 0.6 * len(two.words)


def _degree(new: str, old: str, subject: str) -> bool:
    mine, other = _degrees(fold(new)), _degrees(fold(old))
    return any(word in other and other[word] != degree for word, degree in mine.items())


@lru_cache(maxsize=4096)
def _degrees(text: str) -> dict[str, str]:
    return {(found["w"] or found["w2"])[:5]: found["d"] or found["d2"] or "half" for found in _DONE.finditer(text)}


def _counted(new: str, old: str, subject: str) -> bool:
    """Another number of the same unit: the third year after the second, of the same thing."""
    mine, other = _counts(fold(new)), _counts(fold(old))
    if not any(unit in other and other[unit] != number for unit, number in mine.items()):
        return False
    one, two = matter(new, subject), matter(old, subject)
    return not (one.names and two.names and not one.names & two.names) and bool(shared(one, two) - _UNIT_WORDS)


@lru_cache(maxsize=4096)
def _counts(text: str) -> dict[str, str]:
    return {found["u"] or found["u2"]: found["o"] or found["n"] for found in _COUNTED.finditer(text)}


_UNIT_WORDS = matter(
    "year grade semester week month chapter season round draft ano série semestre período semana mês capítulo temporada fase etapa versão",
    "",
).words


def _timetable(new: str, old: str, subject: str) -> bool:
    """What is done as a rule, now at other times or elsewhere: the same doing, and a word that says it has changed."""
    after, before = fold(new), fold(old)
    if not _TURN.search(after):
        return False
    one, two = matter(new, subject), matter(old, subject)
    if not shared(one, two):
        return False
    times, earlier = _times(after), _times(before)
    if times and earlier:
        return not times <= earlier and _habit(before)
    return bool(times) and _habit(before) and bool(one.names - two.names and two.names - one.names)


def _habit(text: str) -> bool:
    return not _HELD.search(text) or bool(re.search(r"\b(?:has|have) (?:taken up|started|begun)\b|\bcomecou a\b", text))


def _times(text: str) -> frozenset[str]:
    return frozenset(found[0].rstrip("s") for found in _WEEKDAY.finditer(text)) | frozenset(_HOUR.findall(text))
