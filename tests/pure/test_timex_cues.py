"""Claims about the cues of a clause: what is a finite verb where it stands, and what only looks like one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.timex import find_times
from arandu_lab.pure.timex.cues import cues
from arandu_lab.pure.timex.folding import fold
from arandu_lab.pure.timex.spans import Language, Tense

SAID = datetime(2025, 6, 11, 12, tzinfo=UTC)
#: What the verb leans to: behind it comes a noun, then a weekday or a month.
VERBS: dict[Language, dict[str, int]] = {
    "en": {"I lost": -1, "I bought": -1, "I cleaned": -1, "I ate": -1, "I will get": 1, "I'm going to get": 1, "I have to get": 1},
    "pt": {"Perdi": -1, "Comprei": -1, "Ela viu": -1, "Quebramos ontem": -1, "Vou ver": 1, "Comprarei": 1, "Ela buscará": 1},
}  # fmt: skip
BEFORE: dict[Language, str] = {
    "en": "the|my|her|a|a can of|the old box of",
    "pt": "a|o|uma|minha|sua|um pedaço de|a caixa com|essa",
}
NOUNS: dict[Language, str] = {
    "en": "book|can|travel guide|return trip|plan|must|will|schedule|left shoe|lost dog|shot|rose|shed|seed|saw|red bed",
    "pt": "cadeira|carteira|feira|geladeira|madeira|pulseira|máscara|câmera|camarão|tubarão|mentira|chapéu|troféu|vôlei|hóquei|tiara",
}
TIMES: dict[Language, str] = {"en": "on Monday|in March|on Friday", "pt": "na segunda|em março|na sexta"}
CASES = st.sampled_from(
    [
        (language, verb, way, f"{before} {noun}", when)
        for language in VERBS
        for verb, way in VERBS[language].items()
        for before in BEFORE[language].split("|")
        for noun in NOUNS[language].split("|")
        for when in TIMES[language].split("|")
    ]
)


def way(text: str, language: Language) -> list[Tense]:
    """To which side the last time expression of a text lies."""
    return [span.tense for span in find_times(text, SAID, language=language)][-1:]


@given(CASES, st.sampled_from([str, str.upper]))
def test_a_noun_is_no_verb(case: tuple[Language, str, int, str, str], cased: type[str]) -> None:
    """B: whatever noun stands between a verb and a time, and however loud it is said, the verb alone decides the way."""
    language, verb, lean, noun, when = case
    said = cased(f"{verb} {noun} {when}.")
    assert way(said, language) == ["past" if lean < 0 else "future"], said


@given(CASES)
def test_a_noun_before_is_no_verb(case: tuple[Language, str, int, str, str]) -> None:
    """B: nor does a noun decide that stands between the time and the verb that follows it."""
    language, _, _, noun, when = case
    came, comes = {"en": ("came out", "will come out"), "pt": ("saiu", "vai sair")}[language]
    assert way(f"{when} {noun} {came}.", language) == ["past"]
    assert way(f"{when} {noun} {comes}.", language) == ["future"]


@pytest.mark.parametrize(
    ("language", "text", "side"),
    [
        ("en", "I will meet Fred on Monday.", "future"), ("en", "I saw Will on Monday.", "past"), ("en", "I raked leaves on Monday.", "past"),
        ("en", "My sister managed to leave on Monday.", "past"), ("en", "I saw Ana leave on Monday.", "past"),
        ("en", "I went to book a table on Monday.", "past"), ("en", "I saw Ana's painting on Monday.", "past"),
        ("en", "He's painting on Monday.", "future"), ("en", "Ana's painting on Monday.", "future"),
        ("en", "I'm getting married on Friday.", "future"), ("en", "The party will be held on Friday.", "future"),
        ("en", "The house was sold in March.", "past"), ("en", "I'll have it finished by Friday.", "future"),
        ("en", "I want to get it finished by Friday.", "future"), ("en", "I have until Friday to get it cleaned.", "future"),
        ("en", "I will read the book on Monday.", "future"), ("en", "I read the book on Monday.", "past"), ("en", "I'll quit on Monday.", "future"),
        ("en", "I was free on Monday.", "past"), ("en", "I am free on Monday.", "future"), ("en", "The rent was due on Friday.", "past"),
        ("en", "The rent is due on Friday.", "future"), ("en", "I made plans for Friday.", "future"), ("en", "I changed my plans on Monday.", "past"),
        ("en", "I want to know if Ana arrived on Monday.", "past"), ("en", "I will see the film that won in March.", "past"),
        ("en", "I have a dog adopted in March.", "past"), ("en", "I have a dentist appointment on Friday.", "future"),
        ("en", "He said that my flight leaves on Friday.", "future"), ("en", "My flight leaves on Friday.", "future"),
        ("en", "My mother travels to Rome on Friday.", "future"), ("en", "I can come on Friday.", "future"), ("en", "Book a table for Friday.", "future"),
        ("en", "I bought that book in March.", "past"), ("en", "I will read the last book on Monday.", "future"),
        ("pt", "Vi Clara na sexta.", "past"), ("pt", "Encontrei o Ferreira na segunda.", "past"), ("pt", "Na sexta Clara viajou.", "past"),
        ("pt", "Fui ao Ceará na sexta.", "past"), ("pt", "Vou a Moscou na sexta.", "future"), ("pt", "Vou jogar vôlei na sexta.", "future"),
        ("pt", "Comi camarão na sexta.", "past"), ("pt", "Vendi geladeira e fogão em março.", "past"), ("pt", "Comprei máscara e câmera na sexta.", "past"),
        ("pt", "A feira será na sexta.", "future"), ("pt", "Meu irmão chegará na sexta.", "future"), ("pt", "Ela viverá em Natal em março.", "future"),
        ("pt", "Ela foi ontem e voltará na sexta.", "future"), ("pt", "Eles saíram ontem e voltarão na sexta.", "future"),
        ("pt", "Ela disse que viajará na sexta.", "future"), ("pt", "Ela viajara na sexta.", "future"), ("pt", "Nos veremos na sexta.", "future"),
        ("pt", "Eu a comprei na sexta.", "past"), ("pt", "Não o encontrei na sexta.", "past"), ("pt", "O próximo jogo é na sexta.", "future"),
        ("pt", "Vi o próximo jogo na sexta.", "past"), ("pt", "A consulta foi marcada para a sexta.", "future"),
    ],
)  # fmt: skip
def test_a_verb_where_it_stands(language: Language, text: str, side: str) -> None:
    """B: the finite verb of the clause decides; names, participles, infinitives and adjectives follow it."""
    assert way(text, language) == [side]


@pytest.mark.parametrize(
    ("language", "took", "takes"),
    [("en", "I finished the book", "I will finish the book"), ("pt", "Ela leu o livro de madeira", "Ela vai ler o livro de madeira")],
)  # fmt: skip
@pytest.mark.parametrize("count", ["2", "3", "10"])
def test_how_long_it_took(language: Language, took: str, takes: str, count: str) -> None:
    """B: "in N weeks" behind a past verb is how long it took, and is no date; behind a plan it is when."""
    length = f"{'in' if language == 'en' else 'em'} {count} {'weeks' if language == 'en' else 'semanas'}"
    assert not find_times(f"{took} {length}.", SAID, language=language)
    assert way(f"{takes} {length}.", language) == ["future"]


@given(st.text(alphabet="iI áéãÁ.,'’ aeroubkwlnſİß", max_size=30), st.sampled_from(["en", "pt"]))
def test_cues_are_in_order(text: str, language: Language) -> None:
    """B: of whatever text, the cues lie in its bounds, in order, and do not overlap; what was written has its length."""
    folded = fold(text)
    assert len(folded.written) == len(folded.text)
    found = cues(folded.text, 0, len(folded.text), language, folded.written)
    bounds = [0, *(place for cue in found for place in cue[:2]), len(folded.text)]
    assert bounds == sorted(bounds)
    assert {cue.way for cue in found} <= {-1, 1}


@pytest.mark.parametrize("weekday", ["on Friday", "in March"])
def test_ahead(weekday: str) -> None:
    """B: where no verb tells, a name leans back, or ahead if so asked; where one tells, the asking changes nothing."""
    sides = [[span.tense for span in find_times(f"{start} {weekday}.", SAID, language="en", ahead=ahead)] for start in ("The party is", "I came", "I will come") for ahead in (False, True)]  # fmt: skip
    assert sides == [["past"], ["future"], ["past"], ["past"], ["future"], ["future"]]
