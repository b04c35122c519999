"""What a benchmark prints, kept in a document: ``python benchmarks/X.py … --into docs/measured.md``.

A script ends with::

    from measured import measured

    if __name__ == "__main__":
        sys.exit(measured(main))

It prints as ever. With ``--into FILE`` what it printed also takes the place of what stands in that file between
``<!-- figures: X -->`` and ``<!-- end -->``: the command, then the lines in a fenced block. Nothing else of the file is
touched, equal figures leave equal bytes, and a run that fails leaves the file alone. An error of ours is a line on stderr
and the exit code of ``arandu-lab``; with ``--debug`` it is raised.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path

from arandu_lab.cli.app import told
from arandu_lab.errors import AranduError

ROOT = Path(__file__).resolve().parent.parent
_SECTION = r"(?P<open>^<!-- figures: {name} -->\n)(?P<body>.*?)(?P<close>^<!-- end -->$)"


def measured(main: Callable[[], int | None]) -> int:
    """Run a script's ``main`` and give its exit code; ``--into FILE`` is taken off the command line before it looks."""
    name = Path(sys.argv[0]).stem
    debug = "--debug" in sys.argv[1:]
    given, into = _into([one for one in sys.argv[1:] if one != "--debug"])
    sys.argv[1:] = given
    try:
        return _run(main, name, given, into)
    except AranduError as error:
        if debug:
            raise
        return told(error, f"{name}.py")


def _run(main: Callable[[], int | None], name: str, given: Sequence[str], into: Path | None) -> int:
    if into is None:
        return main() or 0
    text = into.read_text(encoding="utf-8")
    written(text, name, "", [])  # a file without a place for the figures is told before the work is done
    printed = io.StringIO()
    with redirect_stdout(_Both(printed)):
        code = main() or 0
    if code == 0:
        into.write_text(
            written(into.read_text(encoding="utf-8"), name, printed.getvalue(), given), encoding="utf-8", newline="\n"
        )
    return code


def written(text: str, name: str, printed: str, given: Sequence[str]) -> str:
    """The document with the figures of a script in their place.

    >>> print(written("# Cost\\n<!-- figures: cost -->\\n<!-- end -->\\nEnd.\\n", "cost", "calls  1.4 \\n", ["--sets", "a b"]))
    # Cost
    <!-- figures: cost -->
    <BLANKLINE>
        python benchmarks/cost.py --sets 'a b'
    <BLANKLINE>
    ```
    calls  1.4
    ```
    <BLANKLINE>
    <!-- end -->
    End.
    <BLANKLINE>

    Raises:
        SystemExit: the document has no place for them, or two.
    """
    places = list(re.finditer(_SECTION.format(name=re.escape(name)), text, re.MULTILINE | re.DOTALL))
    if len(places) != 1 or "<!-- figures:" in places[0]["body"]:
        raise SystemExit(
            f"benchmarks/{name}.py --into: wants one place '<!-- figures: {name} -->' … '<!-- end -->', "
            f"each on a line of its own; found {len(places)}"
        )
    lines = "\n".join(line.rstrip() for line in printed.strip("\n").splitlines())
    command = " ".join(["python", f"benchmarks/{name}.py", *map(_shown, given)])
    body = f"\n    {command}\n\n```\n{lines}\n```\n\n"
    found = places[0]
    return text[: found.start("body")] + body + text[found.end("body") :]


def _into(given: Sequence[str]) -> tuple[list[str], Path | None]:
    """The arguments without ``--into FILE``, and the file."""
    rest, into = [], None
    todo = list(given)
    while todo:
        one = todo.pop(0)
        if one == "--into":
            if not todo:
                raise SystemExit("--into: wants a file, e.g. docs/measured.md")
            into = Path(todo.pop(0))
        elif one.startswith("--into="):
            into = Path(one.removeprefix("--into="))
        else:
            rest.append(one)
    if into is not None and not into.is_file():
        raise SystemExit(f"--into {into}: no such file")
    return rest, into


def _shown(argument: str) -> str:
    """An argument as a reader would type it in the repository: no place of this machine is written down."""
    if os.path.isabs(argument):
        argument = os.path.relpath(argument, ROOT)
    return argument if re.fullmatch(r"[\w./=:,+-]+", argument) else "'" + argument.replace("'", "'\\''") + "'"


class _Both(io.TextIOBase):
    """Writes to where one prints, and into a buffer."""

    def __init__(self, kept: io.StringIO) -> None:
        self.shown, self.kept = sys.stdout, kept

    def write(self, text: str) -> int:
        self.kept.write(text)
        return self.shown.write(text)

    def flush(self) -> None:
        self.shown.flush()
