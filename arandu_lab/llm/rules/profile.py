"""A short profile of each entity that the message says something new about."""

# ruff: noqa: E501  (tables of words and patterns read better on long lines)

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from arandu_lab.llm.rules.whose import of_relative, whose
from arandu_lab.pure.text import fold, normal

if TYPE_CHECKING:
    from arandu_lab.llm.rules.extraction import Found

_MAX = 600
_SAYS = {
    "lives_in": "Lives in {}.", "works_at": "Works at {}.", "has_role": "Works as {}.", "studies_at": "Studies at {}.", "studies": "Studies {}.",
    "from": "Is from {}.", "likes": "Likes {}.", "dislikes": "Dislikes {}.", "allergy": "Is allergic to {}.", "spouse": "Married to {}.",
    "partner": "In a relationship with {}.", "pet": "Has a pet, {}.", "language": "Speaks or learns {}.", "hobby": "Hobby: {}.",
    "age": "Age: {}.", "birthday": "Birthday: {}.", "diet": "Diet: {}.", "health": "Health: {}.", "owns": "Owns {}.",
}  # fmt: skip
_DIZ = {
    "lives_in": "Mora em {}.", "works_at": "Trabalha em {}.", "has_role": "Profissão: {}.", "studies_at": "Estuda em {}.", "studies": "Estuda {}.",
    "from": "É de {}.", "likes": "Gosta de {}.", "dislikes": "Não gosta de {}.", "allergy": "Tem alergia a {}.", "spouse": "Casamento com {}.",
    "partner": "Namora {}.", "pet": "Tem um animal, {}.", "language": "Fala ou aprende {}.", "hobby": "Passatempo: {}.",
    "age": "Idade: {}.", "birthday": "Aniversário: {}.", "diet": "Dieta: {}.", "health": "Saúde: {}.", "owns": "Tem {}.",
}  # fmt: skip


def updated(found: list[Found], named: list[dict[str, Any]], inputs: Mapping[str, Any]) -> dict[str, str]:
    """Profiles by entity name, the earlier profile first, in the configured language where an attribute allows it.

    What is said of a relative stands in nobody else's profile; what is said of a thing one has stands there as it was said.
    """
    wanted = str(inputs.get("profile_language") or "english").lower()
    phrases = _DIZ if wanted.startswith("portug") or wanted.startswith("pt") else _SAYS
    before = {}
    for entity in inputs.get("known") or []:
        if isinstance(entity, dict) and entity.get("profile") and entity.get("name"):
            before[fold(str(entity["name"]))] = str(entity["profile"])
    types = {item["name"]: item["type"] for item in named}
    out: dict[str, str] = {}
    for fact in found:
        if fact.subject not in types or fact.confidence == "speculation":
            continue
        thing = whose(fact.text, fact.subject, fact.slot.name)
        if of_relative(thing):
            continue
        line = phrases[fact.slot.name].format(fact.slot.value) if (
            fact.slot.name in phrases and fact.slot.value and not (thing or fact.slot.ended or fact.slot.negated)) else fact.text + "."  # fmt: skip
        profile = out.get(fact.subject) or before.get(fold(fact.subject), "")
        if len(profile) + len(line) > _MAX or normal(line) in normal(profile):
            continue
        out[fact.subject] = f"{profile} {line}".strip()
    return out
