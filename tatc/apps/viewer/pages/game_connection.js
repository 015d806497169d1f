"use strict";

/* The connection to a game on the server: moments come in, what a person does goes out.

   Nothing is lost when the connection breaks: events carry the number of their moment,
   and the browser names the last one it has received; an action is sent until it is
   answered, under one id, so that the server does it only once. */

const GameConnection = (() => {
  const TRIES = 6;
  const PENDING = 4;

  const keyOf = (game) => localStorage.getItem(`tatc.role.${game}`);

  class GameConnection {
    /** Connect to a game; `key` shows one's role, `handlers` are moment(m), belief(b), status(s),
        lost(yes), fault(words). */
    constructor(game, key, handlers) {
      this.game = game;
      this.key = key;
      this.handlers = handlers;
      this.lastMoment = -1;
      this.pending = 0;
      this.queue = Promise.resolve();
      this.actionCount = 0;
      this.pageId = Math.random().toString(36).slice(2);
    }

    listen() {
      const source = new EventSource(`play/${this.game}/events?key=${this.key}&after=${this.lastMoment}`);
      this.source = source;
      source.onopen = () => this.handlers.lost(false);
      source.onmessage = ({ data }) => this.receive(JSON.parse(data));
      source.addEventListener("status", ({ data }) => {
        const status = JSON.parse(data);
        if (status.over) source.close();
        this.handlers.status(status);
      });
      source.addEventListener("belief", ({ data }) => this.handlers.belief(JSON.parse(data)));
      source.onerror = () => {
        this.handlers.lost(true);
        if (source.readyState === EventSource.CLOSED) setTimeout(() => this.reconnect(), 1500);
      };
    }

    /** Reconnect after the server has refused: it may be gone, or the role may be taken. */
    async reconnect() {
      try {
        const room = await this.room();
        if (room.part) this.listen();
        else this.handlers.fault(room.error ?? "Somebody else has taken your role.");
      } catch {
        setTimeout(() => this.reconnect(), 3000);
      }
    }

    receive(moment) {
      if (moment.i <= this.lastMoment) return;
      this.lastMoment = moment.i;
      this.handlers.moment(moment);
    }

    room() {
      return fetch(`play/${this.game}/room?key=${this.key ?? ""}`).then((got) => got.json());
    }

    picture(what, index = this.lastMoment) {
      return `play/${this.game}/${index}-${what}.webp?key=${this.key}`;
    }

    /** Act, one action after the other; beyond a few that wait, more are dropped. */
    act(verb, given = {}) {
      if (this.pending >= PENDING) return Promise.resolve(null);
      this.pending += 1;
      const id = `${this.pageId}${this.actionCount += 1}`;
      const sent = this.queue.then(() => this.send({ do: "act", verb, id, ...given }));
      this.queue = sent.catch(() => null).finally(() => { this.pending -= 1; });
      return sent;
    }

    /** Send a request; it is sent again while no answer comes. */
    async send(request) {
      for (let tried = 0; ; tried += 1) {
        try {
          const answer = await post(`play/${this.game}/request`, { key: this.key, ...request });
          if (tried) this.handlers.lost(this.source.readyState !== EventSource.OPEN);
          return answer;
        } catch (fault) {
          if (fault instanceof Refused || tried === TRIES) throw fault;
          this.handlers.lost(true);
          await new Promise((resolve) => setTimeout(resolve, 400 * 2 ** tried));
        }
      }
    }
  }

  class Refused extends Error {}

  /** Post JSON and return the answer; what the server refuses is a `Refused` with its words. */
  async function post(address, value) {
    const got = await fetch(address, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(value),
    });
    const answer = await got.json().catch(() => ({ error: `the server answers ${got.status}` }));
    if (answer.error) throw new Refused(answer.error);
    return answer;
  }

  /** Take a role in a game, perhaps a new one; the key is kept for the next load. */
  async function takeRole(address, request) {
    const { game, key } = await post(address, request);
    const name = game ?? address.split("/")[1];
    localStorage.setItem(`tatc.role.${name}`, key);
    location.href = `play.html?game=${name}`;
  }

  GameConnection.takeRole = takeRole;
  GameConnection.keyOf = keyOf;
  return GameConnection;
})();
