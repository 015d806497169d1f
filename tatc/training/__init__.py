"""Training of learned Followers: examples from rule sessions, fitting, aggregation."""
