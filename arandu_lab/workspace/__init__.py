"""The workspace memory: facts, policies and notes that agents share, over the same store and the same algebra."""
