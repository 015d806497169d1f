"use strict";

/* The play page: the lobby, or the game that the address names. */

(() => {
  const main = document.getElementById("main");
  const name = tatc.addressParams().query.get("game");
  const notice = (words) => main.replaceChildren(tatc.el("p.notice", {}, words));

  if (name && /^[\w-]+$/.test(name)) play(name).catch((fault) => notice(fault.message));
  else tatc.load("play").then((offers) => lobby.show(main, offers)).catch((fault) => notice(fault.message));

  async function play(game) {
    const parts = {};
    const connection = new GameConnection(game, GameConnection.keyOf(game), {
      moment: (moment) => parts.shown.moment(moment),
      belief: (belief) => parts.shown.belief(belief),
      status: (status) => parts.shown.status(status),
      lost: (yes) => { document.getElementById("lost").hidden = !yes; },
      fault: (words) => lobby.offer(main, game, { error: words }),
    });
    const room = await connection.room();
    if (!room.part) return lobby.offer(main, game, room);
    parts.shown = new Game(main, connection, room);
    connection.listen();
  }
})();
