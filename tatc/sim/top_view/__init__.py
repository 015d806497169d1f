"""Rooms from above: one plan model, and its drawings as an image and in letters."""
