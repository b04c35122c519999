"""``docs/mixing.md``: signals and voices in one pipeline, from code that a user would write."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "mixing.md"


async def test_the_page_runs_and_the_voice_is_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The block runs as it stands; the fact that shares words with the question has a column of the voice and a score lifted by it."""
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {"__name__": "mixing"}
    waiting = eval(compile(block, PAGE.name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
    await waiting
    frame = names["answer"].frame.sort("lexical", descending=True)
    first = frame.row(0, named=True)
    assert "Recife" in first["text"]
    assert first["lexical"] == 1.0
    assert first["score"] >= 0.5
