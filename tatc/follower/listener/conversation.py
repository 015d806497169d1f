"""A conversation with a person: what they want, what they are told, and when to go on.

Dialogue acts ("stop", "where are you?") are answered, orders for single things are done one after
another, and all other words are read as a dialogue about a task.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from tatc.follower.listener import answers, semantic_map
from tatc.home import state
from tatc.language.conversation import act_classifier, dialogue_acts, order_words, orders
from tatc.language.conversation.agenda import TASK, Agenda
from tatc.language.conversation.clause_roles import asked
from tatc.language.conversation.context_reading import read_in_turn
from tatc.language.conversation.corrections import reordered
from tatc.language.conversation.limits import Limited, read_limits
from tatc.language.conversation.normalization import normalised
from tatc.language.conversation.order_reading import read_orders
from tatc.language.conversation.utterance_reading import read_in_parts, unread_parts
from tatc.language.understanding import clauses

_MOST_WORDS_OF_ANSWER = 2
LEAST_SURE = 0.35
"""How sure the classifier must be of an act of words that are nothing else, from 0 to 1."""
_CONSENTING, _DECLINING = frozenset(("yes", "go_on", "hurry")), frozenset(("no", "stop", "cancel"))
_UNDOING = frozenset(("cancel", "no", "goodbye", "repeat"))


class Conversation:
    """What a person wants and is told; `ends` once they have said goodbye.

    `acts` are what the last utterance did beside what it put on the `agenda`.
    """

    def __init__(self, belief: semantic_map.SemanticMap) -> None:
        """Begin before anything was said."""
        self.agenda = Agenda()
        self.ends = self.forgets_task = self._has_ordered = False
        self._about, self._belief = answers.Answers(belief), belief
        self._say = self._about.say
        self._replies = deque[str]()
        self._done: list[tuple[orders.Order, str]] = []
        self._wanted = frozenset[str]()
        self._question = self._offered = self._why_failed = ""
        self._choices: list[tuple[str, state.ObjectState]] = []
        self.acts: list[str] = []
        self._answers: dict[str, Callable[[dialogue_acts.Said], str]] = {
            "greet": self._greet,
            "goodbye": lambda said: self._say("goodbye", done=self._summary()),
            "help": lambda said: self._say("help", examples=self._about.offers()),
            "stop": lambda said: self._say("stop" if self.agenda.orders else "stop_idle"),
            "go_on": self._go_on,
            "cancel": self._cancel,
            "repeat": self._repeat,
            "ask_doing": lambda said: self._doing("doing"),
            "ask_why": lambda said: self._why_failed or self._doing("why"),
            "ask_cause": self._cause,
            "ask_place": lambda said: self._about.own_place(),
            "ask_done": self._progress,
            "ask_seen": lambda said: self._about.seen(said, self.agenda.it),
            **dict.fromkeys(("ask_where", "ask_found", "ask_state"), self._about_thing),
        }

    @property
    def order(self) -> orders.Order | None:
        """What is to be done now, None for nothing."""
        return None if self.ends else self.agenda.next

    @property
    def goes_on(self) -> bool:
        """Whether the Follower acts or speaks on before the person has to."""
        return bool(self._replies) or self.ends or self.order is not None

    def take_reply(self) -> str | None:
        """Return the next thing to say, None for nothing."""
        return self._replies.popleft() if self._replies else None

    def hear(self, text: str) -> str:
        """Answer what a person says and take their orders; return the words about a task."""
        self._about.typed = text
        text, self.acts = asked(normalised(text)), []
        offered, self._offered = self._offered, ""
        acts, rest = dialogue_acts.read_acts(text) if offered else ((), text)
        if acts and not rest and {each.act for each in acts} <= _CONSENTING:
            return self._hear(offered)
        if acts and not rest and {each.act for each in acts} <= _DECLINING:
            text = "no"  # which leaves all else as it is
        known = Limited(self.agenda.named, bool(self.agenda.orders), self._about.known)
        found = read_limits(text, known)
        for key, words in found.notes:
            self.reply(self._say(key, words=words))
        rest = self._hear(found.text) if found.text or not (found.notes or found.held) else ""
        for key, why, words in found.held:
            told = answers.told_orders("will", read_orders(words, self.agenda.named).orders)
            told = told or f'do this: "{self._about.quoted(words)}"'
            self._offered = f"{self._offered}. {words}".strip(". ")
            self.reply(self._say(key, words=why, orders=told))
        return rest

    def _hear(self, text: str) -> str:
        """Answer what a person says without limits, as `hear` does."""
        agenda, is_question = self.agenda, bool(self._question)
        choices, self._choices = self._choices, []
        if settled := self._settled(text, choices):
            self.reply(self._say("will", orders=settled))
            return ""
        doubted = agenda.orders[: bool(choices)]
        reads = partial(read_in_turn, agenda=agenda, is_answer_due=is_question)
        acts, read = read_in_parts(text, reads, whole=is_question)
        is_changed, agenda.given = bool(read.instead_of), [*read.instead_of] or agenda.given
        read.orders = [self._about.with_place_before(each, agenda.used) for each in read.orders]
        agenda.note_read(acts, read)
        self._has_ordered = bool(read.orders or read.denied)
        asks, named = bool(read.orders or read.rest), {each.act for each in acts}
        first = read.orders[0] if read.orders else TASK
        is_same = is_changed or any(first.thing == e.thing or first.narrows(e) for e in doubted)
        given_up = doubted if named == {"no"} or (read.orders and not is_same) else []
        parts = [
            "Hello!" if asks and each.act == "greet" else said
            for each, said in zip(acts, self._respond(acts), strict=True)
            if not (read.orders and each.act in ("stop", "wait"))  # "wait, get a fork"
            if not (given_up and each.act == "no")
        ]
        dropped = [e for e in agenda.orders if e in given_up or any(map(e.is_meant, read.denied))]
        agenda.orders = [each for each in agenda.orders if each not in dropped]
        self.acts += ["cancel"] * bool(dropped and not agenda.orders)
        agenda.is_paused = agenda.is_paused and not given_up
        is_open = doubted and agenda.orders[:1] == doubted and agenda.is_paused
        self._choices = choices if is_open else []
        given, notes = self._bound(each for each in read.orders if not each.needs_place)
        agenda.last = next(iter(read.impossible), agenda.last)
        if given:
            is_first = is_question or order_words.pattern("at_first").search(text.lower())
            agenda.take(given, is_changed=is_changed, is_first=bool(is_first))
        opens = not dropped and {each.skill for each in read.denied} == {"open"}
        touched = not dropped and all(each.skill == orders.LOOK_AT for each in read.denied)
        kinds = (
            (("untouched" if touched else "will_not") + "_open" * opens, dropped or read.denied),
            ("will_instead" if is_changed else "will", given),
            ("impossible", read.impossible),
            ("where_to", agenda.open_orders),
        )
        if agenda.open_orders and (place := order_words.find("place", text)):
            parts.append(self._say("no_such_thing", words=place[1]))
        told = (self._say(key, orders=answers.told_orders(key, e)) for key, e in kinds if e)
        parts += [*notes, *told, self._which_of(given)]
        if words := " ".join(filter(None, parts)):
            self.reply(words)
        elif not read.rest:
            self.reply(self._say("what"))
        is_talk = act_classifier.is_small_talk(read.rest)
        if read.rest and (is_talk or order_words.find("narrative", read.rest)):
            self.reply(self._about.unclear(read.rest))
            return ""
        return read.rest

    def _settled(self, text: str, choices: Sequence[tuple[str, state.ObjectState]]) -> str:
        """Take words that only choose one of several things, or tell what is done first."""
        agenda, doubted = self.agenda, self.agenda.orders[: bool(choices)]
        if doubted and (chosen := self._about.chosen(text, choices, doubted[0])) is not None:
            agenda.bind(replace(doubted[0], only=chosen.objectId, is_definite=False))
            agenda.is_paused = False
            return f"{agenda.now} {self._about.where(chosen)}"
        if moved := reordered(text, agenda.orders):
            agenda.orders = moved
            agenda.begin_anew()
            return agenda.now
        return ""

    def _which_of(self, given: Sequence[orders.Order]) -> str:
        """Ask which of several things the order that is next means, "" if that is plain."""
        if not given or given[0] is not self.order:
            return ""
        self.note_seen()
        if not (found := self._about.choices(self.agenda.orders[0])):
            return ""
        self.agenda.is_paused, self._choices = True, found
        among = answers.listed((words for words, _ in found), "or")
        return self._say("which_of", thing=orders.noun(given[0].thing), choices=among)

    def _bound(self, given: Iterable[orders.Order]) -> tuple[list[orders.Order], list[str]]:
        """Return orders with what they mean in this home, and what is to be said of that."""
        bound, notes = list[orders.Order](), list[str]()
        for order in given:
            if self._about.has_used_all(order, self.agenda.used):
                notes.append(self._say("no_other", thing=orders.noun(order.place)))
                continue
            is_later = any(order.which == orders.OTHER and order.thing == e.thing for e in bound)
            found = order if is_later else self._about.meant_by(order, self.agenda.used)
            if order.is_beside and not found.is_beside:
                mark, place = map(orders.noun, (order.place, found.place))
                notes.append(self._say("beside", thing=mark, place=place))
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

    def _respond(self, acts: Sequence[dialogue_acts.Said]) -> list[str]:
        """Return answers to dialogue acts; pause, go on or end as they ask."""
        named = {said.act for said in acts}
        resumes = named == {"yes"} or ("back" in named and not self.agenda.is_stopped)
        if resumes and self.agenda.is_paused and self.agenda.orders and not self._question:
            # "Wait", "ok now".
            acts = [replace(e, act="go_on") if e.act in ("yes", "back") else e for e in acts]
            named = {each.act for each in acts}
        self.acts += sorted(named)
        if named & {"go_on", "cancel"}:
            self.agenda.is_paused = self.agenda.is_stopped = self.agenda.has_failed = False
        elif named & {"stop", "wait"}:
            self.agenda.is_paused, self.agenda.is_stopped = True, "stop" in named
        self.ends = "goodbye" in named
        return [self._answer(said) for said in acts]

    def hear_task(
        self, words: str, task_words: tuple[str, ...], *, is_news: bool, is_hint: bool
    ) -> None:
        """Tell what other words did: a task that is new or changed, a hint, or nothing."""
        self.agenda.is_paused = self.agenda.is_paused and not (is_news or is_hint)
        answered, self._question = bool(self._question), ""
        guessed = None if is_news or is_hint else act_classifier.guessed_act(words, LEAST_SURE)
        before, told = "; ".join(self.agenda.task_words), "; ".join(task_words)
        named = [each for each in clauses.DISH_NAMES if each in words.lower()] if is_news else []
        if gone := [each for each in named if each in before and each not in told]:
            self.reply(self._say("leaves_dish", orders=answers.listed(gone)))
        if is_news and task_words:
            self.agenda.begin_anew()
            self.agenda.task_words = task_words
            self.agenda.orders += [TASK] * (TASK not in self.agenda.orders)
            new = [] if "instead" in words else named  # which names what is taken back too
            name = "".join(f"{each}: " for each in new if each not in f"{before}{told}")
            self.reply(self._say("will", orders=f"do this: {name}{told}"))
            if unread := unread_parts(words):
                self.reply(self._say("leaves_out", words=answers.listed(unread)))
        elif is_news:
            self.agenda.orders = [each for each in self.agenda.orders if each is not TASK]
            self.acts += ["cancel"] * (not self.agenda.orders)
            if not gone:
                self.reply(self._say("cancel"))
        elif is_hint or (answered and len(words.split()) <= _MOST_WORDS_OF_ANSWER):
            self.agenda.is_paused = False
            unread = [] if is_hint else unread_parts(words)  # "with ketchup"
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
        self.agenda.is_paused, self._question = True, question
        self.reply(question)

    @property
    def has_done_task(self) -> bool:
        """Whether a task was asked for and is done."""
        return bool(self.agenda.task_words) and TASK not in self.agenda.orders

    def reply(self, words: str) -> None:
        """Say something as soon as it is the Follower's turn."""
        self._replies.append(words)

    def note_seen(self, begun: orders.Order | None = None) -> None:
        """Take for "it" what was used last, for "the dirty mug" the first one seen to be so.

        The order that is `begun` goes on with the thing that it began with.
        """
        first = self.agenda.orders[0] if self.agenda.orders else TASK
        found = self._about.used_last(first, self.agenda.used, is_begun=first is begun)
        if first.which not in ("", orders.OTHER) and not first.only:
            found = self._about.meant_by(first, self.agenda.used)
        if found is not first:
            self.agenda.bind(found)

    def note_failure(self) -> bool:
        """Let any other do for what is carried, is meant as the one used last and cannot be had.

        Return whether there was such an order.
        """
        first = self.agenda.next
        is_bound = first is not None and first.only and (first.is_it or first.is_definite)
        if first is None or not is_bound or first.which or not first.is_carried:
            return False
        self.agenda.bind(replace(first, only="", is_it=False, is_definite=False))
        return True

    def note_stretch(self, wanted: frozenset[str]) -> None:
        """Note what a stretch looks for, nothing if it acts, and tell it where that is new."""
        if wanted and wanted != self._wanted:
            place = self.agenda.orders[0].place if self.agenda.orders else ""
            named = {place if e in orders.types_named(place) else e for e in wanted}
            self.reply(self._say("looking", things=answers.any_of(named)))
        self._wanted = wanted

    def finish(self, touched: Sequence[str]) -> None:
        """Tell that what was to be done is done, and note which objects were `touched` for it."""
        order, told = self.agenda.orders[0], self.agenda.now
        if order.is_beside:  # what it is put beside was found
            self.agenda.orders[0] = self._about.meant_by(order, self.agenda.used)
            return
        done = self.agenda.told(order, done=True)
        self.agenda.orders.pop(0)
        self._wanted, self._why_failed = frozenset[str](), ""
        thing, known = orders.noun(order.thing), self._about.known(order.thing)
        names = [each.objectId for each in self._about.known(order.used_thing)]
        met = [each for each in touched if each in names] or names[: len(names) == 1]
        last = order.only or "".join(met[-1:])
        places = [each.objectId for each in self._about.known(order.place)]
        came_from = self._belief.taken_from.get(last, "")
        self.agenda.used += [came_from, *(e for e in touched if e in places)]
        self.agenda.used += [*filter(None, (order.at, last))]
        begun = self.agenda.orders[:1]
        others = [e for e in begun if orders.OTHER in (e.at, e.which * (not e.only))]
        self.agenda.orders[: len(others)], notes = self._bound(others)  # now that one was used
        key = {orders.PICK_UP: "done_have", orders.GO_TO: "done_at"}.get(order.skill, "done")
        is_lost = order.skill == orders.LOOK_AT and not known
        was_so = not touched
        if order.skill == orders.PUT_DOWN:
            key = "done_hand_empty" if was_so else "put_down"
        elif order.skill == orders.LOOK_AT:
            key = "done_look"
        elif was_so and key == "done" and order is not TASK:
            key = "done_was"
        else:
            self._done.append((order, done))
        where = self._about.where(known[0]) if known else ""
        if order is TASK:
            self._note_served(touched)
        words = " ".join((self._say(key, thing=thing, where=where, order=told, done=done), *notes))
        words = self._about.lost({order.thing}, order) if is_lost else words  # "all the spoons"
        self.reply(words if self.agenda.orders else f"{words} {self._say('what_next')}")
        if self._question and self.agenda.orders[:1] == [TASK]:
            self.ask(self._question)  # which another order came before

    def _note_served(self, touched: Sequence[str]) -> None:
        """Note the last dish that was touched for a task, or else what else was carried: "it"."""
        seen = filter(None, map(self._belief.get, touched))
        met = [orders.Order(orders.LOOK_AT, e.objectType, only=e.objectId) for e in seen]
        carried = [each for each in met if each.is_carried]
        last = ([e for e in carried if orders.is_place(e.thing)] or carried)[-1:]
        self.agenda.used += [each.only for each in last]
        self.agenda.note(*(each.thing for each in last))

    def fail(self, missing: frozenset[str], why: str) -> None:
        """Tell that what was to be done cannot be done; go on with the next, or wait."""
        self._wanted = frozenset[str]()
        order, choices = self.agenda.orders[0], self._about.surfaces()
        lost = self._about.lost(missing, order) if missing else ""
        if choices and not missing.isdisjoint(orders.types_named(order.place)):
            self.agenda.open_orders = [replace(order, place="", at="")]
            names = [*dict.fromkeys(f"on the {orders.noun(e.objectType)}" for e in choices)]
            self._offered = names[0]  # which completes the open order
            among = answers.listed(names[: answers.MAX_NAMED], "or")
            lost = self._say("lost_place", thing=orders.noun(order.place), choices=among)
        words = lost or self._say("failed", order=self.agenda.now, reason=why)
        self._why_failed = words
        if self.agenda.orders[1:]:
            self.agenda.orders.pop(0)
            self.reply(f"{words} {self._say('go_on', order=self.agenda.now)}")
        else:
            self.agenda.is_paused = self.agenda.has_failed = True
            self.reply(words if missing else f"{words} {self._say('failed_hint')}")

    def belief_words(self) -> str:
        """Return what is believed and wanted, in one line."""
        return (
            f"{self._about.belief_words()}; is to {answers.listed(self.agenda.told_all) or 'wait'}"
        )

    def _answer(self, said: dialogue_acts.Said) -> str:
        self.agenda.note(said.thing, said.thing)  # which "them" may be
        answer = self._answers.get(said.act)
        return self._say(said.act) if answer is None else answer(said)

    def _greet(self, said: dialogue_acts.Said) -> str:
        return self._say("greet" + "_busy" * bool(self.order), order=self.agenda.now)

    def _go_on(self, said: dialogue_acts.Said) -> str:
        if not self.agenda.orders:  # then what was left for another order
            self.agenda.orders, self.agenda.left = self.agenda.left, []
        return self._say(
            "go_on" if self.agenda.orders else "nothing_to_go_on", order=self.agenda.now
        )

    def _cancel(self, said: dialogue_acts.Said) -> str:
        key = "cancel" if self.agenda.orders else "nothing_to_cancel"
        self.agenda.orders, self.agenda.left, self.forgets_task = [], [], True
        return self._say(key)

    def _repeat(self, said: dialogue_acts.Said) -> str:
        agenda, last = self.agenda, self.agenda.last
        if last is None:
            return self._say("nothing_to_repeat")
        if order_words.find("number_more", said.words) and last in agenda.orders and last.count:
            at = agenda.orders.index(last)
            last = agenda.last = agenda.orders[at] = replace(last, count=last.count + 1)
        else:
            agenda.orders.append(last)
        agenda.given = [last]
        return self._say("will", orders=last.told())

    def _cause(self, said: dialogue_acts.Said) -> str:
        if said.unknown:
            return self._say("no_such_thing", words=said.unknown.removeprefix("the "))
        thing = orders.noun(kind := said.thing or self.agenda.it)
        own = [
            told
            for order, told in self._done
            if order.brings_about(said.state, kind) or (order is TASK and f"{thing} " in f"{told} ")
        ]
        key = "cause_own" if own and kind else "cause" if kind else "which_thing"
        return self._say(key, done="".join(own[-1:]), thing=thing, state=said.state)

    def _doing(self, key: str) -> str:
        if not self.agenda.orders:
            return self._say(f"{key}_nothing")
        if self.agenda.is_paused and key == "doing":
            return self._say("doing_paused", order=self.agenda.now)
        if self._wanted:
            return self._say(
                f"{key}_search", order=self.agenda.now, things=answers.any_of(self._wanted)
            )
        now = answers.listed(self.agenda.told_all[: answers.MAX_NAMED])
        return self._say(key, order=now if key == "doing" else self.agenda.now)

    def _progress(self, said: dialogue_acts.Said) -> str:
        if self.agenda.orders:
            left = answers.listed(map(self.agenda.told, self.agenda.orders))
            return f"{self._summary()} {self._say('done_not_yet', orders=left)}".strip()
        key = "done_all" if self._done else "done_nothing"
        return f"{self._say(key)} {self._summary()}".strip()

    def _summary(self) -> str:
        return f"I have {answers.listed(told for _, told in self._done)}." if self._done else ""

    def _about_thing(self, said: dialogue_acts.Said) -> str:
        skill = orders.order_table()["stated"].get(said.state, "")
        able = (
            each for each in reversed(self.agenda.named) if orders.Order(skill, each).is_possible
        )
        return self._about.about_thing(said, next(able, self.agenda.it))
