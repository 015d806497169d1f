"""The embedded world: AI2-THOR's homes in plain Python, built from boxes and rules."""
