"""A conversation with a person: what they want, what they are told, and when to go on.

Dialogue acts ("stop", "where are you?") are answered, orders for single things are done one after
another, and all other words are read as a dialogue about a task.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tatc.follower.listener import answers, semantic_map
from tatc.home import state
from tatc.language.conversation import (
    act_classifier,
    clause_roles,
    corrections,
    dialogue_acts,
    limits,
    normalization,
    order_reading,
    orders,
    utterance_reading,
)
from tatc.language.understanding import clauses

MAX_ORDERS = 50  # orders that are kept at a time; further ones are not taken
_MAX_NAMED = 12
_MOST_WORDS_OF_ANSWER = 2
LEAST_SURE = 0.35
"""How sure the classifier must be of an act of words that are nothing else, from 0 to 1."""
_ASIDES = frozenset(("no", "wait", "insult", "thank", "greet", "hurry", "praise", "cancel"))
_CONSENTING, _DECLINING = frozenset(("yes", "go_on", "hurry")), frozenset(("no", "stop", "cancel"))
_UNDOING = frozenset(("cancel", "no", "goodbye", "repeat"))

_Read = tuple[tuple[dialogue_acts.Said, ...], order_reading.Reading]


class Conversation:
    """What a person wants and is told; `ends` once they have said goodbye.

    `agenda` is what is to be done, in order: orders, and `TASK` for what the dialogue asks for,
    which `task_words` tell.  Of `open_orders` nobody has said where to put the thing.  `acts` are
    what the last utterance did besides.
    """

    TASK = orders.Order("task")

    def __init__(self, belief: semantic_map.SemanticMap) -> None:
        """Begin before anything was said."""
        self.agenda: list[orders.Order] = []
        self.task_words: tuple[str, ...] = ()
        self.is_paused = self.ends = self.forgets_task = False
        self._about = answers.Answers(belief)
        self._say = self._about.say
        self._replies = deque[str]()
        self._done: list[str] = []
        self._wanted = frozenset[str]()
        self._has_failed = self._is_stopped = self._has_ordered = False
        self._question = self._offered = self._why_failed = ""
        self._choices: list[tuple[str, state.ObjectState]] = []
        self.open_orders: list[orders.Order] = []
        self.acts: list[str] = []
        self._left: list[orders.Order] = []
        self._given: list[orders.Order] = []
        self._used: list[str] = []
        self._named: list[str] = []
        self._last: orders.Order | None = None
        self._answers: dict[str, Callable[[dialogue_acts.Said], str]] = {
            "greet": lambda said: self._say("greet" + "_busy" * bool(self.order), order=self._now),
            "goodbye": lambda said: self._say("goodbye", done=self._summary()),
            "help": lambda said: self._say("help", examples=self._about.offers()),
            "stop": lambda said: self._say("stop" if self.agenda else "stop_idle"),
            "go_on": self._go_on,
            "cancel": self._cancel,
            "repeat": self._repeat,
            "ask_doing": lambda said: self._doing("doing"),
            "ask_why": lambda said: self._why_failed or self._doing("why"),
            "ask_place": lambda said: self._about.own_place(),
            "ask_done": self._progress,
            "ask_seen": lambda said: self._about.seen(said, self._it),
            **dict.fromkeys(("ask_where", "ask_found", "ask_state"), self._about_thing),
        }

    @property
    def order(self) -> orders.Order | None:
        """What is to be done now, None for nothing."""
        return None if self.is_paused or self.ends or not self.agenda else self.agenda[0]

    @property
    def goes_on(self) -> bool:
        """Whether the Follower acts or speaks on before the person has to."""
        return bool(self._replies) or self.ends or self.order is not None

    def take_reply(self) -> str | None:
        """Return the next thing to say, None for nothing."""
        return self._replies.popleft() if self._replies else None

    def hear(self, text: str) -> str:
        """Answer what a person says and take their orders; return the words about a task."""
        text, self.acts = clause_roles.asked(normalization.normalised(text)), []
        offered, self._offered = self._offered, ""
        acts, rest = dialogue_acts.read_acts(text) if offered else ((), text)
        if acts and not rest and {each.act for each in acts} <= _CONSENTING:
            return self._hear(offered)
        if acts and not rest and {each.act for each in acts} <= _DECLINING:
            text = "no"  # which leaves all else as it is
        known = limits.Limited(self._named, bool(self.agenda), self._about.known)
        found = limits.read_limits(text, known)
        for key, words in found.notes:
            self.reply(self._say(key, words=words))
        rest = self._hear(found.text) if found.text or not (found.notes or found.held) else ""
        for key, why, words in found.held:
            told = order_reading.read_orders(words, self._named).orders
            asked = answers.told_orders("will", told) or f'do this: "{words}"'
            self._offered = f"{self._offered}. {words}".strip(". ")
            self.reply(self._say(key, words=why, orders=asked))
        return rest

    def _hear(self, text: str) -> str:
        """Answer what a person says without limits, as `hear` does."""
        choices, self._choices = self._choices, []
        doubted = self.agenda[: bool(choices)]
        if doubted and (chosen := self._about.chosen(text, choices, doubted[0])) is not None:
            self._bind(replace(doubted[0], only=chosen.objectId, is_definite=False))
            self.is_paused = False
            self.reply(self._say("will", orders=f"{self._now} {self._about.where(chosen)}"))
            return ""
        if moved := corrections.reordered(text, self.agenda):
            self.agenda = moved
            self._begin_anew()
            self.reply(self._say("will", orders=self._now))
            return ""
        acts, read = utterance_reading.read_in_parts(text, self._read, whole=bool(self._question))
        is_changed, self._given = bool(read.instead_of), [*read.instead_of] or self._given
        read.orders = [self._about.with_place_before(each, self._used) for each in read.orders]
        self._note_what_is_named(acts, read)
        self._has_ordered = bool(read.orders or read.denied)
        asks, named = bool(read.orders or read.rest), {each.act for each in acts}
        first = read.orders[0] if read.orders else self.TASK
        is_same = is_changed or any(first.thing == e.thing or first.narrows(e) for e in doubted)
        given_up = doubted if named == {"no"} or (read.orders and not is_same) else []
        parts = [
            "Hello!" if asks and each.act == "greet" else said
            for each, said in zip(acts, self._respond(acts), strict=True)
            if not (read.orders and each.act in ("stop", "wait"))  # "wait, get a fork"
            if not (given_up and each.act == "no")
        ]
        dropped = [e for e in self.agenda if e in given_up or any(map(e.is_meant, read.denied))]
        self.agenda = [each for each in self.agenda if each not in dropped]
        self.acts += ["cancel"] * bool(dropped and not self.agenda)
        self.is_paused = self.is_paused and not given_up
        self._choices = choices if doubted and self.agenda[:1] == doubted and self.is_paused else []
        given, notes = self._bound(each for each in read.orders if not each.needs_place)
        self._last = next(iter(read.impossible), self._last)
        if given:
            is_first = self._question or order_reading.pattern("at_first").search(text.lower())
            self._take(given, is_changed=is_changed, is_first=bool(is_first))
        opens = not dropped and {each.skill for each in read.denied} == {"open"}
        touched = not dropped and all(each.skill == orders.LOOK_AT for each in read.denied)
        kinds = (
            (("untouched" if touched else "will_not") + "_open" * opens, dropped or read.denied),
            ("will_instead" if is_changed else "will", given),
            ("impossible", read.impossible),
            ("where_to", self.open_orders),
        )
        if self.open_orders and (place := order_reading.find("place", text)):
            parts.append(self._say("no_such_thing", words=place[1]))
        told = (self._say(key, orders=answers.told_orders(key, e)) for key, e in kinds if e)
        parts += [*notes, *told, self._which_of(given)]
        if words := " ".join(filter(None, parts)):
            self.reply(words)
        elif not read.rest:
            self.reply(self._say("what"))
        is_talk = act_classifier.is_small_talk(read.rest)
        if read.rest and (is_talk or order_reading.find("narrative", read.rest)):
            self.reply(self._about.unclear(read.rest))
            return ""
        return read.rest

    def _note_what_is_named(self, acts: Sequence[object], read: order_reading.Reading) -> None:
        still = self.open_orders if acts and not read.orders else []
        self.open_orders = [each for each in read.orders if each.needs_place] or still
        told = (*read.orders, *read.impossible)
        self._note(*(what for each in told for what in orders.names_in(each)))
        if not (told or acts):
            self._note(dialogue_acts.noun_in(read.rest)[0])

    def _which_of(self, given: Sequence[orders.Order]) -> str:
        """Ask which of several things the order that is next means, "" if that is plain."""
        if not given or given[0] is not self.order or not (found := self._about.choices(given[0])):
            return ""
        self.is_paused, self._choices = True, found
        among = answers.listed((words for words, _ in found), "or")
        return self._say("which_of", thing=orders.noun(given[0].thing), choices=among)

    def _read(self, text: str) -> _Read:
        """Return acts and orders, with those in whose place they stand."""
        if left_out := utterance_reading.taken_back(text, self.agenda):
            return (), order_reading.Reading(denied=left_out)
        dish = utterance_reading.dish_given_up(text)
        is_all = not self.agenda and "." not in text  # "never mind the toast", and nothing else
        if dish and (is_all or self.TASK in self.agenda):
            return (), order_reading.Reading(rest=f"forget the {dish}")
        acts, read = utterance_reading.read_utterance(text, self._named, self.agenda)
        if any(e.act == "cancel" for e in acts) and not (text := dialogue_acts.read_acts(text)[1]):
            return acts, read  # but not "forget it, get a fork instead"
        if read.orders:  # "a fork, that's all"
            acts = tuple(each for each in acts if each.act != "goodbye")
        parts = filter(dialogue_acts.names_any, order_reading.pattern("breaks").split(text))
        is_answer = self._question and not order_reading.skill_of_verb(next(parts, text))
        is_more = self.agenda[-1:] == [self.TASK] and order_reading.find("of_dish", text)
        if not acts and (is_answer or is_more):
            return (), order_reading.Reading(rest=text)
        if not acts and (found := utterance_reading.completed(text, self.open_orders)) is not None:
            return (), found
        is_aside = not {each.act for each in acts} - _ASIDES and not dialogue_acts.act_of(text)
        return self._by_context(text, acts, read) if is_aside else (acts, read)

    def _by_context(
        self, text: str, acts: tuple[dialogue_acts.Said, ...], read: order_reading.Reading
    ) -> _Read:
        """Return what words mean by the orders before them, as `_read` does."""
        if dropped := utterance_reading.left_alone(text, self.agenda):
            return acts, order_reading.Reading(denied=dropped)
        known = corrections.spoken_of(text, self._last, self.agenda)
        found = ((each, corrections.corrected(text, each)) for each in known)
        spoken_of, changed = next((pair for pair in found if pair[1]), (None, read.orders))
        if spoken_of is not None:
            old = tuple(self._given) if spoken_of == self._last else ()
            aside = tuple(each for each in acts if each.act not in ("no", "wait"))
            return aside, order_reading.Reading(changed, instead_of=old or (spoken_of,))
        last = self._last or orders.Order(orders.PICK_UP)
        if not self._has_failed and (moved := corrections.moved_on(text, last)):
            return acts, order_reading.Reading(moved)
        same = utterance_reading.with_the_same_verb(text, last, self._named, self.agenda)
        names = ("too", "and_the", "beside_it", *(("there", "and_more") if last.place else ()))
        goes_on = any(order_reading.find(each, text) for each in names)
        is_too = goes_on and same[:1] and same[0].skill == last.skill
        is_new = is_too and not order_reading.skill_of_verb(text)
        is_new = is_new or not (read.orders or read.denied)
        read = order_reading.Reading(same) if same and is_new else read
        is_cancelled = any(each.act == "cancel" for each in acts)
        if not is_cancelled and (change := self._change(text, read)) is not None:
            return acts, change
        return acts, read

    def _change(self, text: str, read: order_reading.Reading) -> order_reading.Reading | None:
        """Return what words change by the orders before them, None for nothing."""
        if self._last is None or self._has_failed:
            return None
        has_verb = bool(order_reading.skill_of_verb(text))
        adds = self._last in self.agenda and order_reading.find("one_more", text)
        adds = adds and read.orders and read.orders[0].thing == self._last.thing
        if read.orders and not has_verb and (adds or order_reading.find("only", text)):
            read = order_reading.Reading(rest=text)  # "just the spoon" may keep that alone
        if read.orders:
            old = utterance_reading.replaced(text, read.orders[0], self.agenda)
            return replace(read, instead_of=(old,)) if old else None
        return utterance_reading.read_in_context(read, self._last, self.agenda, self._named)

    def _take(self, given: list[orders.Order], *, is_changed: bool, is_first: bool) -> None:
        """Put orders on the agenda: after what is there, or in its place or before it."""
        if self._is_stopped and not (is_first or is_changed):
            self._left, self.agenda = self.agenda, []
        self._begin_anew()
        replaces = is_changed or (self._last is not None and given[0].narrows(self._last))
        dropped = self._given[-len(given) :] if replaces else []
        first = is_first or is_changed
        wanted = corrections.with_given(self.agenda, given, dropped, first=first)
        self.agenda = orders.without_needless(wanted)[:MAX_ORDERS]
        self._last, self._given = given[-1], given

    def _bound(self, given: Iterable[orders.Order]) -> tuple[list[orders.Order], list[str]]:
        """Return orders with what they mean in this home, and what is to be said of that."""
        bound, notes = list[orders.Order](), list[str]()
        for order in given:
            is_later = any(order.which == orders.OTHER and order.thing == e.thing for e in bound)
            found = order if is_later else self._about.meant_by(order, self._used)
            is_unknown, key = bool(order.which) and found is order and not is_later, "no_other"
            if is_unknown and order.which in orders.order_table()["attributes"]:
                key, found = "no_attribute", replace(order, which="")
            if is_unknown or (order.skill == orders.PICK_UP and order.count != 1):
                thing = orders.noun(order.thing)
                notes.append(
                    self._say(key if is_unknown else "one_hand", thing=thing, which=order.which)
                )
            bound += [found] if is_later or order.which != orders.OTHER or found.only else []
        return bound, notes

    def _begin_anew(self) -> None:
        """Go on, without what has failed before."""
        if self._has_failed:
            self.agenda = self.agenda[1:]
        self.is_paused = self._is_stopped = self._has_failed = False

    def _respond(self, acts: Sequence[dialogue_acts.Said]) -> list[str]:
        """Return answers to dialogue acts; pause, go on or end as they ask."""
        named = {said.act for said in acts}
        resumes = named == {"yes"} or ("back" in named and not self._is_stopped)
        if resumes and self.is_paused and self.agenda and not self._question:  # "wait", "ok now"
            acts = [replace(e, act="go_on") if e.act in ("yes", "back") else e for e in acts]
            named = {each.act for each in acts}
        self.acts += sorted(named)
        if named & {"go_on", "cancel"}:
            self.is_paused = self._is_stopped = self._has_failed = False
        elif named & {"stop", "wait"}:
            self.is_paused, self._is_stopped = True, "stop" in named
        self.ends = "goodbye" in named
        return [self._answer(said) for said in acts]

    def hear_task(
        self, words: str, task_words: tuple[str, ...], *, is_news: bool, is_hint: bool
    ) -> None:
        """Tell what other words did: a task that is new or changed, a hint, or nothing."""
        self.is_paused = self.is_paused and not (is_news or is_hint)
        answered, self._question = bool(self._question), ""
        guessed = None if is_news or is_hint else act_classifier.guessed_act(words, LEAST_SURE)
        before, told = "; ".join(self.task_words), "; ".join(task_words)
        named = [each for each in clauses.DISH_NAMES if each in words.lower()] if is_news else []
        if gone := [each for each in named if each in before and each not in told]:
            self.reply(self._say("leaves_dish", orders=answers.listed(gone)))
        if is_news and task_words:
            self._begin_anew()
            self.task_words = task_words
            self.agenda += [self.TASK] * (self.TASK not in self.agenda)
            name = "".join(f"{each}: " for each in named if each not in f"{before}{told}")
            self.reply(self._say("will", orders=f"do this: {name}{told}"))
            if unread := utterance_reading.unread_parts(words):
                self.reply(self._say("leaves_out", words=answers.listed(unread)))
        elif is_news:
            self.agenda = [each for each in self.agenda if each is not self.TASK]
            self.acts += ["cancel"] * (not self.agenda)
            if not gone:
                self.reply(self._say("cancel"))
        elif is_hint or (answered and len(words.split()) <= _MOST_WORDS_OF_ANSWER):
            self.is_paused = False
            unread = [] if is_hint else utterance_reading.unread_parts(words)  # "with ketchup"
            key = "tells" if is_hint else "leaves_out" if unread else "yes"
            self.reply(self._say(key, words=answers.listed(unread)))
        elif guessed is not None:  # or else says why: "drop the spoon, I've got one"
            if not (guessed.act in _UNDOING and (self._has_ordered or self.acts)):
                self.reply(" ".join(self._respond([guessed])) or self._say("what"))
        else:
            self.reply(self._about.unclear(words))

    def prompt(self) -> None:
        """Ask for something to do."""
        self.reply(self._say("what_next" if self._done else "what"))

    def ask(self, question: str) -> None:
        """Ask about a task, and wait for the answer."""
        self.is_paused, self._question = True, question
        self.reply(question)

    @property
    def has_done_task(self) -> bool:
        """Whether a task was asked for and is done."""
        return bool(self.task_words) and self.TASK not in self.agenda

    def reply(self, words: str) -> None:
        """Say something as soon as it is the Follower's turn."""
        self._replies.append(words)

    def note_seen(self) -> None:
        """Take for "the dirty mug" the first one that is seen to be so."""
        first = self.agenda[0] if self.agenda else self.TASK
        if first.which not in ("", orders.OTHER) and not first.only:
            self._bind(self._about.meant_by(first, self._used))

    def _bind(self, found: orders.Order) -> None:
        """Put the order that is next as what it means, wherever it is kept."""
        old, self.agenda[0] = self.agenda[0], found
        self._last = found if self._last is old else self._last
        self._given = [found if each is old else each for each in self._given]

    def note_stretch(self, wanted: frozenset[str]) -> None:
        """Note what a stretch looks for, nothing if it acts, and tell it where that is new."""
        if wanted and wanted != self._wanted:
            self.reply(self._say("looking", things=answers.any_of(wanted)))
        self._wanted = wanted

    def finish(self, *, was_so: bool) -> None:
        """Tell that what was to be done is done; `was_so` if nothing had to be done for it."""
        order, told = self.agenda[0], self._now
        if order.is_beside:  # what it is put beside was found
            self.agenda[0] = self._about.meant_by(order, self._used)
            return
        done = self._told(order, done=True)
        self.agenda.pop(0)
        self._wanted, self._why_failed = frozenset[str](), ""
        thing, known = orders.noun(order.thing), self._about.known(order.thing)
        self._used += [order.only or each.objectId for each in known[:1]]
        others = [e for e in self.agenda[:1] if e.which == orders.OTHER and not e.only]
        self.agenda[: len(others)], notes = self._bound(others)  # now that one was used
        key = {orders.PICK_UP: "done_have", orders.GO_TO: "done_at"}.get(order.skill, "done")
        is_lost = order.skill == orders.LOOK_AT and not known
        if order.skill == orders.PUT_DOWN:
            key = "done_hand_empty" if was_so else "put_down"
        elif order.skill == orders.LOOK_AT:
            key = "done_look"
        elif was_so and key == "done" and order is not self.TASK:
            key = "done_was"
        else:
            self._done.append(done)
        where = self._about.where(known[0]) if known else ""
        words = " ".join((self._say(key, thing=thing, where=where, order=told, done=done), *notes))
        words = self._about.lost({order.thing}, order) if is_lost else words  # "all the spoons"
        self.reply(words if self.agenda else f"{words} {self._say('what_next')}")
        if self._question and self.agenda[:1] == [self.TASK]:
            self.ask(self._question)  # which another order came before

    def fail(self, missing: frozenset[str], why: str) -> None:
        """Tell that what was to be done cannot be done; go on with the next, or wait."""
        self._wanted = frozenset[str]()
        lost = self._about.lost(missing, self.agenda[0]) if missing else ""
        words = lost or self._say("failed", order=self._now, reason=why)
        self._why_failed = words
        if self.agenda[1:]:
            self.agenda.pop(0)
            self.reply(f"{words} {self._say('go_on', order=self._now)}")
        else:
            self.is_paused = self._has_failed = True
            self.reply(words if missing else f"{words} {self._say('failed_hint')}")

    @property
    def told_agenda(self) -> tuple[str, ...]:
        """What is to be done, in plain words."""
        return tuple(map(self._told, self.agenda))

    def belief_words(self) -> str:
        """Return what is believed and wanted, in one line."""
        return f"{self._about.belief_words()}; is to {answers.listed(self.told_agenda) or 'wait'}"

    @property
    def _now(self) -> str:
        return self._told(self.agenda[0]) if self.agenda else ""

    def _told(self, order: orders.Order, *, done: bool = False) -> str:
        task = f"{'done' if done else 'do'} this: {'; '.join(self.task_words)}"
        return task if order is self.TASK else order.told(done=done)

    def _answer(self, said: dialogue_acts.Said) -> str:
        self._note(said.thing, said.thing)  # which "them" may be
        answer = self._answers.get(said.act)
        return self._say(said.act) if answer is None else answer(said)

    def _note(self, *things: str) -> None:
        """Note what was named: "it" may be any of these."""
        if said := [each for each in things if each]:
            self._named = [*self._named, "", *said][-_MAX_NAMED:]

    def _go_on(self, said: dialogue_acts.Said) -> str:
        if not self.agenda:  # then what was left for another order
            self.agenda, self._left = self._left, []
        return self._say("go_on" if self.agenda else "nothing_to_go_on", order=self._now)

    def _cancel(self, said: dialogue_acts.Said) -> str:
        had, self.agenda, self._left, self.forgets_task = bool(self.agenda), [], [], True
        return self._say("cancel" if had else "nothing_to_cancel")

    def _repeat(self, said: dialogue_acts.Said) -> str:
        if self._last is None:
            return self._say("nothing_to_repeat")
        last, more = self._last, order_reading.find("number_more", said.words)
        if more and last in self.agenda and last.count:
            self.agenda[self.agenda.index(last)] = self._last = replace(last, count=last.count + 1)
        else:
            self.agenda.append(last)
        self._given = [self._last]
        return self._say("will", orders=self._last.told())

    def _doing(self, key: str) -> str:
        if not self.agenda:
            return self._say(f"{key}_nothing")
        if self.is_paused and key == "doing":
            return self._say("doing_paused", order=self._now)
        if self._wanted:
            return self._say(f"{key}_search", order=self._now, things=answers.any_of(self._wanted))
        now = answers.listed(self.told_agenda[: answers.MAX_NAMED])
        return self._say(key, order=now if key == "doing" else self._now)

    def _progress(self, said: dialogue_acts.Said) -> str:
        if self.agenda:
            left = answers.listed(map(self._told, self.agenda))
            return f"{self._summary()} {self._say('done_not_yet', orders=left)}".strip()
        key = "done_all" if self._done else "done_nothing"
        return f"{self._say(key)} {self._summary()}".strip()

    def _summary(self) -> str:
        return f"I have {answers.listed(self._done)}." if self._done else ""

    def _about_thing(self, said: dialogue_acts.Said) -> str:
        skill = orders.order_table()["stated"].get(said.state, "")
        able = (each for each in reversed(self._named) if orders.Order(skill, each).is_possible)
        return self._about.about_thing(said, next(able, self._it))

    @property
    def _it(self) -> str:
        """What was named last, "" for nothing."""
        return next(reversed(self._named), "")
