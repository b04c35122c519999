"""Words: folding, slugs, tokens, and whether a name stands in a text. Every script, English and Portuguese first."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeVar

V = TypeVar("V")

_MARKED = ((0x0300, 0x1E00), (0x2CEF, 0x2DFF), (0x302A, 0x309B), (0xA66F, 0xAC00), (0xFB1E, 0xFB1F), (0x10A00, 0x12000))
_MARKS = "".join(
    chr(code) for start, end in _MARKED for code in range(start, end) if unicodedata.category(chr(code)) in ("Mn", "Mc")
)
"""Vowel signs and other marks that belong to the word they stand in, though ``\\w`` leaves them out."""

_PLAIN = re.compile(rf"[\w{_MARKS}]+", re.UNICODE)
_JOIN = re.compile(rf"(?:_|[^\w{_MARKS}])+", re.UNICODE)
_OPTIONAL = ("LATIN", "GREEK", "ARABIC", "HEBREW")
_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
_KEY_LENGTH = 80
_SHORT = 200


def fold(text: str) -> str:
    """Lower case, NFC = NFD, no invisible format characters, no accents on Latin and Greek nor vowel points on Arabic
    and Hebrew letters; other scripts keep every letter and mark.

    >>> fold("São Paulo"), fold("Jose\\u0301") == fold("José"), fold("Ксения"), fold("小林")
    ('sao paulo', True, 'ксения', '小林')
    """
    return _fold_short(text) if len(text) <= _SHORT else _folded(text)


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    out = []
    base = ""
    for char in unicodedata.normalize("NFKD", text.casefold()):
        if unicodedata.combining(char):
            if not base or unicodedata.category(base)[0] in "ZPSC":  # an accent on nothing, as in "´"
                continue
            if unicodedata.name(base, "").split(" ")[0] in _OPTIONAL:
                continue
        elif char in _SELECTORS or unicodedata.category(char) == "Cf":
            continue
        else:
            base = char
        out.append(char)
    return unicodedata.normalize("NFC", "".join(out))


_fold_short = lru_cache(maxsize=65536)(_folded)


def slug(name: str) -> str:
    """A key of letters and digits of any script joined by ``_``; never empty, and short however long the name.

    >>> slug("Clara Rezende"), slug("Conceição"), slug("小林"), slug("🌵")
    ('clara_rezende', 'conceicao', '小林', 'u1f335')
    """
    joined = _JOIN.sub("_", fold(name)).strip("_")
    key = joined or "u" + "_".join(f"{ord(char):x}" for char in ident(name).strip() or "\0")
    if len(key) <= _KEY_LENGTH:
        return key
    return f"{key[:_KEY_LENGTH]}_{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def normal(text: str) -> str:
    """The text as identity sees it: folded words joined by blanks, no punctuation.

    >>> normal("Iara cria abelhas!") == normal("iara  cria abelhas.")
    True
    """
    return " ".join(_PLAIN.findall(fold(text)))


def ident(name: str) -> str:
    """What a name is known by: its folded words, or the name itself where it has none, so that it is never empty.

    >>> ident("Malu 🌵"), ident("🌵"), ident("🌵") == ident("🍕")
    ('malu', '🌵', False)
    """
    return normal(name) or fold(name).strip() or name


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


def names_in(text: str, names: Mapping[str, V], *, min_chars: int = 3) -> list[V]:
    """Values of ``names`` (folded name -> value) whose name stands in the text between word boundaries, in order of place.

    A name that stands only inside a longer name is not mentioned: "Paulo" is not in "São Paulo". Scripts that write no
    blanks are searched without word boundaries. The cost is that of the text and of the names, not of their product.

    >>> names_in("Mariana viu a Ana", {"ana": "A", "mariana": "M", "vi": "V"})
    ['M', 'A']
    >>> names_in("Ana mora em São Paulo", {"paulo": "P", "sao paulo": "SP", "ana": "A"})
    ['A', 'SP']
    """
    folded = normal(text)
    sizes: dict[str, set[int]] = {}
    for name in names:
        sizes.setdefault(name.partition(" ")[0], set()).add(name.count(" ") + 1)
    said = folded.split(" ") if folded else []
    found: list[tuple[int, str]] = []
    place = covered = 0
    for start, word in enumerate(said):
        for size in sorted(sizes.get(word, ()), reverse=True):
            name = " ".join(said[start : start + size])
            if start + size > covered and len(name) >= min_chars and name in names:
                found.append((place, name))
                covered = start + size
                break
        place += len(word) + 1
    if not folded.isascii():
        whole = {name for _, name in found}
        dense = [n for n in names if n not in whole and not n.isascii() and n in folded and _dense(n)]
        spans = [(place, place + len(name)) for place, name in found]
        for name in sorted(dense, key=len, reverse=True):
            free = next((p for p in _places(folded, name) if not _inside(p, p + len(name), spans)), None)
            if free is not None:
                found.append((free, name))
                spans += [(p, p + len(name)) for p in _places(folded, name)]
    return list(dict.fromkeys(names[name] for _, name in sorted(found)))


def _places(text: str, name: str) -> list[int]:
    return [found.start() for found in re.finditer(re.escape(name), text)]


def _inside(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    return any(first <= start and end <= last for first, last in spans)


def guess_language(text: str, default: str = "en") -> str:
    """``en`` or ``pt`` by function words that only one of them has; ``default`` when nothing tells.

    >>> guess_language("Ana mora em Recife com a mãe"), guess_language("Ana lives with her mother"), guess_language("ok")
    ('pt', 'en', 'en')
    """
    lean = leaning(text)
    return default if not lean else ("pt" if lean > 0 else "en")


def leaning(text: str) -> int:
    """How far a text leans to Portuguese (above 0) or English (below): function words that only one of them has.

    >>> leaning("Ana mora em Recife com a mãe"), leaning("Ana lives with her mother"), leaning("ok")
    (4, -2, 0)
    """
    found = words(text)
    accents = sum(char in "ãõçáéíóúâêôà" for char in text.lower())
    portuguese = sum(word in _PT_ONLY for word in found) + accents
    return portuguese - sum(word in _EN_ONLY for word in found)


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
