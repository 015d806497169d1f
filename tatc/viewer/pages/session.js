"use strict";

/* One session, or two side by side, under one cursor. */

(() => {
  const { el } = tatc;
  const at = (id) => document.getElementById(id);
  const { query, hash } = tatc.asked();
  const names = [query.get("s"), query.get("vs")].filter(Boolean);

  start().catch((fault) => { at("notice").textContent = fault.message; });

  async function start() {
    const listed = tatc.load("sessions");
    if (!names.length) names.push(only(await listed));
    const stories = await Promise.all(names.map((name) => tatc.load(`session/${name}`)));
    at("notice").hidden = true;
    document.title = `${stories.map((each) => each.task || each.key).join(" and ")} - tatc`;
    const whole = stories.filter((each) => !each.error);
    const panes = [];
    let strip = null;
    for (const story of stories) {
      const pane = story.error ? null : new Pane(story, (step) => strip.user(step));
      if (pane) panes.push(pane);
      at("panes").append(pane ? pane.root : trouble(story));
    }
    document.body.classList.toggle("duo", stories.length > 1);
    if (panes.length) {
      at("strip").hidden = false;
      strip = new Strip(at("strip"), whole, (step) => {
        for (const pane of panes) pane.show(step);
        tatc.remember({ step });
      });
      strip.move(Number(hash.get("step")) || 0);
      document.addEventListener("keydown", (event) => typing(event) || strip.key(event));
      addEventListener("hashchange", () => strip.user(Number(tatc.asked().hash.get("step")) || 0));
    }
    offer(await listed);
  }

  /** Return the id of the one session that there is, where none is named. */
  function only({ rows, columns }) {
    if (rows.length !== 1) throw new Error("No session is named. Choose one in the list.");
    return rows[0][columns.indexOf("id")];
  }

  const typing = ({ target }) =>
    at("help").open || (target instanceof HTMLElement && target.matches("select, input:not([type=range]), textarea"));

  const trouble = (story) => el("article.pane.trouble", {},
    el("header.head", {}, el("h1", {}, story.task || story.key), el("p.faint", {}, story.source)),
    el("p.notice.bad", {}, story.error));

  /** Offer the sessions that can stand beside this one: the same start first. */
  function offer({ live, columns, rows }) {
    for (const link of document.querySelectorAll(".live")) link.hidden = !live;
    const all = rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
    const self = all.find((each) => each.id === names[0]);
    const others = all.filter((each) => each.id !== names[0] && each.opens);
    const same = others.filter((each) => self?.pair && each.pair === self.pair);
    const chosen = names[1] ?? "";
    const shown = same.some((each) => each.id === chosen) || !chosen
      ? same : [...same, ...others.filter((each) => each.id === chosen)];
    const select = at("beside");
    select.append(el("option", { value: "" }, shown.length ? "nothing" : "no other of this start"),
      ...shown.map((each) => el("option", { value: each.id },
        [each.commander === each.follower ? each.commander : `${each.commander} / ${each.follower}`, each.source].join(" · "))));
    select.value = chosen;
    select.disabled = !shown.length;
    select.addEventListener("change", () => {
      const next = new URLSearchParams(select.value ? { s: names[0], vs: select.value } : { s: names[0] });
      location.href = `session.html?${next}${location.hash}`;
    });
  }
})();
