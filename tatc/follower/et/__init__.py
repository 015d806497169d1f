"""Learned Followers: E.T. as TEACh published it, and a light one that ships.

`official` holds the published network, its corrected variants and its checkpoints;
`light` a small relative over class maps, which trains in minutes.  Both stand behind
the `Follower` protocol and know an `Observation` and nothing else.  torch is imported
only when one of them is made (the extra `learned`).
"""
