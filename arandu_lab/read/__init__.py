"""The read pipeline: from a question to the text that a model reads. One stage a file; ``preset`` assembles them."""
