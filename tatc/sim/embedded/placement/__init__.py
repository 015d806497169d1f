"""Find where AI2-THOR puts down a held object: surfaces, candidate poses, obstacles."""
