"""From what is known to ways and plans: shortest paths, where to stand and click, PDDL."""
