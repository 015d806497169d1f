"""The extra that learned Followers need."""

from importlib.util import find_spec

from tatc.errors import MissingExtra

REQUIRED_PACKAGES = ("torch", "safetensors")


def require_learned_extra() -> None:
    """See to it that what learned Followers need is installed.

    Raises:
        MissingExtra: it is not.

    """
    for package in REQUIRED_PACKAGES:
        if find_spec(package) is None:
            raise MissingExtra("learned", package)
