"use strict";

/* One session at one step: map, both views, dialogue, progress, decision. */

const Pane = (() => {
  const { el, endWords, spaced, typeOf } = tatc;
  const NAMES = { commander: "Commander", follower: "Follower" };
  const LAYOUTS = { plan: "Plan", both: "Plan and 3-D", home: "3-D" };
  const NO_WEBGL = "This browser has no WebGL 2, so only the plan is shown.";

  class Pane {
    /** Show a session's timeline; `go` is called with the step that a reader clicks on. */
    constructor(timeline, go) {
      this.timeline = timeline;
      this.go = go;
      this.last = timeline.moments.length - 1;
      this.step = -1;
      timeline.moments.forEach((moment, i, all) => { moment.commander ??= all[i - 1].commander; });
      this.map = new RoomMap(timeline.floor, timeline.things);
      this.states = timeline.things.map(() => null);
      this.believes = Boolean(timeline.beliefs);
      if (this.believes) this.believedMap = new RoomMap(timeline.floor, fromBelow(timeline.believed), timeline.things);
      this.build();
    }

    build() {
      const { timeline } = this;
      this.home = new HomeView(timeline, (thing) => this.point(thing));
      this.dialogue = el("ol.dialogue", { tabindex: 0, "aria-label": "Dialogue and actions" });
      this.chips = Dialogue.fill(this.dialogue, timeline, this.go);
      this.progress = el("div.progress");
      this.decision = el("div.decision");
      this.caption = el("p.caption", { "aria-live": "polite" });
      this.views = { follower: this.view("follower"), commander: this.view("commander") };
      this.mind = el("section.mind", { hidden: !this.believes });
      const kind = this.believes ? ".believing" : timeline.decisions.length ? "" : ".people";
      this.root = el(`article.pane${kind}`, {},
        head(timeline),
        el("div.room", {}, el("div.choices", {}, this.layoutChoice(), this.believes ? this.mapChoice() : null),
          el("div.drawings", {}, this.map.root, this.believedMap?.root, this.home.root), this.caption),
        this.mind,
        el("div.views", {}, this.views.follower.root, this.views.commander.root),
        el("section.talk", {}, el("h2", {}, "Dialogue"), this.dialogue),
        el("section.state", {}, this.progress),
        el("section.why", { hidden: !timeline.decisions.length || this.believes }, this.decision));
    }

    /** Return the buttons that choose between the plan, the view in three dimensions, and both. */
    layoutChoice() {
      this.layouts = el("div.layouts", { role: "group", "aria-label": "Drawings" }, ...Object.entries(LAYOUTS).map(([name, words]) =>
        el("button.choice", { type: "button", "data-layout": name, title: "Next (3)", onclick: () => this.arrange(name) }, words)));
      return this.layouts;
    }

    /** Arrange the drawings as a layout's name says, or as the next one does. */
    arrange(name) {
      const names = Object.keys(LAYOUTS);
      name ??= names[(names.indexOf(this.layout) + 1) % names.length];
      if (name !== "plan" && !this.home.camera && !this.home.start()) {
        this.layouts.replaceChildren(el("p.faint", {}, NO_WEBGL));
        name = "plan";
      }
      this.layout = name;
      this.root.dataset.layout = name;
      for (const button of this.layouts.children) button.setAttribute("aria-pressed", String(button.dataset.layout === name));
      if (this.step >= 0) this.showHome();
    }

    /** Return the button that switches between the map as it is and as the Follower believes. */
    mapChoice() {
      this.believedMap.root.classList.add("believed");
      this.choice = el("button.choice", { type: "button", "aria-pressed": "false", title: "Switch (b)", onclick: () => this.switchMap() },
        "As the Follower believes");
      this.believedMap.root.style.display = "none";
      return this.choice;
    }

    switchMap() {
      if (!this.believes) return;
      const believed = this.choice.getAttribute("aria-pressed") === "false";
      this.choice.setAttribute("aria-pressed", String(believed));
      this.map.root.style.display = believed ? "none" : "";
      this.believedMap.root.style.display = believed ? "" : "none";
      this.showHome();
    }

    view(who) {
      const image = el("img", { alt: `What the ${NAMES[who]} sees`, width: 450, height: 450, decoding: "async" });
      const cross = el("i.cross", { hidden: true });
      const root = el(`figure.view.${who}`, {}, el("div", {}, image, cross), el("figcaption", {}, NAMES[who]));
      image.addEventListener("error", () => root.classList.add("blank"));
      image.addEventListener("load", () => root.classList.remove("blank"));
      return { root, image, cross };
    }

    /** Show a step; the last one where the session has ended before. */
    show(step) {
      step = Math.max(0, Math.min(step, this.last));
      if (step === this.step) return;
      this.step = step;
      const moment = this.timeline.moments[step];
      this.showMap(moment);
      this.showViews(moment);
      this.showDialogue();
      this.showProgress(this.timeline.checks[moment.check]);
      this.showDecision(this.timeline.decisions[moment.decision]);
      if (this.believes) this.showBelief(moment);
      if (!this.layout) this.arrange(document.body.classList.contains("duo") ? "plan" : "both");
      this.showHome();
      this.caption.replaceChildren(...captionOf(moment, this.timeline));
    }

    showMap(moment) {
      const { things, moments } = this.timeline;
      this.states = things.map(({ track }) => stateAt(track, this.step));
      const held = moment.held === undefined ? "" : spaced(things[moment.held].type).toLowerCase();
      this.map.showObjects(this.states);
      this.map.showAgents(moment.follower, moment.commander, held);
      this.map.showTrail(moments.slice(0, this.step + 1).map((each) => each.follower));
      const target = moment.click ? this.states[moment.thing] : null;
      this.map.showReach(moment.follower, target);
      this.ring();
    }

    /** Show the last belief up to this step, in words and on the maps. */
    showBelief(moment) {
      const { beliefs, seen, things } = this.timeline;
      const belief = beliefs.findLast(({ at }) => at <= this.step);
      const heading = belief && belief.at < this.step ? `Belief at step ${belief.at}` : "Belief";
      const unseen = (belief?.unseen ?? []).map((thing) => [thing, placeOf(things[thing], this.states[thing], things)]);
      this.mind.replaceChildren(...Belief.nodes(belief, heading, unseen, (thing) => this.point(thing)));
      this.believedMap.showObjects(this.believedMap.objects.map(({ track }) => stateAt(track, this.step)));
      this.believedMap.showAgents(moment.follower, null, "");
      const cells = seen.filter(([, , at]) => at <= this.step);
      for (const map of [this.map, this.believedMap]) map.showSeen(cells);
      this.map.showUnseen(belief?.unseen ?? []);
    }

    /** Show the same in three dimensions. */
    showHome() {
      if (this.layout === "plan") return;
      const { moments, beliefs, seen, floor } = this.timeline;
      const { follower, commander, held } = moments[this.step];
      const known = this.believes && new Set(seen.filter(([, , at]) => at <= this.step).map(([i, k]) => `${i} ${k}`));
      const shown = {
        step: this.step, follower, commander, held, objects: this.timeline.things, states: this.states, marks: this.rings,
        unknown: known ? floor.cells.filter(([i, k]) => !known.has(`${i} ${k}`)) : [],
        unseen: new Set(beliefs?.findLast(({ at }) => at <= this.step)?.unseen),
      };
      if (this.choice?.getAttribute("aria-pressed") === "true") {
        const { objects } = this.believedMap;
        const states = objects.map(({ track }) => stateAt(track, this.step));
        Object.assign(shown, { objects, states, commander: null, held: null, unseen: new Set(), marks: [] });
      }
      this.home.show(shown);
    }

    ring() {
      const moment = this.timeline.moments[this.step];
      const rings = [];
      const belief = this.timeline.beliefs?.findLast(({ at }) => at <= this.step);
      for (const [thing] of belief?.wrong ?? []) if (thing !== null) rings.push([thing, "wrong"]);
      for (const { steps } of this.timeline.checks[moment.check].subgoals)
        for (const each of steps)
          if (!each.success && each.thing !== null) rings.push([each.thing, "wanted"]);
      if (this.pointed !== undefined) rings.push([this.pointed, "pointed"]);
      this.rings = rings;
      this.map.ring(rings);
    }

    point(thing) {
      this.pointed = thing;
      this.ring();
    }

    showViews(moment) {
      for (const [who, { image, cross }] of Object.entries(this.views)) {
        if (this.timeline.pictures === false) {
          image.closest("figure").classList.add("blank");
          continue;
        }
        const source = `pictures/${this.timeline.id}/${moment.picture}-${who}.webp`;
        if (image.getAttribute("src") !== source) image.src = source;
        cross.hidden = !(who === "follower" && moment.click);
        if (cross.hidden) continue;
        cross.style.left = `${100 * moment.click[0]}%`;
        cross.style.top = `${100 * moment.click[1]}%`;
        cross.classList.toggle("bad", moment.ok === false);
      }
    }

    showDialogue() {
      this.chips.forEach((chip, i) => {
        if (!chip) return;
        chip.classList.toggle("later", i > this.step);
        chip.classList.toggle("now", i === this.step);
      });
      const now = this.chips[this.step] ?? this.chips[1];
      if (!now) return;
      const [box, list] = [now.getBoundingClientRect(), this.dialogue.getBoundingClientRect()];
      if (box.top < list.top + 30 || box.bottom > list.bottom - 30)
        this.dialogue.scrollTop += box.top - list.top - list.height / 2;
    }

    showProgress(check) {
      this.progress.replaceChildren(...progressNodes(check, (thing) => this.point(thing)));
    }

    showDecision(decision) {
      if (decision) this.decision.replaceChildren(...decisionNodes(decision));
      else this.decision.replaceChildren(el("h2", {}, "Decision"), el("p.faint", {}, "The Commander has not decided anything yet."));
    }
  }

  function head(timeline) {
    const agents = timeline.commander === timeline.follower
      ? timeline.commander : `${timeline.commander} Commander, ${timeline.follower} Follower`;
    const start = timeline.game ? `game ${timeline.game}` : timeline.seed === null ? "" : `seed ${timeline.seed}`;
    const end = timeline.end
      ? el("span", { class: `badge ${timeline.end === "success" ? "good" : "bad"}` }, endWords(timeline.end)) : null;
    return el("header.head", {},
      el("h1", {}, timeline.task, timeline.params.length ? el("span.faint", {}, ` ${timeline.params.join(", ")}`) : null, " ", end),
      el("p.faint", {}, [timeline.place, start, agents, timeline.source, timeline.again ? "run again: its record was not kept" : ""].filter(Boolean).join(" · ")));
  }

  /** Return an object's state at a step, [shape, flags, within], or null before it exists and once it is gone. */
  function stateAt(track, step) {
    let found = null;
    for (const [from, ...state] of track) {
      if (from > step) break;
      found = state;
    }
    return found?.[0] ? remembered(track, found) : null;
  }

  /** Return the same array for equal states, so that the map redraws only what has changed. */
  const states = new WeakMap();
  function remembered(track, state) {
    const known = states.get(track) ?? new Map();
    states.set(track, known);
    const key = JSON.stringify(state);
    if (!known.has(key)) known.set(key, state);
    return known.get(key);
  }

  function captionOf(moment, timeline) {
    if (!moment.verb) return ["The start"];
    const words = [];
    if (moment.text !== undefined) words.push(`${NAMES[moment.who]}: “${shorten(moment.text, 120)}”`);
    else words.push(`${NAMES[moment.who]}: ${Dialogue.actionWords(moment, timeline)}`);
    const nodes = [words.join(" ")];
    if (moment.ok === false && moment.verb !== "OpenProgressCheck")
      nodes.push(el("b.bad", {}, ` ✗ ${moment.why ?? "failed"}`));
    if (moment.departs) nodes.push(el("span.departs", {}, ` ≠ ${moment.departs}`));
    return nodes;
  }

  /** Return objects in the order in which they cover one another, as a Follower saw them in any. */
  function fromBelow(objects) {
    const order = objects.map((_, i) => i).sort((a, b) => objects[a].track[0][1][5] - objects[b].track[0][1][5]);
    const place = new Map(order.map((i, k) => [i, k]));
    const moved = ([step, shape, flags, within]) => [step, shape, flags, place.get(within) ?? null];
    return order.map((i) => ({ ...objects[i], track: objects[i].track.map(moved) }));
  }

  /** Return what an object is, and what it is in or on. */
  function placeOf({ type }, state, things) {
    const within = state?.[2];
    return within === null || within === undefined ? spaced(type) : `${spaced(type)} (${spaced(things[within].type).toLowerCase()})`;
  }

  const shorten = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

  /** Return a progress check as a tree; `point` gets the object that the reader points at,
      `pick` the step that is clicked on. */
  function progressNodes(check, point, pick) {
    const bar = el("span.bar");
    const part = el("i");
    part.style.width = `${100 * check.met / Math.max(1, check.total)}%`;
    bar.append(part);
    const goals = check.subgoals.map((goal) => {
      const steps = goal.steps.map((each) => stepItem(each, point, pick));
      return el("li", { class: goal.success ? "met" : "unmet" },
        el("p", {}, goal.description || (goal.success ? "Done" : "Not done yet")), steps.length ? el("ul", {}, ...steps) : null);
    });
    return [
      el("h2", {}, "Progress", el("span.number", {}, `${check.met} of ${check.total}`)), bar,
      el("p.goal", {}, check.task_desc), el("ul.goals", {}, ...goals),
    ];
  }

  function stepItem(each, point, pick) {
    const given = {
      class: each.success ? "met" : "unmet",
      onpointerenter: () => point(each.thing ?? undefined),
      onpointerleave: () => point(undefined),
    };
    const words = each.desc || typeOf(each.objectId || each.objectType);
    if (!pick || !each.objectId) return el("li", given, words);
    return el("li", given, el("button", { type: "button", onclick: () => pick(each) }, words));
  }

  function decisionNodes(decision) {
    const key = decision.problem_key;
    const rows = [];
    if (key) rows.push(["problem", `${spaced(key[1])}: ${key[2]} should be ${JSON.stringify(key[3])}`]);
    if (decision.policy) rows.push(["policy", decision.policy]);
    if (decision.skill) rows.push(["skill", decision.skill]);
    if (decision.reason) rows.push(["reason", decision.reason]);
    if (decision.cost) rows.push(["stretch", tatc.plural(decision.cost, "primitive")]);
    const made = [el("h2", {}, "Decision"),
      el("dl", {}, ...rows.flatMap(([name, words]) => [el("dt", {}, name), el("dd", {}, words)]))];
    if (decision.alternatives.length)
      made.push(el("details", {}, el("summary", {}, `${tatc.plural(decision.alternatives.length, "alternative")} rejected`),
        el("ol", {}, ...decision.alternatives.map((each) => el("li", {}, each)))));
    return made;
  }

  Pane.progressNodes = progressNodes;
  return Pane;
})();
