"""The program and how it speaks: one line on stderr, an exit code that says whose move is next."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand

from arandu_lab.errors import AranduError, BackendError, ConfigError, DatasetError, Regression
from arandu_lab.places import local

CommandFunction = TypeVar("CommandFunction", bound=Callable[..., Any])


class Placed(TyperCommand):
    """A command whose places are meant as people write them: ``~`` is their home, an address of elsewhere is refused."""

    def invoke(self, ctx: Any) -> Any:
        """Run it."""
        for name, value in ctx.params.items():
            if isinstance(value, Path):
                ctx.params[name] = local(value, name)
        return super().invoke(ctx)


class Program(typer.Typer):
    """Commands with places."""

    def command(self, name: str | None = None, **more: Any) -> Callable[[CommandFunction], CommandFunction]:
        """A command of the program."""
        return super().command(name, **{"cls": Placed, **more})


app = Program(
    name="arandu-lab",
    help="A laboratory for the long-term memory of language-model agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
CODES: tuple[tuple[type[AranduError], int], ...] = (
    (ConfigError, 2),
    (DatasetError, 3),
    (BackendError, 4),
    (Regression, 5),
)
OUT = Path("results")
"""Where results are written unless said otherwise."""
_ROOM = 400


@app.callback()
def common(debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False) -> None:
    """A laboratory for the long-term memory of language-model agents."""


def say(message: str, program: str = "arandu-lab") -> None:
    """One line on stderr, however many the message has; what does not fit is counted."""
    lines = [" ".join(line.split()) for line in message.splitlines() if line.strip()]
    fits = max(1, sum(total <= _ROOM for total in accumulate(map(len, lines))))
    more = f"; and {len(lines) - fits} more (--debug shows all)" if len(lines) > fits else ""
    typer.echo(f"{program}: {'; '.join(lines[:fits])}{more}", err=True)


def told(error: AranduError, program: str = "arandu-lab") -> int:
    """Say an error of ours, and give the exit code that says whose move is next."""
    say(str(error), program)
    return next(number for kind, number in CODES if isinstance(error, kind))


def check_out(out: Path) -> Path:
    """The place for results; refused where it is no folder or cannot be written to."""
    from arandu_lab.bench.place import place_of

    return place_of(out, "--out")
