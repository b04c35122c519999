"""Claims about answering from a kept result: what is scored, what is an error, what it costs, and what a judge is worth."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from answering_sets import AT, CITIES, asked, dataset, tabled

from arandu_lab.bench.answering import Answerer, Judge, answered, trial
from arandu_lab.bench.contexts import keep_contexts, kept_contexts
from arandu_lab.bench.replay import Answer
from arandu_lab.bench.run import Run
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.mind import Minds, Patience
from arandu_lab.llm.recorded import Recorded
from arandu_lab.llm.scripted import Reply, Scripted, fail

Results = Callable[..., Run]
TWENTY = [asked(number, CITIES[number % 10]) for number in range(20)]


def right(inputs: dict[str, Any]) -> dict[str, Any]:
    """What the context says."""
    return {"answer": inputs["context"].rpartition(" in ")[2], "known": True}


def strict(inputs: dict[str, Any]) -> Any:
    """A judge that compares to the letter, and knows an abstention when it sees one."""
    said = inputs["answer"].removeprefix("The answer is: ")
    good = said in ("I don't know.", "Não sei.") if inputs.get("absent") else said in inputs["gold"]
    return {"verdict": "CORRECT" if good else "INCORRECT"}


def test_an_outage_is_an_error_and_never_wrong(result: Results, tmp_path: Path) -> None:
    """R3: a judge that times out on 3 of 20 answers scores 17; the 3 are errors, shown, and in no average."""

    def weather(inputs: dict[str, Any]) -> Any:
        number = int(inputs["question"].split("Person")[1].split()[0])
        return fail("timeout") if number in (3, 7, 11) else strict(inputs)

    run = result(dataset(TWENTY))
    scores = answered(
        run, llm=tabled(right, "reader"), judge=tabled(weather, "judge"), tried=0, results=tmp_path / "results"
    )
    (row,) = scores.summary().to_dicts()
    assert (row["questions"], row["scored"], row["errored"], row["unparsable"], row["judged"]) == (20, 17, 3, 0, 17)
    assert (row["correct"], row["recall"]) == (1.0, 1.0)
    assert scores.frame.filter(state="errored")["verdict"].to_list() == [None] * 3
    assert all("timeout" in error for error in scores.frame.filter(state="errored")["error"])
    head, _, line = scores.to_markdown().splitlines()[2:5]
    shown = dict(zip(*([cell.strip() for cell in one.split("|")] for one in (head, line)), strict=True))
    assert (shown["scored"], shown["errored"], shown["correct"]) == ("17", "3", "100.0")


@pytest.mark.parametrize("kind", ["timeout", "unavailable", "rate_limit", "malformed", "empty", "refused"])
def test_what_fails_is_told_by_its_kind(result: Results, tmp_path: Path, kind: Any) -> None:
    """R2, R3: a judge that answers without a verdict is unparsable, one that does not answer is errored; neither is wrong."""
    minds = Minds(Scripted(default=fail(kind)), patience=Patience(retries=0))
    scores = answered(
        result(dataset(TWENTY[:2])), llm=tabled(right, "reader"), judge=minds, tried=0, results=tmp_path / "results"
    )
    wanted = "unparsable" if kind in ("malformed", "empty", "refused") else "errored"
    assert scores.frame["state"].to_list() == [wanted] * 2
    assert scores.summary()["correct"].to_list() == [None]
    assert scores.frame["recall"].to_list() == [1.0, 1.0]


def test_a_reader_or_system_that_fails_is_a_null(result: Results, tmp_path: Path) -> None:
    """R3: no context, or no answer, is an error with its reason; its scores are null and the others stand."""

    def reader(inputs: dict[str, Any]) -> Any:
        return fail("unavailable") if "Person1 " in inputs["question"] else right(inputs)

    minds = Minds(tabled(reader, "reader"), patience=Patience(retries=0))
    scores = answered(result(dataset(TWENTY[:4]), {"q2": None}), llm=minds, results=tmp_path / "results")
    assert scores.frame["state"].to_list() == ["scored", "errored", "errored", "scored"]
    assert scores.frame["recall"].to_list() == [1.0, None, None, 1.0]
    assert "no answer: " in scores.frame["error"][1]
    assert scores.frame["error"][2] == "the system failed: no answer within 5 s"
    assert scores.summary()["recall"].to_list() == [1.0]


def test_absent_questions_are_judged_as_abstentions(result: Results, tmp_path: Path) -> None:
    """R5: ``absent`` decides the rubric, not the look of an id; the judge is shown no gold, and silence scores full."""
    seen: list[dict[str, Any]] = []

    def judge(inputs: dict[str, Any]) -> Any:
        seen.append(inputs)
        return strict(inputs)

    questions = [
        replace(asked(0, None, absent=True), id="x_abs"),
        asked(1, None, absent=True, wrong_answer="Recife"),
        replace(asked(2, "Natal"), id="y_abs"),
    ]
    contexts = {"x_abs": "Known facts:\n- Rui sings", "q1": "Person1 lives in Recife"}
    reader = tabled(lambda inputs: right(inputs) if " in " in inputs["context"] else {"known": False}, "reader")
    scores = answered(
        result(dataset(questions), contexts),
        llm=reader,
        judge=tabled(judge, "judge"),
        tried=0,
        results=tmp_path / "results",
    )
    assert scores.frame["verdict"].to_list() == ["CORRECT", "INCORRECT", "CORRECT"]
    assert scores.frame["f1"].to_list() == [1.0, 0.0, 1.0]
    assert [one.get("absent", False) for one in seen] == [True, True, False]
    assert [one.get("wrong_answer") for one in seen] == [None, "Recife", None]
    assert not any("gold" in one for one in seen if one.get("absent"))
    (row,) = scores.summary().to_dicts()
    assert (row["absent"], row["abstention"], row["with_answer"], row["recall"]) == (2, 0.5, 1, 1.0)


def test_a_question_without_gold_is_ungraded(result: Results, tmp_path: Path) -> None:
    """A question that is not absent and has no gold answer is neither right nor wrong, and no judge is asked."""
    scores = answered(
        result(dataset([asked(0, None)]), {"q0": "Person0 lives in Recife"}),
        llm=tabled(right, "reader"), judge=Scripted(), results=tmp_path / "results",
    )  # fmt: skip
    assert scores.frame.select("state", "answer", "recall", "verdict").row(0) == ("ungraded", "Recife", None, None)


@pytest.mark.parametrize(
    ("votes", "verdict", "state"),
    [
        (["CORRECT", "INCORRECT", "CORRECT"], "CORRECT", "scored"),
        (["INCORRECT", "?", "INCORRECT"], "INCORRECT", "scored"),
        (["CORRECT", "?", "INCORRECT"], None, "unparsable"),
        (["CORRECT", fail("timeout"), "INCORRECT"], None, "errored"),
        ([fail("timeout"), "CORRECT", "CORRECT"], "CORRECT", "scored"),
    ],
)
def test_a_majority_of_all_askings(votes: list[Any], verdict: str | None, state: str) -> None:
    """More than half of the askings decide; else it is an error where one failed, and unparsable where none did."""
    judge = Judge(Minds(Scripted(votes), malformed_retries=0), repeats=3)
    found = asyncio.run(judge.judge("Where?", "Recife", AT, gold=["Recife"]))
    assert (found.verdict, found.state) == (verdict, state)
    assert [vote is None for vote in found.votes] == [vote not in ("CORRECT", "INCORRECT") for vote in votes]


def test_an_even_number_of_askings_is_refused() -> None:
    """An even number has no majority; a question without gold has nothing to be judged by."""
    with pytest.raises(ConfigError, match="odd"):
        Judge("offline/rules", repeats=2)
    with pytest.raises(ConfigError, match="nothing to judge by"):
        asyncio.run(Judge("offline/rules").judge("Where?", "Recife", AT))


def test_the_judge_is_tried_before(result: Results, tmp_path: Path) -> None:
    """A judge that calls everything correct accepts every wrong answer, and the report says that it is not to be trusted."""
    kind = tabled(lambda _: {"verdict": "CORRECT"}, "kind")
    scores = answered(
        result(dataset(TWENTY)),
        llm=tabled(right, "reader"),
        judge=kind,
        tried=5,
        results=tmp_path / "results",
        keep=False,
    )
    assert scores.trial is not None
    assert (scores.trial.false_accept, scores.trial.false_reject, scores.trial.trusted) == (1.0, 0.0, False)
    assert "false accepts 100.0% (20 wrong answers" in scores.to_markdown()
    assert "not to be trusted" in scores.to_markdown()
    fair = asyncio.run(trial(Judge(tabled(strict, "fair")), [(one, "en") for one in TWENTY], size=5))
    assert (fair.false_accept, fair.false_reject, fair.trusted) == (0.0, 0.0, True)
    assert set(fair.frame["kind"]) == {"gold", "sentence", "other", "negation", "empty", "unknown"}


def test_a_judge_that_fails_its_trial_is_not_trusted() -> None:
    """A trial whose askings all fail knows no rate, and trusts nobody."""
    found = asyncio.run(trial(Judge(Scripted(default=fail("timeout"))), [(TWENTY[0], "en")], size=1))
    assert (found.false_accept, found.false_reject, found.trusted) == (None, None, False)
    assert found.by_kind()["errored"].sum() == found.frame.height == 5


@pytest.mark.parametrize("language", ["en", "pt"])
def test_the_rules_judge_well(language: str) -> None:
    """The offline judge tells right from wrong in its trial, absent questions included, in both languages."""
    golds = {
        "en": ["Recife", "3 March 2021", "no, she does not drive"],
        "pt": ["Olinda", "3 de março de 2021", "Não, largou"],
    }
    questions = [asked(number, gold) for number, gold in enumerate(golds[language])]
    questions += [asked(8, None, absent=True, wrong_answer="Recife"), asked(9, None, absent=True)]
    found = asyncio.run(trial(Judge("offline/rules"), [(one, language) for one in questions], size=5))
    assert (found.false_accept, found.false_reject) == (0.0, 0.0), found.frame.filter(
        pl.col("verdict") != pl.col("wants")
    )


def test_usage_is_asked_and_billed(result: Results, tmp_path: Path) -> None:
    """H2: answers, verdicts and the trial all count; answered again from a cassette, the same is asked and nothing is billed."""
    run, results = result(dataset(TWENTY[:3])), tmp_path / "results"

    def reader(inputs: dict[str, Any]) -> Reply:
        return Reply(right(inputs), input_tokens=100, output_tokens=10, cost_usd=0.5)

    def once() -> Any:
        models = [
            Recorded(tabled(fn, name), tmp_path / f"{name}.jsonl")
            for fn, name in ((reader, "reader"), (strict, "judge"))
        ]
        return answered(run, llm=models[0], judge=models[1], tried=1, results=results, keep=False)

    first, second = once(), once()
    assert first.frame.drop("calls_billed", "tokens_billed").equals(second.frame.drop("calls_billed", "tokens_billed"))
    assert first.usage.calls == second.usage.calls == 3 + 3 + first.trial.frame.height
    assert first.usage.cost_usd == 1.5
    assert (second.usage.billed_calls, second.usage.billed_tokens) == (0, 0)
    assert second.usage.total_tokens == first.usage.total_tokens > first.usage.billed_tokens > 0
    assert first.usage.billed_calls == first.usage.calls - 1, "the gold answer of the trial is asked again as an answer"


async def test_in_a_notebook(result: Results, tmp_path: Path) -> None:
    """It works inside a running event loop, and an error of it comes out as itself."""
    scores = answered(result(dataset(TWENTY[:1])), results=tmp_path / "results")
    assert scores.frame["answer"].to_list() == ["Recife"]
    with pytest.raises(ConfigError, match="did you mean 'mine'"):
        answered(result(dataset(TWENTY[:1])), systems=["mein"], results=tmp_path / "results")


def test_contexts_that_are_gone_are_told(result: Results, tmp_path: Path) -> None:
    """A context that nobody kept is an error that says what to do, never an empty context."""
    with pytest.raises(ConfigError, match="run it again"):
        answered(result(dataset(TWENTY[:1])), results=tmp_path / "elsewhere")


def test_contexts_come_back_to_the_letter(tmp_path: Path) -> None:
    """Lines are kept once however many contexts hold them; empty texts, blank lines and emoji survive; a failure has none."""
    texts = {"a": "one\ntwo\n\none", "b": "", "c": "two\r\n🌵\u2028x", "d": None}
    keep_contexts(tmp_path, [Answer(question=key, heard=0, context=text) for key, text in texts.items()])
    assert kept_contexts(tmp_path) == {key: text for key, text in texts.items() if text is not None}
    assert (tmp_path / "contexts.json").read_text("utf-8").count('"one"') == 1


@pytest.mark.parametrize("language", ["en", "pt"])
def test_the_rules_answer_honestly(language: str) -> None:
    """The offline model quotes what the context holds, knows nothing of what it does not hold, and says so."""
    held, missing, context = {
        "en": ("Where does Ana live?", "Who is Rui's boss?", "Known facts:\n- Ana lives in Recife\n- Rui plays chess"),
        "pt": ("Onde a Ana mora?", "Quem é o chefe do Rui?", "Known facts:\n- Ana mora em Recife\n- Rui joga xadrez"),
    }[language]
    reader = Answerer("offline/rules")
    found, none, empty = (
        asyncio.run(reader.answer(question, text, AT, language=language))
        for question, text in ((held, context), (missing, context), (held, ""))
    )
    assert (found.text, found.abstained) == ("Recife", False)
    assert (none.text, none.known, none.abstained) == ("", False, True)
    assert empty.abstained
    assert found.usage.calls == 1


def test_an_answer_that_cannot_be_read_is_an_error() -> None:
    """C3: prose where JSON was asked for is asked for once more and then told, not taken for an answer."""
    with pytest.raises(BackendError) as told:
        asyncio.run(Answerer(Scripted(["It is Recife.", "Recife!"])).answer("Where?", "x", AT))
    assert told.value.kind == "malformed"


def _overlay(tmp_path: Path, data: Any, *items: dict[str, Any]) -> Any:
    import json

    from arandu_lab.bench.overlay import Overlay

    path = tmp_path / "fixed.json"
    path.write_text(json.dumps([{"conversation": data.name, **item} for item in items]))
    return Overlay.read(path, data), path


def test_corrections_of_the_gold_reach_answers(result: Results, tmp_path: Path) -> None:
    """Answers are asked once and scored by both golds; a judge hears again only of what the correction changes for it."""
    data = dataset(TWENTY[:4])
    overlay, path = _overlay(
        tmp_path,
        data,
        {"question": "q0", "answer": "Niterói"},
        {"question": "q1", "absent": True},
        {"question": "q2", "evidence": []},
        {"question": "q9", "answer": "?"},
    )
    seen: list[str] = []

    def judge(inputs: dict[str, Any]) -> Any:
        seen.append(inputs["question"])
        return Reply(strict(inputs), input_tokens=7, output_tokens=0)

    results = tmp_path / "results"
    scores = answered(
        result(data), llm=tabled(right, "reader"), judge=tabled(judge, "j"), tried=0, relevance=path, results=results
    )
    assert scores.frame["verdict"].to_list() == ["CORRECT"] * 4
    assert scores.corrected is not None
    assert scores.corrected["verdict"].to_list() == ["INCORRECT", "INCORRECT", "CORRECT", "CORRECT"]
    assert scores.corrected["gold"].to_list() == ["Niterói", None, "Natal", "Belém"]
    assert scores.corrected["absent"].to_list() == [False, True, False, False]
    assert scores.corrected["answer"].equals(scores.frame["answer"])
    assert sorted(seen) == sorted(one.text for one in [*TWENTY[:4], *TWENTY[:2]]), "the reworded evidence is not judged"
    table = scores.summary()
    assert table["relevance"].to_list() == ["as given", "as corrected"]
    assert table["recall"].to_list() == pytest.approx([1.0, 2 / 3])
    assert table["correct"].to_list() == [1.0, 0.5]
    assert scores.again.total_tokens == 14
    assert scores.usage.calls == 4 + 4 + 2
    page = scores.to_markdown()
    assert "as corrected" in page
    assert "1 NOT applied (towns/q9: conversation towns has no question 'q9')" in page
    plain = answered(result(data), llm=tabled(right, "reader"), results=results)
    assert plain.corrected is None
    assert "relevance" not in plain.summary().columns
    again = answered(result(data), llm=tabled(right, "reader"), relevance=overlay, results=results, keep=False)
    assert again.summary()["recall"].to_list() == table["recall"].to_list()


def test_corrections_of_other_data_are_said(result: Results, tmp_path: Path) -> None:
    """An overlay that is of other data changes nothing, and the page says so; a wrong value is refused."""
    overlay, _ = _overlay(tmp_path, dataset(TWENTY[:2], name="ports"), {"question": "q0", "answer": "Niterói"})
    scores = answered(result(dataset(TWENTY[:2])), relevance=overlay, results=tmp_path / "results")
    assert scores.corrected is None
    assert "of other data, so its gold is as given" in scores.to_markdown()
    with pytest.raises(ConfigError, match="wants the path of corrections"):
        answered(result(dataset(TWENTY[:2])), relevance=5, results=tmp_path / "results")


def test_it_is_said_why_the_rules_leave_questions_open(result: Results, tmp_path: Path) -> None:
    """The page counts answerable questions that were left open; of the rules it says why, of another model it does not."""
    run, results = result(dataset(TWENTY[:3]), {"q1": "Known facts:\n- Rui sings"}), tmp_path / "results"
    scores = answered(run, results=results)
    assert scores.summary()["left_open"].to_list() == [1]
    said = "left 1 of 3 questions open that have an answer"
    assert f"offline/rules {said}" in scores.to_markdown()
    assert "It reads by rule" in scores.to_markdown()
    assert "It reads by rule" in scores._repr_html_()
    silent = answered(run, llm=tabled(lambda _: {"known": False, "answer": None}, "shy"), results=results)
    assert "shy left 3 of 3 questions open" in silent.to_markdown()
    assert "It reads by rule" not in silent.to_markdown()
    assert answered(result(dataset(TWENTY[:3])), results=results).said() == []


def test_a_model_that_cannot_be_asked_ends_it_at_once(
    result: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A named model that nobody answers for, or whose key is wrong, is an error after one asking; its questions are no rows."""
    asked_: list[str] = []

    def opened(name: str) -> Any:
        def reply(inputs: dict[str, Any]) -> Any:
            asked_.append(name)
            if name == "x/dead":
                return BackendError("no line", kind="unavailable", backend=name)
            return BackendError("AuthenticationError: no key", kind="refused", backend=name)

        return Scripted(default=lambda messages: reply({}), name=name)

    monkeypatch.setattr("arandu_lab.bench.answering.run.check_models", lambda *specs: None)
    for module in ("answerer", "judging"):
        monkeypatch.setattr(
            f"arandu_lab.bench.answering.{module}.open_minds",
            lambda spec: Minds(opened(spec) if isinstance(spec, str) else spec, patience=Patience(retries=0)),
        )
    run, results = result(dataset(TWENTY)), tmp_path / "results"
    for name in ("x/dead", "x/keyless"):
        asked_.clear()
        with pytest.raises(BackendError, match=name):
            answered(run, llm=tabled(right, "reader"), judge=name, results=results)
        assert len(asked_) == 1, "neither the trial nor another question is put to it"
        with pytest.raises(BackendError, match=name):
            answered(run, llm=name, results=results)
        assert len(asked_) == 2
    assert not list(results.glob("*/answers")), "nothing is kept of it"


def test_an_unknown_provider_is_refused_without_asking_litellm(monkeypatch: pytest.MonkeyPatch) -> None:
    """R1: a name whose provider litellm's files do not know is refused with the nearest, before litellm is imported."""
    import sys

    from arandu_lab.bench.answering.models import check_models, providers

    monkeypatch.delitem(sys.modules, "litellm", raising=False)
    with pytest.raises(ConfigError, match="did you mean 'openai'"):
        check_models(None, {"default": "opnai/gpt-4.1-mini"})
    with pytest.raises(ConfigError, match=r"'nope/none': litellm knows no provider 'nope'; wanted e\.g\. 'openai/"):
        answered("nowhere", judge="nope/none")
    check_models(
        "ollama_chat/llama3", "groq/x", "gpt-4.1", "offline/rules", "gguf:/a/b.gguf", "meta-llama/Llama-2-7b-hf"
    )
    assert {"openai", "anthropic", "groq", "ollama_chat"} <= set(providers())
    assert "litellm" not in sys.modules
    monkeypatch.setattr("arandu_lab.bench.answering.models.providers", tuple)
    check_models("nope/none")
