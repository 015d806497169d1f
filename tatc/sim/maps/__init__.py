"""What recorded sessions show about a floor plan (cells, doors, areas), and its map files."""
