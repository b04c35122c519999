"""Names as callers give them: agents, roles, repositories and domains; each is checked, and has one spelling."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import overload

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.memory.arguments import required


@overload
def tidy(name: str) -> str: ...
@overload
def tidy(name: None) -> None: ...
@overload
def tidy(name: str | None) -> str | None: ...
def tidy(name: str | None) -> str | None:
    """A name as it is kept and compared: composed accents (NFC), no blanks around it. None stays None.

    >>> tidy(" Joa\\u0303o ") == "João", tidy(None)
    (True, None)
    """
    return None if name is None else unicodedata.normalize("NFC", name).strip()


def repository(repo: str | None) -> str | None:
    """The slug of a repository, tidied.

    Raises:
        ConfigError: blank, of several lines, or with a square bracket: lists show ``[repo:<slug>/domain]``.

    >>> repository(" org/api "), repository(None)
    ('org/api', None)
    """
    named(repo=repo)
    return None if repo is None else _one_line("repo", tidy(repo))


def scoped(domain: str, repo: str | None = None) -> tuple[str, str | None]:
    """Name and repository of a domain, given by its name, or by its full key.

    Raises:
        ConfigError: blank, of several lines, with a square bracket (lists show ``[domain]``), or two repositories at once.

    >>> scoped("architecture"), scoped("architecture", "api"), scoped("repo:org/api/architecture")
    (('architecture', None), ('architecture', 'api'), ('architecture', 'org/api'))
    """
    required(domain=domain)
    name, scope = tidy(domain), repository(repo)
    if name.startswith("repo:"):
        slug, _, name = name.removeprefix("repo:").rpartition("/")
        slug, name = slug.strip(), name.strip()
        if not slug or not name:
            raise ConfigError(f"domain {domain!r}: wants repo:<slug>/<name>")
        if scope is not None and scope != slug:
            raise ConfigError(f"domain {domain!r} is of repository {slug!r}, and repo={repo!r} was given")
        scope = repository(slug)
    if "/" in name:
        raise ConfigError(f"domain={name!r}: wants one line, without a slash")
    return _one_line("domain", name), scope


def named(**names: str | None) -> None:
    """Each is left out (None), or a name that is not blank: an empty text is no way to leave one out.

    Raises:
        ConfigError: a blank one; says which.
    """
    for name, value in names.items():
        if value is not None:
            required(**{name: value})


def one_of(name: str, value: object, known: Iterable[str]) -> None:
    """``ConfigError`` with the nearest that would be accepted, where a word is not one of those known."""
    words = tuple(known)
    if not isinstance(value, str) or value not in words:
        raise ConfigError(f"{name} {value!r}; {nearest(str(value), words)}")


def _one_line(what: str, name: str) -> str:
    if len(name.splitlines()) > 1:
        raise ConfigError(f"{what}={name!r}: wants one line")
    if not {"[", "]"}.isdisjoint(name):
        raise ConfigError(f"{what}={name!r}: wants no square bracket")
    return name
