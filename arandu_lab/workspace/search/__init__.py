"""The search of a workspace: one query, four voices. One stage a file; ``preset`` assembles the three modes."""
