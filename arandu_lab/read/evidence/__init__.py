"""Turns as evidence: columns that say how well each turn fits a question, one family a stage, and a learned blend of them."""

from arandu_lab.read.evidence.columns import COLUMNS, FAMILIES, FLAGS, columns_of, open_of

__all__ = ["COLUMNS", "FAMILIES", "FLAGS", "columns_of", "open_of"]
