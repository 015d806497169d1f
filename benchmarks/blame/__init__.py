"""Sessions with a fault that was planted in one of the two agents, and the truth about each."""
