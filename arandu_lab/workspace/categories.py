"""Where a fact of arandu's categories belongs in a workspace: its domain, and how it fades."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

CATEGORIES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "biographical_milestone": ("profile", "profile"),
        "relationship_change": ("profile", "profile"),
        "stable_preference": ("preferences", "preference"),
        "routine_activity": ("routines", "convention"),
        "specific_event": ("events", "event"),
        "conversational": ("conversation", "event"),
    }
)
"""Category -> domain and memory type."""


def placed(category: str) -> tuple[str, str]:
    """Domain and memory type of a category; of an unknown one those of talk.

    >>> placed("stable_preference"), placed("gossip")
    (('preferences', 'preference'), ('conversation', 'event'))
    """
    return CATEGORIES.get(category, CATEGORIES["conversational"])
