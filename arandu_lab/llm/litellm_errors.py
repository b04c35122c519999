"""What litellm raises, as ``BackendError`` by kind, with Retry-After read."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from arandu_lab.errors import AranduError, BackendError, FailureKind
from arandu_lab.llm.backend import ThrottledError

_KINDS: tuple[tuple[FailureKind, frozenset[str]], ...] = (
    ("timeout", frozenset({"Timeout", "APITimeoutError", "TimeoutError"})),
    ("malformed", frozenset({"APIResponseValidationError"})),
    (
        "refused",
        frozenset(
            {
                "AuthenticationError",
                "PermissionDeniedError",
                "BadRequestError",
                "NotFoundError",
                "UnprocessableEntityError",
                "BudgetExceededError",
                "GuardrailRaisedException",
                "BlockedPiiEntityError",
            }
        ),
    ),
    ("rate_limit", frozenset({"RateLimitError"})),
)


def translated(error: BaseException, backend: str) -> AranduError:
    """The error as ours; an error of ours that litellm wrapped comes out again.

    Classes are told by the names along their ancestry, so that litellm need not be imported here.

    >>> str(translated(TimeoutError("slow"), "openai/x"))
    'openai/x: timeout: TimeoutError: slow'
    """
    for inner in _chain(error):
        if isinstance(inner, AranduError):
            return inner
    names = {parent.__name__ for parent in type(error).__mro__}
    kind: FailureKind = next((kind for kind, known in _KINDS if names & known), "unavailable")
    words = f"{type(error).__name__}: {str(error)[:500]}"
    if kind == "rate_limit" and "insufficient_quota" in str(error):
        kind = "refused"
    if kind in {"rate_limit", "unavailable"}:
        return ThrottledError(words, kind=kind, backend=backend, retry_after=retry_after(error))
    return BackendError(words, kind=kind, backend=backend)


def retry_after(error: BaseException) -> float | None:
    """Seconds that the provider asked to wait: a number, a date, or nothing; None where it did not say."""
    for headers in _headers(error):
        said = {str(name).lower(): str(value).strip() for name, value in headers.items()}
        if "retry-after-ms" in said:
            millis = _number(said["retry-after-ms"])
            if millis is not None:
                return millis / 1000.0
        if "retry-after" in said:
            seconds = _number(said["retry-after"])
            return _until(said["retry-after"]) if seconds is None else seconds
    return None


def _headers(error: BaseException) -> Iterator[Mapping[Any, Any]]:
    for inner in _chain(error):
        for holder in (getattr(inner, "response", None), inner):
            for name in ("headers", "litellm_response_headers"):
                found = getattr(holder, name, None)
                if found is not None and hasattr(found, "items"):
                    yield found


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    here: BaseException | None = error
    while here is not None and id(here) not in seen:
        seen.add(id(here))
        yield here
        here = here.__cause__ or here.__context__


def _number(text: str) -> float | None:
    try:
        return max(0.0, float(text))
    except ValueError:
        return None


def _until(text: str) -> float | None:
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
