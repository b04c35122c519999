"""Which known entity an ambiguous name stands for: names contained, initials, short forms; a gendered pair never
matches.
"""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arandu_lab.llm.rules.names import full_forms, gender, is_first_name
from arandu_lab.llm.rules.stems import content
from arandu_lab.pure.text import words


def resolve(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the ``resolve`` task: one choice a mention, null where several fit equally or none does."""
    message = str(inputs.get("message") or "")
    choices = []
    for mention in inputs.get("mentions") or []:
        if isinstance(mention, dict) and isinstance(mention.get("i"), int):
            choices.append({"i": mention["i"], "candidate": choose(mention, message)})
    return {"choices": choices}


def choose(mention: Mapping[str, Any], message: str) -> int | None:
    """The index of the one candidate that fits best, or None."""
    name = str(mention.get("name") or "")
    kind = str(mention.get("type") or "")
    scored = []
    for candidate in mention.get("candidates") or []:
        if not isinstance(candidate, dict) or not isinstance(candidate.get("i"), int):
            continue
        other = str(candidate.get("type") or "")
        if kind and other and kind != other and {kind, other} & {"person", "pet"} and "concept" not in (kind, other):
            continue
        likeness = alike(name, str(candidate.get("name") or ""))
        if likeness <= 0:
            continue
        context = " ".join(str(line) for line in candidate.get("context") or [])
        shared = len((content(message) & content(context)) - content(name) - content(str(candidate.get("name") or "")))
        scored.append((likeness, min(shared, 4), candidate["i"]))
    if not scored:
        return None
    scored.sort(key=lambda item: (-item[0] - 0.05 * item[1], item[2]))
    best = scored[0]
    rivals = [item for item in scored[1:] if abs(item[0] - best[0]) < 0.06 and item[1] == best[1]]
    return None if rivals else int(best[2])


def alike(name: str, other: str) -> float:
    """How far two names may name one thing: 1 equal, 0 not at all.

    >>> alike("Zé", "José Ferreira de Lima") > 0.6, alike("Rafael", "Rafaela"), alike("UFPE", "Universidade Federal de Pernambuco") > 0.5
    (True, 0.0, True)
    """
    a, b = words(name), words(other)
    if not a or not b:
        return 0.0
    if a == b:
        return 1.0
    if "".join(a) == "".join(b):
        return 0.98
    if _gender_veto(a, b):
        return 0.0
    short, long = (a, b) if len(a) <= len(b) else (b, a)
    if all(word in long for word in short):
        return 0.9 if short[0] == long[0] else 0.8
    best = 0.0
    if short[0] in _forms(long[0]) or long[0] in _forms(short[0]):
        rest = [word for word in short[1:] if word not in long and not _initial(word, long)]
        best = 0.75 if not rest else 0.0
    elif len(long) > 1 and any(full in _forms(short[0]) for full in long[1:2]):
        best = 0.6
    elif _double(short[0], long):
        best = 0.72
    if len(short) == 1 and len(long) > 1 and _acronym(short[0], long, other if long is b else name):
        best = max(best, 0.7)
    if len(short) > 1 and short[0] == long[0] and all(word in long or _initial(word, long) for word in short[1:]):
        best = max(best, 0.85)
    if (
        len(short[0]) >= 3
        and long[0].startswith(short[0])
        and len(short) == 1
        and not (is_first_name(short[0]) and is_first_name(long[0]) and len(long[0]) - len(short[0]) <= 1)
    ):
        best = max(best, 0.65)
    return best


def _forms(word: str) -> frozenset[str]:
    return full_forms(word)


def _double(short: str, long: list[str]) -> bool:
    """*Malu* for *Maria Luísa*: the beginnings of two words."""
    return (
        len(long) > 1
        and len(short) >= 4
        and any(
            short.startswith(long[0][:cut]) and long[1].startswith(short[cut:]) for cut in (2, 3) if len(short) > cut
        )
    )


def _initial(word: str, long: list[str]) -> bool:
    return len(word.rstrip(".")) == 1 and any(other.startswith(word[0]) for other in long[1:])


def _acronym(short: str, long: list[str], written: str) -> bool:
    initials = "".join(
        word[0] for word in long if word not in {"de", "da", "do", "dos", "das", "of", "the", "e", "and"}
    )
    if short == initials and len(short) > 1:
        return True
    return (
        len(short) > 2
        and short[0] == long[0][0]
        and _subsequence(short, "".join(long))
        and short.isalpha()
        and short[:1] == initials[:1]
        and len(initials) >= 3
        and sum(letter in initials for letter in short) >= 3
    )


def _subsequence(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def _gender_veto(a: list[str], b: list[str]) -> bool:
    """*Rafael* and *Rafaela*, *Daniel* and *Daniela* are two people."""
    if a[0] == b[0]:
        return False
    one, other = gender(a[0]), gender(b[0])
    pair = a[0] + "a" == b[0] or b[0] + "a" == a[0] or (a[0][:-1] == b[0][:-1] and {a[0][-1], b[0][-1]} == {"a", "o"})
    return (pair and "u" not in (one, other)) or {one, other} == {"f", "m"}
