"""Four studies of the documented system, to be repeated with a model and conversations of one's own.

=======================  =================================================================================
:func:`study_extraction` informed against blind: each message read by both on one memory, and free-running
:func:`study_reranker`   the reranker's weight and veto, with a best setting judged on what had no say
:func:`study_dedup`      the dedup threshold: facts lost against repetitions kept, with words and without
:func:`study_decay`      half-lives and weight of recency: evidence by its age, and what is over
=======================  =================================================================================

Each takes datasets (names, or ``Dataset`` objects) and options, and gives a :class:`Study`: sentences, tables, frames, a
picture. ``python benchmarks/study_NAME.py --estimate`` says what it would cost; ``configs/study_NAME.toml`` is its file.
"""

from arandu_lab.bench.studies.decay import study_decay
from arandu_lab.bench.studies.dedup import study_dedup
from arandu_lab.bench.studies.extraction import study_extraction
from arandu_lab.bench.studies.reranker import study_reranker
from arandu_lab.bench.studies.study import Study

__all__ = ["Study", "study_decay", "study_dedup", "study_extraction", "study_reranker"]
