"""The words of a clause that tell whether it looks ahead or back: its finite verbs, and a few words that stand for one.

A word that may be a verb or a noun (*book*, *left*, *cadeira*) is a cue only where a verb may stand: not behind what
makes it a noun, not as a name, and, where its form alone is no proof, not behind the verb that its clause has already.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from arandu_lab.pure.timex.spans import Language


class Cue(NamedTuple):
    """Where a cue stands, and which way it leans: -1 or +1."""

    start: int
    end: int
    way: int


def cues(text: str, start: int, end: int, language: Language, written: str = "") -> list[Cue]:
    """The cues of text[start:end], in order. The text is folded; `written` is the same text as it was written, letter
    for letter, which shows names by their capitals and a Portuguese future by its accent.

    >>> [cue.way for cue in cues("i lost the book", 0, 15, "en")], cues("quebrei a cadeira", 8, 17, "pt")
    ([-1], [])
    """
    if not written or written.isupper():
        written = text
    text = _accented(text, start, end, written) if language == "pt" else text
    found: list[Cue] = []
    governed = False
    for match in _CUES[language].finditer(text, start):
        if match.end() > end:
            break
        kind, _, side = str(match.lastgroup).partition("_")
        if kind in ("clause", "infinitive"):
            governed = kind == "infinitive"
            continue
        if kind in ("verb", "perhaps") and " " not in match[0] and _no_verb(text, written, match, language):
            continue
        wanting = kind == "placed" or (governed and kind in ("perhaps", "hint"))
        if wanting and not _subject(text, written, match, language):
            continue
        governed = governed or kind != "hint"
        found.append(Cue(match.start(), match.end(), 1 if side.startswith("future") else -1))
    return found


# -- where a word is no verb -----------------------------------------------------------------------------------------

#: Within how many characters the words stand that show what a word is.
_NEAR = 30
_A_NOUN_FOLLOWS = {
    "en": re.compile(r"\b(?:an?|the|my|your|his|her|its|our|their|of|for|with|without|by|from|into|per|than)\s$"),
    "pt": re.compile(
        r"\b(?:(?<!\beu )(?<!\bela )(?<!\bele )(?<!\bnao )(?<!\bque )(?<!\bja )(?<!\bquem )[oa]|"
        r"meu|minha|[ts]eu|[ts]ua|noss[oa]|[nd]?(?:est|ess|aquel)[ea]|[nd]?uma?|[nd][oa]|ao|pel[oa]|"
        r"de|com|sem|por|para|pr[oa]|entre|cada|tod[oa]|outr[oa]|qualquer|nenhum|algum|alguma)\s$"
    ),
}
_THAT_IS_ONE = re.compile(r"\b(?:that|this)\s$")
_SUBJECT = {
    "en": re.compile(
        r"(?<![\w'])(?:i|you|he|she|(?<!have )(?<!get )it|we|they|who|which|that|there)(?: also| just| already| still| never)?\s$"
    ),
    "pt": re.compile(r"\b(?:eu|eles?|elas?|voces?|nos|gente|que|quem|nao|ja|se|me|te|lhe)\s$"),
}
_WORD_BEFORE = re.compile(r"(?<![\w'])(\w{2,})\s$")
_WILL_BE = re.compile(r"(?<=[aei]r)á(?!\w)", re.IGNORECASE)
_STRESSED = re.compile(r"\w*[áéíóúâêô]\w*(?:u|ei|[aei]ra)", re.IGNORECASE)


def _no_verb(text: str, written: str, match: re.Match[str], language: Language) -> bool:
    """Whether the word cannot be a verb: a name, a noun or an adjective, or one that is not stressed as a verb is."""
    return _named(written, *match.span()) or _noun(text, match, language) or _unstressed(written, match)


def _named(written: str, start: int, end: int) -> bool:
    """Whether the word has a capital that no beginning of a sentence gives it ("I met Will", "Encontrei o Ferreira")."""
    before = written[max(0, start - _NEAR) : start].rstrip()
    return written[start:end].istitle() and (before[-1:].isalnum() or before.endswith(","))


def _noun(text: str, match: re.Match[str], language: Language) -> bool:
    """Whether what stands before makes the word a noun or an adjective ("the book", "a can of", "de madeira")."""
    before = text[max(0, match.start() - _NEAR) : match.start()]
    if _A_NOUN_FOLLOWS[language].search(before):
        return True
    bare = language == "en" and match.lastgroup == "perhaps_future" and not match[0].endswith("s")
    return bare and _THAT_IS_ONE.search(before) is not None


def _unstressed(written: str, match: re.Match[str]) -> bool:
    """Whether an accent shows that a Portuguese word is not stressed as its ending would be ("vôlei", "chapéu")."""
    return _STRESSED.fullmatch(written, match.start(), match.end()) is not None


def _subject(text: str, written: str, match: re.Match[str], language: Language) -> bool:
    """Whether the subject of the verb stands before it: a pronoun, or a name for a form that a name can have."""
    near = max(0, match.start() - _NEAR)
    if _SUBJECT[language].search(text, near, match.start()):
        return True
    finite = language == "pt" or match[0].endswith(("s", "ed")) or match[0] == "can"
    before = _WORD_BEFORE.search(written, near, match.start()) if finite else None
    return before is not None and _named(written, *before.span(1))


def _accented(text: str, start: int, end: int, written: str) -> str:
    """The folded text with the accent of a future kept: "viajará" will be, "viajara" had been."""
    for match in _WILL_BE.finditer(written, start, end):
        text = f"{text[: match.start()]}á{text[match.end() :]}"
    return text


# -- the words -------------------------------------------------------------------------------------------------------
# "told" stands for itself; a "verb" is one unless its place forbids; "perhaps" needs a clause without a verb, too, or
# its subject before it; a "placed" form has its subject before it; a "hint" is no verb and yields to any; a "clause"
# begins where a subordinate one does, and an "infinitive" leans no way but takes what follows for its own.

_ING = r"(?:not |also |both |all )*(?!been)\w+ing"
_EN = {
    "told_future": r"going to|gonna|plan(?:s|ning)? (?:to|on)|plans?(?= for\b)|hop(?:e|es|ing) to|want(?:s)? to|need(?:s)? to|"
    r"ha(?:ve|s) to|let's|lets|see you|remind me|looking forward|can't wait|tomorrow|soon|"
    rf"(?:am|are|is) {_ING}",
    "told_past": r"sat down|yesterday|ago",
    "verb_future": r"will|shall|won't|would|should|could|must|scheduled|expect(?:s|ing)?|intends?",
    "verb_past": r"was|were|wasn't|weren't|did|didn't|had|hadn't|been|went|saw|came|took|gave|ate|drank|ran|sang|swam|"
    r"wrote|spoke|broke|chose|drove|flew|forgot|grew|knew|woke|wore|began|became|fell|stole|threw|rode|rose",
    "hint_future": r"(?:i|we|you|they) have (?:a|an|my|our|two|another)|(?:he|she|it) has (?:a|an|his|her)|"
    r"there(?:'s| is) an?|sounds? good|works? for|how about|what about|excited (?:for|about)|"
    r"free|available|due(?! to)|next|upcoming",
    "hint_past": r"last",
    "perhaps_future": r"(?:please )?(?:call|meet|remind|bring|send|join|visit|come) (?:me|us|him|her|them|over|by|back)|"
    r"leaves?|fly|flies|arrives?|starts?|begins?|returns?|travels?|can|does|book|plans|schedules?",
    "perhaps_past": r"met|got|made|said|told|found|thought|felt|left|bought|brought|caught|taught|won|lost|heard|held|"
    r"kept|led|paid|sent|sold|slept|spent|stood|understood|built|fought|hung|shot|read|hurt|hit|quit|"
    r"\w{2,}(?<!ne)(?<!xc)(?<!sp)(?<!bre)ed",
    "infinitive": r"to (?:be|get|have|keep|see)",
    "clause": r"(?:that|if|when|because|while|where|whether|what|how|why|as|but|so)"
    r"(?= (?:an?|the|my|your|his|her|its|our|their)\b)",
}
_BOUND = (
    rf"(?P<told_future_>'ll|'d|'m {_ING}|'re {_ING}|"
    rf"(?:(?<=\bhe)|(?<=\bshe)|(?<=\bit)|(?<=\bthat)|(?<=\bwho)|(?<=\bwhat))'s {_ING})|"
    rf"(?P<perhaps_future_>'s {_ING})"
)
_PT = {
    "told_future": r"tenho (?:que|de)|tem (?:que|de)|temos (?:que|de)|amanha|que vem|em breve|\w+[aei]re(?:i|mos)|irei|iremos",
    "told_past": r"ontem|atras",
    "verb_future": r"vou|vai|vamos|vao|ira|irao|pretend[oe]|quero|queremos|precis[oa]|precisamos|dev[oe]|posso|pode|podemos|"
    r"esper[oa]|esperamos|planejo|planejamos|(?:marc|agend|combin)ad[oa]s?|lembr[ea]|sera|serao|tera|fara|"
    r"\w*[aei]rá|(?:(?<=\be )|(?<=, ))\w{2,}(?:[ae]|(?<!e)i)rao",
    "verb_past": r"foi|fui|fomos|foram|era|eram|estava|estavam|estive|esteve|tive|teve|tivemos|tinha|tinham|fiz|fez|"
    r"fizemos|vi|viu|vim|veio|vieram|disse|quis|pude|soube|trouxe|pus|pos|dei|deu|leu|riu|comi|sai|cai|conheci|recebi|li|"
    r"aprendi|perdi|nasci|vivi|assisti|decidi|escrevi|vendi|bebi|dormi|corri|senti|consegui|subi|desci|parti|pedi|"
    r"ouvi|abri|descobri|casei-me|resolvi|mudei-me|"
    r"(?!(?:estou|acabou|ateu|museu|europeu)\b)\w{2,}(?:ou|eu|iu|ei)|\w{2,}(?:[aei]ram|avam?|avamos)",
    "hint_future": r"proxim[oa]s?",
    "hint_past": r"passad[oa]s?",
    "perhaps_future": r"\w{2,}(?:a|(?<!e)i)ra|\w{2,}(?:[ae]|(?<!e)i)rao",
    "perhaps_past": r"\w{2,}[ei]mos",
    "placed_past": r"\w{2,}iam?",
    "clause": r"que|quem|quando|porque|onde|mas",
}


def _compiled(words: dict[str, str], bound: str = "") -> re.Pattern[str]:
    groups = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in words.items())
    return re.compile(rf"(?:(?<!\w)(?:{groups}){bound})(?!\w)")


_CUES = {"en": _compiled(_EN, f"|{_BOUND}"), "pt": _compiled(_PT)}
