"""Fidelity: how often the embedded world answers as AI2-THOR did in recorded sessions."""
