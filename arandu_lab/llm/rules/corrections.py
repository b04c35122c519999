"""Whether a message takes back a value that it names: ``I said nickel but I meant penicillin``, ``era X, e não Y``."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from functools import lru_cache

from arandu_lab.pure.text import fold

_GAP = r"\W+(?:(?!only\b|so\b|apenas\b|somente\b)\w+\W+){0,3}?"
_REFUSED = rf"(?:\b(?:not|never|isn't|wasn't|instead of|rather than|misspoke\b[^.;]{{0,30}}? with|scratch|strike|forget|nao|nunca|nada de|em vez de|ao inves de|no lugar de|risquem|risca|risque|apaga|apaguem|esquece|esquecam)\b){_GAP}"
_UTTERED = rf"(?:\b(?:said|wrote|typed|told you|called it|falei|disse|escrevi|digitei)\b){_GAP}"
_MEANT = r"[^.;]{0,60}?\b(?:but|meant|mean|should|correct|mas|queria|quis|leiam|leia|certo|engano|errad[oa])\b"
_WRONG = (
    r"\W+(?:\w+\W+){0,3}?(?:wrong|mistake|incorrect|nonsense|typo|engano|errad[oa]|erro|equivoco|besteira|bobagem)\b"
)


@lru_cache(maxsize=4096)
def corrected(message: str, old: str, new: str) -> bool:
    """Whether the message refuses the folded value ``old`` and names the value ``new`` too.

    >>> corrected("Sorry, I said nickel but I meant penicillin.", "nickel", "penicillin")
    True
    >>> corrected("Não é violão, é cavaquinho", "violao", "cavaquinho"), corrected("Not only jazz, samba too", "jazz", "samba")
    (True, False)
    """
    if not old or not new or old == new:
        return False
    said = re.sub(r"[’´`]", "'", fold(message))
    value = rf"(?:\b{re.escape(old)}\b)"
    if not re.search(rf"\b{re.escape(new)}\b", said) or not re.search(value, said):
        return False
    return bool(
        re.search(_REFUSED + value, said)
        or re.search(_UTTERED + value + _MEANT, said)
        or re.search(value + _WRONG, said)
    )
