"""Blame: which agent's which step lost a session, found by letting able agents go on from it."""
