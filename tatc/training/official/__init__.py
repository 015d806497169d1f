"""E.T. trained as published: its items, its losses, its optimiser and its schedule."""
