"""Every stage of reading that comes in the box; importing this module registers them."""

from arandu_lab.read.blend import blend
from arandu_lab.read.cut import cut
from arandu_lab.read.expand import expand_query
from arandu_lab.read.graph import graph
from arandu_lab.read.judge import judge, unjudged
from arandu_lab.read.keyword import keyword
from arandu_lab.read.merge import merge
from arandu_lab.read.plan import plan
from arandu_lab.read.render import render
from arandu_lab.read.retrieval import retrieval
from arandu_lab.read.scope import scope
from arandu_lab.read.semantic import semantic, silent
from arandu_lab.read.spread import spread
from arandu_lab.read.turns import turns

__all__ = [
    "blend",
    "cut",
    "expand_query",
    "graph",
    "judge",
    "keyword",
    "merge",
    "plan",
    "render",
    "retrieval",
    "scope",
    "semantic",
    "silent",
    "spread",
    "turns",
    "unjudged",
]
