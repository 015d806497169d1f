"""The options of commands, each declared once, and the reading of their values."""
