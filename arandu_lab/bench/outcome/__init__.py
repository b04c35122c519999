"""What came out of an experiment, to be looked at: frames, tables, pictures, a page."""
