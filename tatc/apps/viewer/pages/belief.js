"use strict";

/* What a Follower believes, in words: goal, evidence, plan, and where it is wrong. */

const Belief = (() => {
  const { el, plural } = tatc;

  /** Return a belief as nodes.  `heading` stands above it, `unseen` names what it has not seen, and
      `point` is called with the index of an object that the reader points at. */
  function nodes(belief, heading, unseen = [], point = () => null) {
    if (!belief) return [el("h2", {}, heading), el("p.faint", {}, "The Follower has not acted yet.")];
    const { goal } = belief;
    const met = goal ? el("span.number", {}, `thinks ${goal.met} of ${goal.total} are done`) : null;
    return [
      el("h2", {}, heading, met),
      ...(goal ? goalNodes(goal) : [el("p.goal.faint", {}, "It has nothing to do yet.")]),
      list("asks", belief.open.map((words) => el("li", {}, words))),
      list("plan", planItems(belief)),
      belief.end ? el("p.ended", {}, `Stopped: ${belief.end}.`) : null,
      list("wrong", belief.wrong.map(([thing, words]) => pointed("li", thing, words, point))),
      details(belief.left === null ? "what it has said" : `what it has said (${belief.left} more allowed)`, belief.said.map((words) => el("li", {}, `“${words}”`))),
      details("places it was told", belief.hints.map((words) => el("li", {}, words))),
      details(`${plural(unseen.length, "thing")} not seen yet`, unseen.map(([thing, words]) => pointed("li", thing, words, point))),
    ].filter(Boolean);
  }

  function goalNodes(goal) {
    const lines = goal.lines.length ? goal.lines : [goal.task];
    const from = { understood: "understood", given: "given to it", edited: "set by hand", ordered: "as you said" }[goal.source];
    const sure = goal.confidence === null ? "" : `, confidence ${goal.confidence.toFixed(2)}`;
    return [
      el("ul.lines", {}, ...lines.map((words) => el("li", {}, words))),
      el("p.faint", {}, goal.source === "ordered" ? from : `${goal.task}: ${from}${sure}`),
      goal.evidence.length ? el("dl.heard", {}, ...goal.evidence.flatMap(([part, words]) => [el("dt", {}, part), el("dd", {}, words)])) : null,
    ].filter(Boolean);
  }

  function planItems({ done, doing, next, todo }) {
    return [
      ...done.map((words) => el("li.met", {}, words)),
      doing ? el("li.doing", {}, el("b", {}, doing), next ? el("span.faint", {}, ` ${next}`) : null) : null,
      ...todo.map((words) => el("li.unmet", {}, words)),
    ].filter(Boolean);
  }

  const list = (kind, items) => (items.length ? el(`ul.goals.${kind}`, {}, ...items) : null);

  const details = (words, items) => (items.length
    ? el("details", {}, el("summary", {}, words), el("ul", {}, ...items)) : null);

  const pointed = (kind, thing, words, point) => el(kind, {
    onpointerenter: () => point(thing ?? undefined), onpointerleave: () => point(undefined),
  }, words);

  return { nodes };
})();
