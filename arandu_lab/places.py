"""Places on this machine, as people name them: ``~`` is their home, and an address of elsewhere is no folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

from arandu_lab.errors import ConfigError

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?:/|$)")
"""``s3://bucket/x``, and what is left of it where somebody made it a path: ``s3:/bucket/x``, ``memory:``."""


def local(
    given: str | os.PathLike[str], called: str = "path", wanted: str = "a folder or file of this machine"
) -> Path:
    """The path that is meant.

    Args:
        called: What messages call it.
        wanted: What would be accepted.

    Raises:
        ConfigError: an address such as ``s3://…``, which nothing here can open; or the home of nobody.

    >>> local("~/x") == Path.home() / "x", local("a/~/b").as_posix(), local("./s3:/x").as_posix()
    (True, 'a/~/b', 's3:/x')
    >>> local("s3://bucket/x", "store path", "a directory, or 'memory://'")
    Traceback (most recent call last):
    ...
    arandu_lab.errors.ConfigError: store path 's3://bucket/x': nothing here opens s3:; wants a directory, or 'memory://'
    """
    named = os.fspath(given)
    if address := _ADDRESS.match(named):
        raise ConfigError(f"{called} {named!r}: nothing here opens {address[1]}:; wants {wanted}")
    try:
        return Path(named).expanduser()
    except RuntimeError:
        user = named.split("/")[0]
        raise ConfigError(
            f"{called} {named!r}: there is no home of {user!r}; ./{user} is a folder of that name"
        ) from None
