"""The face of the library: ``Memory``, and what it commits."""

from arandu_lab.memory.face import Memory, MemoryClient

__all__ = ["Memory", "MemoryClient"]
