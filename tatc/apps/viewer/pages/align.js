"use strict";

/* Two sessions on one course of steps, by what was said and which goal conditions were met. */

const Alignment = (() => {
  const checkAt = (timeline, step) => timeline.checks[timeline.moments[step].check];

  /** Return the steps at which something is said or a goal condition changes, with what that is. */
  function anchorsOf(timeline) {
    const found = [];
    timeline.moments.forEach((moment, step) => {
      if (!step) return;
      const met = checkAt(timeline, step).met;
      if (met !== checkAt(timeline, step - 1).met) found.push({ step, what: `met ${met}` });
      else if (moment.text !== undefined) found.push({ step, what: `${moment.who} ${moment.text.replace(/[-+]?\d+(\.\d+)?/g, "#")}` });
    });
    return found;
  }

  /** Return the longest common course of two lists of anchors, as pairs of steps. */
  function common(one, two) {
    const best = Array.from({ length: one.length + 1 }, () => new Uint16Array(two.length + 1));
    for (let i = one.length - 1; i >= 0; i -= 1)
      for (let j = two.length - 1; j >= 0; j -= 1)
        best[i][j] = one[i].what === two[j].what ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    const pairs = [];
    for (let i = 0, j = 0; i < one.length && j < two.length;) {
      if (one[i].what === two[j].what) pairs.push([one[i++].step, two[j++].step]);
      else if (best[i + 1][j] >= best[i][j + 1]) i += 1;
      else j += 1;
    }
    return pairs;
  }

  /** Return for each step of the course the steps of both sessions: the shorter one waits. */
  function align(timelines) {
    const ends = timelines.map((each) => each.moments.length - 1);
    if (timelines.length < 2) return timelines[0].moments.map((_, step) => [step]);
    const course = [[0, 0]];
    for (const [a, b] of [...common(...timelines.map(anchorsOf)), ends]) {
      const [i, j] = course.at(-1);
      for (let k = 1; k <= Math.max(a - i, b - j); k += 1) {
        const left = a - i, right = b - j, late = Math.max(left, right) === k;
        course.push([late ? a : i + Math.min(k, Math.max(left - 1, 0)), late ? b : j + Math.min(k, Math.max(right - 1, 0))]);
      }
    }
    return course;
  }

  /** Return a session with a moment for each step of the course; while it waits, nothing happens. */
  const stretched = (timeline, course, side) => ({
    ...timeline,
    moments: course.map((steps, at) => {
      const moment = timeline.moments[steps[side]];
      return at && course[at - 1][side] === steps[side] ? { ...moment, text: undefined, ok: undefined } : moment;
    }),
  });

  /** Return the first step of the course at which what is done differs or is refused, else 0. */
  function firstDifference(timelines, course) {
    const told = (moment) => moment && `${moment.who} ${moment.verb} ${moment.thing ?? ""} ${moment.ok} ${moment.text ?? ""}`;
    const refused = (moment) => moment?.ok === false && moment.verb !== "OpenProgressCheck";
    for (let at = 1; at < course.length; at += 1) {
      const moments = timelines.map((each, side) => each.moments[course[at][side]]);
      if (moments.some(refused) || moments.some((each) => told(each) !== told(moments[0]))) return at;
    }
    return 0;
  }

  return { align, stretched, firstDifference };
})();
