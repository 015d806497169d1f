"""The precision with which a map keeps what recordings show."""

from tatc.home.state import Vec3

METRE_DIGITS, DEGREE_DIGITS = 4, 2


def round_vector(values: Vec3, digits: int) -> Vec3:
    """Return three values rounded to this number of digits."""
    x, y, z = (round(value, digits) for value in values)
    return x, y, z
