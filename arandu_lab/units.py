"""Units as types: they document signatures, validate configuration, and generate test data.

>>> from pydantic import TypeAdapter
>>> TypeAdapter(Share).validate_python(0.7)
0.7
"""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Gt, Le

Share = Annotated[float, Ge(0.0), Le(1.0)]
"""A part of a whole, 0 to 1."""

Cosine = Annotated[float, Ge(-1.0), Le(1.0)]
"""A cosine on the documented scale (after the embedder's calibration), -1 to 1."""

Days = Annotated[float, Gt(0.0), Le(1e6)]
"""A length of time in days, above 0."""

Seconds = Annotated[float, Gt(0.0), Le(86400.0)]
"""A deadline or duration in seconds, above 0."""

Tokens = Annotated[int, Ge(0), Le(10_000_000)]
"""A number of tokens, 0 or more."""

Count = Annotated[int, Ge(0), Le(1_000_000)]
"""A number of things, 0 or more."""

Positive = Annotated[int, Ge(1), Le(1_000_000)]
"""A number of things, at least one."""

Factor = Annotated[float, Ge(0.0), Le(1e6)]
"""A multiplier, 0 or more."""
