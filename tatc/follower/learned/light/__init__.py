"""The light learned Follower: E.T.'s idea, small enough to train on a laptop.

Unlike E.T. it starts afresh with every utterance; one of its actions says that it is done.
"""

from tatc.follower.learned import require_learned_extra

require_learned_extra()
