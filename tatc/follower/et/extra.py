"""The extra that learned Followers need."""

from importlib.util import find_spec

from tatc.errors import MissingExtra

NEEDED = ("torch", "safetensors")


def require() -> None:
    """See to it that what learned Followers need is installed.

    Raises:
        MissingExtra: it is not.

    """
    for package in NEEDED:
        if find_spec(package) is None:
            raise MissingExtra("learned", package)
