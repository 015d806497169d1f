"""Checks of what commands over many sessions are given."""


def check_kind(kind: str, games: list[str] | None, recorded: list[str] | None) -> None:
    """Refuse a kind that does not exist, and options that are for others.

    Raises:
        BadInput: they do not go together.

    """
    from tatc.errors import BadInput, UnknownName
    from tatc.evaluation.eval_options import TATC
    from tatc.records import Benchmark

    if kind == TATC:
        if recorded:
            raise BadInput("--games is for instances", fix="name games as they are")
        return
    if kind not in list(Benchmark):
        fix = "name tatc, edh or tfd"
        raise UnknownName("kind", kind, (TATC, *Benchmark), fix=fix)
    if not games:
        raise BadInput("there is nothing to run", fix=f"name {kind} instances")


def check_places(games: list[str] | None, all_rooms: bool, room: list[str] | None) -> None:
    """Refuse places that do not go together.

    Raises:
        BadInput: games and rooms are named, or neither.

    """
    from tatc.errors import BadInput

    if games and (all_rooms or room):
        raise BadInput("games bring their own rooms", fix="leave out --rooms, --room")
    if all_rooms and room:
        raise BadInput("--rooms means all rooms", fix="leave out --rooms or --room")
    if not (games or all_rooms or room):
        raise BadInput("there is nothing to run", fix="name games, --rooms or --room")
