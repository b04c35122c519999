"""Who died: a statement of its own, and the end of having a pet: the one of that name, or the only one of its kind."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arandu_lab.llm.rules import lexicon_en, lexicon_pt
from arandu_lab.llm.rules.clauses import Clause
from arandu_lab.llm.rules.families import family
from arandu_lab.llm.rules.inference import Inferred
from arandu_lab.llm.rules.kinship import tie
from arandu_lab.llm.rules.language import Language, detect
from arandu_lab.llm.rules.sayings import say
from arandu_lab.llm.rules.slots import detect_slot
from arandu_lab.llm.rules.whose import nested, opening
from arandu_lab.pure.text import fold

_DIED = re.compile(
    r"^(?:(?:has|have|had|just|sadly|já|também|infelizmente) )*"
    r"(?:died|passed away|is dead|was put (?:down|to sleep)|morreu|faleceu)\b"
    r"(?! (?:laughing|of (?:laughter|boredom|shame|envy)|de (?:rir|vergonha|medo|tédio|inveja|amores|saudades?))\b)",
    re.IGNORECASE,
)
_HAS = "has|adopted|got|bought|rescued|tem|adotou|ganhou|comprou|resgatou|pegou"
_OWNER = re.compile(rf"^(?P<owner>[A-ZÀ-Ý].{{0,60}}?)(?:['’]s| (?:{_HAS}))\b")


@dataclass(frozen=True, slots=True)
class Pet:
    """A pet as a known fact tells of it; ``name`` is empty where that tells none."""

    owner: str
    kind: str
    name: str
    language: Language


def died(clause: Clause) -> bool:
    """Whether a clause says that somebody, a relative or a pet is dead; a phone that died is not."""
    return clause.subject.kind in ("person", "kin") and bool(_DIED.match(clause.predicate)) and not clause.conditional


def pets(inputs: Mapping[str, Any]) -> list[Pet]:
    """The pets that the known facts of a prompt tell of.

    >>> pets({"known": [{"name": "Ana", "facts": [{"i": 0, "text": "Ana has a dog called Rex"}]}]})
    [Pet(owner='Ana', kind='dog', name='Rex', language='en')]
    """
    texts = [
        str(fact.get("text") or "")
        for entity in inputs.get("known") or []
        if isinstance(entity, dict)
        for fact in entity.get("facts") or []
        if isinstance(fact, dict)
    ]
    return [pet for text in dict.fromkeys(texts) if (pet := _pet(text))]


def ends(clause: Clause, known: Sequence[Pet]) -> list[Inferred]:
    """That one no longer has the pet of which a clause says by name that it died, where a known fact tells whose it was."""
    if clause.subject.kind != "person" or not died(clause):
        return []
    meant = [pet for pet in known if pet.name and fold(pet.name) == fold(clause.subject.entity)]
    said = [say("pet", pet.owner, pet.name, pet.language, ended=True, kind=pet.kind) for pet in meant]
    return [Inferred(pet.owner, text, clause.level) for pet, text in zip(meant, said, strict=True)][:1]


def ended_by(text: str, stored: Sequence[str]) -> int | None:
    """Which stored fact a nameless pet's death ends: that its owner has one of its kind; None where two may be meant.

    >>> ended_by("Ana's dog died", ["Ana lives in Natal", "Ana has a dog called Rex"])
    1
    >>> ended_by("Ana's dog died", ["Ana has a dog called Max", "Ana has a dog called Rex"]) is None
    True
    """
    thing, predicate = opening(text)
    kind = next((family(fold(word)) for word in thing.split() if tie(word) == "pet"), "")
    if not kind or nested(thing) or not _DIED.match(text[predicate:]):
        return None
    told = [(pet.name, at) for at, one in enumerate(stored) if (pet := _pet(one)) and _is(pet, kind, text)]
    return max(told)[1] if told and len({name for name, _ in told if name}) < 2 else None


def _is(pet: Pet, kind: str, text: str) -> bool:
    """Whether it is of that kind, and its owner named in the text."""
    return family(fold(pet.kind)) == kind and bool(re.search(rf"\b{re.escape(pet.owner)}\b", text))


def _pet(text: str) -> Pet | None:
    """The pet of a fact that says one has it."""
    slot, owner = detect_slot(text), _OWNER.match(text)
    if slot.name != "pet" or slot.ended or slot.negated or owner is None:
        return None
    words = re.findall(r"[\w-]+", text[owner.end() :])
    kind = next((word for word in words if fold(word) in lexicon_en.PETS | lexicon_pt.PETS), "")
    return Pet(owner["owner"], kind, slot.value if slot.value[:1].isupper() else "", detect(text)) if kind else None
