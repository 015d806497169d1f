"""Runs of many sessions: what to run, workers, resuming, controls and reports."""
