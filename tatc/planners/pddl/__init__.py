"""Planning in PDDL: one household domain, a problem of what matters, h_FF search."""
