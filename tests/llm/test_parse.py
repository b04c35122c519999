"""Claims about reading models' answers: every malformed shape has its outcome, and nothing good is lost."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.errors import BackendError
from arandu_lab.llm.parse import LIMIT, parse
from arandu_lab.llm.tasks import ExtractAnswer, FactsAnswer, JudgeAnswer, ReconcileAnswer, ResolveAnswer

ONE = {"subject": "Iara", "text": "Iara cria abelhas"}
TWO = {"subject": "Caio", "text": 'Caio disse "oi" {sic}'}
BOTH = {"facts": [ONE, TWO]}


def texts(answered):
    return [fact.text for fact in answered.value.facts]


def read(text):
    return parse(text, ExtractAnswer, items="facts")


def outcome(text):
    """What came: the answer or the BackendError."""
    try:
        return read(text)
    except BackendError as error:
        return error


whole = json.dumps(BOTH, ensure_ascii=False)
SHAPES = {
    "strict": whole,
    "prose with braces (C1)": f"Segue {{obs}}, veja [1]: ```json {whole}``` Espero ter ajudado :}}",
    "fence without prose": f"```json\n{whole}\n```",
    "root list (C4)": json.dumps([ONE, TWO]),
    "root list in prose (C4)": f"Facts found: {json.dumps([ONE, TWO])} (2)",
    "list of whole answers": json.dumps([{"facts": [ONE]}, {"facts": [TWO]}]),
    "one item for a list": json.dumps({"facts": {"a": ONE, "b": TWO}}),
    "wrapped": json.dumps({"result": BOTH}),
    "function call": json.dumps({"name": "extract", "arguments": json.dumps(BOTH)}),
    "JSON inside a string": json.dumps(whole),
    "single quotes": str(BOTH),
    "trailing commas": whole.replace("]", ",]").replace("}]", "},]"),
    "comment": whole.replace("[", "[ // two\n", 1),
    "unescaped line break": whole.replace("cria", "cria", 1).replace('"}, {', '"}\n,\n {'),
    "JSON lines of items": f"{json.dumps(ONE)}\n{json.dumps(TWO)}",
    "thinking first": f"<think>maybe {json.dumps({'facts': [{'subject': 'x', 'text': 'draft'}]})}</think>{whole}",
    "echo of the input": json.dumps({"task": "extract", "inputs": {"facts": [{"subject": "n", "text": "no"}]}}) + whole,
    "said twice (C9)": whole + "\n" + whole,
    "closing brackets missing": whole[:-2],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_that_are_read(shape):
    """C1, C3, C4: each malformed shape yields both facts, once."""
    assert texts(read(SHAPES[shape]))[:1] == ["Iara cria abelhas"]
    assert len(read(SHAPES[shape]).value.facts) == 2


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("Sorry, nothing of the kind.", "malformed"),
        ("null", "malformed"),
        ("42", "malformed"),
        ('"just words"', "malformed"),
        ("{}", "malformed"),
        ('{"observations": "n/a"}', "malformed"),
        ('{"facts": "n/a"}', "malformed"),
        ('{"facts": [{"x": 1}]}', "malformed"),
        ('[{"x": 1}]', "malformed"),
        ('{"facts": [{"subject": "A", "text": "A mora em Rec', "malformed"),
        ("[" * 5000, "malformed"),
    ],
)
def test_shapes_that_are_no_answer(text, kind):
    """C6, A12: what holds nothing usable is an error of its own kind, never an empty answer."""
    with pytest.raises(BackendError) as caught:
        read(text)
    assert caught.value.kind == kind


@pytest.mark.parametrize("text", ['{"facts": []}', "[]", '{"entities": null, "facts": []}'])
def test_an_empty_answer_is_an_answer(text):
    """A model that says there is nothing is believed."""
    assert read(text).value == ExtractAnswer()


def test_one_bad_item_of_five():
    """C7: four are kept, the fifth is listed with its reason."""
    items = [{"i": n, "grade": 0.5} for n in range(4)] + [{"i": 4, "grade": "high"}]
    answered = parse(json.dumps({"grades": items}), JudgeAnswer, items="grades")
    assert [grade.i for grade in answered.value.grades] == [0, 1, 2, 3]
    assert len(answered.dropped) == 1
    assert answered.dropped[0].startswith("grades[4].grade")


def test_a_bad_label_does_not_lose_the_fact():
    """C3: an invalid optional field falls to its default and is said; the fact stays."""
    answered = read(json.dumps({"facts": [{**ONE, "action": "MERGE", "confidence": "very"}], "emotion": "joyful"}))
    assert texts(answered) == ["Iara cria abelhas"]
    assert answered.value.facts[0].action == "NEW"
    assert answered.value.emotion is None
    assert {note.split(":")[0] for note in answered.dropped} == {"facts[0].action", "facts[0].confidence", "emotion"}


def test_a_bad_decision_is_dropped_whole():
    """A verdict or choice with a wrong field is no decision at all."""
    verdicts = [
        {"i": 0, "action": "MERGE", "known": 1},
        {"i": 1, "action": "noop", "known": "x"},
        {"i": 2, "action": "add"},
    ]
    answered = parse(json.dumps(verdicts), ReconcileAnswer, items="verdicts")
    assert [(verdict.i, verdict.action) for verdict in answered.value.verdicts] == [(2, "ADD")]
    with pytest.raises(BackendError):
        parse('[{"i": 0, "candidate": "him"}]', ResolveAnswer, items="choices")


@pytest.mark.parametrize("cut", range(40, len(whole) - 1, 3))
def test_cut_off_anywhere(cut):
    """C9: of an answer cut off the finished items are kept; no half-written fact ever counts."""
    answered = outcome("Here: " + whole[:cut])
    if isinstance(answered, BackendError):
        assert answered.kind == "malformed"
        assert cut < whole.index("}") + 2
    else:
        assert texts(answered) in ([ONE["text"]], [ONE["text"], TWO["text"]])


def test_cut_off_keeps_other_fields():
    """C9: what stands before the cut is kept in every field, not only in the last."""
    text = '{"entities": [{"name": "Iara", "type": "person"}], "facts": [' + json.dumps(ONE) + ', {"subject": "Ca'
    answered = read(text)
    assert answered.value.entities[0].name == "Iara"
    assert texts(answered) == ["Iara cria abelhas"]
    assert any("cut off" in note for note in answered.dropped)


@pytest.mark.parametrize("unit", [json.dumps(ONE) + ", ", "{", "[{", '{"a": "', "blah {obs} ", "\\\"'{"])
def test_runaway_answers_are_bounded(unit):
    """C9: 200 kB and more are read in bounded time, and what can be salvaged is."""
    text = '{"facts": [' + unit * (300_000 // len(unit))
    began = time.process_time()
    answered = outcome(text)
    if isinstance(answered, BackendError):
        assert answered.kind == "malformed"
    else:
        assert len(answered.value.facts) > 1000
        assert any(str(LIMIT) in note for note in answered.dropped)
    assert time.process_time() - began < 5.0


def test_lone_surrogates():
    """C2: half an emoji neither loses the fact nor passes silently."""
    answered = read('{"facts": [{"subject": "Iara", "text": "Iara ri \\ud83d"}]}')
    assert texts(answered) == ["Iara ri \ufffd"]
    assert "surrogate" in answered.dropped[0]


def test_separate_objects_are_joined():
    """Objects that bring different fields are one answer."""
    answered = read('First: {"entities": [{"name": "Iara"}]} and then {"facts": [' + json.dumps(ONE) + "]}")
    assert (len(answered.value.entities), len(answered.value.facts)) == (1, 1)


sentences = st.text(alphabet=st.characters(codec="utf-8"), min_size=1, max_size=30).map(lambda s: f"x{s}x")
good = st.builds(lambda subject, text: {"subject": subject, "text": text}, sentences, sentences)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(st.text(max_size=300) | plain.map(json.dumps) | st.text(alphabet='{}[]":,\\ afcts01', max_size=200))
def test_nothing_but_backend_errors(text):
    """Whatever a model sends is an answer or a BackendError."""
    assert getattr(outcome(text), "kind", "malformed") in {"malformed", "empty"}


@given(st.lists(st.tuples(good, plain), min_size=1, max_size=4), st.booleans())
def test_good_items_survive_bad_neighbours(pairs, bare):
    """C7: every valid item is in the answer, in order, whatever stands beside it."""
    items = [part for pair in pairs for part in pair if part is pair[0] or not _is_fact(part)]
    wanted = [pair[0]["text"] for pair in pairs]
    text = json.dumps(items if bare else {"facts": items})
    assert [fact.text for fact in parse(text, FactsAnswer, items="facts").value.facts] == wanted


def _is_fact(part):
    return isinstance(part, dict) and "subject" in part and "text" in part
