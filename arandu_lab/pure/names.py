"""Who a name stands for: the phases of entity resolution that need no model.

Exact names first, then the prefix rule for persons (and, where asked for, short forms like Beto for Roberto), then
similarity bands (write document, stage 2; decisions W14-W16, B5). Numbers, single letters and gender pairs veto any
likeness: "Lote 17" is not "Lote 71", Rafael is not Rafaela.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from arandu_lab.pure import hypocorisms
from arandu_lab.pure.assistants import is_assistant, own_name
from arandu_lab.pure.text import ident, normal, slug, words
from arandu_lab.records import Entity, Resolved

_PRONOUNS = frozenset("i me my myself mine we us our eu mim comigo meu minha nos nosso nossa speaker".split()) | {
    "a gente",
    "the speaker",
}
ROLES = {
    role: kind
    for kind, spelled in {
        "mother": "mother mom mum mommy mae mamae",
        "father": "father dad daddy pai papai",
        "brother": "brother irmao",
        "sister": "sister irma",
        "son": "son filho",
        "daughter": "daughter filha",
        "wife": "wife esposa mulher",
        "husband": "husband marido esposo",
        "girlfriend": "girlfriend namorada",
        "boyfriend": "boyfriend namorado",
        "partner": "partner parceiro parceira companheiro companheira",
        "friend": "friend amigo amiga",
        "boss": "boss chefe chefa manager gerente",
        "colleague": "colleague coworker colega",
        "grandmother": "grandmother grandma granny avo vovo",
        "grandfather": "grandfather grandpa",
        "uncle": "uncle tio",
        "aunt": "aunt tia",
        "cousin": "cousin primo prima",
        "neighbour": "neighbour neighbor vizinho vizinha",
        "roommate": "roommate flatmate housemate",
    }.items()
    for role in spelled.split()
}
_ROLE_NAMES = frozenset(ROLES.values())
_POSSESSIVE = re.compile(r"^(?:my|our|o|a|os|as|meu|minha|nosso|nossa)\s+", re.UNICODE)
_MINE = re.compile(r"^(?:my|our|meu|minha|nosso|nossa)\b")
_ARTICLE = re.compile(r"^(?:the|an?|his|her|its|their|your|uma?|seus?|suas?|teu|tua)\s+", re.UNICODE)
_KINDS = {
    spelled: kind
    for kind, others in {
        "person": "people human man woman child pessoa homem mulher crianca",
        "organization": "organisation company org business startup institution empresa organizacao companhia instituicao",
        "place": "location city town country state region lugar local cidade pais estado regiao bairro neighborhood",
        "pet": "animal dog cat bicho cachorro gato",
    }.items()
    for spelled in others.split()
}
_THINGS = frozenset("organization place pet product event software brand object book film song project".split())
_USERS = frozenset({"user", "usuario", "usuaria", "the user", "o usuario", "a usuaria"})
_VAGUE = frozenset("concept other entity thing unknown misc".split())
_HINT = re.compile(r"^(?P<name>[^()]*[^()\s])\s*\((?P<hint>[^()]*[^()\s][^()]*)\)\s*$")
_OF = re.compile(r"\b(?:d[eoa]s?|of)\s+(?P<of>[^\W\d].*)$|^(?P<by>[^\W\d].*?)['’]s\b", re.IGNORECASE)
_ALIAS_STOP = frozenset(
    """ele ela eles elas he she they it him her them someone somebody alguem gente pessoa person project projeto chefe
    boss team time equipe empresa company casa home house cidade city""".split()
)


Nicknames = Literal["off", "ask", "resolve"]
"""What the tables of short forms may do: nothing, nominate for a model, or decide where one person fits."""

_TIE = 1e-6
_LONG = 200


@dataclass(frozen=True, slots=True)
class Known:
    """What resolution sees of the memory: folded names to keys, and the entities by key."""

    aliases: Mapping[str, tuple[str, ...]]
    entities: Mapping[str, Entity]


def match(
    name: str,
    type: str,
    *,
    speaker_key: str,
    speaker: str,
    known: Known,
    relationship_terms: Literal["speaker", "role"],
    nicknames: Nicknames = "off",
) -> Resolved:
    """Phase one: pronouns of the speaker, relationship words, exact names, the prefix rule for persons.

    What is typed as a thing is neither the speaker nor anybody's mother: the place "US", the firm "Mother" (B8).
    ``how`` is ``pending`` when no rule decides; ``candidates`` then holds the keys that tie (namesakes). With
    ``nicknames`` the tables of short forms nominate too: ``resolve`` takes the only bearer (as the prefix rule does) and
    ``ask`` leaves even that one to a model; several bearers, and a fuller name of a bearer, always stay candidates (W14).

    >>> match("eu", "person", speaker_key="person:rafael", speaker="Rafael", known=Known({}, {}), relationship_terms="speaker").key
    'person:rafael'
    >>> match("mãe", "person", speaker_key="person:rafael", speaker="Rafael", known=Known({}, {}), relationship_terms="role").key
    'person:rafael_mother'
    """
    bare = ident(name)
    person = kind(type) not in _THINGS
    if person and (bare in (ident(speaker), ident(own_name(speaker))) or is_pronoun(name, speaker)):
        return Resolved(name=own_name(speaker), type="person", key=speaker_key, how="speaker")
    role = ROLES.get(_POSSESSIVE.sub("", bare))
    if role is None and relationship_terms == "role":
        role = _role_of(name, speaker)
    if role is not None and person:
        key = speaker_key if relationship_terms == "speaker" else f"{speaker_key}_{role}"
        shown = speaker if relationship_terms == "speaker" else f"{speaker}'s {role}"
        return Resolved(name=shown, type="person", key=key, how="relationship_term")
    bearers = known.aliases.get(bare, ())
    exact = [key for key in bearers if _type_of(key, known) == type] or [
        key for key in bearers if same_type(type, _type_of(key, known))
    ]
    if len(exact) == 1:
        return Resolved(name=name, type=_type_of(exact[0], known), key=exact[0], how="exact")
    if len(exact) > 1:
        return Resolved(name=name, type=type, key=None, how="pending", candidates=tuple(exact))
    if kind(type) == "person":
        fits = prefix_matches(bare, known)
        called, fuller = nickname_matches(bare, known) if nicknames != "off" else ([], [])
        sure = list(dict.fromkeys(fits if nicknames == "ask" else fits + called))
        fits = list(dict.fromkeys(fits + called + fuller))
        if len(fits) == len(sure) == 1:
            return Resolved(name=name, type=type, key=sure[0], how="prefix")
        if fits:
            return Resolved(name=name, type=type, key=None, how="pending", candidates=tuple(fits))
    return Resolved(name=name, type=type, key=None, how="pending")


def _role_of(name: str, speaker: str) -> str | None:
    """The role in "Rafael's mother" or "mãe do Rafael" when Rafael speaks."""
    bare, whose = normal(name), normal(speaker)
    if bare.startswith(f"{whose} s "):
        return ROLES.get(bare[len(whose) + 3 :])
    word, _, rest = bare.partition(" ")
    return ROLES.get(word) if rest in {f"{of} {whose}" for of in ("de", "do", "da", "of")} else None


def is_pronoun(name: str, speaker: str) -> bool:
    """Whether a mention is the speaker's word for himself; "the user" is not an assistant's (G2).

    >>> is_pronoun("eu", "Rafael"), is_pronoun("the user", "Rafael"), is_pronoun("the user", "assistant")
    (True, True, False)
    """
    bare = normal(name)
    return bare in _PRONOUNS or (bare in _USERS and not is_assistant(speaker))


def prefix_matches(bare: str, known: Known) -> list[str]:
    """Keys of the persons of whose name the folded ``bare`` (three characters or more) is the beginning.

    >>> e = {k: Entity(key=k, agent_id="a", name=n, type="person", recorded_at=None)
    ...      for k, n in (("person:carolina", "Carolina"), ("person:rafaela", "Rafaela"), ("person:joao", "João"))}
    >>> [prefix_matches(n, Known({normal(v.name): (k,) for k, v in e.items()}, e)) for n in ("carol", "rafael", "jo")]
    [['person:carolina'], [], []]
    """
    if len(bare) < 3:
        return []
    fits = []
    for folded, keys in known.aliases.items():
        if folded.startswith(bare) and folded != bare and not vetoed(bare, folded):
            fits += [key for key in keys if kind(_type_of(key, known)) == "person"]
    return list(dict.fromkeys(fits))


def nickname_matches(bare: str, known: Known) -> tuple[list[str], list[str]]:
    """Keys of the persons whom the folded ``bare`` may name by a short form, or whose short form is known; and of those
    known by a short form alone, of which it may be the full name (that much a table cannot decide).

    >>> e = {k: Entity(key=k, agent_id="a", name=n, type="person", recorded_at=None)
    ...      for k, n in (("person:roberto", "Roberto Lima"), ("person:alberto", "Alberto Dias"), ("person:ze", "Zé"))}
    >>> held = Known({normal(v.name): (k,) for k, v in e.items()}, e)
    >>> [nickname_matches(n, held) for n in ("beto", "beto lima", "jose", "jose dias")]
    [(['person:roberto', 'person:alberto'], []), (['person:roberto'], []), (['person:ze'], []), ([], ['person:ze'])]
    """
    said = bare.split(" ")
    called: list[str] = []
    fuller: list[str] = []
    for folded, keys in known.aliases.items():
        held = folded.split(" ")
        for fits, test in ((called, hypocorisms.may_be), (fuller, hypocorisms.may_be_fuller)):
            if test(said, held):
                fits += [key for key in keys if kind(_type_of(key, known)) == "person"]
    return list(dict.fromkeys(called)), [key for key in dict.fromkeys(fuller) if key not in called]


def vetoed(first: str, second: str) -> bool:
    """Whether two folded names differ in a way that likeness must not bridge: numbers, single letters, gender.

    A short form in ``i`` is no masculine: "Juli" may be Julia.

    >>> vetoed("lote 17", "lote 71"), vetoed("rua a", "rua b"), vetoed("rafael", "rafaela"), vetoed("carol", "carolina")
    (True, True, True, False)
    """
    a, b = first.split(), second.split()
    marks_a = {w for w in a if len(w) == 1 or any(c.isdigit() for c in w)}
    marks_b = {w for w in b if len(w) == 1 or any(c.isdigit() for c in w)}
    if marks_a != marks_b:
        return True
    if not a or not b:
        return True
    x, y = sorted((a[0], b[0]), key=len)
    return (y == x + "a" and x[-1] != "i") or (
        len(x) == len(y) > 2 and x[:-1] == y[:-1] and {x[-1], y[-1]} == {"o", "a"}
    )


def bands(
    pending: Resolved,
    scores: Sequence[tuple[str, float]],
    *,
    fuzzy_threshold: float,
    fuzzy_floor: float,
    fuzzy_candidates: int,
) -> Resolved:
    """Phase two: by likeness on the documented scale, resolve, offer candidates, or leave a new entity.

    ``scores`` are (key, likeness) of entities of the same type, vetoed ones left out. Ties that phase one found stay
    whole and ahead of likely ones; entities that are equally near (namesakes) tie as well: never silently the first.
    """
    if pending.candidates:
        return pending
    ranked = sorted(scores, key=lambda pair: (-pair[1], pair[0]))
    if ranked and ranked[0][1] >= fuzzy_threshold:
        tied = tuple(key for key, score in ranked if ranked[0][1] - score < _TIE)
        if len(tied) > 1:
            return replace(pending, candidates=tied)
        return replace(pending, key=ranked[0][0], how="fuzzy", score=ranked[0][1])
    near = tuple(key for key, score in ranked if score >= fuzzy_floor)[:fuzzy_candidates]
    if near:
        return replace(pending, candidates=near, score=ranked[0][1])
    return replace(pending, how="new")


def settle(pending: Resolved, choice: int | None) -> Resolved:
    """Phase three: the model's choice among the candidates by index; none, or an index that was not shown, is new.

    A name that several entities bear and that nobody decided stays ``ambiguous`` with its candidates: never silently
    the first (W14), and no further bearer is made up either.
    """
    if choice is not None and 0 <= choice < len(pending.candidates):
        return replace(pending, key=pending.candidates[choice], how="model")
    if len(pending.candidates) > 1 and pending.score == 1.0:
        return replace(pending, how="ambiguous")
    return replace(pending, how="new")


def likeness(first: str, second: str, *, floor: float = 0.0) -> float:
    """String likeness of two folded names, 0 to 1, for when no embedder answers; 0 when it is plainly below ``floor``."""
    if max(len(first), len(second)) > _LONG:
        return float(first == second)
    matcher = difflib.SequenceMatcher(None, first, second)
    if matcher.real_quick_ratio() < floor or matcher.quick_ratio() < floor:
        return 0.0
    return matcher.ratio()


def kind(type: str) -> str:
    """A type under its common name: types are free words, and a city is a place.

    >>> kind("city"), kind("empresa"), kind("person"), kind("spaceship")
    ('place', 'organization', 'person', 'spaceship')
    """
    return _KINDS.get(normal(type), type)


def same_type(wanted: str, held: str) -> bool:
    """Whether a mention of one type may be an entity of another: the same, or one of them says nothing.

    >>> same_type("pet", "organization"), same_type("concept", "person"), same_type("city", "place")
    (False, True, True)
    """
    return wanted == held or is_vague(wanted) or is_vague(held) or kind(wanted) == kind(held)


def is_vague(type: str) -> bool:
    """Whether a type says nothing of what an entity is."""
    return type in _VAGUE


def new_key(type: str, name: str, taken: Mapping[str, object]) -> str:
    """A key for a new entity: ``type:slug``, numbered when a namesake holds it.

    >>> new_key("person", "Ana", {}), new_key("person", "Ana", {"person:ana": 1})
    ('person:ana', 'person:ana_2')
    """
    base = f"{slug(type)}:{slug(name)}"
    if base not in taken:
        return base
    number = 2
    while f"{base}_{number}" in taken:
        number += 1
    return f"{base}_{number}"


def shown(resolved: Resolved, speaker: str) -> str:
    """The name to write for a mention: nobody is called "eu" or "mãe".

    >>> shown(Resolved(name="eu", type="person", key="person:rafael", how="speaker"), "Rafael")
    'Rafael'
    >>> shown(Resolved(name="mãe", type="person", key="person:rafael_mother", how="relationship_term"), "Rafael")
    "Rafael's mother"
    """
    if resolved.how == "relationship_term":
        role = str(resolved.key).rpartition("_")[2]
        return f"{speaker}'s {role}" if role in _ROLE_NAMES else speaker
    return own_name(speaker) if resolved.how == "speaker" else resolved.name


def may_be_alias(name: str) -> bool:
    """Whether a mention is worth remembering as a name: no pronoun, role word or common noun in lower case (B7).

    >>> [may_be_alias(n) for n in ("Malu", "a chefe", "ele", "bicicleta", "小林", "Malu 🌵")]
    [True, False, False, False, True, True]
    """
    bare = _ARTICLE.sub("", _POSSESSIVE.sub("", normal(name)))
    if not bare or bare in _PRONOUNS or bare in _USERS or bare in ROLES or bare in _ALIAS_STOP:
        return False
    cased = [char for char in name if char.lower() != char.upper()]
    return not cased or any(char.isupper() for char in cased) or any(char.isdigit() for char in name)


@dataclass(frozen=True, slots=True)
class Hint:
    """What stands in brackets behind a name: another name of it, or its role and whose.

    ``owner`` None is the speaker, and "" somebody without a name.
    """

    text: str
    alias: bool = False
    role: str | None = None
    owner: str | None = None


def split_hint(name: str) -> tuple[str, Hint | None]:
    """A name and what is said of it in brackets behind it.

    >>> split_hint("Carol (namorada do Rafael)")
    ('Carol', Hint(text='namorada do Rafael', alias=False, role='girlfriend', owner='Rafael'))
    >>> split_hint("Chico (Francisco)")[1].alias, split_hint("Orion (a startup)")[1], split_hint("Ana")
    (True, Hint(text='a startup', alias=False, role=None, owner=None), ('Ana', None))
    """
    found = _HINT.match(name.strip())
    if found is None:
        return name.strip(), None
    text = found["hint"].strip()
    role = next((ROLES[word] for word in words(text) if word in ROLES), None)
    if role is not None:
        owned = None if _MINE.match(normal(text)) else _OF.search(text)
        return found["name"], Hint(text, role=role, owner=_first_name(owned["of"] or owned["by"]) if owned else None)
    proper = may_be_alias(text) and all(w[0].isupper() or len(w) <= 3 or not w[0].isalpha() for w in text.split())
    return found["name"], Hint(text, alias=proper)


def _first_name(text: str) -> str:
    """The capitalised words that a text begins with, particles between them included; "" where there are none."""
    taken: list[str] = []
    for word in re.split(r"[,;]", text)[0].split():
        if not (word[0].isupper() or (taken and word in ("de", "da", "do", "das", "dos"))):
            break
        taken.append(word)
    while taken and not taken[-1][0].isupper():
        taken.pop()
    return " ".join(taken)


def _type_of(key: str, known: Known) -> str:
    entity = known.entities.get(key)
    return entity.type if entity is not None else key.split(":", 1)[0]
