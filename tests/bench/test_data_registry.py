"""Datasets are found by name or path, with their licence, and never by guessing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from arandu_lab.bench.data import available, digest, load
from arandu_lab.errors import ConfigError, DatasetError


def test_every_entry_has_licence_citation_and_origin(tmp_path: Path):
    """The table of known datasets leaves none of the three open, whether or not the data are here."""
    table = available(tmp_path)
    assert {"harbor_en", "mare_pt", "locomo", "locomo4", "longmemeval_mini"} <= set(table["name"])
    assert table.select("licence", "citation", "origin").null_count().row(0) == (0, 0, 0)
    assert table.filter(name="locomo")["licence"].to_list() == ["CC BY-NC 4.0"]


def test_an_unknown_name_offers_the_nearest():
    """A misspelt name is an error that says what was probably meant."""
    with pytest.raises(ConfigError, match="did you mean 'harbor_en'"):
        load("harbour_en")


def test_data_that_are_not_here_are_asked_for(tmp_path: Path):
    """A known set that lies nowhere says where it comes from and under which licence."""
    with pytest.raises(ConfigError, match="LoCoMo") as failed:
        load("locomo", root=tmp_path)
    assert "CC BY-NC 4.0" in str(failed.value)


def test_an_unknown_option_is_refused(tmp_path: Path):
    """An option that the loader does not take is a ConfigError."""
    (tmp_path / "locomo10.json").write_text("[]")
    with pytest.raises(ConfigError, match="askd"):
        load("locomo", root=tmp_path, askd="end")


@pytest.mark.parametrize(
    ("text", "said"), [("[{}]", "neither LoCoMo"), ("{", r"x\.json:1: not JSON"), ("[]", "neither"), ("[1]", "neither")]
)
def test_a_path_of_no_known_layout_is_refused(tmp_path: Path, text: str, said: str):
    """A file is recognised by what is in it, or refused with its place."""
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(DatasetError, match=said):
        load(tmp_path / "x.json")


def test_other_bytes_than_the_pinned_are_told(tmp_path: Path):
    """A file under a pinned name with other bytes is read, and its card says that it is not the pinned one."""
    talk = {
        "session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "hi"}],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
    }
    (tmp_path / "locomo10.json").write_text(json.dumps([{"sample_id": "c", "qa": [], "conversation": talk}]))
    found = load("locomo", root=tmp_path)
    assert found.name == "locomo"
    assert found.card["as_pinned"] is False
    assert load(tmp_path / "locomo10.json").card["as_pinned"] is False


def test_a_digest_of_no_set_is_refused(tmp_path: Path):
    """Only folders of our own format are digested."""
    with pytest.raises(DatasetError, match=r"set\.toml"):
        digest(tmp_path)
    with pytest.raises(ConfigError):
        digest("locomo", root=tmp_path)


@pytest.mark.shared
def test_the_development_data_are_the_pinned_bytes(shared_datasets: Path):
    """LoCoMo's four samples are those the reference figures were measured on; both layouts load from a plain path."""
    assert load("locomo4", root=shared_datasets).card["as_pinned"] is True
    assert load(shared_datasets / "locomo" / "locomo4.json").name == "locomo4"
    assert load(shared_datasets / "longmemeval_mini").name == "longmemeval_mini"


def test_a_set_of_ours_is_found_straight_under_a_root(tmp_path: Path):
    """A root of the user's may hold one of our sets without its folder: that one is read, and not the repository's."""
    for name in ("harbor_en", "brook_pt", "quay_en"):
        place = Path(str(available().row(by_predicate=pl.col("name") == name, named=True)["path"]))
        shutil.copytree(place, tmp_path / name)
        line = (tmp_path / name / "set.toml").read_text(encoding="utf-8")
        (tmp_path / name / "set.toml").write_text(line.replace('title = "', 'title = "Mine, '), encoding="utf-8")
        assert load(name, root=tmp_path).title.startswith("Mine, ")
        assert not load(name).title.startswith("Mine, ")
