"""A memory browser: a local page to look into a store and to correct it. It never creates.

``opened`` opens a store, ``serve`` shows it on this machine (extra ``browse``). Every change leaves a unit in the journal.
"""
