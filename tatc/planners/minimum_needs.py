"""What a property cannot be brought about without: a relaxation, for lower bounds.

An object may have to get into a place (to be washed, into some sink), and interactions
may be needed beside that (to turn on some faucet).  Places and targets are sets of object
ids of which any one will do.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tatc.home.state import ObjectState, Snapshot
from tatc.home.types.facts import HEAT_SOURCE_TYPES, KNIFE_TYPES, KNOB_TYPE, SINK_TYPES

AlternativeIds = frozenset[str]
"""Object ids of which any one will do."""


@dataclass(frozen=True, slots=True)
class PropertyNeed:
    """What one object needs at least for one property.

    Attributes:
        place: what the object has to get into or onto; None where it need not move.
        own_interactions: interactions on the object that can serve nothing else.
        shared_interactions: interactions that may serve other objects too, by name, each
            with what it acts on (empty where that moves).
        stays_in_place: False where the object counts as moved: nobody has to go to it for
            its own sake.

    """

    place: AlternativeIds | None = None
    own_interactions: int = 0
    shared_interactions: Mapping[str, AlternativeIds] = field(
        default_factory=dict[str, AlternativeIds]
    )
    stays_in_place: bool = True


NO_NEED = PropertyNeed()


class StartMeans:
    """The means that a start state offers: sinks, heaters, knives, water."""

    def __init__(self, start: Snapshot) -> None:
        """Look for the means among the objects of a start state."""
        self._start = start
        self.sinks = self.ids_of_types(*SINK_TYPES)
        self.faucets = self.ids_of_types("Faucet")
        self.coffee_machines = self.ids_of_types("CoffeeMachine")
        self.heaters = self.ids_of_types(*HEAT_SOURCE_TYPES, KNOB_TYPE)
        self.knives = self.ids_of_types(*KNIFE_TYPES)
        self.has_water = any(
            obj.isFilledWithLiquid or obj.simbotIsFilledWithWater for obj in start.objects
        )

    def ids_of_types(self, *types: str) -> AlternativeIds:
        """Return the ids of all objects of these types."""
        return object_ids(self._start.of_type(*types))

    def switching_on(self, name: str, switches: AlternativeIds) -> dict[str, AlternativeIds]:
        """Return the switching on that is needed; nothing where one runs or is hot."""
        running = any(
            obj.isToggled or obj.ObjectTemperature == "Hot"
            for obj in map(self._start.get, switches)
            if obj is not None
        )
        return {} if running or not switches else {name: switches}

    def filling(self) -> dict[str, AlternativeIds]:
        """Return the filling that is needed; nothing where something is full already."""
        return {} if self.has_water else {"fill": self.sinks | self.faucets}

    def portable_vessels(self) -> AlternativeIds:
        """Return the ids of the vessels that can be carried."""
        return object_ids(
            obj
            for obj in self._start.objects
            if obj.affordances.canFillWithLiquid and obj.affordances.pickupable
        )


def object_ids(objects: Iterable[ObjectState]) -> AlternativeIds:
    """Return the ids of some objects."""
    return frozenset(obj.objectId for obj in objects)


def heating_need(means: StartMeans, obj: ObjectState, desired: object) -> PropertyNeed:
    """Return what an object needs that has to get hot: a heater that runs."""
    return PropertyNeed(
        means.heaters, shared_interactions=means.switching_on("heat", means.heaters)
    )
