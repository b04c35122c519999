"""The pictures of the documentation: all there, small, named, and the page that shows them as the script writes it."""

from __future__ import annotations

import struct

from pictures import DOCS, LARGEST, SHOTS, readme
from visiting import LOOKS

from arandu_lab.browse.desk import TABS


def test_every_picture_is_there_and_no_other() -> None:
    """One file for each picture of the script, as wide as its window and below 150 kB; the page names each."""
    assert {one.name for one in DOCS.iterdir()} == {"README.md", *(f"{name}.png" for name in SHOTS)}
    for name, shot in SHOTS.items():
        data = (DOCS / f"{name}.png").read_bytes()
        assert len(data) < LARGEST, name
        assert struct.unpack(">II", data[16:24]) == tuple(LOOKS[shot.look]["viewport"].values()), name
    assert (DOCS / "README.md").read_text(encoding="utf-8") == readme()


def test_every_tab_has_a_picture() -> None:
    """Of both kinds of store, by day, by night, in a hand, and in Portuguese."""
    shown = {tuple(shot.path.split("?")[0].split("/")[1::2]) for shot in SHOTS.values()}
    missing = {(kind, tab) for kind, tabs in TABS.items() for tab, _ in tabs} - shown
    assert not missing
    assert {shot.look for shot in SHOTS.values()} >= {"light", "dark", "phone", "phone-dark"}
    assert {shot.locale for shot in SHOTS.values()} == {"en-GB", "pt-BR"}
