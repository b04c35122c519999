"""The pages that are printed from code say what the code says."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from arandu_lab.config import MemoryConfig
from arandu_lab.presets import own_settings

DOCS = Path(__file__).parents[2] / "docs"


def test_configuration_page() -> None:
    """``docs/configuration.md`` holds the table that ``MemoryConfig.markdown`` prints, word for word, and what stages bring."""
    page = (DOCS / "configuration.md").read_text(encoding="utf-8")
    for row in own_settings():
        assert f"| `{row['stage']}` | `{row['name']}` | {row['type']} | `{row['default']}` |" in page
    assert MemoryConfig.markdown() in (DOCS / "configuration.md").read_text(encoding="utf-8")


async def test_readme_snippets_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every Python block of the README runs as it stands, one after the other, and the memory knows the new city."""
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (DOCS.parent / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 3
    names: dict[str, Any] = {"__name__": "readme"}
    for block in blocks:
        code = compile(block, "README.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        if (waiting := eval(code, names)) is not None:
            await waiting
    assert "Recife" in names["answer"].context
    names["memory"].close()


def test_pages_are_finished() -> None:
    """No page holds a place that waits for a figure."""
    for page in [*DOCS.glob("*.md"), DOCS.parent / "README.md"]:
        for line in page.read_text(encoding="utf-8").splitlines():
            assert not re.fullmatch(r"[A-Z]{4,}|<!--.*-->", line.strip()), f"{page.name}: {line}"
