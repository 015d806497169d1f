"""Sessions for programs that bring a model: servers through which it plays one of the agents."""

MAX_SESSIONS = 64  # the sessions of all clients that a server holds at a time
