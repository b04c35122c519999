"""A laboratory for the long-term memory of language-model agents."""
