"""Hostile text shown as text: characters that cannot be seen, or that turn others around, are named where they stand.

Escaping of HTML is the template's; this is what escaping leaves untouched.
"""

from __future__ import annotations

import re
import unicodedata

from markupsafe import Markup, escape

_KEPT = frozenset("\t\n\u200c\u200d")
"""A tabulator, a line's end, and the joiners that Persian and emoji are written with."""

_SUSPECT = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MAYBE = re.compile(r"[^\t\n\x20-\x7e]")


def odd(char: str) -> bool:
    """Whether a character is invisible, private, or changes the direction of others.

    >>> [odd(char) for char in ("a", "ã", "\\n", "\\x1b", "\\u202e", "\\u200b", "\\U000e0041", "\\u200d")]
    [False, False, False, True, True, True, True, False]
    """
    return char not in _KEPT and unicodedata.category(char) in _SUSPECT


def visible(text: str) -> str:
    """The text with odd characters as their code points in brackets.

    >>> visible("abc\\u202edcba \\x00")
    'abc⟦202E⟧dcba ⟦0000⟧'
    """
    return _MAYBE.sub(lambda found: _code(found[0]) if odd(found[0]) else found[0], text)


def words(text: str) -> Markup:
    """The text as HTML: escaped, odd characters as marked spans that tell their names.

    >>> words("<b>\\u202e")
    Markup('&lt;b&gt;<span class="odd" title="RIGHT-TO-LEFT OVERRIDE">⟦202E⟧</span>')
    """
    out = [escape("")]
    for piece in re.split(r"([^\t\n\x20-\x7e])", text):
        if len(piece) == 1 and odd(piece):
            name = unicodedata.name(piece, "CONTROL CHARACTER")
            out.append(Markup('<span class="odd" title="{}">{}</span>').format(name, _code(piece)))
        else:
            out.append(escape(piece))
    return Markup("").join(out)


def cut(text: str, most: int = 600) -> str:
    """The beginning of a text that is too long for a list; its own page has the whole.

    >>> cut("Ana mora em Olinda", 8), cut("Ana", 8)
    ('Ana mora…', 'Ana')
    """
    return text if len(text) <= most else text[:most].rstrip() + "…"


def plain(text: str) -> str:
    """The text without odd characters, as it is given into a box for editing.

    >>> plain("Ana\\u202e lives\\x00 here")
    'Ana lives here'
    """
    return "".join(char for char in text if not odd(char))


def _code(char: str) -> str:
    return f"⟦{ord(char):04X}⟧"
