"""Words: folding, slugs, tokens, and whether a name stands in a text. Every script, English and Portuguese first."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"\w+(?:[’'´`]\w+)?", re.UNICODE)
_PLAIN = re.compile(r"\w+", re.UNICODE)
_JOIN = re.compile(r"[\W_]+", re.UNICODE)


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Lower case, NFC = NFD, accents off Latin, Greek and Cyrillic letters; other scripts keep every letter and mark.

    >>> fold("São Paulo"), fold("Jose\\u0301") == fold("José"), fold("Ксения"), fold("小林")
    ('sao paulo', True, 'ксения', '小林')
    """
    out = []
    base = ""
    for char in unicodedata.normalize("NFKD", text.casefold()):
        if unicodedata.combining(char):
            if base and unicodedata.name(base, "").split(" ")[0] in {"LATIN", "GREEK"}:
                continue
        else:
            base = char
        out.append(char)
    return unicodedata.normalize("NFC", "".join(out))


def slug(name: str) -> str:
    """A key of letters and digits of any script joined by ``_``; never empty.

    >>> slug("Clara Rezende"), slug("Conceição"), slug("小林"), slug("🌵")
    ('clara_rezende', 'conceicao', '小林', 'u1f335')
    """
    joined = _JOIN.sub("_", fold(name)).strip("_")
    return joined or "u" + "_".join(f"{ord(char):x}" for char in name.strip() or "\0")


def normal(text: str) -> str:
    """The text as identity sees it: folded words joined by blanks, no punctuation.

    >>> normal("Iara cria abelhas!") == normal("iara  cria abelhas.")
    True
    """
    return " ".join(_PLAIN.findall(fold(text)))


def words(text: str) -> list[str]:
    """Folded words in order.

    >>> words("A autenticação do João não falhou")
    ['a', 'autenticacao', 'do', 'joao', 'nao', 'falhou']
    """
    return _PLAIN.findall(fold(text))


def content_words(text: str) -> list[str]:
    """Folded words without the function words of English and Portuguese; all words if nothing else is left.

    >>> content_words("Onde o Marcos Tavares mora?")
    ['marcos', 'tavares', 'mora']
    """
    found = words(text)
    return [word for word in found if word not in STOP and len(word) > 1] or found


def names_in(text: str, names: dict[str, str], *, min_chars: int = 3) -> list[str]:
    """Values of ``names`` (folded name -> value) whose name stands in the text between word boundaries, in order of place.

    >>> names_in("Mariana viu a Ana", {"ana": "A", "mariana": "M", "vi": "V"})
    ['M', 'A']
    """
    folded = " " + normal(text) + " "
    found: list[tuple[int, int, str]] = []
    for name, value in names.items():
        key = normal(name)
        if len(key) < min_chars and not _dense(key):
            continue
        place = folded.find(f" {key} ")
        if place < 0 and _dense(key):
            place = folded.find(key)
        if place >= 0:
            found.append((place, -len(key), value))
    return list(dict.fromkeys(value for _, _, value in sorted(found)))


def guess_language(text: str, default: str = "en") -> str:
    """``en`` or ``pt`` by function words that only one of them has; ``default`` when nothing tells.

    >>> guess_language("Ana mora em Recife com a mãe"), guess_language("Ana lives with her mother"), guess_language("ok")
    ('pt', 'en', 'en')
    """
    found = words(text)
    accents = sum(char in "ãõçáéíóúâêôà" for char in text.lower())
    portuguese = sum(word in _PT_ONLY for word in found) + accents
    english = sum(word in _EN_ONLY for word in found)
    return default if portuguese == english else ("pt" if portuguese > english else "en")


_EN_ONLY = frozenset(
    "the and of to in is was with that this for my her his she he they i you it at from have had not are were".split()
)
_PT_ONLY = frozenset(
    """e de da do das dos em um uma que com para pra por nao eu ele ela meu minha seu sua foi era esta estou tem mora mas
    muito na no nas nos ao ja vai vou gente""".split()
)


def _dense(key: str) -> bool:
    """A name in a script that writes no blanks between words (Chinese, Japanese, Thai)."""
    return bool(key) and all(unicodedata.name(char, "").split(" ")[0] in _DENSE for char in key if char != " ")


_DENSE = {"CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR"}

STOP = frozenset(
    """
a an the and or but nor so of to in on at by for from with without into onto over under about as than then that this
these those there here it its it's i me my mine myself we us our ours you your yours he him his she her hers they them
their theirs who whom whose which what when where why how is am are was were be been being do does did done has have
had having will would shall should can could may might must not no yes if because while until very just also too any
some such own same s t d ll ve re m
o os as um uma uns umas e ou mas nem de do da dos das em no na nos nas ao aos à às por pelo pela pelos pelas para pra
pro pras pros com sem sob sobre entre até ate que se como quando onde qual quais quem cujo cuja porque pois isto isso
aquilo este esta estes estas esse essa esses essas aquele aquela aqueles aquelas eu me mim meu minha meus minhas tu te
teu tua nós nos nosso nossa você voce vocês cê ce ele ela eles elas lhe lhes seu sua seus suas dele dela deles delas
é são foi era eram ser está estão estava tá ta tô to há ha tem têm tinha ter vai vou já ja ainda também tambem só so
muito mais menos não nao sim
""".split()
) | frozenset(
    fold(word) for word in "à às até nós você vocês cê é são está estão tá tô há têm já também só não".split()
)
