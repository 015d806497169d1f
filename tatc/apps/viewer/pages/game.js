"use strict";

/* A game as one role sees it: views, map, dialogue, and what the role can do. */

const Game = (() => {
  const { el, spaced } = tatc;
  const { VERBS, VERB_WORDS, MOVES, KEYS } = GAME_ACTIONS;
  const IDEAS = ["What can you do?", "What do you see?", "What are you doing?", "Are you done?", "Stop!", "Go on."];
  const QUESTION = "What should I do next?";
  const BRIEFS = {
    follower: "Ask the Commander what to do, walk with the arrow keys, and click on objects to use them.",
    commander: "Tell the Follower how to do the task: Check progress shows what is missing, Suggest writes the next instruction.",
    listened: "Tell the Follower in your own words what you want, watch it, and correct it whenever you like.",
  };

  class Game {
    /** Show a game; `room` is what stays the same while it lasts. */
    constructor(main, connection, room) {
      this.connection = connection;
      this.room = room;
      this.commands = room.part === "commander";
      this.map = new RoomMap(room.floor, room.things);
      this.map.showObjects(room.things.map(({ track }) => track[0].slice(1)));
      this.armed = "";
      this.build(main);
      document.addEventListener("keydown", (event) => this.key(event));
    }

    build(main) {
      this.views = { follower: this.view("follower", "Follower") };
      if (this.commands) {
        this.views.commander = this.view("commander", "Your camera");
        this.views.target = this.view("target", "Found");
        this.views.target.root.hidden = true;
      }
      this.views.follower.image.parentElement.addEventListener("click", (event) => this.clicked(event));
      this.console = el("p.console", { role: "status" }, BRIEFS[this.room.believes ? "listened" : this.room.part]);
      this.mind = el("section.mind", { hidden: !this.room.believes, "aria-label": "What the Follower believes" },
        ...Belief.nodes(null, "What it believes"));
      this.dialogue = el("ol.dialogue", { tabindex: 0, "aria-label": "Dialogue" });
      this.menu = el("div.menu", { role: "menu", hidden: true });
      this.banner = el("p.banner", { hidden: true });
      main.replaceChildren(el("div", { class: `game ${this.room.part}${this.room.believes ? " believing" : ""}` },
        this.banner, this.commands ? el("p.task", {}, this.room.description) : null,
        el("section.stage", {}, el("div.views", {}, ...Object.values(this.views).map(({ root }) => root), this.mind), this.console, this.controls()),
        el("section.side", {}, el("div.room", {}, this.map.root), this.commands ? this.tools() : null, this.chat()),
        this.menu));
      document.addEventListener("click", (event) => {
        if (!event.target.closest(".menu, .view.follower")) this.menu.hidden = true;
      });
    }

    view(who, words) {
      const image = el("img", { alt: `The view: ${words}`, width: 450, height: 450, draggable: "false" });
      const root = el(`figure.view.${who}`, {}, el("div", {}, image), el("figcaption", {}, words));
      const made = { root, image, next: "", loading: false };
      for (const [event, blank] of [["load", false], ["error", true]])
        image.addEventListener(event, () => {
          root.classList.toggle("blank", blank);
          made.loading = false;
          if (made.next) this.picture(made, made.next);
        });
      return made;
    }

    controls() {
      const pad = el("div.pad", { "aria-label": this.commands ? "Move your camera" : "Move" }, ...MOVES.map(([verb, sign, title]) =>
        el("button", { type: "button", title, "aria-label": title, "data-verb": verb, onclick: () => this.act(verb) }, sign)));
      if (this.commands) return el("div.controls", {}, pad,
        el("p.faint", {}, `These buttons and the arrow keys move your camera. Click in the Follower's view to ${
          this.room.believes ? "name an object in your message" : "write an instruction about that point"}.`));
      this.verbs = el("div.verbs", { role: "group", "aria-label": "What a click does" }, ...VERBS.map((verb, i) =>
        el("button", { type: "button", "aria-pressed": "false", "data-verb": verb, title: `${i + 1}`, onclick: () => this.arm(verb) },
          VERB_WORDS[verb] ?? verb)));
      return el("div.controls", {}, pad, el("div", {}, this.verbs,
        el("p.faint", {}, "Choose an action and click on an object, or click first and choose from the menu.")));
    }

    tools() {
      this.progress = el("div.progress", {}, el("p.goal", {}, this.room.description),
        el("p.faint", {}, "Check progress shows what is still missing."));
      const words = el("input", { type: "search", placeholder: "Find an object: Mug", "aria-label": "Find an object", name: "find", autocomplete: "off" });
      const finding = el("form", { onsubmit: (event) => { event.preventDefault(); if (words.value.trim()) this.act("SearchObject", { text: words.value.trim() }); } },
        words, el("button", { type: "submit" }, "Find"));
      return el("div.tools", {}, el("div.buttons", {},
        el("button", { type: "button", "data-do": "check", onclick: () => this.act("OpenProgressCheck") }, "Check progress"), finding), this.progress);
    }

    chat() {
      this.words = el("textarea", {
        name: "words", rows: this.commands && !this.room.believes ? 4 : 2, maxlength: 2000, "aria-label": "What to say",
        placeholder: this.room.believes ? "Say what you want, or ?" : this.commands ? "Tell the Follower" : "Tell the Commander",
        onkeydown: (event) => { if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); this.say(this.words.value); } },
      });
      const form = el("form", { onsubmit: (event) => { event.preventDefault(); this.say(this.words.value); } },
        this.words, el("button.primary", { type: "submit" }, "Say"));
      const quick = this.room.believes ? this.ideas() : this.commands ? this.suggestion() : el("button", { type: "button", "data-do": "ask", onclick: () => this.say(QUESTION) }, QUESTION);
      const finish = el("button", { type: "button", "data-do": "finish", onclick: () => this.finish() }, "Finish");
      this.report = el("button", { type: "button", hidden: true, onclick: () => this.say(this.report.dataset.words) }, "Report the failure");
      return el("div.chat", {}, this.dialogue, form, el("div.buttons", {}, quick, this.report, finish));
    }

    /** Return buttons that say something which a listening Follower understands. */
    ideas() {
      return el("span.ideas", { "aria-label": "You could say" }, ...IDEAS.map((words) =>
        el("button", { type: "button", onclick: () => this.say(words) }, words)));
    }

    /** Return the button that writes what the rule Commander would say, and the choice of its wording. */
    suggestion() {
      this.wording = el("select", { name: "wording", "aria-label": "Wording of suggestions" },
        ...this.room.wordings.map((name) => el("option", { value: name, selected: name === "steps" }, `in ${name}`)));
      return el("span.suggestion", {},
        el("button", { type: "button", "data-do": "suggest", title: "Write what the rule Commander would say", onclick: () => this.suggest() }, "Suggest"),
        this.wording);
    }

    /** Show an image; while one is loading, the latest request waits and replaces others. */
    picture(view, source) {
      view.next = view.loading ? source : "";
      if (view.loading) return;
      view.loading = true;
      view.image.src = source;
    }

    /** Show a moment of the game. */
    moment(moment) {
      document.body.dataset.moment = moment.i;
      this.map.showAgents(moment.follower, moment.commander, moment.held && spaced(moment.held).toLowerCase());
      for (const who of ["follower", "commander"])
        if (this.views[who]) this.picture(this.views[who], this.connection.picture(who, moment.i));
      this.menu.hidden = true;
      if (moment.verb) this.showInteraction(moment);
      if (moment.check) this.checked(moment.check);
      if (moment.found !== undefined) this.found(moment);
    }

    showInteraction(moment) {
      const mine = moment.who === this.room.part;
      if (moment.verb === "Text") {
        const kind = `li.said.${moment.who}${mine ? ".mine" : ""}`;
        this.dialogue.append(el(kind, { "data-words": moment.text }, el("span.who", {}, mine ? "You" : spaced(moment.who)), el("p", {}, ...Dialogue.spoken(moment.text))));
        this.dialogue.scrollTop = this.dialogue.scrollHeight;
        return;
      }
      if (moment.verb === "OpenProgressCheck" || moment.found !== undefined) return;
      this.progress?.classList.add("old");
      const failed = moment.ok === false;
      const what = moment.handled ? ` ${spaced(moment.handled).toLowerCase()}` : "";
      const verb = VERB_WORDS[moment.verb] ?? moment.verb;
      this.console.className = failed ? "console bad" : "console";
      this.console.textContent = failed ? `${verb}: ${moment.why ?? "it did not work"}`
        : `${mine ? "" : "The Follower: "}${verb}${what}${this.holding(moment)}`;
      this.offerReport(moment, failed && mine && !this.commands);
    }

    holding({ held }) {
      return held ? ` · holding the ${spaced(held).toLowerCase()}` : "";
    }

    /** Offer to report a refused action in words that the rule Commander understands. */
    offerReport(moment, wanted) {
      this.report.hidden = !wanted || !this.step;
      if (wanted && this.step) this.report.dataset.words = `I could not ${this.step}: ${moment.why ?? "it did not work"}`;
    }

    checked(check) {
      this.progress.classList.remove("old");
      this.progress.replaceChildren(...Pane.progressNodes(check, () => null, (step) => this.act("SelectOid", { text: step.objectId })));
      this.dialogue.scrollTop = this.dialogue.scrollHeight;
    }

    found({ found, i, text }) {
      const { root } = this.views.target;
      this.console.className = found ? "console" : "console bad";
      root.hidden = !found;
      if (!found) return void (this.console.textContent = `No object matches “${text}”.`);
      const within = found.within.length ? ` in or on ${found.within.map(spaced).join(", ").toLowerCase()}` : "";
      const flags = found.flags.length ? ` (${found.flags.join(", ")})` : "";
      this.console.textContent = `${spaced(found.type)}${flags}${within}`;
      this.picture(this.views.target, this.connection.picture("target", i));
      this.map.pin(found.shape);
    }

    /** Show what the Follower believes. */
    belief(belief) {
      this.mind.replaceChildren(...Belief.nodes(belief, "What it believes"));
      this.map.showSeen(belief.seen);
      this.map.showThings(belief.things);
    }

    /** Show whether the game goes on, whose turn it is, and who is missing. */
    status(status) {
      this.ended = status.over;
      const waits = this.room.people.filter((part) => part !== this.room.part && status.free.includes(part));
      if (status.over) this.over(status);
      else if (waits.length) this.invite(waits[0]);
      else this.banner.hidden = true;
      document.body.classList.toggle("waiting", !status.over && status.turn !== this.room.part);
    }

    invite(part) {
      const link = el("input", { readonly: true, value: location.href, "aria-label": "The game's address", onfocus: (event) => event.target.select() });
      this.banner.replaceChildren(`Nobody plays the ${spaced(part)} yet. Open this address in another browser:`, link);
      this.banner.hidden = false;
    }

    over(status) {
      const words = status.fault ? `The agent crashed: ${status.fault}`
        : status.end === "success" ? "The task is complete." : `Game over: ${status.met ?? "?"} of ${status.total ?? "?"} goal conditions are met.`;
      this.banner.className = status.end === "success" ? "banner good" : "banner";
      this.banner.replaceChildren(el("b", {}, words), " ",
        status.session ? el("a", { href: `session.html?s=${status.session}` }, "Watch it step by step") : status.unsaved ?? "", " ",
        el("a", { href: "play.html" }, "Play another game"));
      this.banner.hidden = false;
      for (const each of document.querySelectorAll(".game button, .game input, .game textarea")) each.disabled = true;
    }

    act(verb, given = {}) {
      if (this.ended) return;
      const noun = given.noun;
      this.step = verb.replace(" ", "");
      if (given.x !== undefined) this.step = noun ? `${this.step} ${noun} at ${two(given.x)} ${two(given.y)}` : "";
      this.connection.act(verb, given).catch((fault) => this.fault(fault.message));
    }

    say(words) {
      if (!words?.trim()) return;
      if (words.trim() === "?" && this.commands) this.act("OpenProgressCheck");
      else this.act("Text", { text: words });
      this.words.value = "";
      this.report.hidden = true;
    }

    suggest() {
      this.connection.send({ do: "suggest", wording: this.wording.value }).then(({ text }) => {
        this.words.value = text;
        this.words.focus({ preventScroll: true });
      }, (fault) => this.fault(fault.message));
    }

    finish() {
      if (confirm("End this game for all who play it?")) this.connection.send({ do: "finish" }).catch((fault) => this.fault(fault.message));
    }

    fault(words) {
      this.console.className = "console bad";
      this.console.textContent = words;
    }

    arm(verb) {
      this.armed = this.armed === verb ? "" : verb;
      for (const button of this.verbs.children) button.setAttribute("aria-pressed", String(button.dataset.verb === this.armed));
      this.views.follower.root.classList.toggle("armed", Boolean(this.armed));
    }

    clicked(event) {
      if (this.ended) return;
      const box = event.currentTarget.getBoundingClientRect();
      const x = Math.min(0.999, Math.max(0, (event.clientX - box.left) / box.width));
      const y = Math.min(0.999, Math.max(0, (event.clientY - box.top) / box.height));
      if (this.room.believes) this.nameObject(x, y);
      else if (!this.commands && this.armed) this.act(this.armed, { x, y });
      else this.ask(event, (verb) => (this.commands ? this.compose(verb, x, y) : this.act(verb, { x, y })));
    }

    /** Open the menu that asks which action a click is meant for. */
    ask(event, choose) {
      this.menu.replaceChildren(...VERBS.map((verb) => el("button", {
        type: "button", role: "menuitem", "data-verb": verb,
        onclick: () => { this.menu.hidden = true; choose(verb); },
      }, VERB_WORDS[verb] ?? verb)));
      this.menu.hidden = false;
      this.menu.style.left = `${Math.min(event.clientX, innerWidth - this.menu.offsetWidth - 8)}px`;
      this.menu.style.top = `${Math.min(event.clientY, innerHeight - this.menu.offsetHeight - 8)}px`;
    }

    /** Write an action with its click into the message, as the rule Follower understands it. */
    async compose(verb, x, y) {
      const { type } = await this.connection.send({ do: "name", x, y }).catch(() => ({}));
      this.words.value = `${this.words.value} ${verb} ${type ?? "Object"} at ${two(x)} ${two(y)}`.trim();
      this.words.focus();
    }

    /** Write the name of the object at a point into the message. */
    async nameObject(x, y) {
      const { type } = await this.connection.send({ do: "name", x, y }).catch(() => ({}));
      if (type) this.words.value = `${this.words.value} the ${spaced(type).toLowerCase()}`.trim();
      this.words.focus();
    }

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || this.ended) return;
      if (event.key === "Escape") return void (this.menu.hidden = true, document.activeElement.blur());
      if (event.target.matches("input, select, textarea")) return;
      const verb = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
      const chosen = this.commands ? undefined : VERBS[Number(event.key) - 1];
      if (verb) this.act(verb);
      else if (chosen) this.arm(chosen);
      else if (event.key === "Enter" && !event.target.matches("button, a")) this.words.focus();
      else return;
      event.preventDefault();
    }
  }

  /** Return a fraction with two decimals, below 1, as instructions spell clicks. */
  const two = (fraction) => Math.min(0.99, fraction).toFixed(2);

  return Game;
})();
