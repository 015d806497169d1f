"""Aims, and the order in which to achieve them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tatc.planners.pddl.problem import Atom


@dataclass(frozen=True, slots=True)
class Piece:
    """A slice or a cracked egg that does not exist yet."""

    token: str
    kind: str
    whole: str


@dataclass(frozen=True, slots=True)
class Aims:
    """What should hold, about object ids and pieces' tokens.

    `agenda` are the goal's facts in groups, in the order to achieve them.  `chosen`
    says which object serves which part; `lacking` says in words what no object can
    serve.
    """

    goal: tuple[Atom, ...]
    agenda: tuple[tuple[Atom, ...], ...]
    pieces: tuple[Piece, ...]
    chosen: tuple[tuple[str, str], ...]
    lacking: tuple[str, ...]


Groups = tuple[tuple[Atom, ...], ...]


def arranged(
    wants: Mapping[str, Sequence[Atom]],
    put: Mapping[str, str],
    pieces: Sequence[Piece],
    order: Callable[[str], float],
) -> tuple[tuple[Atom, ...], Groups]:
    """Return the goal and the agenda.

    All that is to be cut is cut first, with one walk to the knife.  Then each
    object gets its own state, next what goes in it or on it, and last its place.

    Args:
        wants: for each object the facts about it alone.
        put: for each object that has to be somewhere, where.
        pieces: those of the objects that do not exist yet.
        order: says of objects that go to one place which comes first.

    """
    heads: dict[str, list[str]] = {}
    for head, tail in put.items():
        heads.setdefault(tail, []).append(head)
    groups: list[tuple[Atom, ...]] = []
    done: set[str] = set()

    def emit(token: str) -> None:
        if token in done:
            return
        done.add(token)
        if facts := wants.get(token):
            groups.append(tuple(facts))
        for head in sorted(heads.get(token, ()), key=order):
            emit(head)
        if (tail := put.get(token)) is not None:
            groups.append((("in", token, tail),))

    # What goes nowhere comes first: the places that draw the others after them.
    for token in sorted(dict.fromkeys([*wants, *heads]), key=lambda t: t in put):
        emit(token)
    cuts = tuple(("cut", whole) for whole in dict.fromkeys(p.whole for p in pieces))
    agenda = (cuts, *groups) if cuts else tuple(groups)
    return tuple(dict.fromkeys(atom for group in agenda for atom in group)), agenda
