"""E.T. as TEACh published it (spec section 7), and variants with named corrections."""

from tatc.follower.learned import require_learned_extra

require_learned_extra()
