"""From what is known to ways and plans: shortest paths, where to stand and click, PDDL.

The room knows a home and its tasks (`tatc.home`, `tatc.tdl`) and no world, words or agents.
"""
