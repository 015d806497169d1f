"""Games that people play on the page, with an agent or with each other.

A game is a session in which people act by hand.  `human_game` holds one game, `game_host`
a limited number of them, `role_views` decides what each role may see, and `game_routes`
answers the page.
"""
