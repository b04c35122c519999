"""The voice of the graph: facts tied to the strongest seeds, though they share no word with the query."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.episodic import reached
from arandu_lab.pure.fusion import reciprocal_rank_fusion, top
from arandu_lab.units import Count, Positive
from arandu_lab.workspace.search.found import Spoken, Voices, nominated, silence
from arandu_lab.workspace.search.library import Floats

SEEDING = ("lexical", "semantic")


@stage
def episodic(
    voices: Voices, lab: Lab, *, graph_seeds: Positive = 5, graph_hops: Count = 2, voice_limit: Positive = 100
) -> Voices:
    """Walk ``graph_hops`` along episodic edges from the ``graph_seeds`` best facts of words and meaning.

    A seed has what the two voices make of it together (it is at hop 0, as in arandu's graph, R3) and sends it on; what a
    fact gets adds up, and the greatest is 1. The way may lead over facts that others took the place of, never over
    domains that the role may not see.
    """
    asked = voices.asked
    library = asked.library
    seeds = _seeds(voices, graph_seeds)
    if not len(library.edges):
        return voices.joined(silence(asked, "graph", "no fact is tied to another"))
    if not seeds:
        return voices.joined(silence(asked, "graph", "words and meaning give no seed"))
    held = library.positions
    way = {fact for fact, place in held.items() if asked.walked[place]}
    graph = {
        one: {other: weight for other, weight in row.items() if other in way}
        for one, row in library.graph.items()
        if one in way
    }
    sent = reached(seeds, graph, hops=graph_hops)
    if not any(asked.open[held[fact]] for fact in sent):
        return voices.joined(silence(asked, "graph", "nothing is tied to what words and meaning give"))
    scores = np.full(len(library), np.nan)
    for fact in {**seeds, **sent}:
        scores[held[fact]] = seeds.get(fact, 0.0) + sent.get(fact, 0.0)
    scores /= np.max(scores[asked.open & ~np.isnan(scores)])
    named = nominated(scores, asked.open, library.place, voice_limit)
    lab.log(graph=int(named.sum()), graph_seeds=len(seeds))
    return voices.joined(Spoken(asked=asked, voice="graph", scores=scores, named=named))


def _seeds(voices: Voices, most: int) -> dict[str, float]:
    """Fact -> strength, the strongest 1."""
    heard = [one for name, one in voices.spoken.items() if name in SEEDING and not one.why_silent]
    if not heard:
        return {}
    library = voices.asked.library
    strength: Floats = reciprocal_rank_fusion(
        [np.where(one.named, one.scores, np.nan) for one in heard], tie=library.place
    )
    best = top(strength, most, tie=library.place)
    return {library.facts[place].id: float(strength[place] / strength[best[0]]) for place in best.tolist()}
