"""E.T. as TEACh published it (spec section 7): network, features, words, checkpoints.

`labels` holds its fixed lists, `variants` what may be corrected, `network` and `resnet`
the layers, `vocabulary` its words, `checkpoint` its files, and `follower` puts it
behind the `Follower` protocol.
"""

from tatc.follower.et.dependencies import require_learned_extra

require_learned_extra()
