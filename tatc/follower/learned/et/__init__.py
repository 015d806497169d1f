"""E.T. as TEACh published it (spec section 7): network, features, vocabulary, checkpoints.

`labels` holds the fixed lists, `variants` the corrections that can be made, `network` and
`resnet` the layers, `vocabulary` the words, `checkpoint` the files, and `follower` the
`Follower` that acts by the network's predictions.
"""

from tatc.follower.learned import require_learned_extra

require_learned_extra()
