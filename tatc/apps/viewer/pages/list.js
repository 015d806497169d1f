"use strict";

/* The list of sessions: filters, success by task, rows added while scrolling. */

(() => {
  const { el, endWords, plural } = tatc;
  const at = (id) => document.getElementById(id);
  const CHUNK = 80;
  const COLUMNS = [
    ["task", "Task"], ["place", "Place"], ["who", "Agents"], ["end", "Outcome"],
    ["met", "Conditions"], ["actions", "Actions"], ["failed", "Failed"], ["why", "Reason for failure"],
  ];
  const NUMBERS = new Set(["met", "actions", "failed"]);
  const OUTCOMES = [
    ["", "Any outcome"], ["success", "Success"], ["failure", "Not solved"],
    ["crashed", "Crashed"], ["error", "Cannot be read"],
  ];

  const view = { q: "", end: "", source: "", room: "", task: "", sort: "", down: "" };
  let sessions = [];
  let shown = [];
  let chosen = [];
  let live = false;

  tatc.load("sessions").then(start, (fault) => { at("notice").textContent = fault.message; });

  function start(found) {
    live = found.live;
    sessions = found.rows.map((row) =>
      Object.fromEntries(found.columns.map((name, i) => [name, row[i]])));
    for (const each of sessions) {
      each.who = each.commander === each.follower
        ? each.commander : `${each.commander} / ${each.follower}`;
      each.text = [each.task, each.params, each.place, each.room, each.key, each.source,
        each.who, endWords(each.end), each.why, each.error].join(" ").toLowerCase();
    }
    for (const link of document.querySelectorAll(".live")) link.hidden = !live;
    if (!sessions.length) return void at("notice").replaceChildren(...nothing());
    at("notice").hidden = true;
    at("content").hidden = false;
    for (const [name, value] of tatc.addressParams().hash) if (name in view) view[name] = value;
    fill();
    listen();
    refresh();
  }

  function nothing() {
    const words = "There are no sessions yet. ";
    if (!live) return [words];
    return [words, el("a", { href: "play.html" }, "Play one"), ", or name a run, records or games: ",
      el("code", {}, "tatc view runs/train games/")];
  }

  function fill() {
    options(at("end"), OUTCOMES);
    options(at("source"), [["", "All sources"], ...distinct("source")]);
    options(at("room"), [["", "All kinds of room"], ...distinct("room")]);
    at("source").hidden = distinct("source").length < 2;
    at("room").hidden = distinct("room").length < 2;
    at("words").value = view.q;
    for (const name of ["end", "source", "room"]) at(name).value = view[name];
    const head = el("tr", {}, el("th", { class: "pick" }));
    for (const [name, words] of COLUMNS) {
      const sorting = () => sortBy(name);
      head.append(el("th", { class: NUMBERS.has(name) ? `number ${name}` : name, scope: "col" },
        el("button", { type: "button", onclick: sorting, "data-name": name }, words)));
    }
    document.querySelector("#sessions thead").replaceChildren(head);
  }

  const distinct = (name) =>
    [...new Set(sessions.map((each) => each[name]))].filter(Boolean).sort().map((v) => [v, v]);

  function options(select, pairs) {
    select.replaceChildren(...pairs.map(([value, words]) => el("option", { value }, words)));
  }

  function listen() {
    at("filters").addEventListener("submit", (event) => event.preventDefault());
    at("words").addEventListener("input", () => set({ q: at("words").value }));
    for (const name of ["end", "source", "room"])
      at(name).addEventListener("change", () => set({ [name]: at(name).value }));
    at("clear").addEventListener("click", () => {
      at("words").value = at("end").value = at("source").value = at("room").value = "";
      set({ q: "", end: "", source: "", room: "", task: "" });
    });
    at("chosen").querySelector("button").addEventListener("click", () => { chosen = []; refresh(); });
    new IntersectionObserver((seen) => {
      if (seen.some((each) => each.isIntersecting)) more();
    }, { rootMargin: "600px" }).observe(at("none"));
    document.addEventListener("scroll", () => {
      const left = document.documentElement.scrollHeight - scrollY - innerHeight;
      if (left < 800) more();
    }, { passive: true });
  }

  function set(changed) {
    Object.assign(view, changed);
    refresh();
  }

  function sortBy(name) {
    set(view.sort === name
      ? { down: view.down ? "" : "1" } : { sort: name, down: NUMBERS.has(name) ? "1" : "" });
  }

  const fitsEnd = (each) => {
    if (view.end === "failure") return each.end !== "success" && each.end !== "" && each.end !== "skipped";
    if (view.end === "error") return Boolean(each.error);
    return !view.end || each.end === view.end;
  };

  const fits = (each) =>
    fitsEnd(each) && (!view.source || each.source === view.source)
    && (!view.room || each.room === view.room)
    && view.q.toLowerCase().split(/\s+/).every((word) => each.text.includes(word));

  function refresh() {
    tatc.remember(view);
    const without = sessions.filter(fits);
    showTasks(without);
    shown = view.task ? without.filter((each) => each.task === view.task) : without;
    sort();
    showCount();
    const body = document.querySelector("#sessions tbody");
    body.replaceChildren();
    more();
    at("none").hidden = shown.length > 0;
    at("none").textContent = shown.length ? "" : "No session fits these filters.";
    at("clear").hidden = !(view.q || view.end || view.source || view.room || view.task);
    showChosen();
    for (const button of document.querySelectorAll("#sessions thead button")) {
      const sorted = button.dataset.name === view.sort;
      button.parentElement.setAttribute(
        "aria-sort", sorted ? (view.down ? "descending" : "ascending") : "none");
    }
  }

  function sort() {
    if (!view.sort) return;
    const sign = view.down ? -1 : 1;
    const key = (each) => (view.sort === "met" ? (each.total ? each.met / each.total : -1) : each[view.sort] ?? "");
    shown = shown.toSorted((a, b) => {
      const [x, y] = [key(a), key(b)];
      return sign * (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y)));
    });
  }

  function showCount() {
    const ran = shown.filter((each) => each.end && each.end !== "skipped");
    const solved = ran.filter((each) => each.end === "success").length;
    at("count").textContent = shown.length === sessions.length
      ? plural(shown.length, "session")
      : `${shown.length.toLocaleString("en")} of ${plural(sessions.length, "session")}`;
    at("verdict").textContent = ran.length
      ? `${solved.toLocaleString("en")} of ${ran.length.toLocaleString("en")} succeeded (${(100 * solved / ran.length).toFixed(1)} %)`
      : "";
  }

  function showTasks(among) {
    const tasks = new Map();
    for (const each of among) {
      const task = tasks.get(each.task) ?? { all: 0, ran: 0, solved: 0 };
      task.all += 1;
      task.ran += Boolean(each.end) && each.end !== "skipped";
      task.solved += each.end === "success";
      tasks.set(each.task, task);
    }
    const names = [...tasks.keys()].filter(Boolean).sort();
    at("tasks").replaceChildren(...names.map((name) => taskItem(name, tasks.get(name))));
  }

  function taskItem(name, { all, ran, solved }) {
    const bar = el("span.bar");
    const part = el("i");
    part.style.width = ran ? `${100 * solved / ran}%` : "0";
    bar.append(part);
    const button = el("button", {
      type: "button",
      "aria-pressed": String(view.task === name),
      onclick: () => set({ task: view.task === name ? "" : name }),
    }, el("span.name", {}, name), el("span.number", {}, ran ? `${solved}/${ran}` : String(all)), ran ? bar : null);
    return el("li", {}, button);
  }

  function more() {
    const body = document.querySelector("#sessions tbody");
    const from = body.children.length;
    body.append(...shown.slice(from, from + CHUNK).map(row));
  }

  function row(each) {
    if (each.error && !each.opens) return broken(each);
    const pick = el("input", { type: "checkbox", "aria-label": "Choose for comparison side by side" });
    pick.checked = chosen.includes(each.id);
    pick.disabled = !each.opens;
    pick.addEventListener("change", () => choose(each, pick.checked));
    const name = each.task || each.key;
    const title = el("a", { href: `session.html?s=${each.id}` }, name);
    const cells = [
      el("td.pick", {}, pick),
      el("td.task", {}, title, each.params ? el("span.faint", {}, ` ${each.params}`) : null),
      el("td.place", { title: each.key }, each.place, el("span.faint", {}, placeWords(each))),
      el("td.who", {}, each.who),
      el("td.end", {}, each.error ? el("span.badge.bad", {}, "cannot be read") : badge(each.end)),
      el("td.number.met", {}, !each.total ? "" : `${each.met} of ${each.total}`),
      el("td.number.actions", {}, each.actions || ""),
      el("td.number.failed", {}, each.failed || ""),
      el("td.why", { title: each.error || each.why }, each.error || each.why),
    ];
    return el("tr", { class: each.opens ? "" : "shut" }, ...cells);
  }

  const broken = (each) => el("tr.broken", {},
    el("td.pick"), el("td.task", { colspan: 8 }, el("b", {}, each.key), " ", el("span.bad", {}, each.error)));

  const placeWords = ({ game, seed }) =>
    (game ? ` ${game.slice(0, 8)}` : seed === null ? "" : ` seed ${seed}`);

  function badge(end) {
    if (!end) return el("span.faint", {}, "recorded game");
    const kind = end === "success" ? "good" : end === "skipped" ? "faint" : "bad";
    return el("span", { class: `badge ${kind}` }, endWords(end));
  }

  function choose(each, wanted) {
    chosen = chosen.filter((id) => id !== each.id);
    if (wanted) chosen = [...chosen, each.id].slice(-2);
    for (const [i, tr] of [...document.querySelectorAll("#sessions tbody tr")].entries()) {
      const box = tr.querySelector("input");
      if (box) box.checked = chosen.includes(shown[i].id);
    }
    showChosen();
  }

  function showChosen() {
    const bar = at("chosen");
    bar.hidden = chosen.length === 0;
    if (!chosen.length) return;
    const [a, b] = chosen;
    const link = bar.querySelector("a");
    bar.querySelector("span").textContent = b ? "Two sessions are chosen" : "Choose one more session to compare with";
    link.hidden = !b;
    if (b) link.href = `session.html?s=${a}&vs=${b}`;
  }
})();
