"""A sentence of terms with a place in it: what stands around decides what a word is."""

from collections.abc import Sequence

from tatc.language.understanding.clause_facts import FOODS
from tatc.language.understanding.lexicon import WordKind
from tatc.language.understanding.noun_phrases import IT_IS, PendingNoun
from tatc.language.understanding.tokens import Term

_STATE_VERBS = frozenset({"slice", "cook", "boil", "toast", "poach", "clean"})
_NOUN_KINDS = ("thing", "dish", "slice", "number")
_BREAK_KINDS = ("on", "be", "near", "and")
_LOOK_AHEAD = 3  # terms in which a participle finds its noun
_BEFORE_ADJECTIVE = ("a", "number", "any", "on", "with", "of", "all", "more", "only")
_PORTIONS = ("times", "quantities", "portions", "servings")
_SUBJECTS = ("you", "we", "i", "can", "could", "would", "please", "let's", "lets")
_NEEDS = ("need", "needs", "should", "must")
_BEFORE_OBJECT = ("a", "number", "slice", "pronoun", "all")


class TermWindow:
    """The terms of one sentence; `i` is the number of the current one."""

    def __init__(self, terms: Sequence[Term]) -> None:
        """Start at the first of the terms, of which there is at least one."""
        self.terms = terms
        self.i = 0

    @property
    def current(self) -> Term:
        """The term at the current place."""
        return self.terms[self.i]

    @property
    def before(self) -> Term | None:
        """The term before the current one, None at the start."""
        return self.terms[self.i - 1] if self.i else None

    def next_value(self, kind: WordKind) -> str:
        """Return what the next term means as this kind, empty if it is not of it."""
        following = self.terms[self.i + 1 : self.i + 2]
        return following[0].value(kind) if following else ""

    def leads_to_verb(self) -> bool:
        """Return whether a verb follows, known or not: "to get it", "to ge the pan"."""
        after = self.terms[self.i + 1 : self.i + 3]
        if self.next_value("verb"):
            return not self.next_value("thing")
        return len(after) == 2 and not after[0].senses and bool(after[1].value("a"))

    def was_within(self, kind: WordKind, number: int) -> bool:
        """Return whether one of so many terms before the current one is of a kind."""
        first = max(0, self.i - number)
        return any(term.value(kind) for term in self.terms[first : self.i])

    def noun_follows(self) -> bool:
        """Return whether the next few terms lead to a noun, with nothing in between."""
        for term in self.terms[self.i + 1 : self.i + 1 + _LOOK_AHEAD]:
            if any(term.value(kind) for kind in _NOUN_KINDS):
                return True
            if term.text in _SUBJECTS:
                return False
            is_other_verb = bool(term.value("verb")) and not term.text.endswith("ed")
            if is_other_verb or term.text == "," or any(term.value(kind) for kind in _BREAK_KINDS):
                return False
        return False

    def starts_statement(self) -> bool:
        """Return whether a comma is over and something is said of a thing: ", it is in the bin"."""
        if self.before is None or self.before.text != ",":
            return False
        for k, term in enumerate(self.terms[self.i : self.i + _LOOK_AHEAD]):
            if term.text in IT_IS:
                return True
            if any(term.value(kind) for kind in ("thing", "dish", "pronoun")):
                following = self.terms[self.i + k + 1 : self.i + k + 2]
                return any(each.value("be") or each.text in _NEEDS for each in following)
            if not any(term.value(kind) for kind in ("a", "all", "number", "dirty")):
                return False
        return False

    def starts_request(self) -> bool:
        """Return whether a comma is over and somebody is asked: ", could you slice two"."""
        return (
            self.before is not None and self.before.text == "," and self.current.text in _SUBJECTS
        )

    def counts_unknown(self, first: Term) -> bool:
        """Return whether a number counts what the lexicon does not know: "with two doors"."""
        if not first.value("number") or first.value("pronoun"):
            return False
        place = next(k for k, each in enumerate(self.terms) if each is first)
        return any(
            each.text.endswith("s") and not each.senses and each.text not in _PORTIONS
            for each in self.terms[place + 1 : place + 3]
        )

    def is_bare_participle(self) -> bool:
        """Return whether a verb that has no ending for it tells what is done: "we need it put"."""
        names = self._follows_noun() and not self._object_follows()
        return names and self.current.text in ("put", "cut", "set")

    def is_needed(self) -> bool:
        """Return whether something needs what the current verb names: "it needs washing"."""
        before = self.before
        return before is not None and before.text in _NEEDS and self.current.text.endswith("ing")

    def leaves_out(self) -> bool:
        """Return whether the current verb takes something away: "leave the tomato out"."""
        after = self.terms[self.i + 1 : self.i + 1 + _LOOK_AHEAD]
        return self.current.text == "leave" and any(each.text == "out" for each in after)

    def is_adjective(self) -> bool:
        """Return whether the current term says how a following noun is to be: "clean", "cooked"."""
        term = self.current
        verb = term.value("verb")
        if verb not in _STATE_VERBS or not self.noun_follows():
            return False
        if verb != "clean":
            return term.text.endswith("ed")
        before = self.before
        return (
            term.text in ("clean", "cleaned", "washed")
            and before is not None
            and before.text != "to"
            and any(before.value(kind) for kind in _BEFORE_ADJECTIVE)
        )

    def verb_here(self, pending: PendingNoun, relation: str) -> str:
        """Return the verb that the current term is, empty if it is none here.

        "Slice", "toast" and "water" are nouns too.  `pending` is what was said of a coming noun,
        `relation` how that is related.
        """
        term = self.current
        if self.leaves_out():
            return ""
        if term.text == "water":
            starts = self.next_value("a") or self.next_value("thing") == "HousePlant"
            return "water" if starts else ""
        in_noun = bool(relation) or not pending.is_empty
        if term.value("dish") == "toast":
            starts = any(self.next_value(kind) for kind in _BEFORE_OBJECT)
            starts = starts or self.next_value("thing") == "Bread"
            return "toast" if starts and not in_noun else ""
        if term.value("slice"):
            return self._slice_verb(in_noun)
        if term.text == "microwave" and not in_noun and self._names_what_to_heat():
            return "cook"
        if term.value("thing") or term.value("dish"):
            return ""
        if term.text == "go" and self._follows_noun():
            return "put"  # "the mugs go in the sink"
        return term.value("verb")

    def _follows_noun(self) -> bool:
        before = self.before
        return before is not None and bool(before.value("thing") or before.value("pronoun"))

    def _object_follows(self) -> bool:
        return any(self.next_value(kind) for kind in ("a", "thing", "pronoun", "number", "all"))

    def _names_what_to_heat(self) -> bool:
        is_object = any(self.next_value(kind) for kind in _BEFORE_OBJECT)
        return is_object or self.next_value("thing") in FOODS

    def _slice_verb(self, in_noun: bool) -> str:
        before = self.before
        if before is not None and before.value("thing") and not self._object_follows():
            return ""  # "tomato slice"
        counted = before is not None and (before.value("number") or before.value("more"))
        if in_noun or counted or self.next_value("of"):
            return ""
        return self.current.value("verb")
