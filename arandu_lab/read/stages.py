"""Every stage of reading that comes in the box; importing this module registers them."""

from arandu_lab.read.blend import blend
from arandu_lab.read.cross_encoder import cross_encoder
from arandu_lab.read.cut import cut
from arandu_lab.read.evidence.cues import cues
from arandu_lab.read.evidence.dates import dates
from arandu_lab.read.evidence.dense import dense, dense_silent
from arandu_lab.read.evidence.feedback import feedback
from arandu_lab.read.evidence.follow import follow
from arandu_lab.read.evidence.hubs import hubs
from arandu_lab.read.evidence.hyponyms import hyponyms
from arandu_lab.read.evidence.learned import learned
from arandu_lab.read.evidence.lexical import lexical
from arandu_lab.read.evidence.neighbours import neighbours
from arandu_lab.read.evidence.period import period
from arandu_lab.read.evidence.sentences import nearest_sentences, sentences, sentences_silent
from arandu_lab.read.evidence.softmatch import softmatch, softmatch_silent
from arandu_lab.read.evidence.speakers import speakers
from arandu_lab.read.evidence.votes import votes
from arandu_lab.read.evidence.weighing import weighing
from arandu_lab.read.expand import expand_query
from arandu_lab.read.graph import graph
from arandu_lab.read.judge import judge, unjudged
from arandu_lab.read.keyword import keyword
from arandu_lab.read.merge import merge
from arandu_lab.read.mmr import mmr
from arandu_lab.read.plan import plan
from arandu_lab.read.render import render
from arandu_lab.read.retrieval import retrieval
from arandu_lab.read.scope import scope
from arandu_lab.read.semantic import semantic, silent
from arandu_lab.read.spread import spread
from arandu_lab.read.turns import turns

__all__ = [
    "blend",
    "cross_encoder",
    "cues",
    "cut",
    "dates",
    "dense",
    "dense_silent",
    "expand_query",
    "feedback",
    "follow",
    "graph",
    "hubs",
    "hyponyms",
    "judge",
    "keyword",
    "learned",
    "lexical",
    "merge",
    "mmr",
    "nearest_sentences",
    "neighbours",
    "period",
    "plan",
    "render",
    "retrieval",
    "scope",
    "semantic",
    "sentences",
    "sentences_silent",
    "silent",
    "softmatch",
    "softmatch_silent",
    "speakers",
    "spread",
    "turns",
    "unjudged",
    "votes",
    "weighing",
]
