"""E.T. as TEACh published it (spec section 7), and variants with named corrections.

`vocabulary` holds the words and the variants, `network` and `resnet` the layers, `checkpoint` the
files, and `follower` the `Follower` that acts by the network's predictions.
"""

from tatc.follower.learned import require_learned_extra

require_learned_extra()
