"""Programs over sessions; none of them imports another."""
