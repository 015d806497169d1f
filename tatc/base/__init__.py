"""What any program needs, and nothing of homes: errors, files within limits, JSON, processes."""
