"""The extra that learned Followers need."""

from tatc.base.errors import MissingExtra

REQUIRED_PACKAGES = ("torch", "safetensors")


def require_learned_extra() -> None:
    """Check that what learned Followers need is installed."""
    MissingExtra.check("learned", *REQUIRED_PACKAGES)
