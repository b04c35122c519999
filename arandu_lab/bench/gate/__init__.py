"""The gate: is this run as good as the one that was kept? Its exit code decides a build.

====  ===============  ================================================================================
0     passed           nothing regressed
1     regression       a figure is worse than noise or tolerance allow, or a question failed that was answered then
2     not comparable   other data, measures, depth, seed or corrections than the baseline's
3     broken           hollow, with errors, or below the coverage it asked for: there is nothing to judge
====  ===============  ================================================================================

::

    from arandu_lab.bench.gate import gate

    verdict = gate("results/baselines/quickstart", "results/quickstart-1a2b3c4d5e6f")
    print(verdict)
    verdict.check()  # raises Regression
"""

from arandu_lab.bench.gate.baseline import write_baseline
from arandu_lab.bench.gate.figures import docs_differ, figures, write_figures
from arandu_lab.bench.gate.judge import gate
from arandu_lab.bench.gate.tolerance import Tolerance
from arandu_lab.bench.gate.verdict import Finding, Lost, Verdict, Worst

__all__ = [
    "Finding",
    "Lost",
    "Tolerance",
    "Verdict",
    "Worst",
    "docs_differ",
    "figures",
    "gate",
    "write_baseline",
    "write_figures",
]
