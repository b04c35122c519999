"""Every stage of the workspace; importing this module registers them."""

from arandu_lab.workspace.search.stages import *  # noqa: F403
from arandu_lab.workspace.search.stages import __all__ as __all__
