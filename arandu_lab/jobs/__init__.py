"""Background jobs: what is done to a memory while nobody speaks.

A job is a pipeline from a ``Snapshot`` to ``Worked``, made of stages like a write or a read: it asks, then decides, and only
``Memory`` commits. ``memory.jobs`` runs them; the documented functions stand in ``functions.py``.
"""
