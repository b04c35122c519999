"""Measures as values, under their exact names, with the level of chance beside each.

::

    R @ 10   ==  parse("R@10")             share of the evidence found among the ten best
    hit@10                                 1 when any of it is there        (ir_measures: Success@10)
    all@10                                 1 when all of it is there
    P@10  nDCG@10  RR  RR@10               as in ir_measures, binary grades
    R@10(session)                          sessions ordered by their best turn, the ten best of them
    R@10(session-of-turns)                 the sessions that the ten best turns lie in
    R@tokens(500)  hit@…  all@…            among the best turns that 500 tokens have room for, of those returned
    Stale@10                               share of the ten best that say what was over; the lower the better

``(session)`` needs a ranking deep enough to reach ``k`` sessions (the column ``found`` says how many it reached).
A ranking ends at the depth of the run, whatever a budget has room for beyond it; chance ends there too, and so it does for
``RR``. A question without evidence has no value (null), never 0; so has one whose system failed or does not rank. Means are
over the questions with a value, and the counts of the others stand beside them.

What a system costs is named in the same way and kept apart from quality (:mod:`arandu_lab.bench.measures.cost`)::

    Tokens  Calls  Seconds                 of a whole run
    Tokens.write  Calls.write  …           a turn that is listened to
    Tokens.read  …                         a question
"""

from __future__ import annotations

from arandu_lab.bench.measures.chance import chance
from arandu_lab.bench.measures.cost import Calls, Cost, Seconds, Tokens, costs_of, is_cost, parse_cost
from arandu_lab.bench.measures.scoring import State, score, summarise
from arandu_lab.bench.measures.value import (
    RR,
    Budget,
    Measure,
    Name,
    P,
    R,
    Stale,
    Unit,
    all_,
    hit,
    nDCG,
    parse,
    tokens,
)

__all__ = [
    "RR",
    "Budget",
    "Calls",
    "Cost",
    "Measure",
    "Name",
    "P",
    "R",
    "Seconds",
    "Stale",
    "State",
    "Tokens",
    "Unit",
    "all_",
    "chance",
    "costs_of",
    "hit",
    "is_cost",
    "nDCG",
    "parse",
    "parse_cost",
    "score",
    "summarise",
    "tokens",
]
