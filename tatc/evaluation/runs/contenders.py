"""Which Followers are compared, and in which wording the Commander speaks to each."""

from collections.abc import Sequence

from tatc.base.errors import BadInput
from tatc.evaluation.runs.eval_options import TATC
from tatc.evaluation.runs.follower_comparison import Contender
from tatc.session.agents.agents import (
    INSTANCE_ABLATIONS,
    SESSION_ABLATIONS,
    ablation_names,
    wording_for_follower,
)


def choose_contenders(
    followers: Sequence[str], wordings: Sequence[str] = (), *, kind: str = TATC, ablations: bool
) -> list[Contender]:
    """Return the Followers that are compared: those named, then their ablations.

    Args:
        followers: names or `module:Class`; the others are compared with the first.
        wordings: one for all Followers or one for each; if none, each Follower's own.
        kind: TATC for sessions, "edh" or "tfd" for instances.
        ablations: whether the lesser forms of learned Followers are compared too.
    """
    if len(wordings) not in (0, 1, len(followers)):
        why = f"{len(wordings)} wordings for {len(followers)} Followers"
        raise BadInput(why, fix="give --wording once, or once for each")
    given = tuple(wordings) * len(followers) if len(wordings) == 1 else tuple(wordings)
    given = given or tuple(wording_for_follower(name) for name in followers)
    named = [Contender(*pair) for pair in zip(followers, given, strict=True)]
    forms = SESSION_ABLATIONS if kind == TATC else INSTANCE_ABLATIONS
    lesser = [
        Contender(name, each.wording, ablation_of=each.label)
        for each in (named if ablations else ())
        for name in ablation_names(each.follower, forms)
    ]
    kept: dict[str, Contender] = {}
    for each in (*named, *lesser):
        kept.setdefault(each.label, each)
    if len(kept) < 2:
        fix = "name another --follower, or add --ablations to a learned one"
        raise BadInput("a comparison takes two", fix=fix)
    return list(kept.values())
