"""`tatc export`: a session as a film, a Rerun recording or a transcript.

Each format has a module (`gif`, `mp4`, `rrd`, `text_transcript`) that turns moments into the
bytes of a file; `formats` names the formats.  `film` draws the frames of both films.
"""
