"""The web viewer: runs and sessions to look at, and games to play, on a local web page.

`session_index` lists the sessions, `page_data` turns one into JSON and images for its page,
`web_app` serves it all behind a token, and `static_site` writes the same pages as files.
`play/` holds the games that people play.  The pages in `pages/` are plain HTML, CSS and
JavaScript; they load nothing from any other machine.
"""
