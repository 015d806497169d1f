"""What boxes alone tell of a floor plan: walls, counters, and where a body fits."""
