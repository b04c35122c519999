"""Small questions about words that verdicts and relevance ask of both languages."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import itertools
import re
from functools import cache

from arandu_lab.llm.rules import lexicon_en, lexicon_pt
from arandu_lab.llm.rules.stems import stem
from arandu_lab.pure.text import fold

_FAVOURITE = re.compile(
    r"\bfavou?rite ([\w ]{2,30}?) (?:is|are|was)\b|\b([\w]{2,30}) (?:favorit|preferid)[oa]s?\b|is [\w' ]*'s favou?rite ([\w ]{2,30})",
    re.IGNORECASE,
)

DATE_STEMS = frozenset(
    stem(fold(word))
    for word in (
        "january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday "
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro segunda terça quarta quinta sexta sábado domingo "
        "morning afternoon evening night manhã tarde noite dia day week semana year ano month mês"
    ).split()
)


def is_kin(word: str) -> bool:
    """Whether the word names a relative, friend or boss."""
    key = fold(word)
    return key in lexicon_en.KIN or key in lexicon_pt.KIN or key in lexicon_en.PETS


def favourite(text: str) -> str:
    """What sort of favourite a sentence states: ``cor``, ``color``; empty when none.

    >>> favourite("Ana's favorite color is green"), favourite("A cor preferida de Ana é verde")
    ('color', 'cor')
    """
    match = _FAVOURITE.search(text)
    return next((fold(group).strip() for group in match.groups() if group), "") if match else ""


@cache
def event_stems() -> frozenset[str]:
    """Stems of nouns that name events, in both languages."""
    return frozenset(stem(fold(word)) for word in lexicon_en.EVENTS | lexicon_pt.EVENTS)


def head_relative(text: str) -> str:
    """The kinship word of the sentence's subject: ``O irmão de Rafael odeia coentro`` -> ``irmao``; empty when there
    is none.

    >>> head_relative("Rafael's aunt likes purple"), head_relative("A cor preferida da tia de Rafael é roxo"), head_relative("Ana é tia de Lia")
    ('aunt', 'tia', '')
    """
    match = re.match(r"^[\w .]{1,60}?['’]s ((?:[\w-]+ ){1,3})", text)
    if match:
        return next((fold(word) for word in match[1].split() if is_kin(word)), "")
    before = re.split(
        r"(?<!\w)(?:é|são|era|foi|está|tem|teve|mora|gosta|odeia|trabalha|vai|se)(?!\w)", text, maxsplit=1
    )[0]
    words = [fold(word) for word in re.findall(r"[\w-]+", before)[:9]]
    return next(
        (word for word, after in itertools.pairwise(words) if is_kin(word) and after in ("de", "da", "do")),
        (
            next(
                (
                    word
                    for word, ahead in zip(words[1:], words, strict=False)
                    if is_kin(word) and ahead in ("minha", "meu", "my")
                ),
                "",
            )
        ),
    )
