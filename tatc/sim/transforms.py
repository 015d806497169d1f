"""Rigid motions of objects, and offsets along an object's axes."""

from dataclasses import replace

from tatc.home.state import ObjectState, Vec3, yaw_sin_cos


def rotate_yaw(offset: Vec3, yaw: float) -> Vec3:
    """Return an offset along an object's axes as one along the world's; back with -yaw."""
    sine, cosine = yaw_sin_cos(yaw % 360.0)
    x, y, z = offset
    return (x * cosine + z * sine, y, z * cosine - x * sine)


def rotated_footprint(size: Vec3, yaw: float) -> tuple[float, float]:
    """Return the width (x) and depth (z) of the bounds of a footprint turned by a yaw."""
    sine, cosine = (abs(value) for value in yaw_sin_cos(yaw))
    return size[0] * cosine + size[2] * sine, size[0] * sine + size[2] * cosine


def subtract(a: Vec3, b: Vec3) -> Vec3:
    """Return the offset from b to a in metres."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def translate(obj: ObjectState, offset: Vec3) -> ObjectState:
    """Return an object moved by an offset in metres."""
    x, y, z = obj.position
    there = (x + offset[0], y + offset[1], z + offset[2])
    return obj.with_values(position=there, box=obj.box.translate(*offset))


def move_with_anchor(
    obj: ObjectState, before: Vec3, now: Vec3, yaw_change: float = 0.0
) -> ObjectState:
    """Return an object moved with a point to which it is fixed, and turned about it.

    The point moves from `before` to `now`; `yaw_change` is about the vertical, in degrees.
    """
    if yaw_change % 360.0 == 0.0:
        return translate(obj, subtract(now, before))

    def there(point: Vec3) -> Vec3:
        dx, dy, dz = rotate_yaw(subtract(point, before), yaw_change)
        return now[0] + dx, now[1] + dy, now[2] + dz

    box, (pitch, yaw, roll) = obj.box, obj.rotation
    return obj.with_values(
        position=there(obj.position),
        rotation=(pitch, (yaw + yaw_change) % 360.0, roll),
        box=replace(box, center=there(box.center), yaw=(box.yaw + yaw_change) % 360.0),
    )
