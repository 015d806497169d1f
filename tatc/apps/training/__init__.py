"""Trains learned Followers: examples from rule sessions or games, fitting, aggregation."""

from tatc.follower.learned import require_learned_extra

require_learned_extra()
