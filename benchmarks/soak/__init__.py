"""Random actions in rooms and recorded starts, and what must hold after every one of them."""
