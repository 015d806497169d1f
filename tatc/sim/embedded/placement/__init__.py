"""Where AI2-THOR lets a held object be put down: surfaces, candidates, obstacles."""
