"""Relations between the entities of a message, each borne by one of its facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from arandu_lab.llm.rules.entities import parts_of
from arandu_lab.llm.rules.inference import slot_past
from arandu_lab.llm.rules.reading import Reading
from arandu_lab.llm.rules.whose import whose
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
    **_BOND,
    "lives_in": "lives_in",
    "from": "from",
    "works_at": "works_at",
    "studies_at": "studies_at",
    "member_of": "member_of",
    "owns": "owns",
    "project": "works_on",
}
_HUMAN = frozenset(_BOND.values()) - {"has_pet"}
_MUTUAL = frozenset("spouse_of partner_of ex_partner_of sibling_of friend_of colleague_of".split())
_TOGETHER = frozenset("lives_in works_at studies_at has_pet member_of from".split())
_NEIGHBOURS = frozenset("neighbour neighbor vizinho vizinha".split())
_STATED_OF = re.compile(r"['’]s (?:[\w-]+ ){0,3}(?:is|are) |(?<!\w)(?:é|são) (?:[\w-]+ ){1,3}?d[aeo]s? ")


def listed(reading: Reading, found: list[Found], named: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Relation items. Sources and targets are names of the entity list; an ended tie gives none (a job, a former
    one), nor does what a fact says of something of its subject's: *Bob's mother lives in Lisbon*.
    """
    out: list[dict[str, str]] = []
    seen: set[tuple[str, str, str]] = set()
    known = {fold(item["name"]): item["name"] for item in named}
    for item in named:
        for alias in item["aliases"]:
            known.setdefault(fold(alias), item["name"])
    types = {item["name"]: item["type"] for item in named}

    def add(source: str, kind: str, target: str) -> None:
        one, other = known.get(fold(source)), known.get(fold(target))
        if not one or not other or one == other:
            return
        back = (other, _BACK.get(kind, kind), one)
        if (one, kind, other) not in seen and not (back in seen and (kind in _MUTUAL or kind in _BACK)):
            seen.add((one, kind, other))
            out.append({"source": one, "type": kind, "target": other})

    for bond in reading.bonds:
        if fold(bond.word) in _NEIGHBOURS:
            add(bond.owner, "neighbor_of", bond.name)
        else:
            add(bond.owner, _BOND.get(bond.slot, "relative_of"), bond.name)
    for fact in found:
        kind = _SLOT.get(fact.slot.name)
        if not kind or fact.confidence == "speculation" or whose(fact.text, fact.subject, fact.slot.name):
            continue
        targets = _targets(fact, known)
        if targets and fact.slot.name in _LISTED:
            targets += _further(fact, known)
        if not targets and kind in _MUTUAL and fact.also and (kind == "ex_partner_of" or not fact.slot.ended):
            targets = [fact.also]
        for target in targets:
            real = known.get(fold(target), target)
            if fold(target) == fold(fact.subject) or not _fits(kind, types.get(real, "concept")):
                continue
            once = kind in _STATES and _once(fact)
            if fact.slot.ended or fact.slot.negated or once:
                if kind == "works_at" and (fact.slot.ended or once == "was"):
                    add(fact.subject, "former_employee_of", target)
                elif kind == "ex_partner_of":
                    add(fact.subject, kind, target)
                continue
            if kind in _HUMAN and _STATED_OF.search(fact.text):
                continue
            add(fact.subject, kind, target)
            if fact.also and kind in _TOGETHER:
                add(fact.also, kind, target)
    return out


_STATES = frozenset("lives_in works_at studies_at member_of".split())
_AHEAD = re.compile(
    r"^(?:(?:and|e) [A-ZÀ-Ý][\w-]+ )?(?:(?:is|are) (?:moving|relocating|going to)|will|plans?|wants?|hopes?|"
    r"v(?:ai|ão) |planeja|quer|pretende|se muda|muda-se)\b"
)


def _once(fact: Found) -> str:
    """Whether a fact tells what *was* so, or what is to *be*; empty for what holds."""
    opening = fact.subject if fact.text.startswith(f"{fact.subject} ") else ""
    predicate = fact.text[len(opening) :].strip()
    if slot_past(predicate):
        return "was"
    return "will" if fact.slot.name == "lives_in" and _AHEAD.match(predicate) else ""


_BACK = {"parent_of": "child_of", "child_of": "parent_of"}


def _fits(kind: str, target: str) -> bool:
    """Whether a thing of that type can stand at the end of such a tie."""
    if kind in _HUMAN:
        return target == "person"
    if kind in ("lives_in", "from"):
        return target not in ("person", "pet", "organization", "product")
    if kind in ("works_at", "studies_at", "member_of"):
        return target not in ("person", "pet") and not (kind == "works_at" and target == "place")
    if kind == "has_pet":
        return target in ("pet", "person", "concept")
    return target not in ("person", "pet", "place", "organization") or (kind == "owns" and target == "organization")


_LISTED = frozenset("child pet sibling friend lives_in".split())
_MORE = re.compile(r"^(?:,? (?:and|e|&)|,)(?: (?:a|o))? ([A-ZÀ-Ý][\w'’-]*(?: [A-ZÀ-Ý][\w'’-]*)*)")


def _further(fact: Found, known: dict[str, str]) -> list[str]:
    """The rest of a list: *two kids, Leo and Mia*."""
    at = fact.text.find(fact.slot.value)
    rest = fact.text[at + len(fact.slot.value) :] if at >= 0 else ""
    out = []
    while match := _MORE.match(rest):
        if fold(match[1]) in known and (fact.slot.name != "lives_in" or match[0].startswith(", ")):
            out.append(known[fold(match[1])])
        rest = rest[match.end() :]
    return out


def _targets(fact: Found, known: dict[str, str]) -> list[str]:
    """The entities that the fact's value names."""
    value = f" {' '.join(fold(fact.slot.value).replace(',', ' ').split())} "
    if not value.strip():
        return []
    found = {
        (value.find(f" {key} "), -len(key), known[key]) for key in parts_of(value) if key in known and len(key) > 1
    }
    out: list[str] = []
    for place, _, name in sorted(found):
        if fact.slot.name in ("owns", "project", "member_of") and place > 24:
            continue
        if not any(fold(name) in fold(other) for other in out):
            out.append(name)
    limit = 1 if fact.slot.name in ("works_at", "studies_at", "from") else 2
    return out[:limit]
