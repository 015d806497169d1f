"""Generates rooms; the same kind and seed give the same room in every process."""
