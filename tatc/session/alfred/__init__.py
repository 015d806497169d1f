"""ALFRED's trajectories in tatc's own world: furniture, scenes, and the recorded ids in them."""
