"""The web viewer: runs, sessions and games to play, on a page of one's own machine.

`session_index` says what there is to look at, `timeline_json` makes one session's page data,
`view_images`
draws what the agents see, `web_app` serves it all behind a token, `static_site` writes the same
pages as files.  `play/` holds the games that people play.  The pages are plain HTML,
CSS and JavaScript in `pages/`; they ask nothing of any other machine.
"""
