"""Statements told by their construction, where a verb alone would not tell: *nothing beats jazz*, *my days in Rome are over*.

A table a language (``stated_en``, ``stated_pt``) lists constructions. Each names what it states, about whom, and which of its
values holds and which is over: *I left Acme for Kelp* ends the one and begins the other.
"""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from arandu_lab.llm.rules import gazetteer, lexicon_en, lexicon_pt, stated_en, stated_pt
from arandu_lab.llm.rules.discourse import Discourse
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.mentions import Mention
from arandu_lab.llm.rules.sayings import after, say
from arandu_lab.llm.rules.trades import is_diet, is_role
from arandu_lab.pure.text import STOP, fold


@dataclass(frozen=True, slots=True)
class Stated:
    """One statement: ``text`` says it plainly, ``start`` and ``end`` are the letters of the sentence that it was read from."""

    subject: str
    slot: str
    value: str
    text: str
    start: int
    end: int
    ended: bool = False
    kind: str = ""
    type: str = "person"
    before: str = ""
    """What the value replaced, where that was said too."""


@dataclass(frozen=True, slots=True)
class _Construction:
    """One row of a table: cue words, attribute, whether it ends, whether its value must be known for what it is, and whether a
    negation within it turns it about.
    """

    cues: tuple[str, ...]
    slot: str
    ended: bool
    sure: bool
    turns: bool
    shape: str


@cache
def _compiled(language: Language) -> tuple[_Construction, ...]:
    table = stated_en if language == "en" else stated_pt
    return tuple(
        _Construction(
            tuple(cues.split("|")),
            slot.strip("-?"),
            slot.startswith("-"),
            slot.endswith("?"),
            not slot.startswith("-") and slot not in _FIRM and not _NOT.search(shape.replace("(?:do not", "")),
            shape,
        )
        for cues, slot, shape in table.TABLE
    )


@cache
def _pattern(language: Language, shape: str) -> re.Pattern[str]:
    """The shape compiled, when its cue words are first met."""
    return re.compile((stated_en if language == "en" else stated_pt).filled(shape))


_NOT = re.compile(
    r"(?<!\w)(?:not|no longer|never|cannot|n't|stopped|quit|gave up|given up|ceased|não|nunca|nem|jamais|parei|parou|deixei de|deixou de)(?!\w)",
    re.IGNORECASE,
)
_FIRM = frozenset("dislikes habit birthday from plan".split())
_DENIED = re.compile(r"(?<!\w)(?:not|no longer|never|não|nunca|nem)\s+(?:\w+\s+)?$", re.IGNORECASE)


def _strange(text: str) -> bool:
    """Whether the first word of a sentence is no verb and no common word: it may be a name."""
    word = re.match(r"([\w-]+) (?:[A-ZÀ-Ý]|\w+(?:s|ed|ou|eu|iu|[aeé])\b|não\b|já\b|and\b|e\b)", text)
    low = word[1].casefold() if word else ""
    return (
        bool(low)
        and _unheard(low)
        and low not in lexicon_en.forms()
        and low not in lexicon_pt.forms()
        and not _VERBLIKE.search(low)
    )


_VERBLIKE = re.compile(r"(?:ei|ou|ando|endo|indo|ing|ed|mos)$")
_KEEPS = re.compile(r"I[ ,]|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\b")


def stated(text: str, names: Sequence[Mention], discourse: Discourse) -> list[Stated]:
    """What the constructions of one sentence state, in order of place; none overlaps another."""
    if (
        text[:1].isupper()
        and not _KEEPS.match(text)
        and not _strange(text)
        and not any(not mention.first for mention in names)
    ):
        text = text[0].lower() + text[1:]  # the capital of a sentence names nobody
    low = text.casefold()
    out: list[Stated] = []
    taken: list[tuple[int, int]] = []
    for row in _compiled(discourse.language):
        if not any(cue in low for cue in row.cues):
            continue
        for match in _pattern(discourse.language, row.shape).finditer(text):
            start, end = match.span()
            if any(start < last and first < end for first, last in taken):
                continue
            ended = row.ended or (row.turns and bool(_NOT.search(match[0]) or _DENIED.search(text[:start])))
            found = _read(match, row.slot, ended, names, discourse, sure=row.sure)
            if found:
                out += found
                taken.append((start, found[0].end))
    return sorted(out, key=lambda one: (one.start, one.ended))


def _read(
    match: re.Match[str],
    slot: str,
    ended: bool,
    names: Sequence[Mention],
    discourse: Discourse,
    *,
    sure: bool,
) -> list[Stated]:
    groups = _groups(match)
    subject = _subject(groups, names, discourse, match.string[: match.start()])
    if subject is None:
        return []
    language = discourse.language
    kind = (groups.get("k") or "").lower().strip()
    raw = _to_end(groups.get("v", ""), slot, language)
    value = _value(raw, slot, language)
    if not value or not _fits(value, slot, subject, language):
        return []
    if sure and not _known(value, slot, names):
        return []
    value = _named(value, slot, discourse)
    if slot == "habit":
        value = _in_third_person(value, language)
    said = say(slot, subject, value, language, ended=ended, kind=kind)
    before = _value(groups.get("o", ""), slot, language)
    if before and _fits(before, slot, subject, language):
        said = after(said, slot, before, language)
    else:
        before = ""
    last = match.end() - (len(groups["v"]) - len(raw) if match[0].endswith(groups["v"]) else 0)
    return [Stated(subject, slot, value, said, match.start(), last, ended, kind, before=before)]


def _to_end(value: str, slot: str, language: Language) -> str:
    """The words of a value up to where a time, an adverb or another clause begins; nothing where it never ends."""
    if slot in _PROPER or slot in ("habit", "birthday"):
        return value
    found = (stated_en if language == "en" else stated_pt).ENDS.search(value)
    end = found.start() if found else len(value)
    return value[:end] if end < _LONG else ""


_LONG = 60


def _known(value: str, slot: str, names: Sequence[Mention]) -> bool:
    """Whether a name is a place, or an association, by its words or by what the sentence makes of it."""
    words = fold(value).split()
    kinds = {mention.type for mention in names if fold(mention.name) in fold(value)}
    if slot in ("lives_in", "from"):
        return fold(value) in gazetteer.PLACES or "place" in kinds
    return bool(_GROUPS & {word.rstrip("s") for word in words}) or (bool(_GROUPS & set(words)))


_GROUPS = frozenset(
    "club society choir band team group league association guild orchestra union circle collective crew troupe squad network cooperative "
    "chapter committee council chorus ensemble brigade federation fellowship ringer player singer rower runner walker reader".split()
)


def _in_third_person(value: str, language: Language) -> str:
    """*do not drive* -> *does not drive*, *não dirijo* -> *não dirige*: the first verb of a habit."""
    words = value.split()
    for at, word in enumerate(words[:3]):
        if language == "en":
            if word in ("not", "never", "always", "usually", "only", "also", "still", "just"):
                continue
            if word in ("do", "have", "am", "are"):
                words[at] = {"do": "does", "have": "has"}.get(word, "is")
            elif any(kind == "base" for _, kind in lexicon_en.forms().get(word, ())):
                words[at] = lexicon_en.third(word)
            break
        firsts = [(verb, tag) for verb, tag in lexicon_pt.forms().get(word, ()) if tag.endswith((".1s", ".1p"))]
        if word == "me":
            words[at] = "se"
        elif firsts:
            verb, tag = firsts[0]
            words[at] = lexicon_pt.conjugation(verb).get(f"{tag.split('.')[0]}.3s", word)
            break
    return " ".join(words)


# who ----------------------------------------------------------------------------------------------------------------

_I = frozenset(
    "mim meus minhas nossos nossas i we me us my our mine ours eu nós me mim meu minha meus minhas nosso nossa comigo".split()
) | {"a gente"}
_SHE = frozenset("she her hers ela dela sua".split())
_HE = frozenset("he him his ele dele seu".split())


def _groups(match: re.Match[str]) -> dict[str, str]:
    """What the groups of a shape caught; ``v2`` is another place of ``v``."""
    out: dict[str, str] = {}
    for key, text in match.groupdict().items():
        if text:
            out.setdefault(key[0], text)
    return out


def _subject(groups: Mapping[str, str], names: Sequence[Mention], discourse: Discourse, before: str) -> str | None:
    """The one a construction is about: its ``s``, the owner ``p``, the possessive ``m``, the ending of its verb ``w``, else the
    speaker.
    """
    word = groups.get("s") or groups.get("p")
    if word:
        word = re.sub(r"(?:['’]s?|,)$", "", word).strip()
        low = word.casefold()
        if low in _I:
            return discourse.speaker
        if low in _SHE or low in _HE:
            return _pronoun("f" if low in _SHE else "m", discourse)
        if _OF.search(before):
            return None
        named = re.sub(r"^(?:[oa]|d[eoa]) (?=[A-ZÀ-Ý])", "", word)
        if any(_same(named, mention) for mention in names) or discourse.is_speaker(named):
            return named
        return named if _unheard(named) and not any(fold(named) in fold(mention.name) for mention in names) else None
    owner = groups.get("m", "").casefold()
    if owner and owner not in _I:
        return discourse.last.entity if discourse.last and owner in ("seu", "sua", "seus", "suas") else None
    verb = groups.get("w")
    if verb is None or owner:
        return discourse.speaker
    first, _, rest = verb.casefold().partition(" ")
    return _by_ending(rest if first in ("ainda", "hoje", "agora", "se", "me") else first, discourse, before)


_OF = re.compile(r"\b(?:of|from|in|at|near|with|to|by|d[aeo]s?|em|com|para)\s+$")


def _unheard(name: str) -> bool:
    """A capitalised word that is no word of either language: a name not met before."""
    first = fold(name).split()[0]
    return len(first) > 2 and not (_KEEPS.match(name) or any(first in words for words in (*_WORDS, STOP)))


_WORDS: tuple[Container[str], ...] = (
    lexicon_en.COMMON,
    lexicon_pt.COMMON,
    lexicon_en.ROLES,
    lexicon_pt.ROLES,
    lexicon_en.KIN,
    lexicon_pt.KIN,
    lexicon_en.NOT_NAMES,
    lexicon_pt.NOT_NAMES,
    lexicon_en.EVENTS,
    lexicon_pt.EVENTS,
)


def _same(name: str, mention: Mention) -> bool:
    return mention.type in ("person", "concept", "pet") and fold(mention.name) == fold(name)


def _pronoun(sex: str, discourse: Discourse) -> str | None:
    """The last person that fits; one whose gender nothing tells only where no other does."""
    people = [
        person
        for person in discourse.people
        if person.type == "person" and not _THINGS & set(fold(person.name).split())
    ]
    sure = next((person for person in reversed(people) if person.gender == sex), None)
    if sure is None:
        sure = next((person for person in reversed(people) if person.gender == "u"), None)
    return sure.entity if sure else None


_THINGS = frozenset(
    "project projeto programa programme plan survey map dictionary the initiative mapa dicionario levantamento".split()
)


_OPEN = re.compile(r"(?:^|[,;:.!?(–—]\s*|(?<!\w)(?:e|mas|que|agora|hoje|aí|então|também|já|ainda|ontem)\s+)$")


def _by_ending(verb: str, discourse: Discourse, before: str) -> str | None:
    """Whom a Portuguese verb without a subject speaks of; a third person only where a clause may begin."""
    verb = verb.split(" ")[0]
    tags = {tag for _, tag in lexicon_pt.forms().get(verb, ())}
    if not tags or any(tag.endswith((".1s", ".1p")) for tag in tags) or tags <= {"inf", "ger", "part"}:
        return discourse.speaker
    if not _OPEN.search(before.rstrip() + " " if before.strip() else ""):
        return None
    return discourse.last.entity if discourse.last and discourse.last.type == "person" else None


# what ---------------------------------------------------------------------------------------------------------------

_PEOPLE = frozenset("partner spouse boss friend sibling child lives_with".split())
_PROPER = _PEOPLE | frozenset("lives_in from works_at pet member_of studies_at".split())
_TRIM = {
    "en": re.compile(
        r"(?: (?:now|too|these days|nowadays|any ?more|any longer|anyway|as well|again|at the moment|right now|at present|lately|though|instead|already|so much|a lot|"
        r"very much|really|still|by the way|of (?:mine|his|hers|theirs|ours)))+$",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r"(?: (?:agora|hoje|hoje em dia|atualmente|também|ainda|mesmo|demais|muito|de novo|ultimamente|no momento|por enquanto|aliás|mais|já|lá|aqui))+$", re.IGNORECASE
    ),
}  # fmt: skip
_DROP = {
    "en": re.compile(r"^(?:(?:my|his|her|their|our|the|an?|some|any|all|that|those|these|being|doing) )+(?=\w)", re.IGNORECASE),
    "pt": re.compile(r"^(?:(?:meus?|minhas?|seus?|suas?|os?|as?|uma?|uns|umas|todos?|todas?|ess[ea]s?) )+(?=\w)", re.IGNORECASE),
}  # fmt: skip
_SMALL = frozenset(
    "de do da dos das em no na com por para a o e and or of in on at to for with the um uma not não nao".split()
)
_EMPTY = frozenset(
    "he she i we they who what not nao it this that them him her me you us one there here everything nothing something anything someone somebody anyone thing things stuff well fine sure ready good bad so "
    "isso isto aquilo ele ela eles elas mim você tudo nada algo alguém ninguém coisa coisas bem assim lá aqui que quem".split()
)


def _value(raw: str, slot: str, language: Language) -> str:
    value = _TRIM[language].sub("", raw.strip(" ,;:.!?'\"“”"))
    if slot in ("likes", "dislikes", "hobby", "diet", "allergy", "health", "owns", "has_role", "studies", "language"):
        value = _DROP[language].sub("", value)
    elif slot in _PROPER and language == "pt":
        value = re.sub(r"^[oa]s? (?=[A-ZÀ-Ý])", "", value)
    value = re.sub(r" (?:e|and|ou|or|de|of|a|o|que)$", "", value.strip(" ,;:.!?'\"“”"))
    return value.strip()


def _fits(value: str, slot: str, subject: str, language: Language) -> bool:
    """Whether the words can be a value of the attribute."""
    words = fold(value).split()
    if not words or len(words) > 9 or fold(value) == fold(subject) or words[0] in _EMPTY or words[-1] in _EMPTY:
        return slot == "habit" and len(words) > 1
    if slot == "habit":
        return len(words) > 1 or words[0] not in _SMALL
    if words[-1] in _SMALL:
        return False
    if slot in _PROPER and not any(word[:1].isupper() for word in value.split()):
        return slot in _PEOPLE and fold(value) in _I
    roles = lexicon_en.ROLES if language == "en" else lexicon_pt.ROLES
    if slot == "diet":
        return is_diet(words)
    if slot == "has_role":
        return is_role(words, roles, language) and not is_diet(words)
    return words[0] not in _MONTHS or slot in ("likes", "birthday")


_MONTHS = frozenset(
    "january february march april may june july august september october november december janeiro fevereiro marco abril maio junho "
    "julho agosto setembro outubro novembro dezembro".split()
)


def _named(value: str, slot: str, discourse: Discourse) -> str:
    """The speaker's name where the value is *me* (``Ana is my boss`` turned about)."""
    if slot in _PEOPLE and fold(value) in _I:
        return discourse.speaker
    return value
