"""The light learned Follower: E.T.'s idea, small enough to train on a laptop.

Words, class maps and its own past actions go in; an action, an object class and the
part of the view to click come out.  Unlike E.T. it starts anew with every utterance,
and saying that it is done is one of its actions.
"""

from tatc.follower.et.dependencies import require_learned_extra

require_learned_extra()
