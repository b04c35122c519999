"""Claims and how they are held: each is one sentence, one test of it, and one sentence about what to do."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from html import escape
from typing import Any

from arandu_lab.errors import ConfigError
from arandu_lab.pipeline.waiting import waited


class Broken(AssertionError):  # noqa: N818 - what has happened to a claim
    """A claim that does not hold: of what, which, what was seen, and what to do."""


class Passed(Exception):  # noqa: N818 - not an error: the claim does not concern the thing on trial
    """Raised by a test that has nothing to say about what is on trial; it says why."""


@dataclass(frozen=True)
class Claim:
    """``says`` is the claim, ``do`` what whoever broke it should do; ``test`` raises ``AssertionError`` where it is broken.

    >>> even = Claim("even", "A number is even.", "Double it.", lambda number: None if number % 2 == 0 else wrong(f"{number}"))
    >>> even.hold("three", 3)
    Traceback (most recent call last):
    ...
    arandu_lab.testing.claims.Broken: three breaks 'even': A number is even. Seen: 3. Double it.
    """

    name: str
    says: str
    do: str
    test: Callable[..., Any]

    def hold(self, label: str, *things: Any) -> None:
        """Try the claim on something.

        Raises:
            Broken: it does not hold, or the thing raised where it should not.
            Passed: it does not concern the thing.
        """
        try:
            found = self.test(*things)
            if inspect.iscoroutine(found):
                waited(found)
        except Passed:
            raise
        except AssertionError as error:
            raise Broken(self._told(label, str(error) or "not so")) from error
        except Exception as error:  # whatever the thing on trial raises is how it breaks it
            raise Broken(self._told(label, f"{type(error).__name__}: {error}")) from error

    def _told(self, label: str, seen: str) -> str:
        seen = " ".join(seen.split())
        return f"{label} breaks {self.name!r}: {self.says} Seen: {seen[:600].rstrip('.')}. {self.do}"

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Held:
    """What a check came to: the claims that hold, and those that do not concern the thing, with the reason."""

    label: str
    claims: tuple[str, ...]
    passed_over: tuple[tuple[str, str], ...] = field(default=())

    def __repr__(self) -> str:
        over = f"; not concerned: {', '.join(f'{name} ({why})' for name, why in self.passed_over)}"
        return (
            f"{self.label} holds {len(self.claims)} claims: {', '.join(self.claims)}{over if self.passed_over else ''}"
        )

    def _repr_html_(self) -> str:
        rows = [f"<tr><td>{name}</td><td>holds</td></tr>" for name in self.claims]
        rows += [f"<tr><td>{name}</td><td>not concerned: {escape(why)}</td></tr>" for name, why in self.passed_over]
        return f"<table><tr><th colspan=2>{escape(self.label)}</th></tr>{''.join(rows)}</table>"


def hold_all(claims: Iterable[Claim], label: str, *things: Any) -> Held:
    """Hold something to claims, in order.

    Raises:
        Broken: the first that does not hold.
    """
    held, over = [], []
    for claim in claims:
        try:
            claim.hold(label, *things)
        except Passed as why:
            over.append((claim.name, str(why)))
        else:
            held.append(claim.name)
    return Held(label, tuple(held), tuple(over))


def wrong(seen: str) -> None:
    """Say that a claim is broken, and what was seen."""
    raise AssertionError(seen)


def refused(act: Callable[[], Any], *words: str, what: str) -> None:
    """``act`` must raise ``ConfigError`` with these words in it; ``what`` names the call."""
    try:
        act()
    except ConfigError as error:
        for word in words:
            if word not in str(error):
                wrong(f"{what} was refused without naming {word!r}: {error}")
        return
    wrong(f"{what} was taken")


def hypothesis_needed(name: str) -> None:
    """Say what to install where hypothesis is missing.

    Raises:
        ConfigError: it is.
    """
    try:
        import hypothesis  # noqa: F401 - is it there?
    except ImportError:
        raise ConfigError(f"{name} draws its values with hypothesis: pip install 'arandu-lab[testing]'") from None
