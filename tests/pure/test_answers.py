"""Claims about scoring an answer by its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.answers import abstains, gold_tokens, known, overlap

TEXTS = st.text(st.sampled_from("aeo nrs19 .,-/:não"), max_size=40)


@pytest.mark.parametrize(
    ("said", "gold", "language"),
    [
        ("She moved there on March 3rd, 2021.", "3 March 2021", "en"),
        ("2021-03-03", "March 3, 2021", "en"),
        ("2021-03", "in March of 2021", "en"),
        ("Em 30/08/2024", "Em 30 de agosto de 2024", "pt"),
        ("às 19h30 de quarta-feira", "Quarta, 19:30", "pt"),
        ("7:30 pm", "19:30", "en"),
        ("three kids", "3 kids", "en"),
        ("duas gatas", "2 gatas", "pt"),
        ("R$ 1.200,00", "1200", "pt"),
        ("1,200 miles", "1200 miles", "en"),
        ("Bia, Rui and Ana", "Ana, Rui, Bia", "en"),
        ("Hospital da Restauração", "No Hospital da Restauração", "pt"),
        ("painting", "She paints", "en"),
        ("a sous chef, at Saltbox", "sous chef at Saltbox", "en"),
    ],
)
def test_one_form(said: str, gold: str, language: str) -> None:
    """Dates, numbers, articles, order and endings differ, and the gold's words are all there."""
    assert overlap(said, gold, language).recall == 1.0


@pytest.mark.parametrize(
    ("said", "gold", "language"),
    [
        ("4 March 2021", "3 March 2021", "en"),
        ("Recife", "Olinda", "pt"),
        ("Ana and Rui", "Ana, Rui, Bia", "en"),
        ("Yes, she drives", "No, she does not drive", "en"),
        ("Sim, come peixe", "Não come peixe, só ovo", "pt"),
        ("1200", "12", "en"),
        ("", "Recife", "en"),
    ],
)
def test_what_differs_is_seen(said: str, gold: str, language: str) -> None:
    """Another date, place, number, an unfinished list or the opposite answer is not full."""
    assert overlap(said, gold, language).recall < 1.0


def test_any_gold_will_do() -> None:
    """Of several gold answers the best counts."""
    assert overlap("UNB", ["University of New Brunswick", "UNB"]).f1 == 1.0
    assert known(["", None, "UNB"]) == ("UNB",)


@given(TEXTS, TEXTS, st.sampled_from(["en", "pt", "fr"]))
def test_laws(said: str, gold: str, language: str) -> None:
    """Shares lie in [0, 1]; the F1 lies between recall and precision; an answer holds itself."""
    found = overlap(said, gold, language)
    assert 0.0 <= found.recall <= 1.0
    assert min(found.recall, found.precision) - 1e-9 <= found.f1 <= max(found.recall, found.precision) + 1e-9
    if gold_tokens(gold, language):
        assert overlap(gold, gold, language).f1 == 1.0


SILENT = """I don't know.|I do not have enough information to answer|It was never mentioned.|The context does not say.
There is no information about her job.|Not mentioned in the conversation|unknown|N/A|Nobody mentioned it|That is not specified.
Não sei.|Não sei onde ela mora|Isso nunca foi mencionado|A conversa não diz|Não há informações sobre isso|Ninguém disse
Desculpe, não posso responder|Não se sabe|""".replace("\n", "|").split("|")  # fmt: skip
SPOKEN = """No, she does not drive|none|No|Não|Não, parou em fevereiro|Não é vegetariana|She never told him|I don't know him
Nobody: Kelpworks let him go|Em lugar nenhum: foi demitido|Não sei dirigir|The context does not say why, but she lives in Recife
He is unknown in Recife|Recife""".replace("\n", "|").split("|")


@pytest.mark.parametrize("text", SILENT)
def test_abstentions(text: str) -> None:
    """Saying that one does not know, or nothing, is an abstention, in English and Portuguese."""
    assert abstains(text)


@pytest.mark.parametrize("text", SPOKEN)
def test_answers_with_a_no_are_answers(text: str) -> None:
    """A denial is an answer, and so is what follows a *but*."""
    assert not abstains(text)
