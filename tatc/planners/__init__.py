"""Plans from what is known: shortest ways, and where to stand and where to click."""
