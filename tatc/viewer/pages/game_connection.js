"use strict";

/* The line to a game on the server: what happens comes in, what a person does goes out.

   Whatever is lost on the way comes again: events carry the number of their moment, and
   the browser names the last it has heard; a deed is sent until it is answered, under
   one name, so that it is done once. */

const Table = (() => {
  const TRIES = 6;
  const PENDING = 4;

  const seatOf = (game) => localStorage.getItem(`tatc.seat.${game}`);

  class Table {
    /** Listen to a game from a seat; `tell` has moment(m), status(s), lost(yes), fault(words). */
    constructor(game, key, tell) {
      this.game = game;
      this.key = key;
      this.tell = tell;
      this.heard = -1;
      this.pending = 0;
      this.line = Promise.resolve();
      this.deeds = 0;
      this.life = Math.random().toString(36).slice(2);
    }

    listen() {
      const source = new EventSource(`play/${this.game}/events?key=${this.key}&after=${this.heard}`);
      this.source = source;
      source.onopen = () => this.tell.lost(false);
      source.onmessage = ({ data }) => this.hear(JSON.parse(data));
      source.addEventListener("status", ({ data }) => {
        const status = JSON.parse(data);
        if (status.over) source.close();
        this.tell.status(status);
      });
      source.onerror = () => {
        this.tell.lost(true);
        if (source.readyState === EventSource.CLOSED) setTimeout(() => this.again(), 1500);
      };
    }

    /** The server has refused the line: it may be gone, or the seat may be. */
    async again() {
      try {
        const room = await this.room();
        if (room.part) this.listen();
        else this.tell.fault(room.error ?? "Your seat has been taken by somebody else.");
      } catch {
        setTimeout(() => this.again(), 3000);
      }
    }

    hear(moment) {
      if (moment.i <= this.heard) return;
      this.heard = moment.i;
      this.tell.moment(moment);
    }

    room() {
      return fetch(`play/${this.game}/room?key=${this.key ?? ""}`).then((got) => got.json());
    }

    picture(what, index = this.heard) {
      return `play/${this.game}/${index}-${what}.webp?key=${this.key}`;
    }

    /** Act, one deed after the other; too many at once are dropped. */
    act(verb, given = {}) {
      if (this.pending >= PENDING) return Promise.resolve(null);
      this.pending += 1;
      const deed = `${this.life}${this.deeds += 1}`;
      const sent = this.line.then(() => this.send({ do: "act", verb, deed, ...given }));
      this.line = sent.catch(() => null).finally(() => { this.pending -= 1; });
      return sent;
    }

    /** Ask the server for something; tried again while no answer comes. */
    async send(wanted) {
      for (let tried = 0; ; tried += 1) {
        try {
          const answer = await post(`play/${this.game}/deed`, { key: this.key, ...wanted });
          if (tried) this.tell.lost(this.source.readyState !== EventSource.OPEN);
          return answer;
        } catch (fault) {
          if (fault instanceof Refused || tried === TRIES) throw fault;
          this.tell.lost(true);
          await new Promise((resolve) => setTimeout(resolve, 400 * 2 ** tried));
        }
      }
    }
  }

  class Refused extends Error {}

  /** Post JSON; what the server refuses is an error with its words. */
  async function post(address, value) {
    const got = await fetch(address, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(value),
    });
    const answer = await got.json().catch(() => ({ error: `the server answers ${got.status}` }));
    if (answer.error) throw new Refused(answer.error);
    return answer;
  }

  /** Take a seat, or start a game and sit down; the key is kept for the next load. */
  async function sit(address, wish) {
    const { game, key } = await post(address, wish);
    const name = game ?? address.split("/")[1];
    localStorage.setItem(`tatc.seat.${name}`, key);
    location.href = `play.html?game=${name}`;
  }

  Table.sit = sit;
  Table.seatOf = seatOf;
  return Table;
})();
