"""What a person wants done: their orders, in the sequence in which they shall be done."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tatc.language.conversation import corrections, dialogue_acts
from tatc.language.conversation.order_reading import Reading
from tatc.language.conversation.orders import Order, names_in, without_needless

MAX_ORDERS = 50  # orders that are kept at a time; further ones are not taken
_MAX_NAMED = 12
TASK = Order("task")
"""Stands for what the dialogue asks for: a dish or another task."""


@dataclass(slots=True)
class Agenda:
    """The `orders` that are left, and what later words may mean by those before.

    `task_words` tell `TASK`.  Those `given` came last, the very `last` one among them; those `left`
    were stopped for others.  Of `open_orders` nobody has said where to put the thing.  Types were
    `named`, and objects `used`.
    """

    orders: list[Order] = field(default_factory=list[Order])
    task_words: tuple[str, ...] = ()
    last: Order | None = None
    given: list[Order] = field(default_factory=list[Order])
    left: list[Order] = field(default_factory=list[Order])
    open_orders: list[Order] = field(default_factory=list[Order])
    named: list[str] = field(default_factory=list[str])
    used: list[str] = field(default_factory=list[str])
    is_paused: bool = False
    is_stopped: bool = False
    has_failed: bool = False

    @property
    def next(self) -> Order | None:
        """What is to be done now, None for nothing."""
        return None if self.is_paused or not self.orders else self.orders[0]

    def take(self, given: list[Order], *, is_changed: bool, is_first: bool) -> None:
        """Put orders on the agenda: after what is there, or in its place or before it."""
        if self.is_stopped and not (is_first or is_changed):
            self.left, self.orders = self.orders, []
        self.begin_anew()
        replaces = is_changed or (self.last is not None and given[0].narrows(self.last))
        dropped = self.given[-len(given) :] if replaces else []
        first = is_first or is_changed
        wanted = corrections.with_given(self.orders, given, dropped, first=first)
        self.orders = without_needless(wanted, given)[:MAX_ORDERS]
        self.last, self.given = given[-1], given

    def begin_anew(self) -> None:
        """Go on, without what has failed before."""
        if self.has_failed:
            self.orders = self.orders[1:]
        self.is_paused = self.is_stopped = self.has_failed = False

    def bind(self, found: Order) -> None:
        """Put the order that is next as what it means, wherever it is kept."""
        old, self.orders[0] = self.orders[0], found
        self.last = found if self.last is old else self.last
        self.given = [found if each is old else each for each in self.given]

    @property
    def now(self) -> str:
        """What is to be done now, in plain words, "" for nothing."""
        return self.told(self.orders[0]) if self.orders else ""

    def told(self, order: Order, *, done: bool = False) -> str:
        """Return an order in plain words, or what was done."""
        task = f"{'done' if done else 'do'} this: {'; '.join(self.task_words)}"
        return task if order is TASK else order.told(done=done)

    @property
    def told_all(self) -> tuple[str, ...]:
        """What is to be done, in plain words."""
        return tuple(map(self.told, self.orders))

    def note(self, *things: str) -> None:
        """Note what was named: "it" may be any of these."""
        if said := [each for each in things if each]:
            self.named = [*self.named, "", *said][-_MAX_NAMED:]

    def note_read(self, acts: Sequence[object], read: Reading) -> None:
        """Note what words named, and of which of their orders nobody has said where."""
        still = self.open_orders if acts and not read.orders else []
        self.open_orders = [each for each in read.orders if each.needs_place] or still
        told = (*read.orders, *read.impossible)
        self.note(*(what for each in told for what in names_in(each)))
        if not (told or acts):
            self.note(dialogue_acts.noun_in(read.rest)[0])

    @property
    def it(self) -> str:
        """What was named last, "" for nothing."""
        return next(reversed(self.named), "")
