"""The decay laboratory: how long facts rest between uses, whether a curve foretells it, and what forgetting would hide.

::

    log = world_log(WorldConfig(name="a", seed=1), WorldConfig(name="b", seed=2), system="bm25")
    found = fit_decay(log, curves=("exponential", "weibull", "power"))
    print(found)
    found.plot()
    print(reinforcement(log))

=========================  ====================================================================================
:func:`access_log`         a log of one's own: agent, fact, moment, kind of use, end of watching
:func:`world_log`          a log of simulated worlds; :func:`conversation_log`, :func:`replay_log` of datasets
:func:`memory_log`         what a memory itself put down of its facts
:func:`synthetic_log`      a log whose curve is known
:func:`fit_decay`          curves by maximum likelihood with intervals, compared and calibrated on held-out agents
:func:`reinforcement`      the log replayed under policies of reinforcement: what staleness hides, and what it frees
=========================  ====================================================================================
"""

from arandu_lab.bench.decay.fit import fit_decay
from arandu_lab.bench.decay.log import access_log, gaps
from arandu_lab.bench.decay.reinforcement import Reinforcement, reinforcement
from arandu_lab.bench.decay.result import Decay
from arandu_lab.bench.decay.sources import conversation_log, memory_log, replay_log, world_log
from arandu_lab.bench.decay.synthetic import synthetic_log

__all__ = [
    "Decay",
    "Reinforcement",
    "access_log",
    "conversation_log",
    "fit_decay",
    "gaps",
    "memory_log",
    "reinforcement",
    "replay_log",
    "synthetic_log",
    "world_log",
]
