"""Rooms as seen from above: the plan that images, terminal and browser draw."""
