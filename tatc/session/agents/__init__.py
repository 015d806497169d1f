"""Agents by name: the ones of tatc, of installed packages, and what each may perceive."""
