"""Mutation testing: cosmic-ray's mutants of a folder, and which of them the tests kill."""
