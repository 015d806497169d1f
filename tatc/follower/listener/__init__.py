"""The Follower that understands what people say, and acts on what it has seen."""
