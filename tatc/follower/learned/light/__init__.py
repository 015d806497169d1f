"""The light learned Follower: E.T.'s idea, small enough to train on a laptop.

From words, class maps and its own past actions, the network predicts an action, an object
class and the part of the view to click.  Unlike E.T. it starts afresh with every
utterance, and one of its actions says that it is done.
"""

from tatc.follower.learned import require_learned_extra

require_learned_extra()
