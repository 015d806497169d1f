"""Training of learned Followers: examples from rule sessions, fitting, aggregation."""

from tatc.follower.et.dependencies import require_learned_extra

require_learned_extra()
