"""The same said again in other words: what goes on, what was kept, what was confirmed, the same day by another noun."""

# ruff: noqa: E501  (tables of patterns read better on long lines)

from __future__ import annotations

import re

from arandu_lab.llm.rules.matter import matter, shared
from arandu_lab.llm.rules.stems import stem
from arandu_lab.pure.text import fold

_STILL = re.compile(
    r"\b(?:still|continues? (?:to|with|\w+ing)|keeps? (?:on )?\w+ing|as (?:before|always|usual)|continua|segue|ainda|permanece|como sempre)\b"
)
_NOT = re.compile(r"\b(?:not|never|no longer|without|stopped|quit|nao|nunca|jamais|sem|parou|largou|deixou)\b|n't\b")
_QUIT = re.compile(
    r"\b(?:quit|stopped|given up|gave up|cut out|off) (?P<e>\w+)|\b(?:parou de|largou (?:[oa]s? )?|deixou de|abandonou (?:[oa]s? )?|cortou (?:[oa]s? )?)\W*(?P<p>\w+)"
)
_ABSTAINS = re.compile(
    r"\b(?:has|have) not (?:had |touched |eaten |drunk )?(?:a |an |any )?(?P<e>\w+)|\bwithout (?:a |an |any )?(?P<w>\w+)|\bnao (?P<p>\w+)[\w ]*? (?:ha|desde|faz)\b|\bsem (?P<s>\w+)"
)
_KEPT = re.compile(
    r"\b(?:kept|keeps?|is keeping|has kept|gets? to keep|got to keep|still has|looks after)\b|\b(?:ficou com|fica com|continua com|ainda tem|manteve)\b"
)
_HAS = re.compile(
    r"\b(?:has|have|owns?|adopted|got|bought|keeps?|tem|possui|adotou|ganhou|comprou|cria|cadela|cachorr\w|gat[oa]|dog|cat|pet)\b"
)
_CONFIRMED = re.compile(
    r"\b(?:confirmed|confirms?|it is true that|indeed|tests? (?:showed|came back)|confirmad[oa]|confirmou|confirma|comprovad[oa]|de fato|mesmo)\b"
)
_BORN = re.compile(r"\b(?:birthday|born|turns?|aniversario|nasceu|faz \w+ anos|completa \w+)\b")
_PAST = re.compile(r"\b(?:was|were|had|went|got|took|came|\w{3,}ed|\w{2,}(?:ou|eu|iu|aram|eram|iram)|foi|fez|teve)\b")


def again(new: str, old: str, subject: str) -> bool:
    """Whether a statement says again, in other words, what another one says.

    >>> again("Ana's knee operation is on 4 March 2024", "Ana is having knee surgery on 4 March 2024", "Ana")
    True
    >>> again("Ana has not smoked for six weeks", "Ana quit smoking on 1 January", "Ana"), again("Ana runs", "Ana swims", "Ana")
    (True, False)
    """
    after, before = fold(new), fold(old)
    return (
        _goes_on(new, old, after, before, subject)
        or _abstains(after, before)
        or _kept(new, old, after, before, subject)
        or _confirmed(new, old, after, before, subject)
        or _same_day(new, old, after, before, subject)
    )


def _goes_on(new: str, old: str, after: str, before: str, subject: str) -> bool:
    """``still moving on 1 May``: nothing but what was said, and that it goes on."""
    if not _STILL.search(after) or bool(_NOT.search(after)) != bool(_NOT.search(before)):
        return False
    one, two = matter(new, subject), matter(old, subject)
    return bool(one.words) and one.words <= two.words and one.names <= two.names and one.days <= two.days


def _abstains(after: str, before: str) -> bool:
    """``quit smoking``, ``has not smoked for weeks``: who has left it does it no more."""
    left, kept = _QUIT.search(before), _ABSTAINS.search(after)
    if not left or not kept:
        return False
    one = stem(left["e"] or left["p"])
    other = stem(next(group for group in kept.groups() if group))
    return one[:4] == other[:4] or {one, other} <= _SMOKES


_SMOKES = frozenset(
    stem(word) for word in "smoking smoke smoked cigarette cigarettes fumar fuma fumou cigarro cigarros".split()
)


def _kept(new: str, old: str, after: str, before: str, subject: str) -> bool:
    """``kept Pickle after the break-up``: what one has, by its name."""
    if not _KEPT.search(after) or not _HAS.search(before) or _NOT.search(after):
        return False
    return bool(matter(new, subject).names & matter(old, subject).names)


def _confirmed(new: str, old: str, after: str, before: str, subject: str) -> bool:
    """``the intolerance was confirmed``: all that was known, and the word for it."""
    if not _CONFIRMED.search(after) or bool(_NOT.search(after)) != bool(_NOT.search(before)):
        return False
    one, two = matter(new, subject), matter(old, subject)
    if one.days and two.days and not one.days & two.days:
        return False
    common = shared(one, two)
    return bool(two.words) and len(common) >= len(two.words)


def _same_day(new: str, old: str, after: str, before: str, subject: str) -> bool:
    """``the knee operation is on 4 March`` beside ``is having knee surgery on 4 March``: one day, one matter."""
    one, two = matter(new, subject), matter(old, subject)
    if bool(_NOT.search(after)) != bool(_NOT.search(before)):
        return False
    if _BORN.search(after) and _BORN.search(before):
        return (
            bool(one.days)
            and one.days <= two.days
            and not _numbered(after) - _numbered(before)
            and not one.names - two.names
        )
    if not one.days or one.days != two.days or bool(_PAST.search(after)) != bool(_PAST.search(before)):
        return False
    common = shared(one, two)
    return bool(common) and common >= one.words and not _numbered(after) - _numbered(before)


def _numbered(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\d+", text))
