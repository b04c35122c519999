"""The pages that are printed from code say what the code says."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from arandu_lab.config import MemoryConfig
from arandu_lab.presets import TUNED, markdown, own_settings, search_settings
from arandu_lab.workspace.settings import WorkspaceConfig

DOCS = Path(__file__).parents[2] / "docs"


def test_configuration_page() -> None:
    """``docs/configuration.md`` holds the tables of the settings of a memory, of a workspace, and of the stages of both, word for
    word: no row is missing, and none is left of a setting that is gone."""
    page = (DOCS / "configuration.md").read_text(encoding="utf-8")
    printed = (
        MemoryConfig.markdown(), WorkspaceConfig.markdown(), markdown(own_settings()), markdown(search_settings())
    )  # fmt: skip
    for table in printed:
        assert f"\n\n{table}\n" in page
    assert page.count("\n| `") == sum(table.count("\n| `") for table in printed) + len(TUNED)


async def test_readme_snippets_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every Python block of the README runs as it stands, one after the other, and the memory knows the new city.

    The block of the laboratory takes minutes: it compiles here, and the notebooks run its sentences on small worlds.
    """
    monkeypatch.chdir(tmp_path)
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    for block in re.findall(r"```py\n(.*?)```", readme, re.DOTALL):
        compile(block, "README.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    blocks = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len(blocks) >= 3
    names: dict[str, Any] = {"__name__": "readme"}
    for block in blocks:
        code = compile(block, "README.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        if (waiting := eval(code, names)) is not None:
            await waiting
    assert "Recife" in names["answer"].context
    names["memory"].close()


def test_pages_are_finished() -> None:
    """No page holds a place that waits for a figure: no bare comment, and between two marks of a command its figures."""
    for page in [*DOCS.glob("*.md"), DOCS.parent / "README.md"]:
        text = page.read_text(encoding="utf-8")
        kept = re.findall(r"^<!-- figures: (\S+) -->\n(.*?)^<!-- end -->$", text, re.MULTILINE | re.DOTALL)
        for name, body in kept:
            assert re.search(rf"^    python benchmarks/{name}\.py.*\n\n```\n.+", body, re.MULTILINE), (
                f"{page.name}: {name}"
            )
        for line in text.splitlines():
            if not re.fullmatch(r"<!-- (?:figures: \S+|end|/?baseline(?:: \S+)?) -->", line):
                assert not re.fullmatch(r"[A-Z]{4,}|<!--.*-->", line.strip()), f"{page.name}: {line}"
