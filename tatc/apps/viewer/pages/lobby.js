"use strict";

/* Before a game: its task, one's role and partner; and the games in progress. */

const lobby = (() => {
  const { el } = tatc;
  const ROLES = {
    follower: ["Follower", "You act: you walk, pick things up and use them. The Commander tells you what to do."],
    commander: ["Commander", "You know the task: you check the progress, search for objects, and tell the Follower what to do."],
  };

  const NOTES = { listener: "the listener agent: speak in your own words" };

  /** Show the form that starts a game, and the games in progress. */
  function show(main, offers) {
    const fault = el("p.bad", { role: "alert" });
    const form = el("form.card.setup", {}, el("h1", {}, "Play"), roles(), start(offers), partner(offers), fault,
      el("div.buttons", {}, el("button.primary", { type: "submit" }, "Start")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const request = Object.fromEntries(new FormData(form));
      request.seed = Number(request.seed) || 0;
      fault.textContent = "";
      GameConnection.takeRole("play/new", request).catch((error) => { fault.textContent = error.message; });
    });
    form.addEventListener("change", () => syncFields(form, offers));
    main.replaceChildren(form, gamesInProgress(offers));
    syncFields(form, offers);
  }

  function roles() {
    return el("fieldset.parts", {}, el("legend", {}, "Your role"),
      ...Object.entries(ROLES).map(([value, [name, words]], i) => el("label", {},
        el("input", { type: "radio", name: "part", value, checked: i === 0 }),
        el("b", {}, name), el("span", {}, words))));
  }

  function start({ tasks, rooms, starts }) {
    const where = select("room", [["", "the first room where the task can be done"], ...rooms.map((room) => [room, room])]);
    const recorded = select("start", [["", "a built-in room"],
      ...starts.map(([id, task, place, key]) => [id, `${task} - ${place} ${key}`])]);
    const chosen = [el("option", { value: "" }, "none: say what you like"),
      ...tasks.map((name) => el("option", { value: name, selected: name === "Coffee" }, name))];
    return el("fieldset", {}, el("legend", {}, "The task"),
      starts.length ? row("Start", recorded) : null,
      row("Task", el("select", { name: "task" }, ...chosen), "own"),
      row("Parameters", el("input", { name: "params", placeholder: "chosen by the seed", autocomplete: "off" }), "own"),
      row("Room", where, "own"),
      row("Seed", el("input", { name: "seed", type: "number", min: 0, value: 1 })));
  }

  function partner({ wordings }) {
    return el("fieldset", {}, el("legend", {}, "Your partner"),
      row("Played by", select("partner", [])),
      row("Wording", select("wording", wordings.map((name) => [name, name])), "wording"));
  }

  /** Show the fields and choices that fit the chosen role and start. */
  function syncFields(form, { commanders, followers }) {
    const { part, start: recorded, partner: chosen } = Object.fromEntries(new FormData(form));
    const agents = part === "follower" ? commanders : followers;
    const pairs = [...agents.map((name) => [name, NOTES[name] ?? `the ${name} agent`]), ["person", "another person"]];
    const usual = agents.includes("listener") ? "listener" : agents[0];
    const kept = form.dataset.part === part && pairs.some(([name]) => name === chosen);
    form.dataset.part = part;
    fill(form.elements.partner, pairs);
    form.elements.partner.value = kept ? chosen : usual;
    for (const each of form.querySelectorAll(".own")) each.hidden = Boolean(recorded);
    const isFree = part === "commander" && form.elements.partner.value === "listener";
    const none = form.elements.task.options[0];
    none.hidden = none.disabled = !isFree;
    if (none.selected && !isFree) form.elements.task.value = "Coffee";
    const speaks = part === "follower" && form.elements.partner.value === "rule";
    const wording = form.elements.wording;
    wording.closest("label").hidden = !speaks;
    wording.disabled = !speaks;
    if (!wording.dataset.set) {
      wording.value = "steps";
      wording.dataset.set = "yes";
    }
  }

  function gamesInProgress({ games }) {
    const list = games.map((game) => el("li", {},
      el("a", { href: `play.html?game=${game.id}` }, game.place),
      el("span.faint", {}, ` step ${game.steps}`),
      game.free.length ? el("span", {}, ` · free: ${game.free.join(", ")}`) : null));
    return el("section.card", { hidden: !games.length }, el("h2", {}, "Games in progress"), el("ul.games", {}, ...list));
  }

  const row = (words, field, kind = "") => el("label", { class: `row ${kind}` }, el("span", {}, words), field);

  function select(name, pairs) {
    return fill(el("select", { name }), pairs);
  }

  function fill(field, pairs) {
    field.replaceChildren(...pairs.map(([value, words]) => el("option", { value }, words)));
    return field;
  }

  /** Offer the free roles of a game to a visitor who has none. */
  function offer(main, game, { place, free, over, error }) {
    const fault = el("p.bad", { role: "alert" }, error ?? "");
    const take = (part) => GameConnection.takeRole(`play/${game}/role`, { part }).catch((told) => { fault.textContent = told.message; });
    const words = error ? "" : over ? "This game is over." : free.length
      ? `A game in ${place} has a free role.` : "Both roles of this game are taken. A role becomes free when its player has been away for half a minute.";
    main.replaceChildren(el("section.card.setup", {}, el("h1", {}, "Play"), el("p", {}, words), fault,
      el("div.buttons", {}, ...(free ?? []).map((part) =>
        el("button.primary", { type: "button", onclick: () => take(part) }, `Play as the ${ROLES[part][0]}`)),
      el("a.button", { href: "play.html" }, "Start another game"))));
  }

  return { show, offer };
})();
