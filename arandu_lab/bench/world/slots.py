"""What kinds of facts the world has, and what may happen to each."""

from __future__ import annotations

from dataclasses import dataclass

BIO, REL, PREF = "biographical_milestone", "relationship_change", "stable_preference"
EVENT, ROUTINE = "specific_event", "routine_activity"


@dataclass(frozen=True, slots=True)
class SlotRule:
    """The rules of one slot.

    ``values`` is the family of its values (``person`` and ``day`` beside those of the lexicon). ``single``: one value
    at a time. ``most`` values live at once. ``changes`` and ``ends`` say whether it may be replaced or be over.
    ``weight`` is how often it is spoken of. ``relation`` is the relation that stating it makes, "" for none;
    ``mutual``: it holds the other way round as well. ``forgettable``: it may be taken back or asked to be forgotten.
    """

    name: str
    values: str
    category: str
    weight: int
    single: bool = False
    most: int = 3
    changes: bool = False
    ends: bool = True
    relation: str = ""
    mutual: bool = False
    forgettable: bool = True


SLOTS: dict[str, SlotRule] = {
    rule.name: rule
    for rule in (
        SlotRule("lives_in", "place", BIO, 12, True, 1, True, True, "lives_in"),
        SlotRule("from", "place", BIO, 3, True, 1, False, False, "from"),
        SlotRule("works_at", "org", BIO, 10, True, 1, True, True, "works_at"),
        SlotRule("has_role", "role", BIO, 7, True, 1, True, True),
        SlotRule("studies", "subject", BIO, 4, True, 1, True, True),
        SlotRule("partner", "person", REL, 4, True, 1, True, True, "partner_of", True),
        SlotRule("boss", "person", REL, 6, True, 1, True, True, "reports_to"),
        SlotRule("diet", "diet", PREF, 3, True, 1, True, True),
        SlotRule("birthday", "day", BIO, 3, True, 1, False, False),
        SlotRule("likes", "taste", PREF, 9),
        SlotRule("dislikes", "taste", PREF, 3),
        SlotRule("hobby", "hobby", ROUTINE, 6),
        SlotRule("allergy", "allergen", BIO, 3, most=2, ends=False),
        SlotRule("pet", "pet", BIO, 4, most=2, relation="has_pet"),
        SlotRule("language", "tongue", BIO, 3, most=2, ends=False),
        SlotRule("owns", "thing", BIO, 5),
        SlotRule("project", "project", ROUTINE, 5, most=2, relation="works_on"),
        SlotRule("member_of", "club", ROUTINE, 4, most=2, relation="member_of"),
        SlotRule("sibling", "person", REL, 2, most=1, ends=False, relation="sibling_of", mutual=True),
        SlotRule("friend", "person", REL, 3, most=2, relation="friend_of", mutual=True),
        SlotRule("child", "person", REL, 2, most=2, ends=False, relation="parent_of"),
        SlotRule("lives_with", "person", REL, 9, most=1, mutual=True),
        SlotRule("habit", "habit", ROUTINE, 5),
        SlotRule("health", "condition", BIO, 3, most=2),
        SlotRule("plan", "happening", EVENT, 0),
        SlotRule("event", "happening", EVENT, 0, ends=False),
    )
}
"""Slot -> rule, in a fixed order; ``plan`` and ``event`` are spoken of by acts of their own."""

CHILDREN = frozenset({"likes", "dislikes", "allergy"})
"""The slots of people who are somebody's child."""

LATE = ("lives_in", "works_at", "has_role", "studies", "partner")
"""Slots of which a bygone value may be told."""

STILL = ("boss", "partner", "project")
"""Slots that are asked about with yes or no."""

HISTORY = ("lives_in", "works_at", "has_role", "studies", "diet", "partner")
"""Slots whose values are asked for in order."""
