"""Which of the two languages a text is in: function words, letters and endings vote; a tie keeps the hint."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

from typing import Literal

from arandu_lab.llm.rules import lexicon_en, lexicon_pt
from arandu_lab.llm.rules.tokens import Token, tokenize

Language = Literal["en", "pt"]

_EN = frozenset(
    "the and i i'm i've i'd i'll is was are my me you your he she it we they his her our their this that these those with for of to at on "
    "have has had do does did not don't can't but so what when where who how why there here just been will would from about "
    "lives works likes loves hates moved prefers wants went goes plays owns works studies married called own an be or if than then am by were got get it's that's him them us its as up out".split()
)
_PT = frozenset(
    "mora trabalha gosta ama odeia adora vive estuda joga fala namora casou comprou mudou prefere "
    "o os um uma e eu é não nao de da das dos na nas nos em com para pra pro que meu minha meus minhas você voce vc ele ela nós eles elas "
    "foi está tá tô são muito mais mas como quando onde quem porque já ao à às aos pelo pela seu sua dele dela isso isto "
    "me aqui lá só também tambem tem tenho vou vai ainda até agora hoje ontem amanhã oi olá obrigado obrigada sim bom boa dia gente".split()
)
_PT_LETTERS = frozenset("ãõçâêôáéíóúà")


def detect(text: str, *, hint: Language | None = None) -> Language:
    """The language of a text; ``hint`` (else English) where nothing tells.

    >>> detect("Eu moro em Recife"), detect("I live in São Paulo"), detect("Jonas", hint="pt")
    ('pt', 'en', 'pt')
    """
    return vote([token for token in tokenize(text[:2000]) if token.word]) or hint or "en"


def vote(tokens: list[Token]) -> Language | None:
    """The language that the words speak for, or None for a draw."""
    english = portuguese = 0.0
    for token in tokens:
        word = token.low
        if word in ("são", "a", "as", "e", "o", "do", "no") and token.capital and token is not tokens[0]:
            continue
        if word in _EN:
            english += 1.0
        if word in _PT:
            portuguese += 1.0
        name = token.text[:1].isupper() and not token.text.isupper()
        in_en, in_pt = word in lexicon_en.forms(), word in lexicon_pt.forms()
        if in_en != in_pt and not (word in _EN or word in _PT):
            english += 0.8 * in_en
            portuguese += 0.8 * in_pt
        if not name and not _PT_LETTERS.isdisjoint(word):
            portuguese += 0.8
        elif not name and len(word) > 5 and word.endswith(("mente", "ando", "endo", "ei", "inho", "inha", "ava")):
            portuguese += 0.5
        elif not name and len(word) > 4 and word.endswith(("ing", "ed", "ly", "ght", "th")):
            english += 0.4
    if english == portuguese:
        return None
    return "en" if english > portuguese else "pt"
