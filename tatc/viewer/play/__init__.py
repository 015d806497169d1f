"""Games that people play on the page: against an agent, or with each other.

A game is a session in which people act by hand; `human_game` holds one, `game_host` a bounded
number of them, `role_views` says what each part may see of it, `game_routes` answers the page.
"""
