"""The pointing Follower: it points at one of the things that it has seen, and says what to do.

Percepts become instances in a memory and a map of the floor; a network chooses an instance, a verb
for it, and a cell of its mask.
"""

from tatc.follower.learned import require_learned_extra

require_learned_extra()
