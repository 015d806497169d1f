"""What a living person says: dialogue acts, and orders for single things."""
