"""Which way an undirected name leans ("Friday", "in March"), from the verbs of its sentence.

The nearest cue decides, and one before the name counts as nearer than one after it. Where there is none the caller
decides: a statement leans back, for people mostly tell what has been.
"""

from __future__ import annotations

import re

from arandu_lab.pure.timex.spans import Language

_EN_FUTURE = (
    r"(?:i|we|you|they) have (?:a|an|my|our|two|another)|(?:he|she|it) has (?:a|an|his|her)|there's an?|there is an?|"
    r"(?:leave|leaves|fly|flies|arrives?|starts?|begins?|return|returns|travel|travels)|"
    r"(?:please )?(?:call|meet|remind|bring|send|join|visit|come) (?:me|us|him|her|them|over|by|back)|"
    r"does|sounds? good|works? for|plans|how about|what about|free|available|would|'d|"
    r"will|shall|won't|going to|gonna|plan(?:s|ning)? (?:to|on)|hop(?:e|es|ing) to|want(?:s)? to|need(?:s)? to|"
    r"ha(?:ve|s) to|must|should|can|could|would like|'d like|let's|lets|see you|remind me|schedule[ds]?|book|due|"
    r"looking forward|can't wait|excited (?:for|about)|upcoming|soon|expect(?:s|ing)?|intend(?:s)?|"
    r"(?:am|are|is|'m|'re|'s) (?:not |also |both |all )*(?!been)\w+ing|tomorrow|next"
)
_EN_PAST = (
    r"was|were|wasn't|weren't|did|didn't|had|hadn't|been|went|saw|met|got|came|took|made|said|told|found|gave|"
    r"thought|felt|left|bought|brought|caught|taught|ate|drank|ran|sang|swam|won|lost|wrote|read|spoke|broke|chose|"
    r"drove|flew|forgot|grew|heard|held|kept|knew|led|paid|sent|sold|slept|spent|stood|understood|woke|wore|began|"
    r"became|built|fell|fought|hung|hurt|hit|quit|sat down|shot|stole|threw|rode|rose|"
    r"\w{2,}(?<!ne)(?<!xc)(?<!sp)(?<!bre)ed|yesterday|ago|last"
)
_PT_FUTURE = (
    r"vou|vai|vamos|vao|irei|ira|iremos|irao|pretendo|pretende|quero|queremos|preciso|precisa|precisamos|devo|deve|"
    r"posso|pode|podemos|tenho (?:que|de)|tem (?:que|de)|temos (?:que|de)|espero|esperamos|planejo|planejamos|"
    r"marcad[oa]s?|agendad[oa]s?|combinad[oa]s?|lembre|lembra|amanha|que vem|proxim[oa]s?|em breve|"
    r"\w{2,}(?:arei|erei|irei|ara|era(?<!era)|ira|aremos|eremos|iremos|arao|erao|irao)|estarei|sera|serao|tera|terei|fara|farei"
)
_PT_PAST = (
    r"foi|fui|fomos|foram|era|eram|estava|estavam|estive|esteve|tive|teve|tivemos|tinha|tinham|fiz|fez|fizemos|vi|viu|"
    r"vim|veio|vieram|disse|quis|pude|soube|trouxe|pus|pos|dei|deu|ontem|passad[oa]s?|atras|"
    r"(?!estou\b|acabou\b|meu\b|seu\b|teu\b|ateu\b|museu\b|europeu\b|vou\b|dou\b|sou\b|estarei\b|\w*[aei]rei\b)"
    r"\w{2,}(?:ou|eu|iu|ei|aram|eram|iram|ava|avam|avamos|emos|imos)|comi|sai|cai|conheci|recebi|li|aprendi|perdi|"
    r"nasci|vivi|assisti|decidi|escrevi|vendi|bebi|dormi|corri|senti|consegui|subi|desci|parti|pedi|ouvi|abri|descobri|"
    r"casei-me|resolvi|mudei-me"
)
_EN_BOUND = r"(?:'ll|'d|'m \w+ing|'re \w+ing|'s \w+ing)(?!\w)"
_CUES = {
    "en": (re.compile(rf"(?:(?<!\w)(?:{_EN_FUTURE})(?!\w)|{_EN_BOUND})"), re.compile(rf"(?<!\w)(?:{_EN_PAST})(?!\w)")),
    "pt": (re.compile(rf"(?<!\w)(?:{_PT_FUTURE})(?!\w)"), re.compile(rf"(?<!\w)(?:{_PT_PAST})(?!\w)")),
}
_BREAK = re.compile(r"[.!?;\n]+(?:\s|$)|, (?:but|and then|so|mas|e depois|entao) ")
_PERFECT = re.compile(
    r"(?:'ve|'s|have|has|had|having|haven't|hasn't)(?: \w+){0,3}? "
    r"(?:been|\w+ed|known|had|lived|kept|worn|driven|taught|gone|seen|done|held|run)\b"
)
_NEGATED = re.compile(r"n't\b|\b(?:not|never|no)\b")
_ONGOING = re.compile(
    r"(?<!\w)(?:moro|mora|moramos|moram|vivo|vive|vivemos|trabalho|trabalha|trabalhamos|estudo|estuda|estou|esta|"
    r"estamos|sou|somos|tenho|tem|temos|conheco|conhece|namoro|namora|namoramos|uso|usa|faco|toco|toca|jogo|joga|"
    r"pratico|pratica|nao (?:\w{1,3} )?\w+[oa]|dou|"
    r"ensino|dirijo|cuido|participo|venho|vem \w+ndo|aprendo|corro|treino)(?!\w)"
)

_OPENS = (
    r"(?:^|[.!?;,:(]|\b(?:e|que|quando|porque|mas|se|hoje|amanha|ontem)(?=\s))\s*(?:(?:n[oa]|em) \w+,? |dia \d+,? )?"
)
_WHOSE = r"(?:[oa]s?|meus?|minhas?|seus?|suas?|teus?|tuas?|noss[oa]s?)"
_ONE = rf"(?:eu|ele|ela|eles|elas|voces?|a gente|{_WHOSE} \w+(?: d[eoa]s? \w+)?)"
_SOMEBODY = re.compile(rf"{_OPENS}{_ONE}(?: ja| so| hoje| amanha)? $")
_PERHAPS = re.compile(rf"{_OPENS}(?:{_WHOSE} )?(?!(?:ja|hoje|amanha|ontem|que|isso|isto|tudo|nao)\b)\w+(?: \w+)? $")
_THEN = re.compile(
    r"(?: de (?:idade|vida))?,? (?:hoje|amanha|ontem|dia \d{1,2}|no dia|n?est[ea]|n[oa]|em|semana que vem|mes que vem)\b"
)


def lean(text: str, start: int, end: int, language: Language) -> int:
    """Which way a name at text[start:end] leans, -1 or +1, or 0 with no cue. The text is folded.

    >>> lean("i saw her on friday", 10, 19, "en"), lean("vou na sexta", 4, 12, "pt")
    (-1, 1)
    """
    left, right = clause(text, start, end)
    future, past = _CUES[language]
    for piece, last in ((text[left:start], True), (text[end:right], False)):
        ahead, back = list(future.finditer(piece)), list(past.finditer(piece))
        if ahead or back:
            if not (ahead and back):
                return 1 if ahead else -1
            if last:
                return 1 if ahead[-1].end() >= back[-1].end() else -1
            return 1 if ahead[0].start() <= back[0].start() else -1
    return 0


def lasts(text: str, start: int, end: int, language: Language) -> bool:
    """Whether a length of time at text[start:end] is of something that still goes on ("I have lived here for...")."""
    left, right = clause(text, start, end)
    if language == "en":
        before = _PERFECT.search(text[left:start])
        if text.startswith("in", start):  # "we haven't talked in a few days"
            return before is not None and _NEGATED.search(text[left:start]) is not None
        return before is not None or _PERFECT.search(text[end:right]) is not None
    ongoing = _ONGOING.search(text[left:start]) or _ONGOING.search(text[end:right])
    return ongoing is not None and not _CUES["pt"][1].search(text[left:start])


def turned(text: str, start: int, end: int) -> bool:
    """Whether "faz seis anos" at text[start:end] is an age or an anniversary and no "six years ago": who turns it stands
    before it, or somebody may stand there (a word that is no verb) and the day follows. Portuguese.

    >>> said = ("minha filha faz seis anos", "theo faz seis anos dia 12", "mudei faz seis anos")
    >>> [turned(text, text.index("faz"), text.index("anos") + 4) for text in said]
    [True, True, False]
    """
    if not text.startswith(("faz", "fez"), start) or text.startswith(" que ", end):
        return False
    before = text[clause(text, start, end)[0] : start]
    if _SOMEBODY.search(before):
        return True
    idle = _CUES["pt"][1].search(before) or _ONGOING.search(before)
    return not idle and _PERHAPS.search(before) is not None and _THEN.match(text, end) is not None


def clause(text: str, start: int, end: int) -> tuple[int, int]:
    """The bounds of the clause around text[start:end]."""
    left = max((match.end() for match in _BREAK.finditer(text, 0, start)), default=0)
    found = _BREAK.search(text, end)
    return left, found.start() if found else len(text)
