"""A seeded world: invented people over years, told in English and Portuguese turn by turn, with its truth at every date."""

from arandu_lab.bench.world.config import HELD_SEEDS, WorldConfig
from arandu_lab.bench.world.make import make
from arandu_lab.bench.world.truth import Ended, State, Told, fold, load_states, load_truth

__all__ = ["HELD_SEEDS", "Ended", "State", "Told", "WorldConfig", "fold", "load_states", "load_truth", "make"]
