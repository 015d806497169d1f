"""TATC-Bench: fixed sessions, how much of a dialogue there is, and a card of the figures."""
