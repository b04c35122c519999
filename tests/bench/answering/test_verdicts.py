"""R2: what a judge's text says, strictly."""

from __future__ import annotations

import pytest

from arandu_lab.errors import BackendError
from arandu_lab.llm.verdicts import verdict_of

C, I, NONE = "CORRECT", "INCORRECT", None  # noqa: E741 - reads as the table it heads
TABLE = [
    ("CORRECT", C),
    ("INCORRECT", I),
    ("correct", C),
    ("Incorrect.", I),
    ('{"verdict": "CORRECT"}', C),
    ('{"verdict": "INCORRECT"}', I),
    ("false", I),
    ('{"correct": false}', I),
    ('{"correct": "false"}', I),
    ('{"is_correct": true}', C),
    ("Correct: no", I),
    ('Sure! ```json\n{"verdict": "CORRECT"}\n``` The gold says Recife, as the answer does.', C),
    ('{"verdict": "INCORRECT", "reason": "The CORRECT answer is Olinda"}', I),
    ('{"reason": "x", "result": {"verdict": "CORRECT"}}', C),
    ('[{"verdict": "INCORRECT"}]', I),
    ('{"verdict": "CORRECT", "reason": "as the gold', C),
    ("The answer is INCORRECT, because the gold says Olinda.", I),
    ("NOT CORRECT", I),
    ("The answer is not CORRECT.", I),
    ("**Verdict:** INCORRECT", I),
    ("The gold says Recife.\nVerdict: CORRECT", C),
    ("Veredito: incorreto", I),
    ("A resposta está correta.", C),
    ("CORRETA", C),
    ("Não está correto", I),
    ("NÃO CORRETO", I),
    ("<think>It seems INCORRECT. No, it is fine.</think>CORRECT", C),
    ("CORRECT\nCORRECT", C),
    ("", NONE),
    (" \n", NONE),
    ("I'm sorry, but I cannot judge this.", NONE),
    ("Não posso responder a isso.", NONE),
    ("I cannot say whether the answer is CORRECT.", NONE),
    ("CORRECT or INCORRECT?", NONE),
    ("CORRECT/INCORRECT", NONE),
    ('{"verdict": "CORRECT"} {"verdict": "INCORRECT"}', NONE),
    ('INCORRECT. {"verdict": "CORRECT"}', NONE),
    ("Verdict: CORRECT\nFinal verdict: INCORRECT", NONE),
    ("PARTIALLY CORRECT", NONE),
    ("Parcialmente CORRETA", NONE),
    ("The correct answer is Olinda, while the model said Recife.", NONE),
    ("The answer is correct only in part.", NONE),
    ('{"verdict": "maybe"}', NONE),
    ('{"verdict": 0.7}', NONE),
    ('{"verdict": null}', NONE),
    ('{"verdict": "CORRECT|INCORRECT"}', NONE),
    ("INCORRECTLY worded", NONE),
    ("<think>CORRECT", NONE),
    ("yes", NONE),
    ('{"grade": 1}', NONE),
]


@pytest.mark.parametrize(("text", "wanted"), TABLE)
def test_a_judges_text(text: str, wanted: str | None) -> None:
    """R2: INCORRECT is not CORRECT, ``false`` is INCORRECT, refusals, doubts and two verdicts are none; English and Portuguese."""
    if wanted is not None:
        assert verdict_of(text) == wanted
        return
    with pytest.raises(BackendError) as refused:
        verdict_of(text)
    assert refused.value.kind == ("malformed" if text.strip() else "empty")


@pytest.mark.parametrize("text", ["CORRECT", "false", '{"verdict": "INCORRECT"}', "Veredito: correto"])
@pytest.mark.parametrize("around", ["{}", " {} ", "```\n{}\n```", "{}\n", "**{}**"])
def test_dress_changes_nothing(text: str, around: str) -> None:
    """R2: blanks, fences and emphasis around a verdict leave it as it is."""
    assert verdict_of(around.format(text)) == verdict_of(text)
