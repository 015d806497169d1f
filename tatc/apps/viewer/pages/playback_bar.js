"use strict";

/* The bar under a session: play, step and seek, over a plot of the goal conditions met.  What was said
   and what failed is marked beneath it, by shape; a legend says which is which. */

const PlaybackBar = (() => {
  const { el, svg, plural } = tatc;
  const HEIGHT = 64;
  const ICONS = {
    first: "M4 3v10M13 3 6 8l7 5z", back: "M11 3 4 8l7 5z", play: "M4 2.5 13 8l-9 5.5z",
    pause: "M5 3v10M11 3v10", forth: "M5 3l7 5-7 5z", last: "M12 3v10M3 3l7 5-7 5z",
  };
  /** Marks around 0, in pixels: a tick, a dash, a cross. */
  const MARKS = { commander: [[0, 0, 0, 6]], follower: [[-3, 3, 6, 0]], bad: [[-2.5, 0.5, 5, 5], [2.5, 0.5, -5, 5]] };
  const LEGEND = { line: "goal conditions met", other: "of the other session", commander: "Commander speaks", follower: "Follower speaks", bad: "action failed" };
  const SPEEDS = [1, 2, 4, 8, 16, 32];

  class PlaybackBar {
    /** Plot the timelines; `go` is called with each step that the cursor comes to. */
    constructor(root, timelines, go) {
      this.timelines = timelines;
      this.go = go;
      this.last = Math.max(...timelines.map((each) => each.moments.length - 1));
      this.step = 0;
      this.speed = 2;
      this.build(root);
    }

    build(root) {
      const button = (words, title, onclick) => el("button", { type: "button", title, "aria-label": title, onclick }, words);
      this.playing = button(icon("play"), "Play, pause (space)", () => this.toggle());
      this.cursor = el("input", {
        type: "range", min: 0, max: this.last, value: 0, "aria-label": "Step",
        oninput: () => { this.pause(); this.move(Number(this.cursor.value)); },
      });
      this.words = el("output");
      this.pace = button("", "Speed: steps per second", () => this.faster(1, true));
      this.faster(0);
      root.replaceChildren(
        el("div.transport", {},
          button(icon("first"), "To the start (Home)", () => this.user(0)),
          button(icon("back"), "One step back (←)", () => this.user(this.step - 1)),
          this.playing,
          button(icon("forth"), "One step forward (→)", () => this.user(this.step + 1)),
          button(icon("last"), "To the end (End)", () => this.user(this.last)),
          this.pace, this.words, legend(this.timelines.length),
          button("?", "Keys (?)", () => document.getElementById("help").showModal())),
        el("div.plot", {}, this.plot(), this.cursor));
    }

    plot() {
      const root = svg("svg", { viewBox: `0 0 1000 ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
      const pixel = 1000 / Math.max(320, innerWidth - 48);
      this.timelines.forEach((timeline, i) => root.append(...marksOf(timeline, this.last, i, pixel)));
      return root;
    }

    /** Put the cursor at a step and show that step. */
    move(step) {
      this.step = Math.max(0, Math.min(step, this.last));
      this.cursor.value = this.step;
      const check = this.timelines.map((timeline) => {
        const moment = timeline.moments[Math.min(this.step, timeline.moments.length - 1)];
        const { met, total } = timeline.checks[moment.check];
        return `${met}/${total}`;
      });
      this.words.textContent = `step ${this.step} of ${this.last} · ${check.join(" | ")} goal conditions`;
      this.cursor.setAttribute("aria-valuetext", this.words.textContent);
      this.go(this.step);
    }

    user(step) {
      this.pause();
      this.move(step);
    }

    toggle() {
      if (this.timer) return this.pause();
      if (this.step >= this.last) this.move(0);
      this.playing.replaceChildren(icon("pause"));
      this.timer = setInterval(() => {
        if (this.step >= this.last) this.pause();
        else this.move(this.step + 1);
      }, 1000 / SPEEDS[this.speed]);
    }

    pause() {
      clearInterval(this.timer);
      this.timer = null;
      this.playing.replaceChildren(icon("play"));
    }

    faster(by, around = false) {
      const n = SPEEDS.length;
      this.speed = around ? (this.speed + by) % n : Math.max(0, Math.min(n - 1, this.speed + by));
      this.pace.textContent = `${SPEEDS[this.speed]}×`;
      if (this.timer) { this.pause(); this.toggle(); }
    }

    /** Go to the nearest later (by 1) or earlier (by -1) step that fits in any session. */
    seek(by, fits) {
      for (let step = this.step + by; step >= 0 && step <= this.last; step += by)
        if (this.timelines.some((timeline) => step < timeline.moments.length && fits(timeline, step)))
          return this.user(step);
    }

    key(event) {
      const act = {
        ArrowLeft: () => this.user(this.step - 1),
        ArrowRight: () => this.user(this.step + 1),
        ArrowUp: () => this.seek(-1, said),
        ArrowDown: () => this.seek(1, said),
        Home: () => this.user(0),
        End: () => this.user(this.last),
        " ": () => this.toggle(),
        g: () => this.seek(1, gained),
        G: () => this.seek(-1, gained),
        f: () => this.seek(1, failed),
        F: () => this.seek(-1, failed),
        "+": () => this.faster(1),
        "-": () => this.faster(-1),
        "?": () => document.getElementById("help").showModal(),
      }[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    }
  }

  const icon = (name) => svg("svg.icon", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

  const said = (timeline, step) => timeline.moments[step].text !== undefined;
  const failed = (timeline, step) => timeline.moments[step].ok === false && timeline.moments[step].verb !== "OpenProgressCheck";
  const gained = (timeline, step) => step > 0 && metAt(timeline, step) !== metAt(timeline, step - 1);
  const metAt = (timeline, step) => timeline.checks[timeline.moments[step].check].met;

  /** Return the plot of one session: the goal conditions met, and marks beneath. */
  function marksOf(timeline, last, i, pixel) {
    const across = (step) => (last ? 1000 * step / last : 0);
    const top = 8, bottom = HEIGHT - 14;
    const level = (step) => {
      const { met, total } = timeline.checks[timeline.moments[step].check];
      return bottom - (bottom - top) * (total ? met / total : 0);
    };
    let path = `M0 ${level(0)}`;
    const marks = { commander: "", follower: "", bad: "" };
    for (let step = 1; step < timeline.moments.length; step += 1) {
      path += `H${across(step)}V${level(step)}`;
      const kind = failed(timeline, step) ? "bad" : said(timeline, step) ? timeline.moments[step].who : null;
      if (kind) marks[kind] += markPath(kind, across(step), HEIGHT - 13 + i * 7, pixel);
    }
    const end = across(timeline.moments.length - 1);
    return [
      svg(`path.area.s${i}`, { d: `${path}V${bottom}H0z` }),
      svg(`path.line.s${i}`, { d: path }),
      svg("path.base", { d: `M0 ${bottom}H${end}` }),
      ...Object.entries(marks).map(([kind, d]) => svg(`path.tick.${kind}`, { d })),
    ];
  }

  /** Return the path of a mark; `pixel` is how wide a pixel is there. */
  const markPath = (kind, x, y, pixel) =>
    MARKS[kind].map(([dx, dy, along, down]) => `M${x + dx * pixel} ${y + dy}l${along * pixel} ${down}`).join("");

  /** Return what the plot's lines and marks mean, for one session or two. */
  function legend(sessions) {
    const kinds = Object.entries(LEGEND).filter(([kind]) => kind !== "other" || sessions > 1);
    return el("ul.legend", { "aria-label": "Legend" }, ...kinds.map(([kind, words]) => {
      const name = kind === "other" ? "line.s1" : kind === "line" ? "line" : `tick.${kind}`;
      const d = MARKS[kind] ? markPath(kind, 8, 3, 1) : "M1 6h14";
      return el("li", {}, svg("svg", { viewBox: "0 0 16 12", "aria-hidden": "true" }, svg(`path.${name}`, { d })), words);
    }));
  }

  return PlaybackBar;
})();
