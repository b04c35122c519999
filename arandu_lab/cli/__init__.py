"""The command line: ``arandu-lab run CONFIG`` and what stands around it.

Nothing heavy is imported before a command runs. An error of ours is one line on stderr and an exit code that says whose
move is next: 2 yours (configuration), 3 the data's, 4 a backend's (or a run that failed in part), 5 a regression; 1 is
a fault in this program. ``--debug`` shows the traceback. ``gate`` has codes of its own, 0 to 3, which its help tells.
"""

from __future__ import annotations

import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import typer

from arandu_lab.cli import (  # noqa: F401 - each brings its commands
    answering,
    blending,
    browsing,
    experiments,
    explaining,
    forgetting,
    gating,
    looking,
    measuring,
    resting,
    serving,
    sweeping,
)
from arandu_lab.cli.app import app, say, told
from arandu_lab.errors import AranduError


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; the exit code says whose move is next."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)  # where modules of one's own lie; last, so that none hides another
    debug = "--debug" in given
    _speakable()
    try:
        code = app(args=[one for one in given if one != "--debug"], standalone_mode=False)
    except AranduError as error:
        if debug:
            raise
        code = told(error)
    except (typer.Abort, KeyboardInterrupt):
        say("stopped")
        code = 130
    except typer.Exit as done:
        code = done.exit_code
    except Exception as error:  # noqa: BLE001 - the edge of the program: one line instead of a traceback
        code = _unexpected(error, debug)
    raise SystemExit(code or 0)


def _speakable() -> None:
    """What a terminal or pipe of another encoding than UTF-8 cannot show is shown as ``?``: no reason to stop."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() not in ("utf-8", "utf8"):
            stream.reconfigure(errors="replace")


def _unexpected(error: Any, debug: bool) -> int:
    """A wrong command line, or a fault of ours."""
    if hasattr(error, "show") and hasattr(error, "exit_code"):
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()
        else:
            at = error.ctx.command_path if getattr(error, "ctx", None) else "arandu-lab"
            say(f"{error.format_message()} ({at} --help says what it takes)")
        return int(error.exit_code)
    if debug:
        raise error
    say(f"{type(error).__name__}: {error} (a fault of the program; --debug shows where)")
    return 1
