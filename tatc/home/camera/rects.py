"""Rectangles along the world's axes, as seen from above."""

from dataclasses import dataclass

from tatc.home.state import ObjectState


@dataclass(frozen=True, slots=True)
class Rect:
    """A horizontal rectangle along the world's axes: its lowest and highest x and z, metres."""

    x0: float
    z0: float
    x1: float
    z1: float

    def expand(self, by: float) -> "Rect":
        """Return the rectangle widened by so many metres on each side."""
        return Rect(self.x0 - by, self.z0 - by, self.x1 + by, self.z1 + by)

    def overlaps(self, other: "Rect") -> bool:
        """Whether the two rectangles share some area."""
        along = self.x0 < other.x1 and other.x0 < self.x1
        return along and self.z0 < other.z1 and other.z0 < self.z1

    def contains_center_of(self, other: "Rect") -> bool:
        """Whether the centre of the other rectangle lies in this one."""
        x, z = (other.x0 + other.x1) / 2, (other.z0 + other.z1) / 2
        return self.x0 <= x <= self.x1 and self.z0 <= z <= self.z1

    def intersection(self, other: "Rect") -> "Rect | None":
        """Return the area that the two rectangles share, or None."""
        x0, x1 = max(self.x0, other.x0), min(self.x1, other.x1)
        z0, z1 = max(self.z0, other.z0), min(self.z1, other.z1)
        return Rect(x0, z0, x1, z1) if x0 < x1 and z0 < z1 else None

    def subtract(self, gap: "Rect") -> "tuple[Rect, ...]":
        """Return the up to four pieces left around a gap; itself if the gap misses it."""
        hole = self.intersection(gap)
        if hole is None:
            return (self,)
        pieces = (
            Rect(self.x0, self.z0, hole.x0, self.z1),
            Rect(hole.x1, self.z0, self.x1, self.z1),
            Rect(hole.x0, self.z0, hole.x1, hole.z0),
            Rect(hole.x0, hole.z1, hole.x1, self.z1),
        )
        return tuple(p for p in pieces if p.x0 < p.x1 and p.z0 < p.z1)


def footprint_of(obj: ObjectState) -> Rect:
    """Return an object's bounding box seen from above."""
    (x0, _, z0), (x1, _, z1) = obj.box.bounds()
    return Rect(x0, z0, x1, z1)
