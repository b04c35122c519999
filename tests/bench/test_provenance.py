"""What a result says it was made with: commit, prompts, what measures mean, every stage in order."""

from __future__ import annotations

import os
import subprocess
import tomllib
from pathlib import Path

import pytest

import arandu_lab
from arandu_lab.bench import provenance
from arandu_lab.bench.artifacts import TELLING, sources
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.made import made_toml
from arandu_lab.bench.measures import parse
from arandu_lab.bench.plan import Plan, Row
from arandu_lab.bench.provenance import commits, definitions, first_change, prompts, stages
from arandu_lab.bench.run import planned


def git(folder: Path, *said: str) -> str:
    """A git command in a folder, with nobody's settings."""
    who = {
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@b.c",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@b.c",
    }
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), **who}
    return subprocess.run(["git", "-C", str(folder), *said], env=env, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one commit; the package is told to lie in none."""
    (tmp_path / "here").mkdir()
    git(tmp_path / "here", "init", "--quiet")
    (tmp_path / "here" / "a.txt").write_text("a", encoding="utf-8")
    git(tmp_path / "here", "add", ".")
    git(tmp_path / "here", "commit", "--quiet", "-m", "one")
    monkeypatch.setattr(provenance, "PACKAGE", tmp_path)
    return tmp_path / "here"


def test_the_commit_is_told_and_whether_it_is_all(checkout: Path, tmp_path: Path) -> None:
    """R1: the commit, dirty when a followed file is another; a file that git does not follow is none; no checkout, no word."""
    head = git(checkout, "rev-parse", "HEAD").strip()
    assert commits(checkout) == {"work": {"commit": head, "dirty": False}}
    (checkout / "result.txt").write_text("r", encoding="utf-8")
    assert commits(checkout)["work"]["dirty"] is False
    (checkout / "a.txt").write_text("b", encoding="utf-8")
    assert commits(checkout)["work"]["dirty"] is True
    assert commits(tmp_path) == {}


def test_one_checkout_is_told_once(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R1: where the work lies in the package's own checkout, it is told once; a variable of git's changes nothing."""
    monkeypatch.setattr(provenance, "PACKAGE", checkout)
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert list(commits(checkout)) == ["package"]


def test_made_toml_tells_it_all(talk: Dataset) -> None:
    """R1: made.toml holds prompts, definitions and stages in order, twice the same, and the address knows none of them."""
    rows = (Row(name="bm25", base="bm25"), Row(name="mine", base="arandu", options={"topk_facts": 5}))
    run = planned(Plan(name="talk", datasets=("talk",), rows=rows), {"talk": talk})
    once, again = made_toml(run), made_toml(run)
    assert once == again
    made = tomllib.loads(once)["made"]
    assert set(prompts()) == set(made["prompts"]) >= {"extract", "judge", "reconcile"}
    assert set(made["measures"]) == {"R@5", "R@10", "nDCG@10", "RR"}
    assert next(iter(made["stages"]["mine"])) == "llm"
    assert list(made["stages"]["mine"]) == list(stages(rows[1]))
    assert made["address"] == run.address


def test_a_setting_changes_the_stages_that_read_it_and_no_other() -> None:
    """R1: a changed setting changes the fingerprint of the first stage that reads it; a stage left out is told as such."""
    plain = stages(Row(name="a", base="arandu"))

    def told(**changes: object) -> str | None:
        return first_change(plain, stages(Row(name="a", base="arandu", **changes)))

    assert told() is None
    assert told(options={"topk_facts": 7}) == "read.judge (settings)"
    assert told(options={"min_score": 0.2}) == "read.cut (settings)"
    assert told(options={"reconcile_gate": 0.6}) == "write.triage (settings)"
    assert told(options={"enable_reranker": False}) == "read.judge (left out)"
    assert told(options={"llm": "openai/x"}) == "llm (settings and code)"
    assert told(read={"judge": {"use": "unjudged"}}) == "read.judge (left out)"


def test_code_and_prompts_of_a_stage_are_in_its_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    """R1: another text of a prompt, or of a module that a stage imports, is told at the first stage that uses it."""
    plain = stages(Row(name="a", base="arandu"))
    known = prompts()
    provenance._module_code.cache_clear()
    monkeypatch.setattr(provenance, "prompts", lambda: {**known, "judge": "0" * 12})
    other = stages(Row(name="a", base="arandu"))
    provenance._module_code.cache_clear()
    assert first_change(plain, other) == "read.judge (code)"


def test_a_definition_is_what_a_measure_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """R1: two measures of one name that give other values have other digests; a cost has one too."""
    then = definitions(["R@10", "RR", "Tokens.write"])
    real = type(parse("RR")).__call__
    monkeypatch.setattr(type(parse("RR")), "__call__", lambda self, *given: (real(self, *given) or 0.0) / 2)
    now = definitions(["R@10", "RR", "Tokens.write"])
    assert [name for name in then if then[name] != now[name]] == ["R@10", "RR"]


def test_every_file_that_says_what_is_done_is_part_of_an_address(tmp_path: Path) -> None:
    """A changed lexicon, prompt or blend makes another address; of the files that ship only pages and pictures do not count."""
    package = Path(arandu_lab.__file__).parent
    shipped = {path.suffix for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert shipped - set(TELLING) <= {".html", ".css", ".js", ".svg", ".typed", ""}
    for suffix in TELLING:
        seen = set()
        for text in ("a", "b"):
            file = tmp_path / f"{suffix}{text}" / f"one{suffix}"
            file.parent.mkdir()
            file.write_text(text, encoding="utf-8")
            seen.add(sources(file.parent, ()))
        assert len(seen) == 2, suffix
        assert sources(file.parent, ("one",)) == sources(tmp_path / "nothing", ())
