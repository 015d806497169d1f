"""What object boxes alone tell about a floor plan: walls, counters, and where the agent fits."""
