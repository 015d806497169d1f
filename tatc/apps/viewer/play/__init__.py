"""Games that people play on the page, with an agent or with each other.

`human_game` holds one game and decides what each role may see, `game_host` a limited number
of games, and `game_routes` answers the page.
"""
