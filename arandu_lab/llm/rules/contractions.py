"""English contractions and chat spellings written out, so that one verb reader serves both."""

from __future__ import annotations

import re

from arandu_lab.llm.rules import lexicon_en

_PLAIN = {
    "can't": "cannot",
    "cant": "cannot",
    "won't": "will not",
    "shan't": "shall not",
    "ain't": "is not",
    "i'm": "I am",
    "im": "I am",
    "ive": "I have",
    "dont": "do not",
    "didnt": "did not",
    "doesnt": "does not",
    "isnt": "is not",
    "wasnt": "was not",
    "gonna": "going to",
    "wanna": "want to",
    "gotta": "have to",
    "let's": "let us",
    "i": "I",
    "y'all": "you all",
    "kinda": "kind of",
}
_WORD = re.compile(r"(?<![\w'])[A-Za-z]+(?:'[A-Za-z]+)?(?![\w'])")
_HOSTS = frozenset(
    "i you he she it we they that there who what where here how this everyone everybody someone somebody nobody name".split()
)
_IS_AFTER = frozenset(
    "a an the not been gone going getting also always now really still only just in at on from my his her our off back "
    "after down up out called named around about over under so very too all fluent allergic together part still "
    "involved vegan vegetarian no done free keen fond mad crazy into with".split()
)


def expand(text: str) -> str:
    """The text with its contractions written out; possessives stay.

    >>> expand("I'm sure Ana's dog can't swim, she's been told, I'd love it. He'd moved")
    "I am sure Ana's dog cannot swim, she has been told, I would love it. He had moved"
    """
    text = text.replace("’", "'").replace("´", "'")
    if "'" not in text and not _CHAT.search(text):
        return text
    words = list(_WORD.finditer(text))
    out: list[str] = []
    at = 0
    for index, match in enumerate(words):
        following = words[index + 1][0].lower() if index + 1 < len(words) else ""
        full = _full(match[0], following)
        out.append(text[at : match.start()])
        out.append(full)
        at = match.end()
    out.append(text[at:])
    return "".join(out)


_CHAT = re.compile(r"\b(?:i|im|ive|dont|didnt|doesnt|isnt|wasnt|cant|gonna|wanna|gotta|kinda)\b", re.IGNORECASE)


def _full(word: str, following: str) -> str:
    low = word.lower()
    if low == "im" and word != "im" and word != "Im":
        return word
    plain = _PLAIN.get(low)
    if plain:
        return plain[0].upper() + plain[1:] if word[0].isupper() and plain[0] != "I" else plain
    if "'" not in word:
        return word
    host, _, end = word.rpartition("'")
    end = end.lower()
    if low.endswith("n't"):
        return word[:-3] + " not"
    if end in ("re", "ve", "ll", "m"):
        return f"{host} { {'re': 'are', 've': 'have', 'll': 'will', 'm': 'am'}[end] }"
    if end == "d" and host.lower() in _HOSTS:
        return f"{host} {'had' if _participle(following) or following in ('better', 'been') else 'would'}"
    if end == "s":
        perfect = following in ("been", "got", "gone", "had") or (
            _participle(following) and host.lower() in ("he", "she", "it")
        )
        if host.lower() in _HOSTS and host.lower() != "name":
            return f"{host} {'has' if perfect and not _passive(following) else 'is'}"
        if (
            host[0].isupper()
            and (following in _IS_AFTER or _kind(following, "ing") or following.endswith(("ivorous", "arian")))
            and following not in _OWNABLE
        ):
            return f"{host} {'has' if following in ('been', 'gone', 'got') else 'is'}"
    return word


_OWNABLE = frozenset(
    "going training building meeting painting wedding reading writing drawing running cooking clothing swimming baking "
    "teaching parking saving recording being".split()
)


def _kind(word: str, kind: str) -> bool:
    return any(found == kind for _, found in lexicon_en.forms().get(word, ()))


def _participle(word: str) -> bool:
    readings = lexicon_en.forms().get(word, ())
    return any(kind == "participle" for _, kind in readings) and not any(kind == "base" for _, kind in readings)


def _passive(word: str) -> bool:
    """*he's married*, *she's retired*: an adjective more than a perfect."""
    return word in {
        "married",
        "retired",
        "divorced",
        "engaged",
        "booked",
        "cancelled",
        "called",
        "named",
        "tired",
        "bored",
        "allergic",
        "excited",
        "scared",
        "worried",
        "interested",
        "surprised",
        "done",
        "gone",
        "built",
        "based",
        "born",
        "obsessed",
    }


_ABREVIADO = {
    "q": "que",
    "vc": "você",
    "vcs": "vocês",
    "tb": "também",
    "tbm": "também",
    "pq": "porque",
    "n": "não",
    "hj": "hoje",
    "td": "tudo",
    "qdo": "quando",
    "qnd": "quando",
    "cmg": "comigo",
    "ctg": "contigo",
    "msm": "mesmo",
    "mt": "muito",
    "mto": "muito",
    "dps": "depois",
    "tô": "estou",
    "tou": "estou",
    "tá": "está",
    "tava": "estava",
    "tamos": "estamos",
    "né": "",
    "pro": "para o",
    "cê": "você",
    "aq": "aqui",
}
_PALAVRA = re.compile(
    r"(?<![\w@#])(?:" + "|".join(sorted(_ABREVIADO, key=len, reverse=True)) + r")(?!\w)", re.IGNORECASE
)
_RISO = re.compile(r"(?<!\w)(?:k{2,}|rs(?:rs)*|(?:ha){2,}h?|(?:he){2,}|(?:hua){2,}\w*)(?!\w)", re.IGNORECASE)


def expandir(text: str) -> str:
    """Portuguese chat spellings written out, laughter gone.

    >>> expandir("tô em casa kkkk, vc tb?")
    'estou em casa , você também?'
    """
    text = _RISO.sub("", text)
    return _PALAVRA.sub(lambda found: _por_extenso(found[0]), text)


def _por_extenso(word: str) -> str:
    full = _ABREVIADO[word.lower()]
    return full[:1].upper() + full[1:] if word[0].isupper() and len(word) > 1 else full
