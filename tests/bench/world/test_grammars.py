"""The grammar files are whole, use known tokens only, and the held split is worded differently from the open one."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from importlib import resources
from itertools import product
from typing import Any

import pytest

from arandu_lab.bench.world.grammar import load_grammar

SPLITS, LANGS = ("open", "held"), ("en", "pt")
FILES = [f"{split}_{lang}" for split in SPLITS for lang in LANGS]

SINGLE = ("lives_in", "works_at", "has_role", "studies", "partner", "boss", "diet")
FIXED = ("from", "birthday")
MANY = (
    "likes", "dislikes", "hobby", "allergy", "pet", "language", "owns", "project", "member_of", "sibling", "friend", "child",
    "lives_with", "habit", "health",
)  # fmt: skip
EVERY = (*SINGLE, *FIXED, *MANY)
BORN = ("sibling", "child")
DATED = tuple(slot for slot in (*SINGLE, *MANY) if slot not in BORN)
LATE = ("lives_in", "works_at", "has_role", "studies", "partner")
STILL = ("boss", "partner", "project")
HISTORY = (*LATE, "diet")

# (slots, family, least number in open, least number in held)
LEAST: list[tuple[tuple[str, ...], str, int, int]] = [
    (EVERY, "begin_me", 4, 3), (EVERY, "begin_they", 3, 2),
    (DATED, "since_me", 3, 2), (DATED, "since_they", 2, 2),
    (SINGLE, "change_me", 3, 2), (SINGLE, "change_they", 2, 2),
    (EVERY, "again_me", 3, 2), (EVERY, "again_they", 2, 1),
    (DATED, "end_me", 3, 2), (DATED, "end_they", 2, 1),
    (LATE, "late_me", 2, 1), (EVERY, "say", 3, 3), (EVERY, "say_end", 1, 1),
    (EVERY, "q_now", 2, 2), (SINGLE, "q_at", 1, 1), (HISTORY, "q_history", 1, 1), (DATED, "q_when", 1, 1),
    (SINGLE, "q_before", 1, 1), (STILL, "q_still", 1, 1), (("lives_with",), "q_cascade", 1, 1), (EVERY, "topic", 1, 1),
    (LATE, "ask", 2, 2), (LATE, "answer", 2, 2),
    (("plan",), "begin_me", 4, 3), (("plan",), "begin_they", 3, 2), (("plan",), "happened_me", 3, 2),
    (("plan",), "happened_they", 2, 2), (("plan",), "cancelled_me", 3, 2), (("plan",), "cancelled_they", 2, 2),
    (("plan", "event"), "say", 3, 3), (("plan",), "say_end", 1, 1), (("plan", "event"), "q_when", 1, 1),
    (("plan",), "topic", 1, 1),
]  # fmt: skip
WRAPS = {
    "hear": (4, 3), "correct": (3, 2), "retract": (3, 2), "forget": (3, 2), "join": (4, 3), "opening": (4, 3),
    "small": (40, 25), "reaction": (15, 10),
}  # fmt: skip
WRAP_MUST = {"hear": "S", "correct": "S", "retract": "T", "forget": "T", "join": "AB"}
NO_MANY = ("change_me", "change_they", "q_at", "q_history", "q_before")

PLAIN = {"N", "V", "O", "K", "D", "when", "year", "S", "T", "A", "B"}
HEADS = {"en": {"N's", "a V", "a O", "a K", "the V", "the O"},
         "pt": {"de N", "um K"} | {f"{head} {end}" for head in ("em", "de", "a", "por", "o", "um") for end in "VO"}}  # fmt: skip
TOKEN = re.compile(r"\{([^{}]*)\}")
AGREEMENT = re.compile(r"(?:[NVO]:)?[\w' -]*/[\w' -]*")


def read(name: str) -> dict[str, Any]:
    """A grammar file, parsed."""
    place = resources.files("arandu_lab.bench.world") / "words" / f"{name}.toml"
    return tomllib.loads(place.read_text(encoding="utf-8"))


def lines(name: str) -> list[tuple[str, str, str]]:
    """(slot or "", family, template), all of a file."""
    data = read(name)
    tables = {"": data["wrap"], **data["slot"]}
    return [(slot, family, one) for slot, table in tables.items() for family, texts in table.items() for one in texts]


def words(template: str) -> list[str]:
    """The words of a template, folded, each token a blank.

    >>> words("Não moro mais {em V}!")
    ['nao', 'moro', 'mais', '_']
    """
    plain = unicodedata.normalize("NFKD", TOKEN.sub(" _ ", template)).casefold()
    return re.findall(r"[\w']+", "".join(one for one in plain if not unicodedata.combining(one)))


def likeness(one: str, other: str) -> float:
    """Jaccard of the words of two templates, tokens left out; 0 where either has fewer than four words.

    >>> likeness("I live in {V} now", "now I live in {V}"), likeness("{V}", "{V}")
    (1.0, 0.0)
    """
    a, b = ([word for word in words(text) if word != "_"] for text in (one, other))
    return len({*a} & {*b}) / len({*a} | {*b}) if min(len(a), len(b)) >= 4 else 0.0


@pytest.mark.parametrize("name", FILES)
def test_every_family_has_enough_sentences(name):
    """Each slot has the families that are natural for it, at the least number for its split; so have the wraps."""
    data = read(name)
    held = name.startswith("held")
    short = [
        f"{slot}.{family}: {len(data['slot'].get(slot, {}).get(family, ()))} < {least[held]}"
        for slots, family, *least in LEAST
        for slot in slots
        if len(data["slot"].get(slot, {}).get(family, ())) < least[held]
    ]
    short += [f"wrap.{one}" for one, least in WRAPS.items() if len(data["wrap"].get(one, ())) < least[held]]
    assert short == []


@pytest.mark.parametrize("name", FILES)
def test_questions_and_answers_come_in_pairs(name):
    """A slot that may be asked about in the chat has elliptical answers, two of each at least, and the other way round."""
    for slot, table in read(name)["slot"].items():
        assert ("ask" in table) == ("answer" in table), slot
        assert all(len(table[family]) >= 2 for family in ("ask", "answer") if family in table), slot


@pytest.mark.parametrize("name", FILES)
def test_many_valued_slots_neither_change_nor_have_a_before(name):
    """Where values live side by side none replaces another."""
    slots = read(name)["slot"]
    assert [(slot, one) for slot in MANY for one in NO_MANY if one in slots[slot]] == []


@pytest.mark.parametrize("name", FILES)
def test_only_known_tokens(name):
    """Every token is one of the contract's for its language, and no bracket stands alone."""
    lang = name[-2:]
    known = PLAIN | HEADS[lang]
    wrong = [
        (slot, family, text, token)
        for slot, family, text in lines(name)
        for token in TOKEN.findall(text)
        if token not in known and not AGREEMENT.fullmatch(token)
    ]
    assert wrong == []
    assert [text for _, _, text in lines(name) if set("{}") & set(TOKEN.sub("", text))] == []


@pytest.mark.parametrize("name", FILES)
def test_required_tokens(name):
    """A dated sentence holds its date, a late one its year, a statement its value, a wrap its sentence."""
    wrong = []
    for slot, family, text in lines(name):
        held = set(TOKEN.findall(text))
        heads = {token.rpartition(" ")[2] for token in held if "/" not in token}
        if family.startswith("since_") or family == "q_at" or (slot, family[:6]) == ("plan", "begin_"):
            wrong += [(slot, family, text)] if "when" not in held else []
        if family.startswith("late_"):
            wrong += [(slot, family, text)] if "year" not in held else []
        if family.split("_")[0] in ("begin", "since", "late", "change", "answer", "cancelled") and slot != "event":
            wrong += [(slot, family, text)] if "V" not in heads else []
        if family.startswith("happened_"):
            wrong += [(slot, family, text)] if "D" not in held else []
        if slot == "":
            wrong += [(slot, family, text)] if set(WRAP_MUST.get(family, "")) - held else []
    assert wrong == []


@pytest.mark.parametrize("name", FILES)
def test_old_values_and_dates_stand_only_where_they_are_known(name):
    """The old value is named in changes only, a year in late sentences only, and who speaks of others names them."""
    wrong = []
    for slot, family, text in lines(name):
        held = TOKEN.findall(text)
        heads = {token.rpartition(" ")[2] for token in held if "/" not in token}
        if "O" in heads and family not in ("change_me", "change_they", "correct"):
            wrong.append((slot, family, text))
        if "year" in held and not family.startswith("late_"):
            wrong.append((slot, family, text))
        if family.endswith("_they") and not heads & {"N", "N's"}:
            wrong.append((slot, family, text))
        if family.endswith("_me") and heads & {"N", "N's"}:
            wrong.append((slot, family, text))
    assert wrong == []


@pytest.mark.parametrize("name", FILES)
def test_changes_can_name_the_old_value_or_not(name):
    """Each family of changes has a sentence with the old value and one without."""
    for slot in SINGLE:
        for family in ("change_me", "change_they"):
            texts = read(name)["slot"][slot][family]
            assert {bool(re.search(r"\{(\w+ )?O\}", text)) for text in texts} == {True, False}, (slot, family)


@pytest.mark.parametrize("name", FILES)
def test_questions_do_not_hold_their_answer(name):
    """What is asked for (the value now, then, in order, or before) is no part of the question; questions end in a mark."""
    asked = [one for one in lines(name) if one[1].startswith("q_")]
    for _, family, text in asked:
        if family in ("q_now", "q_at", "q_history", "q_cascade"):
            assert not re.search(r"\{(\w+ )?V\}", text), text
        assert text.endswith("?") or (family == "q_history" and text.endswith(".")), text


@pytest.mark.parametrize("name", FILES)
def test_canonical_sentences(name):
    """What gold says is a whole sentence: it names the subject and ends in a full stop."""
    for slot, family, text in lines(name):
        if family in ("say", "say_end"):
            assert text.endswith("."), (slot, text)
            assert {"N", "N's", "de N"} & set(TOKEN.findall(text)), (slot, text)


@pytest.mark.parametrize("name", FILES)
def test_no_sentence_stands_twice_in_a_family(name):
    """The sentences of a family differ by their words, not by case or marks."""
    seen = set()
    for slot, family, text in lines(name):
        key = (slot, family, TOKEN.sub(lambda found: found[1], text).casefold().rstrip(".!?"))
        assert key not in seen, key
        seen.add(key)


@pytest.mark.parametrize("lang", LANGS)
def test_no_sentence_of_open_stands_in_held(lang):
    """With tokens blanked and words folded no sentence of a slot is in both splits, whichever its family."""
    kept = {(slot, *words(text)) for slot, _, text in lines(f"open_{lang}")}
    again = [(slot, family, text) for slot, family, text in lines(f"held_{lang}") if (slot, *words(text)) in kept]
    assert again == []


@pytest.mark.parametrize("lang", LANGS)
def test_no_near_copy_of_open_stands_in_held(lang):
    """Sentences of four words or more share fewer than four fifths of them with any of the same family in open."""
    kept: dict[tuple[str, str], list[str]] = {}
    for slot, family, text in lines(f"open_{lang}"):
        kept.setdefault((slot, family), []).append(text)
    near = [
        (slot, family, text, other)
        for slot, family, text in lines(f"held_{lang}")
        for other in kept.get((slot, family), ())
        if likeness(text, other) >= 0.8
    ]
    assert near == []


@pytest.mark.parametrize("lang", LANGS)
def test_small_talk_and_greetings_are_disjoint(lang):
    """No small talk, reaction or greeting of one split is said in the other, in whichever of the three roles."""
    roles = ("small", "reaction", "opening")
    one, other = (
        {tuple(words(text)) for role in roles for text in read(f"{split}_{lang}")["wrap"][role]} for split in SPLITS
    )
    assert one & other == set()


@pytest.mark.parametrize("split", SPLITS)
def test_both_languages_have_the_same_slots(split):
    """A world is told in both languages turn by turn, so both must be able to say what it tells."""
    english, portuguese = (read(f"{split}_{lang}")["slot"] for lang in LANGS)
    assert set(english) == set(portuguese)
    needed = {family for _, family, *_ in LEAST}
    for slot, family in product(english, needed):
        assert (family in english[slot]) == (family in portuguese[slot]), (slot, family)


@pytest.mark.parametrize("name", FILES)
def test_speakers_can_take_back_what_they_said_of_themselves(name):
    """Each slot but habit has a topic that turns into the speaker's own; where values live side by side it names one."""
    grammar = load_grammar(name[:4], name[-2:])
    mute = [
        slot
        for slot in EVERY
        if slot != "habit" and not any(slot not in MANY or "V" in one.needs for one in grammar.all(slot, "topic_me"))
    ]
    assert mute == []
