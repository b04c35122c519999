"""The questions of background jobs (``arandu_lab.llm.job_tasks``), answered by rule in English and Portuguese.

Every text is composed from the words of the facts and a fixed frame. Facts are sorted before they are read, so their
order does not matter; what reads like an order to a model is never repeated.
"""
