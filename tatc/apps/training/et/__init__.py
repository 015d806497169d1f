"""Trains E.T. as published: items, losses, optimiser and learning-rate schedule."""
