"""The two lexicons of the world are large enough, well formed, unambiguous within a split and disjoint between splits."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

Lexicon = dict[str, list[dict[str, Any]]]

WORDS = Path(__file__).parents[3] / "arandu_lab" / "bench" / "world" / "words"
SPLITS = ("open", "held")

# table -> (keys, least size open, least size held)
TABLES: dict[str, tuple[str, int, int]] = {
    "given": ("gender en en_nick pt pt_nick", 48, 28),
    "family": ("en pt", 40, 24),
    "place": ("en pt pt_art", 30, 18),
    "org": ("en pt pt_art", 30, 18),
    "school": ("en pt pt_art", 12, 8),
    "club": ("en pt pt_art", 16, 10),
    "project": ("en pt pt_art", 20, 12),
    "kind": ("id en pt_m pt_f", 6, 5),
    "pet": ("en pt gender kind", 24, 14),
    "role": ("en en_a pt_m pt_f", 30, 18),
    "subject": ("en pt pt_art", 16, 10),
    "taste": ("en pt pt_art topic", 40, 24),
    "hobby": ("en pt pt_art", 30, 18),
    "allergen": ("en pt pt_art", 12, 8),
    "tongue": ("en pt", 12, 8),
    "thing": ("en en_a pt pt_g", 20, 12),
    "habit": ("en_me en_they pt_me pt_they polarity", 20, 12),
    "condition": ("en pt", 12, 8),
    "diet": ("en pt_m pt_f", 6, 4),
    "happening": ("en pt en_done pt_done pt_done_me", 24, 14),
}
LEGAL: dict[str, frozenset[str]] = {
    "gender": frozenset({"f", "m"}),
    "pt_g": frozenset({"f", "m"}),
    "en_a": frozenset({"a", "an"}),
    "pt_art": frozenset({"o", "a", "os", "as", ""}),
    "polarity": frozenset({"yes", "no"}),
    "topic": frozenset(
        {"food", "drink", "music", "weather", "sport", "pastime", "screen", "reading", "scent", "animal", "craft"}
    ),
}
NAMES = ("given", "family", "place", "org", "school", "club", "project", "pet")
GLUE = frozenset("the of and a e o de do da dos das em na no".split())
# words that say what sort of thing a name names; many names may share them
GENERIC = GLUE | frozenset(
    """labs hospital bank university college institute school academy polytechnic conservatory society guild circle app
    project operation initiative archive centre telecom
    hospital banco grupo universidade faculdade instituto escola superior academia politecnica conservatorio centro universitario
    clube projeto operacao iniciativa acervo aplicativo san santa nova""".split()
)
DATES = frozenset(
    """january february march april may june july august september october november december
    janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro
    monday tuesday wednesday thursday friday saturday sunday segunda terca quarta quinta sexta sabado domingo
    spring summer autumn winter today yesterday tomorrow hoje ontem amanha""".split()
)
# words of every day, folded, of either language, that a first name or surname must not be
EVERYDAY = DATES | frozenset(
    """rose will mark grace faith hope joy dawn frank grant chase ray bill rob sue pat nick drew jack gene guy art bob
    baker cook young hill wood stone fox page park price brown white black green king long short little love
    rosa vitoria clara luz bela flora sol lia caio lima rui marina marcos sara celeste branca violeta dito rico linda mel cal tom nela
    costa rocha ramos leite pinto coelho lobo campos reis prado oliveira pereira carvalho nogueira salgado falcao lemos chaves
    le fe re ti ja ai la va do da""".split()
)


def fold(text: str) -> str:
    """Lower case, without accents, one space between words."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return " ".join(plain.split())


def words(text: str) -> frozenset[str]:
    """The folded words of a text."""
    return frozenset(re.findall(r"[a-z0-9]+", fold(text)))


def load(split: str) -> Lexicon:
    """One lexicon, as it stands in its file."""
    return tomllib.loads((WORDS / f"{split}.toml").read_text(encoding="utf-8"))


LEXICONS: dict[str, Lexicon] = {split: load(split) for split in SPLITS}
each_split = pytest.mark.parametrize("split", SPLITS)


def surfaces(entry: dict[str, Any]) -> Iterator[str]:
    """Every surface form of an entry, in both languages."""
    for key, value in entry.items():
        if key in LEGAL or key in {"id", "kind"}:
            continue
        yield from value if isinstance(value, list) else [value]


def concepts(lexicon: Lexicon, tables: tuple[str, ...] = tuple(TABLES)) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every entry of the tables with a name for it: ``table:en``."""
    for table in tables:
        for entry in lexicon[table]:
            yield f"{table}:{entry.get('en', entry.get('en_me'))}", entry


def shared(holders: dict[str, set[str]]) -> dict[str, list[str]]:
    """What stands for two concepts or more."""
    return {surface: sorted(held) for surface, held in holders.items() if len(held) > 1}


@each_split
def test_tables_keys_and_sizes(split: str) -> None:
    """A lexicon has the tables of the contract, every entry its keys and no other, and every table its least size."""
    lexicon = LEXICONS[split]
    assert set(lexicon) == set(TABLES)
    for table, (keys, least_open, least_held) in TABLES.items():
        assert len(lexicon[table]) >= (least_open if split == "open" else least_held), table
        for entry in lexicon[table]:
            assert set(entry) == set(keys.split()), (table, entry)


@each_split
def test_the_closed_keys_hold_legal_values(split: str) -> None:
    """Genders, articles, polarities and topics are among the few that the grammar knows."""
    for name, entry in concepts(LEXICONS[split]):
        for key, legal in LEGAL.items():
            assert entry.get(key, next(iter(legal))) in legal, (name, key, entry[key])


@each_split
def test_surfaces_are_clean(split: str) -> None:
    """A surface form is not empty, has no space too many, no template mark, no quotes, no full stop; accents are composed."""
    for name, entry in concepts(LEXICONS[split]):
        for surface in surfaces(entry):
            assert isinstance(surface, str), name
            assert surface == " ".join(surface.split()) != "", (name, surface)
            assert unicodedata.normalize("NFC", surface) == surface, (name, surface)
            assert not re.search(r"[{}\"“”.,;:!?/()\d]", surface), (name, surface)


@each_split
def test_first_names_of_both_genders(split: str) -> None:
    """Women and men are in balance, with as many nicknames in one language as in the other, and most people have one."""
    given = LEXICONS[split]["given"]
    least = 24 if split == "open" else 14
    for gender in "fm":
        assert sum(e["gender"] == gender for e in given) >= least
    assert all(len(e["en_nick"]) == len(e["pt_nick"]) for e in given)
    assert sum(bool(e["en_nick"]) for e in given) >= 0.8 * len(given)
    assert any(not e["en_nick"] for e in given)
    assert sum(len(e["en_nick"]) > 1 for e in given) >= 5


@each_split
def test_no_surface_form_stands_for_two_concepts(split: str) -> None:
    """Within a split every surface form, of either language, belongs to one entry of one table."""
    holders: dict[str, set[str]] = defaultdict(set)
    seen: list[str] = []
    for name, entry in concepts(LEXICONS[split]):
        seen.append(name)
        for surface in surfaces(entry):
            holders[fold(surface)].add(name)
    assert not shared(holders)
    assert len(seen) == len(set(seen))


@each_split
def test_nicknames_are_unique(split: str) -> None:
    """A nickname is listed once in the split, and is nobody's given name, surname or pet's name; nor its own given name."""
    lexicon = LEXICONS[split]
    for lang in ("en", "pt"):
        nicks = [fold(n) for e in lexicon["given"] for n in e[f"{lang}_nick"]]
        assert len(nicks) == len(set(nicks))
        taken = {fold(e[key]) for table in ("given", "family", "pet") for e in lexicon[table] for key in ("en", "pt")}
        assert not taken & set(nicks)


@each_split
def test_names_share_no_word(split: str) -> None:
    """A word of a name, unless it only says what sort of thing is named, is in one concept's names."""
    holders: dict[str, set[str]] = defaultdict(set)
    for name, entry in concepts(LEXICONS[split], NAMES):
        for surface in surfaces(entry):
            own = words(surface) - GENERIC
            assert own, f"{name}: {surface} has no word of its own"
            for word in own:
                holders[word].add(name)
    assert not shared(holders)


@each_split
def test_no_name_contains_another(split: str) -> None:
    """No name holds all the words of another concept's name, generic words and all."""
    named = [(name, words(s) - GLUE) for name, entry in concepts(LEXICONS[split], NAMES) for s in surfaces(entry)]
    assert not [(a, b) for a, inner in named for b, outer in named if a != b and inner <= outer]


@each_split
def test_names_are_no_words_of_the_topics(split: str) -> None:
    """A name's own words appear in no role, taste, plan ... of the split, so that a word matches one thing."""
    lexicon = LEXICONS[split]
    topics = tuple(t for t in TABLES if t not in NAMES)
    spoken = {w: name for name, entry in concepts(lexicon, topics) for s in surfaces(entry) for w in words(s)}
    clashes = [
        (name, word, spoken[word])
        for name, entry in concepts(lexicon, NAMES)
        for s in surfaces(entry)
        for word in sorted(words(s) - GENERIC)
        if word in spoken
    ]
    assert not clashes


@each_split
def test_names_are_no_ordinary_words(split: str) -> None:
    """No name has the word of a month, a day or a season, and no person is called by a word of every day."""
    for name, entry in concepts(LEXICONS[split], NAMES):
        for surface in surfaces(entry):
            assert not words(surface) & DATES, (name, surface)
    for name, entry in concepts(LEXICONS[split], ("given", "family")):
        for surface in surfaces(entry):
            assert fold(surface) not in EVERYDAY, (name, surface)
            assert re.fullmatch(r"[^\W\d_]+", surface), f"{name}: {surface} is not one word"
            assert surface[0].isupper(), (name, surface)


def test_open_and_held_share_no_surface_form() -> None:
    """No surface form of the open lexicon, of any table and language, is in the held one."""
    forms = {split: {fold(s) for _, e in concepts(LEXICONS[split]) for s in surfaces(e)} for split in SPLITS}
    assert not forms["open"] & forms["held"]


def test_open_and_held_names_share_no_word() -> None:
    """Not even a word of a name, unless it only says what sort of thing is named, is in both lexicons."""
    own = {
        split: {w for _, e in concepts(LEXICONS[split], NAMES) for s in surfaces(e) for w in words(s) - GENERIC}
        for split in SPLITS
    }
    assert not own["open"] & own["held"]


def test_open_and_held_have_other_kinds_of_pets() -> None:
    """The kinds' ids differ between the splits."""
    ids = {split: {k["id"] for k in LEXICONS[split]["kind"]} for split in SPLITS}
    assert not ids["open"] & ids["held"]


def test_open_and_held_have_other_kinds_of_tastes() -> None:
    """No kind of thing that is liked in the one split is liked in the other; diets contradict food and drink only in open."""
    kinds = {split: {taste["topic"] for taste in LEXICONS[split]["taste"]} for split in SPLITS}
    assert not kinds["open"] & kinds["held"]
    assert {"food", "drink"} <= kinds["open"]


@each_split
def test_pets_are_of_known_kinds(split: str) -> None:
    """A pet's kind is in the table of kinds, every kind has a pet, and English kinds take the article a."""
    lexicon = LEXICONS[split]
    kinds = {k["id"] for k in lexicon["kind"]}
    assert {p["kind"] for p in lexicon["pet"]} == kinds
    assert {p["gender"] for p in lexicon["pet"]} == {"f", "m"}
    assert not [k for k in lexicon["kind"] if k["en"][0] in "aeiou"]


@each_split
def test_english_articles_fit(split: str) -> None:
    """`an` stands before a vowel and `a` before a consonant, but for you-sounds."""
    for name, entry in concepts(LEXICONS[split], ("role", "thing")):
        sounds = entry["en"][0] in "aeiou" and not entry["en"].startswith(("uni", "uk", "eu"))
        assert entry["en_a"] == ("an" if sounds else "a"), name


@each_split
def test_portuguese_nouns_stand_without_article(split: str) -> None:
    """The article is in `pt_art` and not in the noun; plans alone carry theirs, in both languages."""
    for name, entry in concepts(LEXICONS[split]):
        if "pt_art" in entry or "pt_g" in entry:
            assert not re.match(r"(o|a|os|as|um|uma) ", fold(entry["pt"])), name
        if "pt_art" in entry and name.split(":")[0] in {"subject", "allergen"}:
            assert entry["pt_art"] == "", name
    for name, entry in concepts(LEXICONS[split], ("happening",)):
        assert re.match(r"(a|an|the) ", entry["en"]), name
        assert re.match(r"(o|a|os|as|um|uma) ", entry["pt"]), name


@each_split
def test_the_article_agrees_with_the_noun(split: str) -> None:
    """Plural nouns have plural articles, and nouns of a telling ending have the article of their gender."""
    tables = tuple(
        t
        for t, (keys, _, _) in TABLES.items()
        if "pt_art" in keys.split() and t not in {"place", "subject", "allergen"}
    )
    for name, entry in concepts(LEXICONS[split], tables):
        article, nouns = entry["pt_art"], fold(entry["pt"]).split()
        assert article, name
        head = nouns[1] if nouns[0] in {"longas"} else nouns[0]
        singular_s = {"pilates", "tenis"}
        if name.startswith(("taste", "hobby", "club")) and head not in singular_s:
            assert head.endswith("s") == article.endswith("s"), name
        if re.search(r"(cao|gem|dade|ncia|tura)$", head):
            assert article.startswith("a"), name


@each_split
def test_places_use_every_way_of_saying_in(split: str) -> None:
    """Some cities take an article in Portuguese and most take none, so that em, no and na all occur."""
    articles = [p["pt_art"] for p in LEXICONS[split]["place"]]
    assert {"", "o", "a"} <= set(articles)
    assert articles.count("") > len(articles) / 2


@each_split
def test_only_clubs_and_projects_carry_an_english_article(split: str) -> None:
    """`the` begins the names of clubs, and of some projects, and no other name."""
    lexicon = LEXICONS[split]
    assert all(c["en"].startswith("the ") for c in lexicon["club"])
    assert any(p["en"].startswith("the ") for p in lexicon["project"])
    assert not [n for n, e in concepts(lexicon, ("place", "org", "school")) if e["en"].startswith("the ")]


@each_split
def test_gendered_jobs_and_diets(split: str) -> None:
    """A Portuguese -o or -or job and diet has its feminine in -a, and -ista and -euta are the same for both."""
    for name, entry in concepts(LEXICONS[split], ("role", "diet")):
        man, woman = fold(entry["pt_m"]).split()[0], fold(entry["pt_f"]).split()[0]
        if man.endswith("o"):
            assert woman == man[:-1] + "a", name
        elif man.endswith(("or", "es")):
            assert woman == man + "a", name
        else:
            assert woman == man, name


@each_split
def test_habits_are_aligned_and_a_third_is_negative(split: str) -> None:
    """Negative habits are negative in both languages and both persons, positive ones in none; a third at least is negative."""
    habits = LEXICONS[split]["habit"]
    for habit in habits:
        no = habit["polarity"] == "no"
        marks = [
            habit["en_me"].startswith("don't "),
            habit["en_they"].startswith("doesn't "),
            habit["pt_me"].startswith("não "),
            habit["pt_they"].startswith("não "),
        ]
        assert marks == [no] * 4, habit
        assert habit["en_me"] != habit["en_they"]
        assert habit["pt_me"] != habit["pt_they"]
        assert not re.search(r"\b(my|his|her|meu|minha|seu|sua|me|se)\b", " ".join(habit.values())), habit
    assert 3 * sum(h["polarity"] == "no" for h in habits) >= len(habits)


@each_split
def test_what_happened_names_what_was_planned(split: str) -> None:
    """The predicate in the past shares a telling word with the plan, in both languages, and speaks of nobody's own things."""
    for name, plan in concepts(LEXICONS[split], ("happening",)):
        for lang in ("en", "pt"):
            told = words(plan[f"{lang}_done"]) - GENERIC
            assert told & (words(plan[lang]) - GENERIC), (name, lang)
            assert not words(plan[f"{lang}_done"]) & frozenset("my his her meu minha seu sua me se".split()), name
        assert plan["pt_done"].split()[0] != plan["pt_done_me"].split()[0], name
        assert plan["pt_done"].split()[1:] == plan["pt_done_me"].split()[1:], name


@each_split
def test_plans_lead_to_no_city_where_one_may_live(split: str) -> None:
    """No plan names a place of the split."""
    plans = " | ".join(fold(s) for _, e in concepts(LEXICONS[split], ("happening",)) for s in surfaces(e))
    for place in LEXICONS[split]["place"]:
        for lang in ("en", "pt"):
            assert not re.search(rf"\b{re.escape(fold(place[lang]))}\b", plans), place
