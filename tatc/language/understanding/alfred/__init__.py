"""ALFRED's goal sentences and directives, read as its seven tasks."""
