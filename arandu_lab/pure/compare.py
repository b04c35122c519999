"""Whether two statements that sound alike may be the same: polarity, mood, numbers, dates, names, objects.

Similarity is not identity (decisions W11, B5): a cosine nominates a duplicate, and any reason found here refuses it.
Each check is a reason by name, so a trace can say why two sentences were kept apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from arandu_lab.pure.text import STOP, fold, guess_language, words

_NEGATION = frozenset(
    """not no never none nobody nothing neither nor without cannot cant dont doesnt didnt isnt arent wasnt werent wont
    wouldnt couldnt shouldnt hasnt havent hadnt hardly barely scarcely rarely seldom almost nearly nao nunca jamais nem
    nenhum nenhuma ninguem nada sem tampouco quase mal raramente dificilmente""".split()
)
_UNREAL = frozenset(
    """may might could would should will shall wants want wanted wish wishes hopes hope hoped plans plan planned planning
    intends intended considering maybe perhaps probably tries tried trying if talvez pode podia deve deveria gostaria quer
    queria pretende pretendia planeja planejava espera deseja vai vou ira iria tenta tentou""".split()
)
_PAST = frozenset("was were had did foi foram era eram estava estavam tinha tinham teve".split())
_CESSATION = frozenset(
    """stopped stops stop quit quits quitting ceased ex former formerly deixou deixei parou parei largou larguei
    abandonou antigo antiga""".split()
)
_GIVEN_UP = (
    *(("given", "up"), ("gave", "up"), ("is", "off"), ("called", "off"), ("fell", "through"), ("fallen", "through")),
    *(("is", "cancelled"), ("is", "canceled"), ("has", "cancelled"), ("has", "canceled"), ("was", "cancelled")),
    *(
        ("takes", "back"),
        ("took", "back"),
        ("desistiu",),
        ("desisti",),
        ("cancelou",),
        ("cancelei",),
        ("foi", "cancelado"),
    ),
    *(("foi", "cancelada"), ("trancou",), ("furou",)),
)
_CEASING = (("no", "longer"), ("any", "more"), ("anymore",), ("nao", "mais"), ("used", "to"))
_ANTONYMS = [
    frozenset(pair.split("/"))
    for pair in """like/dislike likes/dislikes liked/disliked love/hate loves/hates loved/hated loves/dislikes likes/hates
    gosta/odeia gosta/detesta ama/odeia adora/odeia adora/detesta gosto/odeio adoro/odeio married/divorced casou/separou
    casada/separada casado/separado casado/divorciado casada/divorciada bought/sold comprou/vendeu started/finished
    comecou/terminou joined/left entrou/saiu hired/fired contratou/demitiu contratado/demitido accepted/rejected
    accepted/refused aceitou/recusou alive/dead vivo/morto viva/morta open/closed aberto/fechado big/small grande/pequeno
    grande/pequena younger/older mais/menos vegetarian/omnivore single/married solteiro/casado solteira/casada
    increased/decreased aumentou/diminuiu won/lost ganhou/perdeu passed/failed passou/reprovou morning/evening
    manha/noite mother/father mae/pai brother/sister irmao/irma son/daughter filho/filha left/right esquerda/direita""".split()
]
_MONTHS = """january february march april june july august september october november december janeiro fevereiro marco
abril maio junho julho agosto setembro outubro novembro dezembro monday tuesday wednesday thursday friday saturday
sunday terca quarta quinta sexta sabado domingo""".split()
_COUNTS = dict(
    zip(
        """one two three four five six seven eight nine ten eleven twelve um dois tres quatro cinco seis sete oito nove
        dez onze doze uma duas""".split(),
        [str(n) for n in (*range(1, 13), *range(1, 13), 1, 2)],
        strict=True,
    )
)
_ARTICLES = {"um", "uma", "one"}
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[^\W\d_]\w+", re.UNICODE)
_MAY = re.compile(
    r"\b(?:in|since|of|until|from|by|on|last|next|late|early|mid|\d+(?:st|nd|rd|th)?) May\b|\bMay (?:of )?\d"
)
_GOING_TO = re.compile(r"\b(?:vai|vou) (?:(?:se|me|nao|so) )?\w+[aeio]r\b")
_CONTRACTED = re.compile(r"(\w)n[’'´]t\b", re.IGNORECASE)


def differences(first: str, second: str, *, subject: str = "") -> tuple[str, ...]:
    """Reasons why two statements cannot be the same, from ``polarity mood numbers dates names antonyms objects``.

    ``subject`` is the name both are about: its words never count as an object. Numbers and names count in their order:
    who hired whom, from what to what.

    >>> differences("Caio bebe café", "Caio não bebe café", subject="Caio")
    ('polarity',)
    >>> differences("The meeting is in room 12", "The meeting is in room 21")
    ('numbers',)
    >>> differences("Ana lives in Recife", "Ana resides in Recife", subject="Ana")
    ()
    >>> differences("Ana works at Vertix", "Ana worked at Vertix", subject="Ana")
    ('mood',)
    >>> differences("Ana has a dog named Thor", "Ana has a cat named Thor", subject="Ana")
    ('objects',)
    >>> differences("Iara cria abelhas", "Iara  cria abelhas!", subject="Iara")
    ()
    """
    a, b = _CONTRACTED.sub(r"\1 not", first), _CONTRACTED.sub(r"\1 not", second)
    wa, wb = words(a), words(b)
    sa, sb = set(wa), set(wb)
    about = set(words(subject))
    found = []
    if _denies(a) != _denies(b):
        found.append("polarity")
    if bool(sa & _UNREAL) != bool(sb & _UNREAL) or bool(sa & _PAST) != bool(sb & _PAST) or _inflected(sa, sb):
        found.append("mood")
    if _numbers(wa) != _numbers(wb):
        found.append("numbers")
    if (sa & set(_MONTHS)) != (sb & set(_MONTHS)):
        found.append("dates")
    names_a, names_b = ([name for name in _names(text) if name not in about] for text in (first, second))
    if set(names_a) - sb or set(names_b) - sa or _order(names_a, names_b) != _order(names_b, names_a):
        found.append("names")
    if any(
        (pair & sa) and (pair & sb) and (pair & sa) != (pair & sb) and len(pair & (sa ^ sb)) == 2 for pair in _ANTONYMS
    ):
        found.append("antonyms")
    if not found and _objects_differ(wa, wb, about):
        found.append("objects")
    return tuple(found)


def negative(text: str) -> bool:
    """Whether a statement denies or ends something.

    >>> [negative(t) for t in ("She doesn't drive", "Ele não trabalha mais lá", "Parou de fumar", "Ana is no longer here")]
    [True, True, True, True]
    >>> negative("Ana likes tea"), negative("Ana mora no IPA"), negative("Ana has no car"), negative("Ana eats no meat")
    (False, False, True, True)
    """
    return _denies(text)


def takes_back(text: str) -> bool:
    """Whether a statement only takes something back: it denies or ends, in words that mean nothing else.

    >>> takes_back("Não trabalho mais na Acme"), takes_back("Ricardo mora no Rio"), takes_back("Clara left Vertix")
    (True, False, False)
    >>> takes_back("Ana's plan for a trip is off"), takes_back("Ana desistiu do curso")
    (True, True)
    """
    return _denies(text, english_no=False) or _holds(words(text), _GIVEN_UP)


def unreal(text: str, *, subject: str = "") -> bool:
    """Whether a statement is of what is meant, wished or may be, and not of what is. Words of the ``subject`` don't count.

    >>> unreal("Ana plans to live in Natal"), unreal("Ana vai morar em Natal"), unreal("Ana lives in Natal since May 2024")
    (True, True, False)
    >>> unreal("Ana vai ao trabalho de metrô"), unreal("Ana vai se mudar")
    (False, True)
    >>> unreal("Will lives in Natal", subject="Will"), unreal("Will will live in Natal", subject="Will")
    (False, True)
    """
    found = words(text)
    for word in words(subject):
        if word in found:
            found.remove(word)
    held = _UNREAL.intersection(found)
    if _MAY.search(text):
        held -= {"may"}
    if not _GOING_TO.search(" ".join(found)):  # "vai ao trabalho"
        held -= {"vai", "vou"}
    return bool(held)


def _holds(found: list[str], phrases: tuple[tuple[str, ...], ...]) -> bool:
    return any(tuple(found[i : i + len(phrase)]) == phrase for phrase in phrases for i in range(len(found)))


def _denies(text: str, *, english_no: bool = True) -> bool:
    """Whether a statement denies or ends something; the Portuguese "no" (em + o) does not."""
    found = words(_CONTRACTED.sub(r"\1 not", text))
    if _holds(found, _CEASING) or bool(set(found) & ((_NEGATION - {"no"}) | _CESSATION)):
        return True
    return english_no and any(_english_no(found, at) for at, word in enumerate(found) if word == "no")


def _english_no(found: Sequence[str], at: int) -> bool:
    """Whether the "no" of a place denies. Before that of Portuguese stands a word that ends as Portuguese words do."""
    before, after = (found[at - 1] if at else ""), (found[at + 1] if at + 1 < len(found) else "")
    if after in ("longer", "one", "more") or before in _BEFORE_NO:
        return True
    if before.endswith(("a", "o", "i", "u", "r", "m", "e", "mos")):
        return False
    return guess_language(" ".join(word for word in found if word != "no")) == "en"


_BEFORE_NO = frozenset(
    "have are were there be take make give use see like she he we they the to so do go saw own for or you".split()
)


def _inflected(sa: set[str], sb: set[str]) -> bool:
    """Whether a word of the one stands in the other in another tense ("works" / "worked", "mora" / "morava")."""
    return any(
        x.startswith(stem) and y.startswith(stem)
        for x in sa - sb
        for y in sb - sa
        if len(stem := x[: max(3, min(len(x), len(y)) - 3)]) >= 3 and (_is_past(x) != _is_past(y))
    )


def _is_past(word: str) -> bool:
    return word.endswith(("ed", "ou", "ava", "avam", "eu", "iu", "aram", "eram", "iram"))


def _order(mine: list[str], other: list[str]) -> list[str]:
    return [name for name in dict.fromkeys(mine) if name in other]


def _numbers(found: list[str]) -> list[str]:
    numbers = [_COUNTS.get(word, word) for word in found if any(c.isdigit() for c in word) or word in _COUNTS]
    plain = [n for word, n in ((w, _COUNTS.get(w, w)) for w in found) if n.isdigit() and word not in _ARTICLES]
    return [n for n in numbers if not n.isdigit()] + plain


def _names(text: str) -> list[str]:
    return [folded for name in _NAME.findall(text) if name[0].isupper() and (folded := fold(name)) not in STOP]


def _objects_differ(wa: list[str], wb: list[str], subject: set[str]) -> bool:
    """Both sides hold content the other lacks, the verb (first word after the subject) apart."""
    return bool(_left(wa, wb, subject)) and bool(_left(wb, wa, subject))


def _left(mine: list[str], other: list[str], subject: set[str]) -> set[str]:
    rest = [word for word in mine if word not in subject]
    verb = rest[:1]
    stems = {_stem(word) for word in other}
    return {w for w in rest if w not in STOP and w not in verb and _stem(w) not in stems and len(w) > 1}


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
