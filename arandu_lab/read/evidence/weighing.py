"""All columns of evidence as one step of the trace; each family is a stage that can be left out or replaced."""

from __future__ import annotations

from arandu_lab.pipeline import Pipeline, group
from arandu_lab.read.evidence.cues import cues
from arandu_lab.read.evidence.dates import dates
from arandu_lab.read.evidence.dense import dense, dense_silent
from arandu_lab.read.evidence.feedback import feedback
from arandu_lab.read.evidence.hubs import hubs
from arandu_lab.read.evidence.hyponyms import hyponyms
from arandu_lab.read.evidence.lexical import lexical
from arandu_lab.read.evidence.neighbours import neighbours
from arandu_lab.read.evidence.sentences import sentences
from arandu_lab.read.evidence.softmatch import softmatch, softmatch_silent
from arandu_lab.read.evidence.speakers import speakers
from arandu_lab.read.evidence.votes import votes


@group
def weighing() -> Pipeline:
    """Write every column about every open turn: words, meaning, sentences, hubs, near words, classes, what each stage says."""
    meaning = dense().otherwise(dense_silent()) >> sentences() >> hubs() >> softmatch().otherwise(softmatch_silent())
    return (
        lexical() >> meaning >> hyponyms() >> feedback() >> neighbours() >> votes() >> speakers() >> dates() >> cues()
    )
