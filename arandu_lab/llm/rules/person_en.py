"""English: a predicate said in the first or second person, said in the third: *have been* -> *has been*, *my* ->
*his*.
"""

from __future__ import annotations

from collections.abc import Sequence

from arandu_lab.llm.rules import lexicon_en as lex
from arandu_lab.llm.rules.clauses import Subject
from arandu_lab.llm.rules.discourse import Discourse
from arandu_lab.llm.rules.tokens import Token

_SAME_PAST = frozenset("quit put cut let set hit shut cost hurt bet split spread read".split())
_OBJECT = {"f": "her", "m": "him", "u": "them"}
_SELF = {"f": "herself", "m": "himself", "u": "themself"}


def third_person(
    text: str,
    words: Sequence[Token],
    verb: int,
    subject: Subject,
    discourse: Discourse,
    *,
    borrowed: str = "",
    addressee: str | None = None,
) -> str:
    """The predicate ``words`` (its verb at index ``verb``) as the third person says it.

    Fillers before the verb go; the speaker's possessives follow the speaker's gender, or name the speaker when the
    subject is somebody else.
    """
    if not 0 <= verb < len(words):
        return ""
    out: list[str] = []
    place = words[0].start
    mine = subject.kind == "speaker"
    own = discourse.their if mine else f"{discourse.speaker}'s"
    for index, token in enumerate(words):
        low = token.low
        gap = text[place : token.start]
        place = token.end
        new = token.text
        if index < verb and (low in _FILLERS or low in ("who", ",")):
            continue
        if not index and index != verb and new[:1].isupper() and low in lex.COMMON:
            new = low
        if index == verb:
            new = _finite(low, token.text, subject, borrowed)
        elif low in ("my", "our"):
            new = own
        elif low in ("mine", "ours"):
            new = own if not mine else f"{discourse.speaker}'s"
        elif low in ("me", "us") and not _named(words, index):
            new = _OBJECT[discourse.gender] if mine else discourse.speaker
        elif low in ("myself", "ourselves"):
            new = _SELF[discourse.gender]
        elif low in ("i", "we") and token.text in ("I", "we", "We"):
            new = discourse.they if mine else discourse.speaker
        elif low in ("your", "yours") and addressee:
            new = f"{addressee}'s" if subject.kind != "addressee" else "their"
        elif low == "you" and addressee:
            new = addressee
        elif index and words[index - 1].low in ("i", "we") and low in lex.forms() | dict.fromkeys(lex.AUX, ()):
            new = _finite(low, token.text, subject, "") if discourse.they != "they" or not mine else token.text
        out.append((gap if out else "") + new)
    return " ".join("".join(out).split())


def _named(words: Sequence[Token], index: int) -> bool:
    """``to the US``: a name that is spelt like a pronoun, after an article or in capitals among words that are not."""
    before = words[index - 1].low if index else ""
    shouted = sum(token.text.isupper() and len(token.text) > 1 for token in words) * 2 > len(words)
    return before == "the" or (words[index].text.isupper() and not shouted)


_FILLERS = frozenset(
    "just really actually honestly literally basically totally definitely simply kind of sort even absolutely both all".split()
)


def _finite(low: str, written: str, subject: Subject, borrowed: str) -> str:
    """The finite verb agreeing with a third person singular (plural for joint subjects)."""
    plural = (
        bool(subject.also) or (subject.plural and subject.kind in ("kin", "thing", "they")) or " and " in subject.text
    )
    if borrowed:
        return f"{_finite(borrowed, borrowed, subject, '')} {written.lower()}"
    if subject.kind in ("person", "kin", "owned", "thing") and not plural:
        return written.lower() if written[:1].isupper() else written
    if plural:
        return {"am": "are"}.get(low, low)
    changed = {"am": "is", "are": "is", "have": "has", "do": "does", "were": "was"}.get(low)
    if changed:
        return changed
    if low in lex.AUX or low in _SAME_PAST:
        return low
    readings = {kind for _, kind in lex.forms().get(low, ())}
    if "past" in readings or ("third" in readings and "base" not in readings):
        return low
    if "base" in readings:
        return lex.third(low)
    return low if low.endswith(("ed", "s")) else lex.third(low)
