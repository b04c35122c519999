"""Blends on the bench: columns collected from a replay, folds that hold out what is judged, the figures of both."""
