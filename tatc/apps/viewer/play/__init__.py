"""Games that people play on the page, with an agent or with each other.

`human_game` holds one game, `role_views` decides what each role may see of it, `game_host` holds
a limited number of games, and `game_routes` answers the page.
"""
