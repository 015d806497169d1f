"""What recorded sessions show of a floor plan: cells, doors, areas, and their files."""
