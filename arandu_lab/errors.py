"""One tree of errors, told apart by whose move is next.

::

    AranduError
    ├── ConfigError    (ValueError)   yours: a wrong field, value, wiring or call
    ├── BackendError                  theirs: a model, an embedder or the disk failed
    ├── DatasetError   (ValueError)   the data's: says file and line
    └── Regression     (AssertionError)  the change's: a guarded number fell

Each message says what was asked, where, and what would have been accepted. Inside the library only
``BackendError`` is ever caught, at ``.otherwise`` and at the edge of ``Memory``, and it always leaves a mark.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Literal, get_args

FailureKind = Literal[
    "timeout", "rate_limit", "refused", "malformed", "empty", "unavailable", "exhausted", "store", "lease"
]
"""How a backend failed. ``malformed``: an answer came and could not be read; ``exhausted``: a script ran out."""


class AranduError(Exception):
    """The root: ``except AranduError`` catches all that this library raises on purpose."""


class ConfigError(AranduError, ValueError):
    """A field, value, wiring or call that cannot be meant."""


class BackendError(AranduError):
    """A model, an embedder or the store did not do its part.

    >>> raise BackendError("no answer within 30 s", kind="timeout", backend="offline/rules", stage="informed")
    Traceback (most recent call last):
    ...
    arandu_lab.errors.BackendError: informed: offline/rules: timeout: no answer within 30 s
    """

    def __init__(self, message: str, *, kind: FailureKind, backend: str, stage: str = "") -> None:
        if kind not in get_args(FailureKind):
            raise ConfigError(f"failure kind {kind!r}; {nearest(kind, get_args(FailureKind))}")
        super().__init__(message)
        self.message, self.kind, self.backend, self.stage = message, kind, backend, stage

    def __str__(self) -> str:
        return ": ".join(part for part in (self.stage, self.backend, self.kind, self.message) if part)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_backend_error, (self.message, self.kind, self.backend, self.stage))


class DatasetError(AranduError, ValueError):
    """A dataset that is not what its format promises."""


class Regression(AranduError, AssertionError):  # noqa: N818 - the design's name: the change regressed
    """A guarded number fell by more than its tolerance."""


def nearest(name: object, known: Iterable[str]) -> str:
    """A closing half-sentence that offers the nearest known name, or the whole list when it is short.

    >>> nearest("topk_fact", ["topk_facts", "min_score"])
    "did you mean 'topk_facts'?"
    >>> nearest("zzz", ["a", "b"])
    'known: a, b'
    >>> nearest(5, ["a", "b"])
    'known: a, b'
    """
    names = sorted(set(known))
    close = difflib.get_close_matches(str(name), names, n=1, cutoff=0.7)
    if close:
        return f"did you mean {close[0]!r}?"
    return "known: " + (", ".join(names) if len(names) <= 30 else ", ".join(names[:30]) + ", …")


def _rebuild_backend_error(message: str, kind: FailureKind, backend: str, stage: str) -> BackendError:
    return BackendError(message, kind=kind, backend=backend, stage=stage)
