"""Learned blends: which columns of evidence count how much. ``default.json`` ships; ``arandu-lab fit-blend`` makes others."""
