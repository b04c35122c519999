"""The gate's own test: a regression is planted in a memory, and the command line must see it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Lab = Callable[..., tuple[int, str, str]]
Config = Callable[..., Path]


def update(lab: Lab, tmp_path: Path, file: Path) -> Path:
    """A baseline of a run of a file."""
    baseline = tmp_path / "baselines" / "pond"
    at = ("gate", "--baseline", baseline, "--config", file, "--out", tmp_path / "results", "--update")
    code, out, said = lab(*at)
    assert (code, said) == (0, "")
    assert f"baseline: {baseline}" in out
    return baseline


@pytest.fixture
def kept(lab: Lab, config: Config, tmp_path: Path) -> Path:
    """A baseline of two controls over the pond."""
    return update(lab, tmp_path, config("bm25", "random"))


def test_the_gate_sees_a_planted_regression(lab: Lab, config: Config, tmp_path: Path, pond: Path) -> None:
    """R4: the same run exits 0; a memory with a floor too high 1, with what was lost and the first stage that is another; other data 2."""
    sound = '[system.arandu]\nembedder = "hashing"\n'
    kept = update(lab, tmp_path, config("arandu", extra=sound))
    at = ("gate", "--baseline", kept, "--out", tmp_path / "results", "--config")
    code, out, _ = lab(*at, config("arandu", extra=sound))
    assert (code, out.startswith("gate: passed: 0 of ")) == (0, True)
    code, out, _ = lab(*at, config("arandu", extra=f"{sound}min_score = 0.6"))
    assert code == 1
    assert "pond, arandu, R@1: 75.0 → 50.0, 25.0 points worse" in out
    assert "first stage that is another: read.cut (settings)" in out
    assert "q3 (update) 1.00 → 0.00: Where does Ana live now?" in out
    questions = pond / "questions.jsonl"
    questions.write_text("".join(questions.read_text("utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8")
    code, out, _ = lab(*at, config("bm25"))
    assert (code, "different data" in out) == (2, True)


def test_a_hollow_run_is_code_3(lab: Lab, config: Config, tmp_path: Path, fakes: str) -> None:
    """R3: a system that answers with nothing exits 3, not 1; nor can it be made a baseline."""
    code = tmp_path / "code" / "pond_mute.py"
    code.write_text(
        f"from {fakes} import Keeper\nfrom arandu_lab.systems.base import Ranked\n\n\n"
        "class Mute(Keeper):\n"
        "    def __init__(self, *, mute: bool = False):\n        super().__init__()\n        self.mute = mute\n\n"
        "    async def ask(self, question, *, now, k):\n"
        "        return Ranked(turns=()) if self.mute else await super().ask(question, now=now, k=k)\n",
        encoding="utf-8",
    )
    sound = '[system.it]\nbase = "pond_mute:Mute"\n'
    kept = update(lab, tmp_path, config("it", extra=sound))
    at = (
        "gate",
        "--baseline",
        kept,
        "--out",
        tmp_path / "results",
        "--config",
        config("it", extra=f"{sound}mute = true"),
    )
    code, out, _ = lab(*at)
    assert (code, "hollow, it returned nothing to all 5 questions" in out) == (3, True)
    assert lab(*at, "--update")[0] == 3


def test_what_cannot_be_judged_is_code_2(lab: Lab, config: Config, kept: Path, tmp_path: Path) -> None:
    """No baseline, no result, both a result and a file, or a wrong tolerance: the user's move, code 2, in a line."""
    out = ("--out", tmp_path / "results")
    for given in (
        ("--baseline", tmp_path / "nowhere", "pond"),
        ("--baseline", kept),
        ("--baseline", kept, "pond", "--config", config("bm25")),
        ("--baseline", kept, "pond", "--tolerance", "qualty=1"),
        ("--baseline", kept, "nothing"),
    ):
        code, _, said = lab("gate", *given, *out)
        assert (code, len(said.strip().splitlines())) == (2, 1), given


def test_a_fault_of_the_program_is_no_regression(
    lab: Lab, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error that nobody foresaw exits with 3 and its traceback: 1 is kept for regressions."""

    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("one by nothing")

    monkeypatch.setattr("arandu_lab.bench.gate.gate", fails)
    code, _, said = lab("gate", "--baseline", kept, "pond", "--out", tmp_path / "results")
    assert code == 3
    assert "ZeroDivisionError" in said


def test_figures_and_pages(lab: Lab, config: Config, kept: Path, tmp_path: Path) -> None:
    """R4: --docs holds a document to the run, --update writes it, --page appends the judgement."""
    page, told = tmp_path / "page.md", tmp_path / "told.md"
    page.write_text("<!-- baseline: pond -->\n<!-- /baseline -->\n", encoding="utf-8")
    at = ("gate", "--baseline", kept, "pond", "--out", tmp_path / "results", "--docs", page, "--page", told)
    assert lab(*at)[0] == 1
    assert lab(*at, "--update")[0] == 0
    assert lab(*at)[0] == 0
    assert "R@3" in page.read_text(encoding="utf-8")
    assert told.read_text(encoding="utf-8").count("## gate: passed") == 3
