"""A session as a file for others to look at: a film, a recording, a transcript.

One module a format (`gif`, `mp4`, `rrd`, `text_transcript`), each with a function that turns
moments into the bytes of a file; `formats` names them.  `film` is what the films show.
"""
