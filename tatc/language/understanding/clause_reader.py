"""Cuts sentences into clauses, and reads their noun phrases and verbs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tatc.language.understanding.clauses import FOODS, IT_IS, Clause, NounPhrase, is_place
from tatc.language.understanding.tokens import Span, Term, WordKind

_MARKS = ("sorry", "where", "how_many", "yes", "no", "instead")
_PAST_ENDINGS = ("ed", "cut", "put", "set")
_TAKING_AWAY = ("without", "instead of", "except", "rather than", "minus")
_ORDER_WORDS = ("first", "last", "final", "next")
_POINTING = ("that", "this", "these", "those")
_LIST_MARKS = (",", ":")
_INTO = ("into", "onto", "in to", "on to")
_MAX_COUNT = 99
_MAX_DIGITS = 6
_STATE_VERBS = frozenset({"slice", "cook", "boil", "toast", "poach", "clean"})
_NOUN_KINDS = ("thing", "dish", "slice", "number")
_BREAK_KINDS = ("on", "be", "near", "and")
_LOOK_AHEAD = 3  # terms in which a participle finds its noun
_BEFORE_ADJECTIVE = ("a", "number", "any", "on", "with", "of", "all", "more", "only")
_PORTIONS = ("times", "quantities", "portions", "servings")
_SUBJECTS = ("you", "we", "i", "can", "could", "would", "please", "let's", "lets")
_NEEDS = ("need", "needs", "should", "must")
_BEFORE_OBJECT = ("a", "number", "slice", "pronoun", "all")
_NOTHING_SAID = NounPhrase("", False, Span(0, 0, 0))


@dataclass(slots=True)
class _PendingNoun:
    """What was said of a noun that is still to come, from a first term on."""

    said: NounPhrase = _NOTHING_SAID
    first: Term | None = None

    @property
    def stands_alone(self) -> bool:
        """Whether it names something without a noun: "two", "a slice", "another"."""
        said = self.said
        is_marked = said.is_slices or said.wants_all or said.adds or said.is_one_place
        return said.count is not None or is_marked


def read_clauses(terms: Sequence[Term]) -> list[Clause]:
    """Return the clauses of one utterance."""
    clauses: list[Clause] = []
    sentence: list[Term] = []
    for term in terms:
        if not term.is_stop:
            sentence.append(term)
        elif sentence:
            clauses += _ClauseReader(sentence).read()
            if term.text == "?":
                clauses[-1].marks.add("asks")
            sentence = []
    return clauses + (_ClauseReader(sentence).read() if sentence else [])


class _ClauseReader:
    def __init__(self, terms: Sequence[Term]) -> None:
        self._at = _TermWindow(terms)
        self._clauses: list[Clause] = []
        self._start_clause()

    def read(self) -> list[Clause]:
        for number, term in enumerate(self._at.terms):
            self._at.i = number
            self._read_term(term)
        self._end_pronoun()
        return [each for each in self._clauses if each.terms]

    def _start_clause(self) -> None:
        self._clause = Clause(self._at.current.span.utterance)
        self._clauses.append(self._clause)
        self._pending = _PendingNoun()
        self._relation = ""
        self._listed = ""  # the relation that "and" goes on with
        self._is_listed = False
        self._lists_slices = False  # "a slice of lettuce, tomato and potato"
        self._verb = ""
        self._negated = False
        self._only = False

    def _read_term(self, term: Term) -> None:
        if self._starts_clause(term):
            denied = bool(self._at.before_value("not"))
            self._end_pronoun()
            self._start_clause()
            self._negated = denied  # "and do not clean the cups"
        self._clause.terms.append(term)
        nouns = self._read_noun, self._read_measure, self._read_modifier
        verbs_and_links = self._read_verb, self._read_relation, self._read_link
        if not any(read(term) for read in (*nouns, *verbs_and_links)):
            self._clause.marks.update(mark for mark in _MARKS if term.value(mark))

    def _verb_here(self) -> str:
        return self._at.verb_here(bool(self._relation) or self._pending.first is not None)

    def _starts_clause(self, term: Term) -> bool:
        clause = self._clause
        if term.value("then") and not self._at.noun_follows():
            return True
        if self._clause.verbs and self._at.starts_statement():
            return True
        if clause.phrases and self._at.starts_request():
            return True
        if not self._verb_here() or self._at.is_adjective():
            return False
        if clause.phrases and (term.text.endswith("ed") or self._at.is_bare_participle()):
            return False
        has_object = any(each.verb and not each.relation for each in clause.phrases)
        before = self._at.terms[max(0, self._at.i - 2) : self._at.i]
        follows_and = any(each.value("and") or each.text == "," for each in before)
        return bool(clause.phrases) and (has_object or follows_and)

    # Nouns

    def _read_noun(self, term: Term) -> bool:
        what = term.value("thing") or term.value("dish")
        if not what or self._verb_here():
            return False
        if term.value("dish") == "toast" and self._at.next_value("thing") == "Bread":
            return True  # "toast bread": the bread carries it
        if self._relation == "on" and self._is_listed and not is_place(what):
            self._relation = ""  # "in the fridge, and the knife"
        last = self._clause.phrases[-1] if self._clause.phrases else None
        if last is not None and not last.what and last.is_slices and self._at.was_within("of", 3):
            self._clause.phrases[-1] = _slices_of(last, self._phrase(term, what))
        else:
            self._clause.phrases.append(self._phrase(term, what))
        self._lists_slices = self._clause.phrases[-1].is_slices
        self._after_noun()
        return True

    def _phrase(self, term: Term, what: str) -> NounPhrase:
        pending = self._pending
        first = term if pending.first is None else pending.first
        return replace(
            pending.said,
            what=what,
            is_dish=bool(what and term.value("dish") and not term.value("thing")),
            span=Span(term.span.utterance, first.span.start, term.span.end),
            is_plural=term.is_plural,
            is_slices=pending.said.is_slices or (self._lists_slices and bool(what)),
            is_negated=self._negated,
            is_only=self._only,
            relation=self._relation,
            verb=self._verb,
        )

    def _after_noun(self) -> None:
        self._pending = _PendingNoun()
        self._listed, self._relation = self._relation, ""
        self._is_listed = False
        self._only = False

    def _end_pronoun(self) -> None:
        """Make a phrase of a number or a measure that found no noun."""
        first = self._pending.first
        if first is not None and self._pending.stands_alone and not self._at.counts_unknown(first):
            self._clause.phrases.append(self._phrase(first, ""))
            self._after_noun()
        self._pending = _PendingNoun()

    # Measures and modifiers

    def _mark(self, term: Term, **said: Any) -> None:
        pending = self._pending
        pending.first = pending.first or term
        pending.said = replace(pending.said, **said)

    def _read_measure(self, term: Term) -> bool:
        if not term.value("slice"):
            return False
        last, before = (self._clause.phrases or [None])[-1], self._at.before
        if last is not None and before is not None and before.span.end == last.span.end:
            if last.what and self._pending.first is None and not last.is_slices:
                span = Span(last.span.utterance, last.span.start, term.span.end)
                self._clause.phrases[-1] = replace(last, is_slices=True, span=span)
                return True
        if self._verb_here():
            return False
        self._mark(term, is_slices=True)
        return True

    def _read_modifier(self, term: Term) -> bool:
        number = term.value("number") or (term.text if term.text.isdigit() else "")
        if number:
            is_one = self._pending.said.is_one_place or bool(term.value("one_place"))
            count = min(int(number[:_MAX_DIGITS]), _MAX_COUNT)
            self._mark(term, count=count, is_one_place=is_one)
        elif term.value("all"):
            self._mark(term, wants_all=True)
        elif term.value("more") and self._at.noun_follows():
            self._mark(term, adds=term.text not in _ORDER_WORDS)
        elif term.value("any"):
            self._mark(term, is_any=True)
        elif term.value("one_place"):
            self._mark(term, is_one_place=True)
        elif term.value("a") or (term.text in _POINTING and self._at.noun_follows()):
            self._mark(term, is_definite=term.text not in ("a", "an"))
        elif term.value("dirty"):
            self._mark(term, is_dirty=True)
        elif self._at.is_adjective():
            self._mark(term, done_to=self._pending.said.done_to | {term.value("verb")})
        else:
            return False
        return True

    # Verbs

    def _read_verb(self, term: Term) -> bool:
        verb = self._verb_here()
        if not verb:
            return False
        self._end_pronoun()
        self._clause.verbs.append(verb)
        if self._is_passive(term):
            self._apply_passive(verb)
        self._verb = verb
        self._relation = self._listed = ""
        self._lists_slices = False
        return True

    def _is_passive(self, term: Term) -> bool:
        is_past = term.text.endswith(_PAST_ENDINGS) and term.value("verb") != "make"
        is_state = term.text == "clean" and bool(self._at.before_value("be"))
        is_noun = bool(self._at.before_value("a"))  # "needs a wash"
        is_noun = is_noun or self._at.is_needed()  # "needs washing"
        return bool(self._clause.phrases) and (is_past or is_state or is_noun)

    def _apply_passive(self, verb: str) -> None:
        """Add a verb to the last subject or object, and to those listed with it."""
        phrases = self._clause.phrases
        for k in range(len(phrases) - 1, -1, -1):
            if phrases[k].relation:
                continue
            phrases[k] = replace(phrases[k], done_to=phrases[k].done_to | {verb})
            if k == 0 or not self._clause.lists(phrases[k - 1], phrases[k]):
                return

    # Relations and other links

    def _read_relation(self, term: Term) -> bool:
        if term.value("near"):
            self._set_relation("near")
        elif term.value("on"):
            if self._pending.said.is_slices and self._at.next_value("thing") in FOODS:
                return True  # "a slice on tomato" is one of it
            if term.text != "to" or not self._at.leads_to_verb():
                self._set_relation("on")
        elif term.value("with"):
            self._set_relation("with")
            self._negated = False
        elif term.value("of"):
            if self._pending.first is None:
                self._relation = "of"
        else:
            return False
        return True

    def _set_relation(self, relation: str) -> None:
        self._end_pronoun()
        if relation == "on" and self._relation == "near" and self._at.current.text not in _INTO:
            return  # "to the right on the counter" stays near
        self._relation, self._is_listed = relation, False
        self._lists_slices = False
        self._negated = self._negated and not self._clause.phrases

    def _read_link(self, term: Term) -> bool:
        if term.value("there") and "be" not in self._clause.marks:
            self._clause.marks.add("there")
        elif term.value("not") or self._at.leaves_out():
            self._end_pronoun()
            self._negated = True
            self._clause.marks.add("not")
            if term.text in _TAKING_AWAY:
                self._relation = "with"
        elif term.value("only"):
            self._only = True
        elif term.value("and") or term.text in _LIST_MARKS:
            self._end_pronoun()
            self._relation, self._is_listed = self._listed, True
            self._negated = self._negated and term.text not in _LIST_MARKS
        elif term.value("be"):
            self._end_pronoun()
            self._clause.marks.add("be")
        elif term.value("pronoun"):
            if self._pending.said.is_slices:  # "two slices of it"
                self._end_pronoun()
                return True
            self._pending = _PendingNoun(first=term)
            self._clause.phrases.append(self._phrase(term, ""))
            self._after_noun()
        else:
            return False
        return True


def _slices_of(slices: NounPhrase, food: NounPhrase) -> NounPhrase:
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


class _TermWindow:
    """The terms of one sentence, of which those around the current one, `i`, decide what it is."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self.terms = terms
        self.i = 0

    @property
    def current(self) -> Term:
        return self.terms[self.i]

    @property
    def before(self) -> Term | None:
        return self.terms[self.i - 1] if self.i else None

    def before_value(self, kind: WordKind) -> str:
        return self.terms[self.i - 1].value(kind) if self.i else ""

    def next_value(self, kind: WordKind) -> str:
        following = self.terms[self.i + 1 : self.i + 2]
        return following[0].value(kind) if following else ""

    def leads_to_verb(self) -> bool:
        """Return whether a verb follows, known or not: "to get it", "to ge the pan"."""
        after = self.terms[self.i + 1 : self.i + 3]
        if self.next_value("verb"):
            return not self.next_value("thing")
        return len(after) == 2 and not after[0].senses and bool(after[1].value("a"))

    def was_within(self, kind: WordKind, number: int) -> bool:
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
        before = self.before
        return before is not None and before.text == "," and self.current.text in _SUBJECTS

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
        term, before = self.current, self.before
        verb = term.value("verb")
        if verb not in _STATE_VERBS or not self.noun_follows():
            return False
        if verb != "clean":
            return term.text.endswith("ed")
        is_clean = term.text in ("clean", "cleaned", "washed")
        leads = any(self.before_value(kind) for kind in _BEFORE_ADJECTIVE)
        return is_clean and leads and before is not None and before.text != "to"

    def verb_here(self, in_noun: bool) -> str:
        """Return the verb that the current term is, "" for none: "slice" and "water" are nouns too.

        `in_noun` says whether a noun is to come, after a preposition or words such as "two".
        """
        term = self.current
        if self.leaves_out():
            return ""
        if term.text == "water":
            starts = self.next_value("a") or self.next_value("thing") == "HousePlant"
            return "water" if starts else ""
        if term.value("dish") == "toast":
            starts = any(self.next_value(kind) for kind in _BEFORE_OBJECT)
            starts = starts or self.next_value("thing") == "Bread"
            return "toast" if starts and not in_noun else ""
        if term.value("slice"):
            return self._slice_verb(in_noun)
        if term.text == "microwave" and not in_noun:
            heats = any(self.next_value(kind) for kind in _BEFORE_OBJECT)
            if heats or self.next_value("thing") in FOODS:
                return "cook"
        if term.value("thing") or term.value("dish"):
            return ""
        if term.text == "go" and self._follows_noun():
            return "put"  # "the mugs go in the sink"
        return term.value("verb")

    def _follows_noun(self) -> bool:
        return bool(self.before_value("thing") or self.before_value("pronoun"))

    def _object_follows(self) -> bool:
        return any(self.next_value(kind) for kind in ("a", "thing", "pronoun", "number", "all"))

    def _slice_verb(self, in_noun: bool) -> str:
        if self.before_value("thing") and not self._object_follows():
            return ""  # "tomato slice"
        counted = self.before_value("number") or self.before_value("more")
        return "" if in_noun or counted or self.next_value("of") else self.current.value("verb")
