"""Sweeps: one conversation written once, and asked again under as many settings as one likes.

======================  ===============================================================================================
``settled``             a row under a setting: what stands in each pipeline, and which side each name is on
``ingested``            a conversation written whole into one memory, kept under the address of its write side
``walk``                each question, and the memory as it was when it was put
``tree``                settings as a tree of the work they share
``reading``             the answers of many settings, equal to those of :func:`arandu_lab.bench.replay.replay`
``judgements``          grades of a model, kept by question and fact, so that no pair is graded twice
``asking``              the tokens that each setting's own question to the judge takes
``logged knobs room``   what the scoring of one question needs, as columns
``rescoring``           a thousand settings of the scoring as arithmetic over these columns; ``rescored`` is what comes of it
``design split``        which settings are looked at, and which questions choose among them
``plan costs``          a sweep before it happens, and what it will cost (``estimates``, ``purse``)
``run course work``     a sweep on its way, in batches that are artefacts, on ``backends``, with files that are ``remote``
``result effects``      what it found: ``best``, ``page``
======================  ===============================================================================================
"""
