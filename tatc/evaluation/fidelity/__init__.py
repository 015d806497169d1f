"""How far the embedded world answers as AI2-THOR answered in recorded sessions."""
