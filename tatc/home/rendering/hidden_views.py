"""From where an object was found to show nowhere, and behind what: it need not be looked for again.

Plans ask for the same hidden object from the same poses again and again, while other things are
carried about.
"""

from weakref import WeakKeyDictionary

from tatc.home.camera.geometry import Geometry
from tatc.home.camera.ray_intersection import PreparedSolid
from tatc.home.camera.rays import Eye

MAX_HIDDEN_VIEWS = 8192
"""Views that are kept for a geometry, at most."""

_Solids = tuple[tuple[int, PreparedSolid | None], ...]


class HiddenViews:
    """The views of a geometry in which an object shows nowhere.

    Such a view holds while the object's own solids and those that hid it are as they were,
    whatever else has changed.
    """

    def __init__(self) -> None:
        """Begin without any view."""
        self._views: dict[tuple[float, ...], tuple[_Solids, _Solids]] = {}

    def holds(self, geometry: Geometry, eye: Eye, index: int) -> bool:
        """Return whether an object still shows nowhere to an eye that has looked for it before."""
        found = self._views.get(_key(eye, index))
        if found is None:
            return False
        own, hiders = found
        return own == _own_solids(geometry, index) and all(
            geometry.visible_solid(row) == solid for row, solid in hiders
        )

    def add(self, geometry: Geometry, eye: Eye, index: int, hiders: tuple[int, ...]) -> None:
        """Keep that an object shows in no pixel of an eye's frame; solids in these rows hide it."""
        if len(self._views) >= MAX_HIDDEN_VIEWS:
            self._views.clear()
        hidden_by = tuple((row, geometry.visible_solid(row)) for row in hiders)
        self._views[_key(eye, index)] = _own_solids(geometry, index), hidden_by


def hidden_views(geometry: Geometry) -> HiddenViews:
    """Return the hidden views of a geometry, which are forgotten with it."""
    found = _by_geometry.get(geometry)
    if found is None:
        found = _by_geometry[geometry] = HiddenViews()
    return found


_by_geometry: WeakKeyDictionary[Geometry, HiddenViews] = WeakKeyDictionary()


def _key(eye: Eye, index: int) -> tuple[float, ...]:
    return (index, *eye.position, eye.yaw, eye.horizon, eye.fov)


def _own_solids(geometry: Geometry, index: int) -> _Solids:
    return tuple((row, geometry.visible_solid(row)) for row in geometry.visible_rows_of(index))
