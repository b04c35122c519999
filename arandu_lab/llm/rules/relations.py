"""Relations between the entities of a message, each borne by one of its facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arandu_lab.llm.rules.reading import Reading
from arandu_lab.pure.text import fold

if TYPE_CHECKING:
    from arandu_lab.llm.rules.extraction import Found

_BOND = {
    "spouse": "spouse_of",
    "partner": "partner_of",
    "ex_partner": "ex_partner_of",
    "child": "parent_of",
    "parent": "child_of",
    "sibling": "sibling_of",
    "friend": "friend_of",
    "relative": "relative_of",
    "colleague": "colleague_of",
    "boss": "reports_to",
    "pet": "has_pet",
}
_SLOT = {
    "lives_in": "lives_in",
    "from": "from",
    "works_at": "works_at",
    "studies_at": "studies_at",
    "member_of": "member_of",
    "spouse": "spouse_of",
    "partner": "partner_of",
    "ex_partner": "ex_partner_of",
    "pet": "has_pet",
    "owns": "owns",
    "project": "works_on",
    "boss": "reports_to",
    "friend": "friend_of",
    "child": "parent_of",
}


def listed(reading: Reading, found: list[Found], named: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Relation items. Sources and targets are names of the entity list; an ended tie gives none (a job, a former
    one).
    """
    out: list[dict[str, str]] = []
    known = {fold(item["name"]): item["name"] for item in named}
    for item in named:
        for alias in item["aliases"]:
            known.setdefault(fold(alias), item["name"])

    def add(source: str, kind: str, target: str) -> None:
        one, other = known.get(fold(source)), known.get(fold(target))
        item = {"source": one or source, "type": kind, "target": other or target}
        if one and other and one != other and item not in out:
            out.append(item)

    for bond in reading.bonds:
        add(bond.owner, _BOND.get(bond.slot, "relative_of"), bond.name)
    places = {mention.name for mention in reading.mentions if mention.type == "place"}
    people = {mention.name for mention in reading.mentions if mention.type in ("person", "pet")}
    for fact in found:
        kind = _SLOT.get(fact.slot.name)
        if not kind or fact.confidence == "speculation":
            continue
        for target in _targets(fact, known):
            if fold(target) == fold(fact.subject):
                continue
            if fact.slot.ended or fact.slot.negated:
                if kind == "works_at" and not (target in places or target in people):
                    add(fact.subject, "former_employee_of", target)
                elif kind == "ex_partner_of" and target in people:
                    add(fact.subject, kind, target)
                continue
            if kind in ("lives_in", "from") and target in people:
                continue
            if (
                kind in ("spouse_of", "partner_of", "ex_partner_of", "friend_of", "reports_to", "parent_of")
                and target not in people
            ):
                continue
            if kind in ("works_at", "studies_at") and target in people:
                continue
            add(fact.subject, kind, target)
    return out


def _targets(fact: Found, known: dict[str, str]) -> list[str]:
    """The entities that the fact's value names."""
    value = f" {' '.join(fold(fact.slot.value).replace(',', ' ').split())} "
    if not value.strip():
        return []
    found = [
        (value.find(f" {key} "), -len(key), name) for key, name in known.items() if f" {key} " in value and len(key) > 1
    ]
    out: list[str] = []
    for _, _, name in sorted(found):
        if not any(fold(name) in fold(other) for other in out):
            out.append(name)
    limit = 1 if fact.slot.name in ("works_at", "studies_at", "from") else 2
    return out[:limit]
