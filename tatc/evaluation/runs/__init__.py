"""Runs of many sessions: which are selected, how they are played, and the rows kept of them."""
