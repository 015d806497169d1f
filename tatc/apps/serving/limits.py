"""How much a server does for its clients."""

MAX_SESSIONS = 64
"""Sessions of all clients at a time."""
MAX_SESSIONS_OF_A_CLIENT = 8
MAX_CALLS = 3000
"""Calls in a session, those that are refused included; then it ends."""
IDLE_SECONDS = 1800.0
"""After so many seconds without a call a session is ended and saved."""
