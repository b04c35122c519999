"""The face of the library: ``Memory``, what it commits, and what its edits, forgettings, exports and explanations return."""

from arandu_lab.memory.explanations import Why, WhyNot
from arandu_lab.memory.face import Memory, MemoryClient
from arandu_lab.memory.forgetting import Certificate
from arandu_lab.memory.merging import Edit
from arandu_lab.memory.porting import Ported

__all__ = ["Certificate", "Edit", "Memory", "MemoryClient", "Ported", "Why", "WhyNot"]
