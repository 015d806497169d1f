"use strict";

/* The page of games: the lobby, or the game that the address names. */

(() => {
  const main = document.getElementById("main");
  const name = tatc.asked().query.get("game");
  const notice = (words) => main.replaceChildren(tatc.el("p.notice", {}, words));

  if (name && /^[\w-]+$/.test(name)) play(name).catch((fault) => notice(fault.message));
  else tatc.load("play").then((offers) => lobby.show(main, offers)).catch((fault) => notice(fault.message));

  async function play(game) {
    const parts = {};
    const table = new Table(game, Table.seatOf(game), {
      moment: (moment) => parts.shown.moment(moment),
      status: (status) => parts.shown.status(status),
      lost: (yes) => { document.getElementById("lost").hidden = !yes; },
      fault: (words) => lobby.offer(main, game, { error: words }),
    });
    const room = await table.room();
    if (!room.part) return lobby.offer(main, game, room);
    parts.shown = new Game(main, table, room);
    table.listen();
  }
})();
