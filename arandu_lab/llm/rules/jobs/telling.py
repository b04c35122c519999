"""Sentences from facts: what is said of one is joined, what is alike is merged, and of what one has once the latest is told."""

# ruff: noqa: E501  (tables and patterns read better on long lines)

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from arandu_lab.llm.rules import lexicon_en, lexicon_pt
from arandu_lab.llm.rules.jobs.given import Given
from arandu_lab.llm.rules.jobs.predicates import ASPECTS, ORDER, Said, read
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.slots import SINGLE
from arandu_lab.pure.text import STOP, fold, normal, words

_ONCE = SINGLE | {"studies"}


def holding(facts: Iterable[Given], name: str) -> list[Said]:
    """The facts read, each attribute of which one has one value told once, by its latest fact.

    >>> [said.says for said in holding([Given(0, "Ana lives in Recife", "2023-01-01"), Given(1, "Ana mora em Natal", "2024-01-01")], "Ana")]
    ['mora em Natal']
    """
    found = [read(line, name) for line in facts]
    latest = {key: said for said in found if (key := _held(said)) is not None}
    return [said for said in found if (key := _held(said)) is None or latest[key] is said]


def sentences(lines: Sequence[Said], name: str, tongue: Language, *, called: str = "", joined: int = 4) -> list[str]:
    """The facts as sentences, in the order given: those of one subject are joined, at most ``joined`` at a time.

    ``called`` is the name the entity is shown by, ``called_by`` its facts by default.

    >>> facts = [Given(0, "Ana likes jazz"), Given(1, "Ana likes long walks"), Given(2, "Ana's boss is Rui"), Given(3, "Ana sings")]
    >>> sentences(holding(facts, "Ana"), "Ana", "en")
    ['Ana likes jazz and long walks, has Rui as boss and sings.']
    """
    called = called or called_by(lines, name)
    by: dict[str, list[Said]] = {}
    for said in lines:
        by.setdefault(shown(said, called, name), []).append(said)
    out: list[str] = []
    for who, mine in by.items():
        clauses = [clause for clause in _clauses(mine, tongue) if clause] if who else []
        whole = [said for said in mine if not who or _clause(said, tongue) is None]
        plain = [clause for clause in clauses if "," not in clause and len(words(clause)) <= 16]
        for start in range(0, len(plain), joined):
            out.append(f"{_capital(who)} {listed(plain[start : start + joined], tongue)}.")
        out += [f"{_capital(who)} {clause}." for clause in clauses if clause not in plain]
        out += [f"{_capital(said.given.text)}." for said in whole]
    return list(dict.fromkeys(out))


def listed(parts: Sequence[str], tongue: Language) -> str:
    """``a, b and c``; a part that itself joins two is set off by a comma.

    >>> listed(["a", "b", "c"], "pt"), listed(["likes tea and cake", "sings"], "en")
    ('a, b e c', 'likes tea and cake, and sings')
    """
    word = "e" if tongue == "pt" else "and"
    if len(parts) < 2:
        return "".join(parts)
    inner = any(re.search(r" (?:and|e) ", part) for part in parts[-2:])
    comma = "," if inner and (len(parts) > 2 or f" {word} " in parts[-2]) else ""
    return f"{', '.join(parts[:-1])}{comma} {word} {parts[-1]}"


def in_order(lines: Iterable[Said]) -> list[Said]:
    """By aspect as ``ASPECTS`` lists them, within one the telling first, then the oldest."""
    return sorted(
        lines,
        key=lambda said: (
            not said.own, ASPECTS.index(said.aspect), ORDER.get(said.attribute, 99), said.against, -round(said.telling, 2), said.given.since, said.given.key
        ),
    )  # fmt: skip


# ------------------------------------------------------------ who


def called_by(lines: Iterable[Said], name: str) -> str:
    """The one longer name under which the entity is told of, else its own name: "Ana" may be "Ana Dias" but not two of them."""
    longer = {fold(said.who): said.who for said in lines if said.own and set(words(name)) < set(words(said.who))}
    return next(iter(longer.values())) if len(longer) == 1 else name


def shown(said: Said, called: str, name: str) -> str:
    """The name that a fact's subject is shown by, empty where it opens with none."""
    if not said.who:
        return ""
    if said.who in (called, name):
        return called
    mine = set(words(said.who))
    return called if mine <= set(words(name)) or mine <= set(words(called)) else said.who


def _held(said: Said) -> tuple[str, ...] | None:
    """What one fact says once: the attribute where one has one value of it, else attribute and value."""
    if not said.firm:
        return None
    if said.attribute in _ONCE and not said.against:
        return normal(said.who), said.attribute
    value = " ".join(word for word in words(said.value) if word not in STOP)
    return (normal(said.who), said.attribute, str(said.against), value) if value else None


# ------------------------------------------------------------ clauses


def _clauses(lines: Sequence[Said], tongue: Language) -> list[str]:
    """The predicates in order; those that begin alike are merged: likes tea and cake."""
    heads: dict[str, list[str]] = {}
    for said in lines:
        clause = _clause(said, tongue)
        if clause is None:
            continue
        found = _ALIKE[tongue].match(clause)
        if (kept := _KEPT_AS.fullmatch(clause)) and "," not in clause:
            heads.setdefault(f"{kept['head']} {{}} {kept['tail']}", []).append(kept["rest"])
        elif found and not re.search(r"\d|,", clause) and len(words(clause)) - len(words(found[0])) <= 5:
            heads.setdefault(f"{found['head']} {{}}", []).append(found["rest"])
        else:
            heads.setdefault(clause, [])
    out = []
    for head, rests in heads.items():
        once = list(dict.fromkeys(rests))
        out.append(head.replace("{}", listed(once, tongue), 1) if once else head)
    return _gapped(out, tongue)


def _gapped(clauses: Sequence[str], tongue: Language) -> list[str]:
    """Neighbours of the form "has Rui as boss" and "has Eva as sister" as one: has Rui as boss and Eva as sister."""
    out: list[list[str]] = []
    for clause in clauses:
        kept = _KEPT_AS.fullmatch(clause)
        if kept and out and (before := _KEPT_AS.fullmatch(out[-1][0])) and before["head"] == kept["head"]:
            out[-1].append(f"{kept['rest']} {kept['tail']}")
        else:
            out.append([clause])
    return [listed(parts, tongue) for parts in out]


def _clause(said: Said, tongue: Language) -> str | None:
    """What a fact says of its subject, as a predicate in the language asked for; None: only as its own sentence."""
    if said.language == tongue:
        if not said.owned:
            return said.says
        hobby = said.attribute == "hobby"
        found = (_IS_ANY if hobby else _IS)[tongue].fullmatch(said.says)
        if not found or not (hobby or _relation(said.owned)):
            return None
        return f"{_HAS[tongue][0]} {found['name']} {_HAS[tongue][1]} {said.owned}"
    if not (said.firm and said.value):
        return None
    frame = FRAMES[tongue].get("avoids" if said.attribute == "diet" and said.against else said.attribute)
    if frame is None or (said.against and said.attribute not in ("diet", "dislikes")):
        return None
    value = _ARTICLES.sub("", said.value)
    if said.attribute == "age":
        value = re.sub(r" (?:anos|years).*", "", value)
        return frame.format(value) if value.isdigit() else None
    return frame.format(value)


def _relation(noun: str) -> bool:
    table = {**lexicon_en.KIN, **lexicon_pt.KIN}
    return fold(noun.split(" ")[-1]) in table or fold(noun.split(" ")[0]) in table or noun in table


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


FRAMES: dict[Language, dict[str, str]] = {
    "en": {
        "lives_in": "lives in {}", "works_at": "works at {}", "has_role": "works as {}", "studies_at": "studies at {}", "studies": "studies {}",
        "from": "is from {}", "likes": "likes {}", "dislikes": "dislikes {}", "allergy": "is allergic to {}", "spouse": "is married to {}",
        "partner": "has {} as partner", "boss": "has {} as boss", "friend": "is friends with {}", "language": "speaks {}", "hobby": "has {} as hobby",
        "age": "is {} years old", "birthday": "has a birthday on {}", "owns": "owns a {}", "member_of": "is a member of {}",
        "project": "works on {}", "pet": "has {} as pet", "avoids": "avoids {}",
    },
    "pt": {
        "lives_in": "mora em {}", "works_at": "trabalha em {}", "has_role": "trabalha como {}", "studies_at": "estuda em {}", "studies": "estuda {}",
        "from": "é de {}", "likes": "gosta de {}", "dislikes": "não gosta de {}", "allergy": "tem alergia a {}", "spouse": "tem casamento com {}",
        "partner": "namora {}", "boss": "tem {} como chefe", "friend": "tem amizade com {}", "language": "fala {}", "hobby": "tem {} como passatempo",
        "age": "tem {} anos", "birthday": "faz aniversário em {}", "owns": "tem {}", "member_of": "faz parte de {}",
        "project": "trabalha em {}", "pet": "tem {} como bicho", "avoids": "evita {}",
    },
}  # fmt: skip
"""Predicates for an attribute whose fact is in the other language; the value keeps its own words."""

_HAS = {"en": ("has", "as"), "pt": ("tem", "como")}
_IS = {
    "en": re.compile(
        r"(?:is|are)(?: called| named)? (?P<name>(?:[A-ZÀ-Ý][\w'’.-]*)(?: (?:d[aeo]s? )?[A-ZÀ-Ý][\w'’.-]*)*)"
    ),
    "pt": re.compile(
        r"(?:é|se chama|chama-se)(?: [oa])? (?P<name>(?:[A-ZÀ-Ý][\w'’.-]*)(?: (?:d[aeo]s? )?[A-ZÀ-Ý][\w'’.-]*)*)"
    ),
}
_IS_ANY = {"en": re.compile(r"is (?P<name>[^,]+)"), "pt": re.compile(r"é (?P<name>[^,]+)")}
_KEPT_AS = re.compile(r"(?P<head>has|tem) (?P<rest>.+) (?P<tail>(?:as|como) (?:an? |her |his |um |uma )?\w+)")
_ARTICLES = re.compile(r"^(?:(?:an?|the|um|uma|o|a|os|as) )+", re.IGNORECASE)
_ALIKE = {
    "en": re.compile(r"(?P<head>likes|loves|adores|enjoys|dislikes|hates|loathes|detests|is allergic to|speaks|is fluent in|is friends with|is a member of|owns|has|plans|is working on|works on|avoids|suffers from|is a fan of) (?P<rest>\S.*)"),
    "pt": re.compile(r"(?P<head>gosta de|adora|ama|detesta|odeia|não gosta de|é alérgic[oa] a|tem alergia a|sofre de alergia a|fala|é fluente em|tem amizade com|faz parte de|possui|tem|planeja|está trabalhando em|trabalha em|evita|sofre de|está com) (?P<rest>\S.*)"),
}  # fmt: skip
