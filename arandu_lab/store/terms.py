"""The words under which a row is found: folded content words, and never fewer than the names in it."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from arandu_lab.pure import text as analysis
from arandu_lab.pure.text import content_words, words


def terms(text: str, name: str) -> list[str]:
    """Content words of a text; words of ``name`` (the entity, the speaker) stay even where they are function words.

    >>> terms("Vai mora em Recife", "Vai"), terms("Ela vai a Recife", "Iara")
    (['vai', 'mora', 'recife'], ['recife'])
    """
    kept = content_words(text)
    names = set(words(name)).difference(kept)
    if not names:
        return kept
    content = set(kept)
    return [word for word in words(text) if word in content or word in names]


@cache
def fingerprint() -> str:
    """A digest of the code that finds terms: stored terms made by other code are not used."""
    sources = (Path(file).read_bytes() for file in (analysis.__file__, __file__) if file)
    return hashlib.blake2b(b"".join(sources), digest_size=8).hexdigest()
