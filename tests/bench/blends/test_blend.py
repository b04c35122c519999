"""A blend on disk: the same bytes, refused where columns or embedder differ, the one that ships fits the pipeline."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arandu_lab.bench.blends.plan import read_blend_plan
from arandu_lab.bench.data.registry import digest
from arandu_lab.blends.blend import Blend, Term, Trained
from arandu_lab.blends.judged import Judged
from arandu_lab.errors import ConfigError
from arandu_lab.pure.ranking import log_rank, standardised

MADE = Blend(
    name="made",
    terms=(
        Term(column="bm", kind="z", sign=1, weight=0.5),
        Term(column="bm", kind="rank", sign=1, weight=0.25),
        Term(column="d", kind="z", weight=0.0),
        Term(column="qmark", kind="flag", sign=-1, weight=-1.5),
    ),
    embedder="use",
    l2=100.0,
    trained_on=(Trained(set="água", digest="ab" * 32, questions=3, weight=0.333333),),
    code="cd" * 32,
    figures={"R@10": 0.5},
)


def test_a_blend_is_the_same_bytes(tmp_path: Path) -> None:
    """What is loaded is what was saved, and is saved again as the same bytes."""
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    MADE.save(first)
    assert Blend.load(first) == MADE
    Blend.load(first).save(second)
    assert first.read_bytes() == second.read_bytes()


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    """Loading keeps what it read only as long as the file is the same."""
    path = tmp_path / "a.json"
    MADE.save(path)
    Blend.load(path)
    replace(MADE, name="another").save(path)
    assert Blend.load(path).name == "another"


@pytest.mark.parametrize(
    ("columns", "embedder", "said"),
    [
        (("bm", "qmark"), "use", "does not make d"),
        (("bm", "d", "qmark", "new"), "use", "lacks new"),
        (("bm", "d", "qmark"), "minilm", "knows the embedder 'use', found 'minilm'"),
    ],
)
def test_other_columns_or_embedders_are_refused(columns: tuple[str, ...], embedder: str, said: str) -> None:
    """The error names what differs and the command that trains another."""
    MADE.check(("qmark", "bm", "d"), "use")
    with pytest.raises(ConfigError, match=said) as caught:
        MADE.check(columns, embedder)
    assert "arandu-lab fit-blend" in str(caught.value)


def test_a_score_is_the_weighted_sum() -> None:
    """Of what the terms see among open rows; closed rows get -inf; an unused column need not be there."""
    rng = np.random.default_rng(0)
    columns = {"bm": rng.random(6), "qmark": np.array([0, 1, 0, 1, 0, 1.0])}
    mask = np.array([True, True, False, True, True, True])
    wanted = 0.5 * standardised(columns["bm"], mask) + 0.25 * log_rank(columns["bm"], mask) - 1.5 * columns["qmark"]
    found = MADE.score(columns, mask)
    assert np.allclose(found[mask], wanted[mask])
    assert found[2] == -np.inf
    assert MADE.used == ("bm", "qmark")
    order = rng.permutation(6)
    assert np.array_equal(MADE.score({k: v[order] for k, v in columns.items()}, mask[order]), found[order])
    with pytest.raises(ConfigError, match="no column 'bm'"):
        MADE.score({"qmark": columns["qmark"]}, mask)
    assert MADE.score(columns, np.zeros(6, dtype=bool)).tolist() == [-np.inf] * 6


@pytest.mark.parametrize("text", ["{}", "[1]", "no json", '{"name": "x"}'])
def test_what_is_no_blend_is_refused(tmp_path: Path, text: str) -> None:
    """A file that is none is named; so is a name that nobody ships."""
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(ConfigError, match=re.escape(str(path))):
        Blend.load(path)
    with pytest.raises(ConfigError, match="no blend 'defalt'; a file, or"):
        Blend.load("defalt")


def test_a_weight_against_its_sign_is_refused() -> None:
    """A term says what it may count, and holds to it."""
    with pytest.raises(ConfigError, match="under sign 1"):
        Term(column="bm", kind="z", sign=1, weight=-0.1)
    with pytest.raises(ConfigError, match="kind 'zz'"):
        Term(column="bm", kind="zz")  # type: ignore[arg-type]


def test_a_question_without_evidence_is_refused(judged: list[Judged]) -> None:
    """It can neither teach nor be judged; columns of different lengths are refused too."""
    with pytest.raises(ConfigError, match="without evidence"):
        replace(judged[0], relevant=np.zeros(30, dtype=np.bool_))
    with pytest.raises(ConfigError, match="different lengths"):
        replace(judged[0], open=np.ones(3, dtype=np.bool_))


def test_the_blend_that_ships_fits_the_pipeline() -> None:
    """It was trained with the columns that the tuned pipeline makes, on our own sets as they are now, and holds to common sense."""
    from arandu_lab.blends.design import design
    from arandu_lab.read.evidence import COLUMNS, FLAGS

    blend = Blend.load("default")
    blend.check(COLUMNS, blend.embedder)
    plan = read_blend_plan(Path(__file__).parents[3] / "configs" / "blend.toml")
    assert [(one.set, one.digest) for one in blend.trained_on] == [(one.name, digest(one.name)) for one in plan.sets]
    assert [(t.column, t.kind, t.sign) for t in blend.terms] == [
        (t.column, t.kind, t.sign) for t in design(blend.columns, FLAGS)
    ]
