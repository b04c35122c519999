"""What the words of a scorecard's report mean."""

from __future__ import annotations

SUMMARY = """\
One number a stage, in percent. *extraction*: the mean of F1 of facts, F1 of names, F1 of relations and the share of right \
dates; *dedup*: F1 of the distinct facts kept, against all that it passed on and all it was handed; *resolution*: B-cubed \
F1; *reconciliation*: decision and target right, mean over the decisions of the gold; *state*: F1 at sampled instants; \
*retrieval*, *context*: of the evidence that reached the stage, the share passed on; *ranking*: nDCG of the evidence among \
what was kept (order counts, and what was cut gains nothing). *given*: each stage alone on gold input. *delivered*: \
questions all of whose evidence stands in the context."""

LEGEND = """\
* A question is lost by the first stage that lost the worst of what it needs: *never extracted*, *wrong entity* (filed under \
another's key), *merged away* (taken for a repeat or for another fact), *misfiled* and *misdated* (written under another key \
or from another day than was decided), *superseded* (closed though nobody ended it), *not retrieved*, *cut by rank*, \
*vetoed* (by the judge), *cut by budget* (its words do not stand in the context). Evidence that a quoted turn delivers is \
delivered. *read in s03t04: nothing*: no fact was read of that turn; else what was read there instead. *(an earlier value)*: \
the question is about what held before, so that its row is rightly closed.
* *dedup* and *ranking* in the first table count more than losses: a repeat that is left, evidence that is kept far down.
* *pieces delivered*: a question may need several facts, each a piece; of all pieces, those whose fact, or a turn that says \
it, stands in the context. *kept*: of the pieces that came to the ranking, those it kept, whatever their place.
* *forgotten* may fall when extraction is answered from the gold: who never read a fact has nothing to forget, and once it \
is read the later stages must also end it.
* *fact P, R, F1*: facts paired one to one with all that the turn states; *exact*: subject, polarity and every word of the \
value agree. *dates*: of *dated* facts, for which the gold or the reader has a day other than the turn's, those with the \
right one. *false mem*: turns that state nothing, of which something was read; *facts/100*: how many facts in a hundred such \
turns.
* *B3*, *pair*: B-cubed and pairwise agreement of keys with entities, over names that were read. *over*: keys that hold \
several entities; *under*: entities with several keys; *coverage*: names that got a key.
* *missed update*: of changes and ends whose target was stored, those whose target was still live right after. *false \
close*: of closed rows, those nobody had ended. *stale*: live rows whose fact has ended (*by cascade*: because another did).
* *misfiled*, *misdated*: live rows that would be right, were they written as decided.
* *mirrors*: rows inferred from relations that repeat a fact from the other side; *notes*: rows that truly say that \
something ended or happened; *derived*: facts that follow from others. None of them counts for or against. What ends by \
cascade ends without a word of its own, so that even a memory of gold holds on to it.
* *MRR*: of the first evidence, by each signal alone; *R@k*: by the final order. *current first*: of questions whose answer \
changed, those where a current value ranks before every earlier one.
* –: does not apply, or nothing to measure. Times are in `times.json`."""
