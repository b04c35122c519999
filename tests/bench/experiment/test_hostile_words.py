"""Words that are code elsewhere are words in every page: names, titles, categories, messages of errors, settings."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import polars as pl
import pytest

from arandu_lab import experiment
from arandu_lab.bench.answering.scores import FRAME, AnswerScores
from arandu_lab.bench.cards import Card
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.studies.costs import Bill
from arandu_lab.bench.studies.study import Study
from arandu_lab.errors import BackendError
from arandu_lab.llm.prices import Prices
from arandu_lab.systems.base import Ranked
from arandu_lab.trace import Usage

EVIL = "<script>alert(1)</script>\"'</svg></style></pre><img src=x onerror=alert(2)>&lt;b&gt;\u202egnp.\u2066"
HARMLESS = set(
    "html meta title style main h1 h2 h3 h4 p small b div table thead tbody tr th td details summary br pre ul li section"
    " svg g path text tspan rect line circle defs clippath lineargradient stop a title desc body head figure".split()
)


class Tags(HTMLParser):
    """Every tag and attribute of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


class Failing:
    """Fails with hostile words on one question."""

    name = "failing"

    async def begin(self, conversation_id):
        pass

    async def listen(self, turn):
        return Usage()

    async def ask(self, question, *, now, k):
        if "dog" in question:
            raise BackendError(EVIL, kind="timeout", backend="failing")
        return Ranked(turns=())

    async def end(self):
        pass


def harmless(page: str) -> None:
    """No tag, no attribute that does something; and the hostile words are there as words."""
    found = Tags(page)
    assert found.tags <= HARMLESS, found.tags - HARMLESS
    assert not {one for one in found.attributes if one.startswith("on") or one == "src"}
    assert "<script>alert(1)</script>\"'</svg>" in found.text


@pytest.fixture
def evil(lake: Dataset) -> Dataset:
    """The lake under a hostile name and title, with hostile ids and categories."""
    parts = tuple(
        replace(
            one,
            id=f"{one.id}{EVIL}",
            questions=tuple(replace(asked, category=EVIL, text=f"{asked.text} {EVIL}") for asked in one.questions),
        )
        for one in lake
    )
    return replace(lake, name=EVIL, title=EVIL, conversations=parts)


def test_an_experiment_shows_hostile_words_as_words(evil: Dataset, tmp_path) -> None:
    """Names of datasets, systems and categories and messages of errors: in the page, its pictures and in a notebook."""
    systems = [{EVIL: "bm25"}, {"failing": Failing}]
    found = experiment(systems, evil, ["R@3"], depth=4, jobs=1, results=tmp_path, progress=False)
    harmless(found.to_html())
    harmless(found._repr_html_())
    assert "<table" in found._repr_html_()


def test_answers_and_studies_show_hostile_words_as_words() -> None:
    """The frame that a notebook shows, the name of a model, the sentences, tables and claims of studies and sweeps."""
    row: dict[str, Any] = dict.fromkeys(FRAME) | {"dataset": EVIL, "system": EVIL, "absent": False, "state": "scored"}
    row |= {"recall": 0.0, "abstained": True, "calls": 1, "tokens": 1, "calls_billed": 1, "tokens_billed": 1}
    scores = AnswerScores(frame=pl.DataFrame([row], schema=FRAME), model=EVIL, notes=(EVIL,))
    harmless(scores._repr_html_())
    bill = Bill(parts=(), model=EVIL, priced_as="", prices=Prices())
    table = {EVIL: Card((EVIL,), ((EVIL,),))}
    study = Study(name="decay", title=EVIL, about=EVIL, found=(EVIL,), tables=table, frames={}, bill=bill)
    harmless(study._repr_html_())
