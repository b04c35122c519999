"""Places for results: refused before anything is done, where they cannot be folders."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from arandu_lab.errors import ConfigError
from arandu_lab.places import local

_WANTED = "a folder of this machine (results of sweeps may lie at an address of fsspec too, given as text)"


def place_of(given: object, called: str = "results") -> Path:
    """The path of a folder that results may be written to, there already or not.

    Args:
        called: What messages call it.

    Raises:
        ConfigError: no path at all, an address of elsewhere, a path that leads through a file, or one that may not be written to.

    >>> place_of("results").name
    'results'
    >>> place_of(5)
    Traceback (most recent call last):
    ...
    arandu_lab.errors.ConfigError: results = 5; wants the path of a folder
    """
    if not isinstance(given, str | os.PathLike) or "\0" in os.fspath(given):
        raise ConfigError(f"{called} = {given!r}; wants the path of a folder")
    place = local(given, called, _WANTED)
    try:
        there = next(one for one in (place, *place.absolute().parents) if one.exists())
    except (OSError, ValueError) as error:
        raise ConfigError(f"{called} {str(place)[:80]}: cannot be the path of a folder ({error})") from None
    if not there.is_dir():
        raise ConfigError(f"{called} {place}: {there} is no folder")
    try:
        with tempfile.TemporaryFile(dir=there):  # the only way to know: root may everywhere, and still not under /proc
            return place
    except OSError as error:
        raise ConfigError(f"{called} {place}: {there} cannot be written to ({error.strerror or error})") from None


def folder_name(name: str, where: str = "") -> str:
    """The name of a result, if a folder may be called so.

    Raises:
        ConfigError: empty, longer than 100 letters, or with others than letters, digits and ``- _ .``.

    >>> folder_name("my_run.2")
    'my_run.2'
    """
    if not 0 < len(name) <= 100 or not all(char.isalnum() or char in "-_." for char in name):
        raise ConfigError(
            f"{where}name = {name!r}; wants letters, digits and - _ ., at most 100 (a folder is called so)"
        )
    return name
