"use strict";

/* What was said and done, in words: the list of a session, and its actions. */

const SHORT = {
  "Forward": "↑", "Backward": "↓", "Turn Left": "↰", "Turn Right": "↱",
  "Pan Left": "←", "Pan Right": "→", "Look Up": "⤒", "Look Down": "⤓",
};

const Dialogue = (() => {
  const { el, spaced } = tatc;
  const NAMES = { commander: "Commander", follower: "Follower" };

  function actionWords(moment, timeline) {
    if (moment.verb === "OpenProgressCheck") return "checks the progress";
    if (moment.verb === "SearchObject" || moment.verb === "SelectOid") return `looks for ${moment.text ?? "an object"}`;
    const verb = spaced(moment.verb.replaceAll(" ", "")).toLowerCase();
    if (moment.thing !== undefined) return `${verb} ${spaced(timeline.things[moment.thing].type).toLowerCase()}`;
    return verb;
  }

  /** Fill the dialogue list; return the button of each step. */
  function fill(list, timeline, go) {
    const marks = [];
    let actions = null;
    timeline.moments.forEach((moment, i) => {
      if (!moment.verb) return;
      if (moment.text !== undefined && (moment.verb === "Text" || moment.verb === "Speech")) {
        actions = null;
        const mark = el("button", { type: "button", onclick: () => go(i) }, ...spoken(moment.text));
        list.append(el(`li.said.${moment.who}`, {}, el("span.who", {}, NAMES[moment.who]), mark));
        marks[i] = mark;
        return;
      }
      if (!actions) list.append(el("li.actions", {}, actions = el("div")));
      const mark = chip(moment, timeline, () => go(i));
      actions.append(mark);
      marks[i] = mark;
    });
    return marks;
  }

  /** Return an utterance as nodes; in a stretch of primitives, repeated ones are counted. */
  function spoken(text) {
    const stretch = /^(?:(?:Forward|Backward|TurnLeft|TurnRight|LookUp|LookDown|PanLeft|PanRight|[A-Z]\w+ [A-Z]\w+ at 0\.\d\d 0\.\d\d)(?: |$))+$/;
    if (!stretch.test(text)) return [text];
    const parts = text.match(/[A-Z]\w+ [A-Z]\w+ at 0\.\d\d 0\.\d\d|\w+/g);
    const counted = [];
    for (const part of parts) {
      const last = counted.at(-1);
      if (last && last[0] === part) last[1] += 1;
      else counted.push([part, 1]);
    }
    return counted.map(([part, n]) => el("span.word", {}, n > 1 ? `${part} ×${n}` : part));
  }

  function chip(moment, timeline, onclick) {
    const { verb, ok, who } = moment;
    const failed = ok === false && verb !== "OpenProgressCheck";
    const short = SHORT[verb];
    const check = timeline.checks[moment.check];
    const words = verb === "OpenProgressCheck" ? `check: ${check.met} of ${check.total}`
      : short ?? actionWords(moment, timeline);
    const title = [`${NAMES[who]}: ${actionWords(moment, timeline)}${failed ? ", failed" : ""}`, moment.why, moment.departs].filter(Boolean).join(" - ");
    const kinds = `${short ? ".move" : ""}${failed ? ".bad" : ""}`;
    return el(`button.chip.${who}${kinds}`, { type: "button", title, onclick }, failed ? `✗ ${words}` : words);
  }

  return { fill, spoken, actionWords };
})();
