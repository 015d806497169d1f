"""Which knob of a stove lights which burner: guessed from their places, learned by looking."""

from collections.abc import Iterable
from dataclasses import replace

from tatc.home.state import ObjectState
from tatc.home.type_facts import BURNER_TYPE, KNOB_TYPE

_HOT = "Hot"


class StoveLinks:
    """The links between knobs and burners, as far as known."""

    def __init__(self) -> None:
        """Start with no link known."""
        self._burner_of_knob: dict[str, str] = {}
        self._before = frozenset[str]()  # knobs turned on and burners hot

    def learn(self, objects: Iterable[ObjectState]) -> None:
        """Link the knob that was just turned on with the burner that has just become hot."""
        known = tuple(objects)
        toggled = frozenset(o.objectId for o in known if o.objectType == KNOB_TYPE and o.isToggled)
        hot = frozenset(
            o.objectId for o in known if o.objectType == BURNER_TYPE and o.ObjectTemperature == _HOT
        )
        linked = frozenset(self._burner_of_knob.values())
        pairs = (
            (toggled - self._before, hot - self._before),
            (toggled - frozenset(self._burner_of_knob), hot - linked),
        )
        self._before = toggled | hot
        for knobs, burners in pairs:
            if len(knobs) == 1 and len(burners) == 1:
                self._burner_of_knob[next(iter(knobs))] = next(iter(burners))
                return

    def linked(self, objects: Iterable[ObjectState]) -> tuple[ObjectState, ...]:
        """Return the objects, each knob with the burner that it should light."""
        known = tuple(objects)
        burner_of_knob = self._burner_of_knob | self._guess(known)
        return tuple(
            replace(obj, controlledObjects=(burner_of_knob[obj.objectId],))
            if obj.objectId in burner_of_knob
            else obj
            for obj in known
        )

    def _guess(self, objects: tuple[ObjectState, ...]) -> dict[str, str]:
        """Return likely links of the other knobs: in the order of both along the stove's front."""
        taken = set(self._burner_of_knob.values())
        unlinked = (o for o in objects if o.objectId not in self._burner_of_knob)
        knobs = [o for o in unlinked if o.objectType == KNOB_TYPE]
        burners = [o for o in objects if o.objectType == BURNER_TYPE and o.objectId not in taken]
        if not knobs or not burners:
            return {}
        xs, zs = ([o.position[axis] for o in knobs] for axis in (0, 2))
        axis = 0 if max(xs) - min(xs) >= max(zs) - min(zs) else 2
        knobs.sort(key=lambda o: (o.position[axis], o.objectId))
        burners.sort(key=lambda o: (round(o.position[axis], 1), o.position[2 - axis], o.objectId))
        return {
            knob.objectId: burners[min(i * len(burners) // len(knobs), len(burners) - 1)].objectId
            for i, knob in enumerate(knobs)
        }
