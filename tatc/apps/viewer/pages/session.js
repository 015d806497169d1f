"use strict";

/* One session, or two side by side, with one playback bar. */

(() => {
  const { el } = tatc;
  const at = (id) => document.getElementById(id);
  const { query, hash } = tatc.addressParams();
  const names = [query.get("s"), query.get("vs")].filter(Boolean);

  start().catch((fault) => { at("notice").textContent = fault.message; });

  async function start() {
    const listed = tatc.load("sessions");
    if (!names.length) names.push(only(await listed));
    const timelines = await Promise.all(names.map((name) => tatc.load(`session/${name}`)));
    at("notice").hidden = true;
    document.title = `${timelines.map((each) => each.task || each.key).join(" and ")} - tatc`;
    const whole = timelines.filter((each) => !each.error);
    const course = whole.length ? Alignment.align(whole) : [];
    const courseStep = (step, side) => {
      const at = course.findIndex((steps) => steps[side] >= step);
      return at < 0 ? course.length - 1 : at;
    };
    const named = (step) => (step === "first" ? Alignment.firstDifference(whole, course) : courseStep(Number(step) || 0, 0));
    const panes = [];
    let playbackBar = null;
    for (const timeline of timelines) {
      const side = panes.length;
      const pane = timeline.error ? null : new Pane(timeline, (step) => playbackBar.user(courseStep(step, side)));
      if (pane) panes.push(pane);
      at("panes").append(pane ? pane.root : failedPane(timeline));
    }
    document.body.classList.toggle("duo", timelines.length > 1);
    if (panes.length) {
      at("playback").hidden = false;
      const stretched = whole.map((each, side) => Alignment.stretched(each, course, side));
      playbackBar = new PlaybackBar(at("playback"), stretched, (step) => {
        panes.forEach((pane, side) => pane.show(course[step][side]));
        tatc.remember({ step: course[step][0] });
      });
      playbackBar.move(named(hash.get("step")));
      document.addEventListener("keydown", (event) => {
        if (typing(event)) return;
        if (event.key === "b") for (const pane of panes) pane.switchMap();
        playbackBar.key(event);
      });
      addEventListener("hashchange", () => playbackBar.user(named(tatc.addressParams().hash.get("step"))));
    }
    offer(await listed);
  }

  /** Return the id of the only session where the address names none. */
  function only({ rows, columns }) {
    if (rows.length !== 1) throw new Error("The address names no session. Choose one in the list.");
    return rows[0][columns.indexOf("id")];
  }

  const typing = ({ target }) =>
    at("help").open || (target instanceof HTMLElement && target.matches("select, input:not([type=range]), textarea"));

  const failedPane = (timeline) => el("article.pane.trouble", {},
    el("header.head", {}, el("h1", {}, timeline.task || timeline.key), el("p.faint", {}, timeline.source)),
    el("p.notice.bad", {}, timeline.error));

  /** Offer the sessions of the same task and start to be shown beside this one. */
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
    select.append(el("option", { value: "" }, shown.length ? "nothing" : "no other session of this start"),
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
