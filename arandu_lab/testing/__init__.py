"""For your own tests: strategies over the library's types, models and embedders that do as they are told, and checks.

``check_stage``, ``check_llm``, ``check_embedder`` and ``check_store`` hold what you write to the claims that the box is held
to. Each returns the claims that hold, or raises :class:`Broken` with the claim, what was seen and what to do. Strategies
(``arandu_lab.testing.strategies``) and ``check_stage`` need hypothesis: ``pip install 'arandu-lab[testing]'``.
"""

from arandu_lab.embed.scripted import DeadEmbedder, ScriptedEmbedder
from arandu_lab.llm.scripted import Scripted, fail
from arandu_lab.testing.backends import check_llm
from arandu_lab.testing.claims import Broken, Held
from arandu_lab.testing.embedders import check_embedder
from arandu_lab.testing.stages import check_stage
from arandu_lab.testing.stores import check_store

__all__ = [
    "Broken",
    "DeadEmbedder",
    "Held",
    "Scripted",
    "ScriptedEmbedder",
    "check_embedder",
    "check_llm",
    "check_stage",
    "check_store",
    "fail",
]
