"""Facts of one message that only repeat each other: a clause beside the bond that it names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arandu_lab.pure.text import STOP, fold, normal

if TYPE_CHECKING:
    from arandu_lab.llm.rules.extraction import Found


def without_echo(found: list[Found]) -> list[Found]:
    """Drop a clause that only repeats a bond: ``Ana is Rafael's wife`` beside ``Rafael's wife is Ana``. What names
    somebody else is no echo.
    """
    out: list[Found] = []
    told: dict[tuple[str, frozenset[str]], list[set[str]]] = {}
    for fact in found:
        if fact.slot.name in _BONDS:
            words = set(normal(fact.text).split())
            names = frozenset(fold(name) for name in _NAMES.findall(fact.text)) - STOP
            if any(len(words ^ other) <= 2 for other in told.get((fact.slot.name, names), ())):
                continue
            for fewer in (names, *(names - {name} for name in names)):
                near = told.setdefault((fact.slot.name, fewer), [])
                if len(near) < _NEAR:
                    near.append(words)
        out.append(fact)
    return out


_NAMES = re.compile(r"\b[A-ZÀ-Ý][\w'’-]*\w")
_NEAR = 50
"""Facts of one attribute and the same names that one is held against (work stays linear)."""
_BONDS = frozenset("spouse partner ex_partner child parent sibling friend relative boss colleague pet".split())
