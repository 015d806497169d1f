"""The embedded world: AI2-THOR's home in plain Python, made from boxes and rules."""
