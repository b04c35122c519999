"""Datasets: ``load("harbor_en")``, ``load("path/to/locomo10.json")``, ``available()``."""

from arandu_lab.bench.data.model import Conversation, Dataset, DatedTurn, Question, Repair
from arandu_lab.bench.data.registry import available, digest, load

__all__ = ["Conversation", "Dataset", "DatedTurn", "Question", "Repair", "available", "digest", "load"]
