"""What a simulated user says of each task: several wordings, and details that may be left out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from tatc.base import files
from tatc.language.object_names import preposition_for, words_for_type
from tatc.language.understanding.goals import OpenPart, count_part
from tatc.tdl import Task

_WORDS = files.package_table("tatc.commander.speaker", "wordings.toml")
Details = tuple[tuple[str, str], ...]  # parts of a goal, each with what is said of it


@dataclass(frozen=True, slots=True)
class Request:
    """A sentence that asks for a task, and details: the part of the goal, and its words."""

    sentence: str
    details: Details = ()

    @property
    def words(self) -> str:
        """The sentence and all details."""
        return " ".join([self.sentence, *(text for _, text in self.details)])


def request_for(task: Task, random: Random) -> Request:
    """Return a wording of a task; a task without one is asked for by its description."""
    make = _WORDINGS.get(task.name)
    return Request(task.definition.description) if make is None else make(task.params, random)


def slices_words(count: str, food: str, *, cooked: bool = False) -> str:
    """Return words such as "two cooked slices of potato"."""
    slices = f"{'cooked ' if cooked else ''}{'slice' if count == '1' else 'slices'}"
    return f"{_number(count)} {slices} of {words_for_type(food)}"


def things_words(name: str, *, plural: bool = True) -> str:
    """Return the words for things of a type or class."""
    words = _WORDS["classes"].get(name) or words_for_type(name)
    if name in _WORDS["classes"] or name in _WORDS["mass_classes"] or not plural:
        return words
    ending = "es" if words.endswith(("s", "x", "ch", "o")) else "s"
    return _WORDS["plurals"].get(name) or words + ending


def _number(count: str) -> str:
    numbers = _WORDS["numbers"]
    return numbers[int(count)] if int(count) < len(numbers) else count


def _ask(random: Random, *wishes: str) -> str:
    """Return one of the wishes, which begin with a verb, in a sentence."""
    sentence = random.choice(_WORDS["openers"]).format(random.choice(wishes))
    return sentence[0].upper() + sentence[1:]


def _plain(task: str, params: Sequence[str], random: Random) -> Request:
    """Return a wish for a task, drawn from the table, with the word for its first parameter."""
    asked = _WORDS["tasks"][task]
    word = things_words if asked.get("several") else words_for_type
    thing = word(params[0]) if params else ""
    details = tuple(asked.get("details", {}).items())
    return Request(_ask(random, *(wish.format(thing) for wish in asked["wishes"])), details)


def _put(params: Sequence[str], random: Random, *, in_one: bool) -> Request:
    things, place = things_words(params[0]), things_words(params[2], plural=False)
    on = preposition_for(params[2])
    wishes = (f"put all the {things} {on} any {place}", f"place all {things} {on} any {place}")
    where = "Any of them will do."
    if in_one:
        wishes = (
            f"put all the {things} {on} one {place}",
            f"place all {things} {on} a single {place}",
            f"gather the {things} and put them {on} the same {place}",
        )
        where = "All of them go to one and the same place."
    return Request(_ask(random, *wishes), ((OpenPart.ONE_PLACE, where),))


def _slices(params: Sequence[str], random: Random, *, cooked: bool = False) -> Request:
    count, food, _, dish = params
    words, plain = slices_words(count, food), words_for_type(food)
    verb = "cook" if cooked else "serve"
    container = f"They go {preposition_for(dish)} a clean {words_for_type(dish)}."
    if random.random() < 0.5:
        return Request(_ask(random, f"{verb} {words}"), ((OpenPart.CONTAINER, container),))
    how = f"slice the {plain} and cook {words}" if cooked else f"slice the {plain}"
    amount = () if cooked else ((count_part(food), f"I want {words}."),)
    return Request(_ask(random, how), (*amount, (OpenPart.CONTAINER, container)))


def _portions(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return (words, food) for each (count, food) of which the count is not "0"."""
    wanted = [(count, food) for count, food in pairs if count != "0"]
    return [(slices_words(count, food, cooked=food == "Potato"), food) for count, food in wanted]


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _filled_dish(
    params: Sequence[str], random: Random, *, name: str, foods: Sequence[str]
) -> Request:
    portions = _portions(list(zip(params, foods, strict=True)))
    random.shuffle(portions)
    amounts = [words for words, _ in portions]
    full = f"make a {name} with {_listed(amounts)}" if amounts else f"make a {name}"
    names = [words_for_type(food) for _, food in portions]
    vague = f"make a {name} with {_listed(names)}" if names else f"make a {name}"
    plate = (OpenPart.CONTAINER, "Put everything on a clean plate.")
    if random.random() < 0.5:
        return Request(_ask(random, full), (plate,))
    details = tuple((count_part(food), f"It has {words}.") for words, food in portions)
    return Request(_ask(random, vague), (*details, plate))


def _breakfast(params: Sequence[str], random: Random) -> Request:
    coffees, toasts, potatoes, potato_dish, apples, apple_dish = params[:6]
    parts = ["a coffee" if coffees == "1" else f"{_number(coffees)} cups of coffee"]
    if toasts != "0":
        parts.append("a plate of toast" if toasts == "1" else f"{_number(toasts)} plates of toast")
    if params[6] != "0":
        amounts = [w for w, _ in _portions([(params[7], "Lettuce"), (params[8], "Tomato")])]
        parts.append(f"a sandwich with {_listed(amounts)}" if amounts else "a sandwich")
    if params[9] != "0":
        pairs = [(params[10], "Lettuce"), (params[11], "Tomato"), (params[12], "Potato")]
        parts.append(f"a salad with {_listed([words for words, _ in _portions(pairs)])}")
    sentences = [_ask(random, f"prepare breakfast with {_listed(parts)}")]
    if potatoes != "0":
        on = f"{preposition_for(potato_dish)} a {words_for_type(potato_dish)}"
        sentences.append(f"Cook two slices of potato and put them {on} of their own.")
    if apples != "0":
        on = preposition_for(apple_dish)
        dishes = f"a {words_for_type(apple_dish)}" if apples == "1" else "a dish each"
        sentences.append(f"Serve {slices_words(apples, 'Apple')} {on} {dishes}.")
    table = (OpenPart.TABLE, f"Everything goes on the {words_for_type(params[13])}.")
    return Request(" ".join(sentences), (table,))


_WORDINGS: dict[str, Callable[[Sequence[str], Random], Request]] = {
    **{task: partial(_plain, task) for task in _WORDS["tasks"]},
    "Breakfast": _breakfast,
    "N Cooked Slices Of X In Y": partial(_slices, cooked=True),
    "N Slices Of X In Y": _slices,
    "Put All X In One Y": partial(_put, in_one=True),
    "Put All X On Y": partial(_put, in_one=False),
    "Salad": partial(_filled_dish, name="salad", foods=("Lettuce", "Tomato", "Potato")),
    "Sandwich": partial(_filled_dish, name="sandwich", foods=("Lettuce", "Tomato")),
}
