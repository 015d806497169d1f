"""Games that people play on the page: against an agent, or with each other.

A game is a session in which people act by hand; `game` holds one, `tables` a bounded
number of them, `seen` says what each part may see of it, `routes` answers the page.
"""
