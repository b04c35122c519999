"""From columns to terms: which are seen by distance and place, which are flags, and what sign common sense gives them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from arandu_lab.blends.blend import Term

RAISES = frozenset(
    "spk_one spk_any month day year when_time where_place who_name many_num why_why feel_feel len i".split()
)
"""Flags that can only be in favour of a turn: it is by whom, of when, or holds what, the question names."""

LOWERS = frozenset("spk_other month_no qmark endq short hub".split())
"""What can only be against it: somebody else's turn, another month, a question, next to nothing said, near everything."""


def design(columns: Iterable[str], flags: Collection[str], *, signs: bool = True) -> tuple[Term, ...]:
    """The terms of a blend before it has learned anything.

    Args:
        columns: Names of columns.
        flags: Those that are taken as they are; every other one is seen by distance and by place.
        signs: Whether weights are bounded. A score can only raise, but for those of ``LOWERS``; that of a
            neighbour (``bm@-1``) is free.

    >>> [(term.kind, term.sign) for term in design(["bm", "bm@-1", "qmark"], {"qmark"})]
    [('z', 1), ('rank', 1), ('z', 0), ('rank', 0), ('flag', -1)]
    """
    out = []
    for name in columns:
        if name in flags:
            out.append(Term(column=name, kind="flag", sign=_of_flag(name) if signs else 0))
        else:
            sign = 0 if not signs or "@" in name else -1 if name in LOWERS else 1
            out += [Term(column=name, kind="z", sign=sign), Term(column=name, kind="rank", sign=sign)]
    return tuple(out)


def _of_flag(name: str) -> int:
    return 1 if name in RAISES else -1 if name in LOWERS else 0
