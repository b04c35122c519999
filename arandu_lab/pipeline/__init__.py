"""The algebra: stages, and the ways to put them together."""

from arandu_lab.pipeline.compose import Fallback, Group, Pipeline, Together, group, grouped, together
from arandu_lab.pipeline.lab import Answered, Lab, Task
from arandu_lab.pipeline.node import Frozen, Node, Param
from arandu_lab.pipeline.registry import REGISTRY
from arandu_lab.pipeline.stage import Stage, stage

__all__ = [
    "REGISTRY",
    "Answered",
    "Fallback",
    "Frozen",
    "Group",
    "Lab",
    "Node",
    "Param",
    "Pipeline",
    "Stage",
    "Task",
    "Together",
    "group",
    "grouped",
    "stage",
    "together",
]
