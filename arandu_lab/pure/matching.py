"""Which found fact is which true one: optimal pairing by subject and content, and the measures that follow.

Deterministic and without a model: words are compared by crude stems of English and Portuguese. A pair may match when
its subjects are the same entity (or each sentence names the other's subject) and the content words agree at least half
(F1 of stems, subjects left out), or when all words of the gold value stand in the found text beside some shared word.
"""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from arandu_lab.pure.text import content_words, fold, words

Fact = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Matching:
    """Pairs (index of found, index of gold), and precision, recall and F1 of the found facts; empty against empty
    is 1.
    """

    pairs: tuple[tuple[int, int], ...]
    precision: float
    recall: float
    f1: float


_IRREGULAR = {
    form: base
    for line in (
        "be:is,are,was,were,been,am go:went,goes,gone,going have:has,had get:got,gets,gotten buy:bought leave:left,leaving make:made take:took,taken "
        "see:saw,seen come:came find:found give:gave,given teach:taught,teaches eat:ate,eaten drink:drank,drunk swim:swam,swimming run:ran,running "
        "fly:flew,flown,flying write:wrote,written break:broke,broken meet:met begin:began,begun tear:tore,torn drive:drove,driven sell:sold "
        "send:sent build:built lose:lost win:won keep:kept sleep:slept speak:spoke,spoken sing:sang,sung tell:told say:said die:died,dying "
        "child:children,kid,kids wife:wives man:men woman:women foot:feet tooth:teeth mother:mom,mum,mommy father:dad,daddy "
        "ser:é,são,foi,era,foram,eram ir:vai,vou,vão estar:está,estão,estava ter:tem,têm,tinha,teve,tenho fazer:faz,fez,fazendo,feito "
        "dar:deu,dá,dando vir:vem,veio,vindo ver:viu,vê querer:quer,quis pôr:pôs,põe mãe:mainha,mamãe pai:painho,papai dizer:disse,diz trazer:trouxe"
    ).split()
    for base, forms in [line.split(":")]
    for form in forms.split(",")
}
_FOLDED = {fold(form): fold(base) for form, base in _IRREGULAR.items()}
_ENDINGS = (
    "amentos",
    "imentos",
    "amento",
    "imento",
    "aríamos",
    "aremos",
    "ávamos",
    "adoras",
    "adores",
    "adora",
    "ador",
    "ações",
    "acoes",
    "ação",
    "acao",
    "ingly",
    "ando",
    "endo",
    "indo",
    "aram",
    "eram",
    "iram",
    "aria",
    "eria",
    "iria",
    "aram",
    "ados",
    "adas",
    "idos",
    "idas",
    "ado",
    "ada",
    "ido",
    "ida",
    "amos",
    "emos",
    "imos",
    "inho",
    "inha",
    "mente",
    "avam",
    "iam",
    "ava",
    "ings",
    "ing",
    "ies",
    "ied",
    "ers",
    "er",
    "est",
    "ed",
    "es",
    "ly",
    "ia",
    "ar",
    "er",
    "ir",
    "ou",
    "eu",
    "iu",
    "ei",
    "am",
    "em",
    "os",
    "as",
    "s",
    "y",
    "a",
    "e",
    "o",
    "i",
)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A crude stem of a folded word of either language; numbers stay as they are.

    >>> stem("working") == stem("works"), stem("moro") == stem("morando"), stem("went"), stem("12")
    (True, True, 'go', '12')
    """
    word = fold(word)
    word = _FOLDED.get(word, word)
    if len(word) < 4 or any(char.isdigit() for char in word):
        return word
    for end in _ENDINGS:
        if word.endswith(end) and len(word) - len(end) >= 3:
            base = word[: -len(end)]
            return base[:-1] if len(base) > 3 and base[-1] == base[-2] else base
    return word


def stems(text: str) -> frozenset[str]:
    """The stems of the content words of a text."""
    return frozenset(stem(word) for word in content_words(text))


def content_f1(found: str, gold: str, *, without: frozenset[str] = frozenset()) -> float:
    """F1 of the content stems of two sentences, the stems ``without`` left out of both.

    >>> content_f1("Ana has been working at Acme", "Ana works at Acme", without=stems("Ana"))
    1.0
    """
    a, b = stems(found) - without, stems(gold) - without
    if not a or not b:
        return float(a == b)
    shared = len(a & b)
    return 2 * shared / (len(a) + len(b))


def canonical(name: str, aliases: Mapping[str, str]) -> str:
    """The folded canonical name of a name, by a table of folded alias -> canonical."""
    key = " ".join(words(name))
    return fold(aliases.get(key, name))


def likeness(found: Fact, gold: Fact, *, aliases: Mapping[str, str], value: str = "") -> float:
    """How well a found fact stands for a gold one: 0 when it does not, else up to 1.

    ``aliases`` maps folded names and aliases to canonical names; ``value`` is the gold value, if there is one.
    """
    one, other = canonical(found[0], aliases), canonical(gold[0], aliases)
    names = stems(found[0]) | stems(gold[0]) | stems(one) | stems(other)
    said, true = _written_out(found[1], aliases), _written_out(gold[1], aliases)
    score = content_f1(said, true, without=names)
    if one != other:
        if not (_names(found[1], gold[0], aliases) and _names(gold[1], found[0], aliases)):
            return 0.0
        return score if score >= 0.6 else 0.0
    if score >= 0.5:
        return score
    if value:
        wanted, present = stems(value) - names, stems(said) - names
        if wanted and wanted <= present and len(present) <= 4 * len(wanted) + 4:
            return max(score, 0.5)
    return 0.0


def _written_out(text: str, aliases: Mapping[str, str]) -> str:
    """The text with every alias replaced by its canonical name, the longest first."""
    parts = words(text)
    out: list[str] = []
    at = 0
    while at < len(parts):
        for length in range(min(5, len(parts) - at), 0, -1):
            full = aliases.get(" ".join(parts[at : at + length]))
            if full is not None:
                out.append(full)
                at += length
                break
        else:
            out.append(parts[at])
            at += 1
    return " ".join(out)


def _names(text: str, name: str, aliases: Mapping[str, str]) -> bool:
    """Whether the text names the entity by its name or any alias."""
    target = canonical(name, aliases)
    sentence = f" {' '.join(words(text))} "
    if f" {' '.join(words(name))} " in sentence:
        return True
    return any(f" {alias} " in sentence for alias, full in aliases.items() if fold(full) == target)


def match_facts(
    found: Sequence[Fact],
    gold: Sequence[Fact],
    *,
    aliases: Mapping[str, str] | None = None,
    values: Sequence[str] | None = None,
) -> Matching:
    """Pair found facts with gold facts one to one so that the sum of likenesses is greatest.

    ``aliases`` maps names to canonical names (keys are folded here); ``values`` are the gold values in the order of
    ``gold``.

    >>> match_facts([("Ana", "Ana lives in Recife")], [("Ana Lima", "Ana Lima lives in Recife.")], aliases={"Ana": "Ana Lima"}).f1
    1.0
    """
    table = {" ".join(words(name)): full for name, full in (aliases or {}).items()}
    if not found or not gold:
        empty = 1.0 if not found and not gold else 0.0
        return Matching((), empty if not found else 0.0, empty if not gold else 0.0, empty)
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    score = np.zeros((len(found), len(gold)))
    for row, fact in enumerate(found):
        for column, truth in enumerate(gold):
            score[row, column] = likeness(fact, truth, aliases=table, value=values[column] if values else "")
    rows, columns = linear_sum_assignment(-score)
    pairs = tuple((int(row), int(column)) for row, column in zip(rows, columns, strict=True) if score[row, column] > 0)
    precision, recall = len(pairs) / len(found), len(pairs) / len(gold)
    return Matching(pairs, precision, recall, 2 * precision * recall / (precision + recall) if pairs else 0.0)
