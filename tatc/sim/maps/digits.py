"""To how many digits a map keeps what recordings show."""

from tatc.state import Vec3

METRES, DEGREES = 4, 2


def rounded(values: Vec3, digits: int) -> Vec3:
    """Return three values to so many digits."""
    x, y, z = (round(value, digits) for value in values)
    return x, y, z
