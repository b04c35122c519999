"""Light stemming of English and Portuguese, so that a question and a turn meet in different forms of one word."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Literal, TypeAlias, get_args

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pure.text import fold, leaning, words

Language: TypeAlias = Literal["en", "pt"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_SNOWBALL = {"en": "english", "pt": "portuguese"}
_WORD = re.compile(r"[^\W_]+", re.UNICODE)

LONGEST = 64
"""Letters of the longest word that has a stem. What is longer is no word of either language, and Snowball would take a
time that grows with the square of its length."""


def stem(word: str, language: Language) -> str:
    """The folded stem of a word (Snowball); of more than ``LONGEST`` letters, the folded word itself.

    Raises:
        ConfigError: another language than ``en`` and ``pt``.

    >>> stem("paintings", "en") == stem("painted", "en"), stem("corridas", "pt") == stem("corrida", "pt")
    (True, True)
    >>> stem("paintings" * 9, "en") == "paintings" * 9
    True
    """
    if language not in _SNOWBALL:
        raise ConfigError(f"stems of language {language!r}; {nearest(language, _SNOWBALL)}")
    return fold(word) if len(word) > LONGEST else _stem(word, language)


@lru_cache(maxsize=131072)
def _stem(word: str, language: Language) -> str:
    return fold(_stemmer(language).stemWord(word.lower()))


def stems(text: str, language: Language) -> list[str]:
    """The stems of all words of a text, in order.

    >>> stems("As aulas de pintura", "pt")
    ['as', 'aul', 'de', 'pintur']
    """
    return [stem(word, language) for word in words(text)]


def capitals(text: str) -> frozenset[str]:
    """Folded words that are written with a capital elsewhere than at the beginning: names, which nobody stems (R4).

    >>> sorted(capitals("What did Ana paint in Recife?"))
    ['ana', 'recife']
    """
    return frozenset(fold(said) for said in _WORD.findall(text)[1:] if said[0].isupper())


def drifting(text: str, before: float = 0.0) -> tuple[Language, float]:
    """The language of a turn, and what the next turn is told of it: its own words count most, then the turns before.

    A turn that tells nothing ("Ok!") is of the language of what was said before, English at first. ``before`` is what
    the turn before handed on, 0.0 for none.

    >>> drifting("Eu moro em Recife com a minha mãe")[0], drifting("Ok, Ana!", 4.0)[0], drifting("ok")[0]
    ('pt', 'pt', 'en')
    """
    own = max(-8.0, min(8.0, float(leaning(text))))
    language: Language = "pt" if 3.0 * own + before > 0.0 else "en"
    return language, 0.5 * before + own


@lru_cache(maxsize=4)
def _stemmer(language: str) -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer(_SNOWBALL[language])
