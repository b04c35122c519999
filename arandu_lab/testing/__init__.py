"""For your own tests: strategies over the library's types, the scripted model and the scripted embedder."""

from arandu_lab.embed.scripted import DeadEmbedder, ScriptedEmbedder
from arandu_lab.llm.scripted import Scripted, fail

__all__ = ["DeadEmbedder", "Scripted", "ScriptedEmbedder", "fail"]
