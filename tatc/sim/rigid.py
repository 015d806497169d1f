"""Things moved and turned as a whole, and offsets along their axes."""

from dataclasses import replace

from tatc.state import ObjectState, Vec3, turned


def rotated(offset: Vec3, yaw: float) -> Vec3:
    """Return an offset along an object's own axes in the world's, or back by -yaw."""
    sine, cosine = turned(yaw % 360.0)
    x, y, z = offset
    return (x * cosine + z * sine, y, z * cosine - x * sine)


def minus(a: Vec3, b: Vec3) -> Vec3:
    """Return the way from b to a, metres."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def shifted(thing: ObjectState, by: Vec3) -> ObjectState:
    """Return an object moved by metres."""
    x, y, z = thing.position
    there = (x + by[0], y + by[1], z + by[2])
    return replace(thing, position=there, box=thing.box.moved(*by))


def carried(
    thing: ObjectState, before: Vec3, now: Vec3, turn: float = 0.0
) -> ObjectState:
    """Return an object moved with a point that it hangs on, and turned about it.

    The point goes from `before` to `now`; `turn` is about the vertical, degrees.
    """
    if turn % 360.0 == 0.0:
        return shifted(thing, minus(now, before))

    def there(point: Vec3) -> Vec3:
        dx, dy, dz = rotated(minus(point, before), turn)
        return now[0] + dx, now[1] + dy, now[2] + dz

    box, (pitch, yaw, roll) = thing.box, thing.rotation
    return replace(
        thing,
        position=there(thing.position),
        rotation=(pitch, (yaw + turn) % 360.0, roll),
        box=replace(box, center=there(box.center), yaw=(box.yaw + turn) % 360.0),
    )
