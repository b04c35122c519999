"""Where a store lies: a path that can be meant, a directory that can be made, and the disk's refusals in words."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.places import local

_UNUSABLE = {
    errno.ENOTDIR: "a part of it is a file; a store is a directory",
    errno.EEXIST: "a part of it is a file; a store is a directory",
    errno.ENAMETOOLONG: "the name is too long for this file system; choose a shorter one",
    errno.ELOOP: "its symbolic links go round in a circle",
    errno.EILSEQ: "this file system cannot spell the name",
}
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


def real(path: str | os.PathLike[str]) -> str:
    """The absolute path of a store, ``~`` and links resolved.

    Raises:
        ConfigError: it names no directory: empty, with a NUL, an address of elsewhere, or no path at all.

    >>> real("")
    Traceback (most recent call last):
    ...
    arandu_lab.errors.ConfigError: store path '': a directory, or 'memory://'
    """
    named = os.fspath(path) if isinstance(path, str | os.PathLike) else path
    if not isinstance(named, str) or not named.strip():
        raise ConfigError(f"store path {path!r}: a directory, or 'memory://'")
    try:
        with disk(named):
            return os.path.realpath(local(named, "store path", "a directory, or 'memory://'"))
    except ValueError as fault:
        if isinstance(fault, ConfigError):
            raise
        raise ConfigError(f"store path {path!r}: {fault}; choose another directory") from fault


def make(where: str) -> None:
    """Make the directory unless it stands."""
    if os.path.exists(where) and not os.path.isdir(where):
        raise ConfigError(f"{where} is a file; a store is a directory")
    with disk(where):
        os.makedirs(where, exist_ok=True)


@contextmanager
def disk(where: str) -> Iterator[None]:
    """Turn what the operating system refuses into one line that says what to do.

    Raises:
        ConfigError: the path cannot be a store, or this user may not write there.
        BackendError: ``kind="store"``: any other fault of the disk.
    """
    try:
        yield
    except OSError as fault:
        short = where if len(where) <= 200 else f"{where[:120]}…{where[-40:]}"
        said = fault.strerror or str(fault)
        if fault.errno in _UNUSABLE:
            raise ConfigError(f"store path {short}: {_UNUSABLE[fault.errno]}") from fault
        if fault.errno in _FORBIDDEN:
            raise ConfigError(
                f"{short} cannot be written or made by this user ({said}); change its permissions, choose another "
                "directory, or open a store that stands there with read_only=True"
            ) from fault
        raise BackendError(f"{short}: {said}", kind="store", backend="disk") from fault
