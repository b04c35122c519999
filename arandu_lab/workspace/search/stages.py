"""Every stage of searching that comes in the box; importing this module registers them."""

from arandu_lab.workspace.search.classify import classify
from arandu_lab.workspace.search.diversify import diversify
from arandu_lab.workspace.search.episodic import episodic
from arandu_lab.workspace.search.fade import fade
from arandu_lab.workspace.search.favour import favour
from arandu_lab.workspace.search.fuse import fuse, fuse_scores
from arandu_lab.workspace.search.gather import gather
from arandu_lab.workspace.search.meaning import meaning, unheard
from arandu_lab.workspace.search.present import present
from arandu_lab.workspace.search.recent import recent
from arandu_lab.workspace.search.wording import wording

__all__ = [
    "classify",
    "diversify",
    "episodic",
    "fade",
    "favour",
    "fuse",
    "fuse_scores",
    "gather",
    "meaning",
    "present",
    "recent",
    "unheard",
    "wording",
]
