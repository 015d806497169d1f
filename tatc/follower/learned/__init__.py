"""Learned Followers: E.T. as TEACh published it, and a light network that ships with tatc.

`official` holds the published network, its corrected variants and its checkpoints.
`light` holds a small network that sees class maps and trains in minutes.  Both implement
the `Follower` protocol, so they know their `Observation`s and nothing else.  torch (the
extra `learned`) is imported only when one of them is made.
"""
