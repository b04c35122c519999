"""What in a message is data or a program: JSON, markup, source lines. Nobody states anything in it."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import json
import re

_TRIES = 50
"""How many failed attempts to read JSON are worth while in one message (work stays linear)."""

_OPENING = re.compile(r"\{\s*[\"}]|\[\s*[\"\[{\]]")
_DECODER = json.JSONDecoder(strict=False)
_HINT = re.compile(r"[{}\[\]=<>;#$\"(]|^[ \t]*(?:import|from|return)\b", re.MULTILINE)
_NAME = r"[A-Za-z_$][\w$]*(?:\.\w+|\[[^\]]{0,60}\])*"
_LINES = (
    rf"(?:(?:const|let|var|val|final|static|auto|int|string|bool|float) )?{_NAME}(?: ?: ?[\w.\[\], |]{{1,60}})? ?(?:[-+*/|]|:)?={{1,3}}(?!>) ?\S",  # x = 1
    rf"(?:await |new |return |yield |raise |throw |@)*{_NAME}\(.*\)[^.\w]{{0,4}}$",  # call(x)
    r"(?:return|yield|raise|throw)(?:;$| ?[\"'({\[f]| [\w.]+;?$)",
    r"(?:async )?(?:def|fn|func|function) ?\w* ?\(|(?:export |public |abstract )*class \w+ ?(?:\(.*\) ?)?(?:extends [\w ]+)?[:{]$",
    r"(?:public|private|protected|static|export|package|namespace|using|module) [\w<>.,\[\] =]{1,80}(?:[;{]|\(.*)$",
    r"(?:if|elif|else if|for|while|with|switch|catch|except|case|match)\b.*[:{]$|(?:else|try|finally|do) ?[:{]$",
    r"import [\w.{*\"']+(?: ?[,}] ?[\w.{}]+)*(?: (?:as|from) .*)?;?$|from [\w.\"'@/]+ import\b|#(?:include|define|!|ifdef|endif|pragma|if)\b",
    r"(?:(?:SELECT|select) .{1,300}? (?:FROM|from) \w|INSERT INTO|insert into|UPDATE \w+ SET|DELETE FROM|CREATE TABLE|DROP TABLE|ALTER TABLE|VALUES ?\()",
    r"[\"'][\w .-]{1,60}[\"'] ?:|[\[{(] ?[\"'].*[\])}][,;]?$|\"[^\"]*\",$|'[^']*',$",  # "key": …
    r"[\]})]+[;,)]*$|[{\[(]$|.*[\"'\])}];$|.*[)=>\w] ?\{$|.*=> ?[{(\"']",
    r"</?[A-Za-z!?][^<>]*>(?:.*>)?$|<[A-Za-z!][^<>]*$|(?:\$|>>>|\.\.\.) \w",
)
_LINE = re.compile(r"\s{0,200}(?:" + "|".join(f"(?:{pattern})" for pattern in _LINES) + ")")


def without_code(text: str) -> str:
    """The text without JSON and without lines of a program; nothing at all when most lines are such.

    >>> without_code('{"bio": "I live in Recife"}').strip(), without_code("I moved (again).")
    ('', 'I moved (again).')
    """
    if not _HINT.search(text):
        return text
    text = _without_json(text)
    lines = text.split("\n")
    code = [bool(_LINE.match(line[:2000].rstrip())) for line in lines]
    said = sum(bool(line.strip()) for line in lines)
    if sum(code) >= 2 and 2 * sum(code) >= said:
        return ""
    return "\n".join(line for line, is_code in zip(lines, code, strict=True) if not is_code)


def _without_json(text: str) -> str:
    pieces = []
    at = tries = 0
    for match in _OPENING.finditer(text):
        if match.start() < at:
            continue
        if tries >= _TRIES:
            break
        try:
            _, end = _DECODER.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            tries += 1
            continue
        pieces.append(text[at : match.start()])
        at = end
    return "\n".join([*pieces, text[at:]])
