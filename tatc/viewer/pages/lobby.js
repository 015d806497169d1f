"use strict";

/* Before a game: what to play, which part, with whom; and the games that go on. */

const lobby = (() => {
  const { el } = tatc;
  const PARTS = {
    follower: ["Follower", "You act: you see, walk and handle things, and are told in words what to do."],
    commander: ["Commander", "You know the task: you check the progress, search, and tell the Follower."],
  };

  /** Fill the page with what can be played. */
  function show(main, offers) {
    const fault = el("p.bad", { role: "alert" });
    const form = el("form.card.setup", {}, el("h1", {}, "Play"), parts(), start(offers), partner(offers), fault,
      el("div.buttons", {}, el("button.primary", { type: "submit" }, "Start")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const wish = Object.fromEntries(new FormData(form));
      wish.seed = Number(wish.seed) || 0;
      fault.textContent = "";
      Table.sit("play/new", wish).catch((error) => { fault.textContent = error.message; });
    });
    form.addEventListener("change", () => agree(form, offers));
    main.replaceChildren(form, going(offers));
    agree(form, offers);
  }

  function parts() {
    return el("fieldset.parts", {}, el("legend", {}, "Your part"),
      ...Object.entries(PARTS).map(([value, [name, words]], i) => el("label", {},
        el("input", { type: "radio", name: "part", value, checked: i === 0 }),
        el("b", {}, name), el("span", {}, words))));
  }

  function start({ tasks, rooms, starts }) {
    const where = select("room", [["", "the first room that can hold it"], ...rooms.map((room) => [room, room])]);
    const recorded = select("start", [["", "a room of tatc's"],
      ...starts.map(([id, task, place, key]) => [id, `${task} - ${place} ${key}`])]);
    const chosen = tasks.map((name) => el("option", { value: name, selected: name === "Coffee" }, name));
    return el("fieldset", {}, el("legend", {}, "The task"),
      starts.length ? row("Start", recorded) : null,
      row("Task", el("select", { name: "task" }, ...chosen), "own"),
      row("Parameters", el("input", { name: "params", placeholder: "drawn by the seed", autocomplete: "off" }), "own"),
      row("Room", where, "own"),
      row("Seed", el("input", { name: "seed", type: "number", min: 0, value: 1 })));
  }

  function partner({ wordings }) {
    return el("fieldset", {}, el("legend", {}, "Your partner"),
      row("Played by", select("partner", [])),
      row("Speaks in", select("wording", wordings.map((name) => [name, name])), "wording"));
  }

  /** Let the fields agree with the part and the start that are chosen. */
  function agree(form, { commanders, followers }) {
    const { part, start: recorded, partner: chosen } = Object.fromEntries(new FormData(form));
    const agents = part === "follower" ? commanders : followers;
    const pairs = [...agents.map((name) => [name, `the ${name} agent`]), ["person", "another person"]];
    fill(form.elements.partner, pairs);
    form.elements.partner.value = pairs.some(([name]) => name === chosen) ? chosen : pairs[0][0];
    for (const each of form.querySelectorAll(".own")) each.hidden = Boolean(recorded);
    const speaks = part === "follower" && form.elements.partner.value === "rule";
    const wording = form.elements.wording;
    wording.closest("label").hidden = !speaks;
    wording.disabled = !speaks;
    if (!wording.dataset.set) {
      wording.value = "steps";
      wording.dataset.set = "yes";
    }
  }

  function going({ games }) {
    const list = games.map((game) => el("li", {},
      el("a", { href: `play.html?game=${game.id}` }, game.place),
      el("span.faint", {}, ` step ${game.steps}`),
      game.free.length ? el("span", {}, ` · free: ${game.free.join(", ")}`) : null));
    return el("section.card", { hidden: !games.length }, el("h2", {}, "Games that go on"), el("ul.games", {}, ...list));
  }

  const row = (words, field, kind = "") => el("label", { class: `row ${kind}` }, el("span", {}, words), field);

  function select(name, pairs) {
    return fill(el("select", { name }), pairs);
  }

  function fill(field, pairs) {
    field.replaceChildren(...pairs.map(([value, words]) => el("option", { value }, words)));
    return field;
  }

  /** Offer the free seats of a game to who has none. */
  function offer(main, game, { place, free, over, error }) {
    const fault = el("p.bad", { role: "alert" }, error ?? "");
    const take = (part) => Table.sit(`play/${game}/sit`, { part }).catch((told) => { fault.textContent = told.message; });
    const words = error ? "" : over ? "This game is over." : free.length
      ? `A game in ${place} waits for you.` : "All parts of this game are taken. One becomes free when its player is away for half a minute.";
    main.replaceChildren(el("section.card.setup", {}, el("h1", {}, "Play"), el("p", {}, words), fault,
      el("div.buttons", {}, ...(free ?? []).map((part) =>
        el("button.primary", { type: "button", onclick: () => take(part) }, `Be the ${PARTS[part][0]}`)),
      el("a.button", { href: "play.html" }, "Another game"))));
  }

  return { show, offer };
})();
