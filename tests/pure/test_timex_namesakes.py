"""Claims about names that feasts and months share with cities and persons."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.timex import absolutise, find_times

SAID = datetime(2025, 6, 11, 12, tzinfo=UTC)
CASED = st.sampled_from([str, str.lower, str.upper])
PLACES = "Natal|São João|Tiradentes|Santo Antônio|Todos os Santos"
OF_A_PLACE = "Moro em {}|Saí de {}|Conheço {}|Mudei para {}|Mudei pra {}|Passei por {}|Fui a {}|{} é linda|Visitei {}, perto daqui"
AFTER = "|agora|com a Ana|para sempre|, no litoral"
OF_A_FEAST = "no {}|ao {}|antes do {}|até o {}|neste {}|desse {}|no próximo {}|no último {}|no {} passado|no {} de 2019|{} passado|no dia de {}"


@given(
    st.sampled_from(PLACES.split("|")), st.sampled_from(OF_A_PLACE.split("|")), st.sampled_from(AFTER.split("|")), CASED
)
def test_a_place(name: str, place: str, after: str, cased: type[str]) -> None:
    """B: a name without an article is that of a place, whatever follows and in whatever case: no date, and no word changed."""
    said = cased(f"{place.format(name)} {after}.")
    assert not find_times(said, SAID, language="pt")
    assert absolutise(said, SAID, language="pt") == said


@given(st.sampled_from(["Natal", "São João"]), st.sampled_from(OF_A_FEAST.split("|")), CASED)
def test_a_feast(name: str, feast: str, cased: type[str]) -> None:
    """B: with an article, a year or "dia de" it is the feast, in whatever case."""
    said = cased(f"{feast.format(name)} viajei")
    [span] = find_times(said[0].upper() + said[1:], SAID, language="pt")
    assert (span.first.month, span.first.day) == {"Natal": (12, 25), "São João": (6, 24)}[name]


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("Fui a Natal no Natal.", ["2024-12-25"]), ("Saí de Natal em 2019.", ["2019"]), ("Morei em Natal de 2019 a 2021.", ["2019/2021"]),
        ("Natal", ["2024-12-25"]), ("Natal de 2019 foi bom.", ["2019-12-25"]), ("Na véspera de Natal choveu.", ["2024-12-24"]),
        ("No feriado de Tiradentes viajei.", ["2025-04-21"]), ("Ganhei um presente de Natal.", []), ("Visitei a Ilha de Páscoa.", []),
        ("Viajei na Páscoa.", ["2025-04-20"]), ("Natal, 3 de maio de 2024", ["2024-05-03"]),
    ],
)  # fmt: skip
def test_feast_or_place(text: str, iso: list[str]) -> None:
    """B: each name of a text is read by its own words."""
    assert [span.iso for span in find_times(text, SAID, language="pt")] == iso


@given(
    st.sampled_from("March April May June August".split()),
    st.sampled_from("I met {} |I told {}, |My sister {} moved |{} called |I will see {} |I walked with {} ".split("|")),
    st.sampled_from("on Monday|yesterday|last week|next month|3 years ago|two weeks ago|in 2019|in March|on 3 July".split("|")),
    st.sampled_from([str, str.lower]),
)  # fmt: skip
def test_a_person(name: str, sentence: str, when: str, cased: type[str]) -> None:
    """B: a person with the name of a month changes no date: it is that of the same sentence with another name."""
    texts = [cased(sentence.format(who) + when) for who in (name, "Bob")]
    found = [[(span.iso, span.text) for span in find_times(text, SAID, language="en")] for text in texts]
    assert found[0] == found[1]
    assert cased(name) in absolutise(texts[0], SAID, language="en")


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("I moved in April.", ["2025-04"]), ("I moved in April 2019.", ["2019-04"]), ("May 5 was great.", ["2025-05-05"]),
        ("We met April last year.", ["2024-04"]), ("Last March I moved.", ["2025-03"]), ("June of 2019", ["2019-06"]),
        ("March", ["2025-03"]), ("from March to May 2020", ["2020-03/2020-05"]), ("I left on August the 3rd.", ["2024-08-03"]),
    ],
)  # fmt: skip
def test_a_month(text: str, iso: list[str]) -> None:
    """B: behind a preposition, or with its day or its year, the name is that of the month."""
    assert [span.iso for span in find_times(text, SAID, language="en")] == iso
