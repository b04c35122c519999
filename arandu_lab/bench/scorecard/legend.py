"""What the words of a scorecard's report mean."""

from __future__ import annotations

SUMMARY = """\
One number a stage, in percent. *extraction*: F1 of facts; *dedup*: distinct facts kept; *resolution*: B-cubed F1; \
*reconciliation*: decision and target right, mean over the decisions of the gold; *state*: F1 at sampled instants; \
*retrieval*, *ranking*, *context*: of the evidence that reached the stage, the share passed on. *given*: each stage alone \
on gold input. *delivered*: questions all of whose evidence stands in the context."""

LEGEND = """\
* A question is lost by the first stage that lost the worst of what it needs: *never extracted*, *wrong entity* (filed under \
another's key), *merged away* (taken for a repeat or for another fact), *superseded* (closed though nobody ended it), \
*not retrieved*, *cut by rank*, *vetoed* (by the judge), *cut by budget*. Evidence that a quoted turn delivers is delivered.
* *fact P, R, F1*: facts paired one to one with all that the turn states; *exact*: subject, polarity and every word of the \
value agree. *dates*: of *dated* facts whose gold states a day of its own, those with the same one. *false mem*: turns that \
state nothing, of which something was read; *facts/100*: how many facts in a hundred such turns.
* *B3*, *pair*: B-cubed and pairwise agreement of keys with entities, over names that were read. *over*: keys that hold \
several entities; *under*: entities with several keys; *coverage*: names that got a key.
* *missed update*: of changes and ends whose target was stored, those whose target was still live right after. *false close*: \
of closed rows, those nobody had ended. *stale*: live rows whose fact has ended (*by cascade*: because another did).
* *mirrors*: rows inferred from relations that repeat a fact from the other side; *notes*: rows that truly say that something \
ended or happened; *derived*: facts that follow from others. None of them counts for or against. What ends by cascade ends \
without a word of its own, so that even a memory of gold holds on to it.
* *MRR*: of the first evidence, by each signal alone; *R@k*: by the final order. *current first*: of questions whose answer \
changed, those where a current value ranks before every earlier one.
* –: does not apply, or nothing to measure. Times are in `times.json`."""
