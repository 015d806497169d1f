"""Goals, and the agenda: the order in which to achieve them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tatc.planners.pddl.problem import Atom


@dataclass(frozen=True, slots=True)
class FuturePiece:
    """A slice or a cracked egg that does not exist yet."""

    token: str
    object_type: str
    whole_id: str


@dataclass(frozen=True, slots=True)
class GoalSelection:
    """The goal facts of a task, whose arguments are object ids and tokens of pieces.

    `agenda` holds the goal's facts in groups, in the order to achieve them.  `choices`
    pairs a component's slot with the object that serves it; `unavailable` says in words
    which needs no object can serve.
    """

    goal: tuple[Atom, ...]
    agenda: tuple[tuple[Atom, ...], ...]
    pieces: tuple[FuturePiece, ...]
    choices: tuple[tuple[str, str], ...]
    unavailable: tuple[str, ...]


FactGroups = tuple[tuple[Atom, ...], ...]


def build_agenda(
    facts_by_token: Mapping[str, Sequence[Atom]],
    destinations: Mapping[str, str],
    pieces: Sequence[FuturePiece],
    sort_key: Callable[[str], float],
) -> tuple[tuple[Atom, ...], FactGroups]:
    """Return the goal and the agenda.

    Everything to be cut is cut first, with one walk to the knife.  Then each object is
    given its state, next what goes into or onto it, and last its place.

    Args:
        facts_by_token: the unary facts wanted of each object.
        destinations: the receptacle of each object that has to be in one.
        pieces: the objects that do not exist yet.
        sort_key: orders the objects that go to one place.

    """
    heads: dict[str, list[str]] = {}
    for head, tail in destinations.items():
        heads.setdefault(tail, []).append(head)
    groups: list[tuple[Atom, ...]] = []
    done: set[str] = set()

    def emit(token: str) -> None:
        if token in done:
            return
        done.add(token)
        if facts := facts_by_token.get(token):
            groups.append(tuple(facts))
        for head in sorted(heads.get(token, ()), key=sort_key):
            emit(head)
        if (tail := destinations.get(token)) is not None:
            groups.append((("in", token, tail),))

    # Objects without a destination come first: they are the places that others go to.
    for token in sorted(dict.fromkeys([*facts_by_token, *heads]), key=lambda t: t in destinations):
        emit(token)
    cuts = tuple(("cut", whole) for whole in dict.fromkeys(p.whole_id for p in pieces))
    agenda = (cuts, *groups) if cuts else tuple(groups)
    return tuple(dict.fromkeys(atom for group in agenda for atom in group)), agenda
