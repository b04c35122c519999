"""The pages that are printed from code say what the code says."""

from __future__ import annotations

from pathlib import Path

from arandu_lab.config import MemoryConfig
from arandu_lab.presets import own_settings

DOCS = Path(__file__).parents[2] / "docs"


def test_configuration_page() -> None:
    """``docs/configuration.md`` holds the table that ``MemoryConfig.markdown`` prints, word for word, and what stages bring."""
    page = (DOCS / "configuration.md").read_text(encoding="utf-8")
    for row in own_settings():
        assert f"| `{row['stage']}` | `{row['name']}` | {row['type']} | `{row['default']}` |" in page
    assert MemoryConfig.markdown() in (DOCS / "configuration.md").read_text(encoding="utf-8")
