"""The outside world of disks: a journal, its projections in LanceDB, and each agent's view in memory."""

from arandu_lab.store.commit import Moved
from arandu_lab.store.store import Store
from arandu_lab.store.view import AgentView

__all__ = ["AgentView", "Moved", "Store"]
