"""Noun phrases ("two slices of cooked potato", "any table"), and the clauses that hold them."""

from dataclasses import dataclass, field, replace

from tatc.language.understanding.tokens import Span, Term

IT_IS = ("it is", "it's", "its")
"""Words that say something of what was named before."""


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """What a clause names, how many of it, and in which relation.

    `what` is an object type, a class, the name of a dish ("coffee"), or empty for "it", "two"
    and "a slice".  `count` is None where none was said.  `relation` is "" for a subject or an
    object, else "on", "near", "with" or "of".  `verb` is the verb before it, `done_to` the
    verbs that follow it ("needs to be cleaned") or stand in it ("cooked").
    """

    what: str
    is_dish: bool
    span: Span
    count: int | None = None
    wants_all: bool = False
    adds: bool = False
    is_any: bool = False
    is_one_place: bool = False
    is_definite: bool = False
    is_plural: bool = False
    is_slices: bool = False
    is_negated: bool = False
    is_only: bool = False
    is_dirty: bool = False
    is_pronoun: bool = False
    relation: str = ""
    verb: str = ""
    done_to: frozenset[str] = frozenset()


@dataclass(slots=True)
class Clause:
    """The parts of one clause, in order."""

    utterance: int
    phrases: list[NounPhrase] = field(default_factory=list[NounPhrase])
    verbs: list[str] = field(default_factory=list[str])
    marks: set[str] = field(default_factory=set[str])
    terms: list[Term] = field(default_factory=list[Term])

    def lists(self, first: NounPhrase, second: NounPhrase) -> bool:
        """Return whether an "and" stands between two of its phrases."""
        return any(
            first.span.end <= term.span.start
            and term.span.end <= second.span.start
            and term.value("and")
            for term in self.terms
        )

    @property
    def span(self) -> Span:
        """Where the clause stands."""
        return Span(self.utterance, self.terms[0].span.start, self.terms[-1].span.end)


@dataclass(slots=True)
class PendingNoun:
    """What was said of a noun that is still to come."""

    count: int | None = None
    wants_all: bool = False
    adds: bool = False
    is_any: bool = False
    is_one: bool = False
    is_definite: bool = False
    is_slices: bool = False
    is_dirty: bool = False
    states: set[str] = field(default_factory=set[str])
    first: Term | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said yet."""
        return self.first is None

    @property
    def stands_alone(self) -> bool:
        """Whether it names something without a noun: "two", "a slice", "another"."""
        return (
            self.count is not None or self.is_slices or self.wants_all or self.adds or self.is_one
        )


def slices_of(slices: NounPhrase, food: NounPhrase) -> NounPhrase:
    """Return the phrase for "two slices" and "the cooked potato", which "of" joined."""
    return replace(
        food,
        span=Span(food.span.utterance, slices.span.start, food.span.end),
        count=food.count if slices.count is None else slices.count,
        wants_all=slices.wants_all or food.wants_all,
        adds=slices.adds or food.adds,
        is_slices=True,
        relation=slices.relation,
        done_to=slices.done_to | food.done_to,
    )
