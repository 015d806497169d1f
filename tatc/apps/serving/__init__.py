"""Sessions for programs that bring a model: servers through which it plays one of the agents."""
