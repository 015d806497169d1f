"""The web viewer: runs, sessions and games to play, on a page of one's own machine.

`shelf` says what there is to look at, `story` makes one session's page data, `pictures`
draws what the agents see, `app` serves it all behind a token, `export` writes the same
pages as files.  `play/` holds the games that people play.  The pages are plain HTML,
CSS and JavaScript in `pages/`; they ask nothing of any other machine.
"""
