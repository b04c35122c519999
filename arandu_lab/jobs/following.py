"""Which group of now continues which group of before: by what they share."""

from __future__ import annotations

from collections.abc import Sequence


def followed(
    groups: Sequence[Sequence[str]], before: Sequence[Sequence[str]], *, of_one: bool = False
) -> tuple[list[int | None], list[int]]:
    """For each group the place in ``before`` that it continues, or None; and the places that nobody continues.

    The pair that shares most members is joined first, of equals the earlier one; each stands in one pair at most.

    Args:
        of_one: all are of one thing: then one group alone continues one alone before, even without a shared member.

    >>> followed([["a", "b"], ["c"]], [["c", "d"], ["a"], ["x"]])
    ([1, 0], [2])
    >>> followed([["a"]], [["x"]]), followed([["a"]], [["x"]], of_one=True)
    (([None], [0]), ([0], []))
    """
    if of_one and len(groups) == len(before) == 1:
        return [0], []
    of = {member: place for place, members in enumerate(groups) for member in members}
    shared: dict[tuple[int, int], int] = {}
    for old, members in enumerate(before):
        for member in members:
            if member in of:
                shared[of[member], old] = shared.get((of[member], old), 0) + 1
    follows: list[int | None] = [None] * len(groups)
    taken: set[int] = set()
    for new, old in sorted(shared, key=lambda pair: (-shared[pair], pair)):
        if follows[new] is None and old not in taken:
            follows[new] = old
            taken.add(old)
    return follows, [place for place in range(len(before)) if place not in taken]
