"use strict";

/* The room from above: floor, furniture, small objects, both agents, the Follower's trail. */

const RoomMap = (() => {
  const { svg, spaced } = tatc;
  const UNIT = 100; // drawing units per metre
  const MARGIN = 30;
  const LETTER = 7; // drawing units per letter of a label
  const FLAT = new Set(["Floor", "Window", "Curtains", "Blinds", "LightSwitch", "Painting", "StoveKnob"]);

  const x = (metres) => metres * UNIT;
  const y = (metres) => -metres * UNIT;

  class RoomMap {
    /** Draw a room's floor and labels; `objects` come with their tracks, and the map is as large
        as `around` needs. */
    constructor(floor, objects, around = objects) {
      this.objects = objects;
      this.marks = new Map();
      this.layers = {};
      this.root = svg("svg.map", { role: "img", "aria-label": "The room from above" });
      for (const name of ["floor", "unknown", "furniture", "overhead", "loose", "labels", "trail", "rings", "agents"])
        this.root.append(this.layers[name] = svg(`g.${name}`));
      this.drawFloor(floor, around);
      this.drawAgents();
      this.drawLabels();
      this.shown = new Map();
    }

    drawFloor({ step, cells, beyond }, around) {
      this.floor = { step, cells };
      for (const [x0, z0, x1, z1] of beyond ?? [])
        this.layers.floor.append(svg("rect.beyond", { x: x(x0), y: y(z1), width: x(x1 - x0), height: x(z1 - z0) }));
      this.layers.floor.append(svg("path.free", { d: squares(cells, x(step)) }));
      const all = cells.map(([i, k]) => [i * step, k * step]);
      for (const { track, type } of around) {
        const shape = track[0]?.[1];
        if (shape && type !== "Window") all.push(...corners(shape));
      }
      const xs = all.map(([a]) => x(a));
      const ys = all.map(([, b]) => y(b));
      const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
      const [width, height] = [Math.max(...xs) + MARGIN - left, Math.max(...ys) + MARGIN - top];
      this.root.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
      this.layers.floor.prepend(svg("rect.room", { x: left + 8, y: top + 8, width: width - 16, height: height - 16, rx: 10 }));
    }

    /** Show which cells of the floor were seen: the others are dark.  `cells` are rows of x and z. */
    showSeen(cells) {
      if (this.seenCount === cells.length) return;
      this.seenCount = cells.length;
      const known = new Set(cells.map(([i, k]) => `${i} ${k}`));
      const unknown = this.floor.cells.filter(([i, k]) => !known.has(`${i} ${k}`));
      this.layers.unknown.replaceChildren(svg("path", { d: squares(unknown, x(this.floor.step)) }));
    }

    /** Pale the objects with these indices: the Follower has not seen them. */
    showUnseen(indices) {
      const unseen = new Set(indices);
      for (const [i, mark] of this.marks) mark.classList.toggle("unseen", unseen.has(i));
    }

    /** Show the things that the Follower has seen and that can be carried. */
    showThings(things) {
      this.layers.loose.replaceChildren(...things.map(({ type, state: [shape, flags] }) => {
        const [cx, cz, width, depth] = shape;
        return svg("g.thing.loose", { transform: `translate(${x(cx)} ${y(cz)})` },
          svg("ellipse", { rx: Math.max(x(width) / 2, 4), ry: Math.max(x(depth) / 2, 4) }),
          svg("title", {}, [spaced(type), ...flags].join(", ")));
      }));
    }

    drawAgents() {
      this.trail = svg("polyline");
      this.layers.trail.append(this.trail);
      this.reach = svg("line.reach");
      this.layers.agents.append(this.reach);
      this.commander = agent("commander", 13);
      this.follower = agent("follower", 17);
      this.layers.agents.append(this.commander, this.follower);
      this.showReach(null, null);
    }

    /** Show the objects; `states` holds [shape, flags, within] or null for each. */
    showObjects(states) {
      states.forEach((state, i) => {
        if (this.shown.get(i) === state) return;
        this.shown.set(i, state);
        this.marks.get(i)?.remove();
        this.marks.delete(i);
        if (state && !FLAT.has(this.objects[i].type)) this.put(i, state);
      });
      for (const [i, mark] of this.marks) {
        const within = this.shown.get(i)[2];
        mark.classList.toggle("shut", within !== null && this.shutIn(within));
      }
    }

    put(i, [shape, flags]) {
      const { type, group, high, round } = this.objects[i];
      if (flags.includes("sliced")) return;
      const [cx, cz, width, depth, yaw] = shape;
      const loose = group === "thing";
      const mark = svg("g", {
        class: `thing ${group.replaceAll(" ", "-")}${high ? " high" : ""}`,
        transform: `translate(${x(cx)} ${y(cz)}) rotate(${yaw})`,
        "data-thing": i,
      });
      const [w, h] = [Math.max(x(width), loose ? 7 : 4), Math.max(x(depth), loose ? 7 : 4)];
      mark.append(round || (loose && Math.max(w, h) < 22)
        ? svg("ellipse", { rx: w / 2, ry: h / 2 })
        : svg("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: loose ? 2 : 3 }));
      mark.append(svg("title", {}, [spaced(type), ...flags].join(", ")));
      const layer = this.layers[loose ? "loose" : high ? "overhead" : "furniture"];
      layer.insertBefore(mark, [...layer.children].find((other) => Number(other.dataset.thing) > i) ?? null);
      this.marks.set(i, mark);
    }

    /** Return whether a container, or what it stands in, is closed. */
    shutIn(within) {
      const state = this.shown.get(within);
      if (!state) return false;
      if (this.objects[within].closes && !state[1].includes("open")) return true;
      return state[2] !== null && state[2] !== within && this.shutIn(state[2]);
    }

    /** Write the names of large furniture, the largest first, where no other name is. */
    drawLabels() {
      const taken = [];
      const sized = this.objects.flatMap(({ type, group, high, track }) =>
        (group === "thing" || high || FLAT.has(type) || !track.length ? [] : [[type, track[0][1]]]));
      sized.sort(([, a], [, b]) => b[2] * b[3] - a[2] * a[3]);
      for (const [type, shape] of sized) this.label(type, shape, taken);
    }

    label(type, [cx, cz, width, depth, yaw], taken) {
      const words = spaced(type);
      const along = words.length * LETTER;
      const upright = (width >= depth ? 0 : 90) + yaw;
      const flat = Math.abs(Math.sin(upright * Math.PI / 180)) < 0.5;
      if (Math.max(x(width), x(depth)) < along + 4 || Math.min(x(width), x(depth)) < 20) return;
      const [w, h] = flat ? [along, 16] : [16, along];
      const box = [x(cx) - w / 2, y(cz) - h / 2, x(cx) + w / 2, y(cz) + h / 2];
      if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) return;
      taken.push(box);
      const turn = flat ? 0 : -90;
      this.layers.labels.append(svg("text", { transform: `translate(${x(cx)} ${y(cz)}) rotate(${turn})`, dy: 4.5 }, words));
    }

    /** Show both agents at [x, z, yaw]; `held` names the object in the Follower's hand, "" for none. */
    showAgents(follower, commander, held) {
      place(this.follower, follower);
      this.follower.querySelector("title").textContent = held ? `Follower, holding ${held}` : "Follower";
      this.follower.classList.toggle("holding", Boolean(held));
      this.commander.style.display = commander ? "" : "none";
      if (commander) place(this.commander, commander);
    }

    /** Show where the Follower has walked. */
    showTrail(poses) {
      this.trail.setAttribute("points", poses.map(([a, b]) => `${x(a)},${y(b)}`).join(" "));
    }

    /** Show a line from the Follower to the object it has just acted on; null for none. */
    showReach(pose, state) {
      this.reach.style.display = pose && state ? "" : "none";
      if (!pose || !state) return;
      const [[a, b], [c, d]] = [pose, state[0]];
      for (const [name, value] of Object.entries({ x1: x(a), y1: y(b), x2: x(c), y2: y(d) }))
        this.reach.setAttribute(name, value);
    }

    /** Mark the place of an object that a search has found. */
    pin([cx, cz, width, depth]) {
      const r = Math.max(16, Math.min(60, x(Math.max(width, depth)) / 2 + 8));
      this.layers.rings.replaceChildren(svg("circle.pin", { cx: x(cx), cy: y(cz), r }));
    }

    /** Ring objects, given as [index, CSS class]. */
    ring(wanted) {
      this.layers.rings.replaceChildren(...wanted.filter(([i]) => this.shown.get(i)).map(([i, kind]) => {
        const [cx, cz, width, depth] = this.shown.get(i)[0];
        const r = Math.max(14, Math.min(60, x(Math.max(width, depth)) / 2 + 7));
        return svg(`circle.${kind}`, { cx: x(cx), cy: y(cz), r });
      }));
    }
  }

  /** Return the path of cells as squares. */
  const squares = (cells, size) => cells.map(([i, k]) =>
    `M${i * size - size / 2} ${-k * size - size / 2}h${size}v${size}h${-size}z`).join("");

  function agent(kind, r) {
    const [reach, half] = [r * 6, r * 5];
    return svg(`g.agent.${kind}`, {},
      svg("path.cone", { d: `M0 0L${-half} ${-reach}Q0 ${-reach * 1.35} ${half} ${-reach}z` }),
      svg("circle.body", { r }),
      svg("path.nose", { d: `M0 ${-r * 0.62}L${r * 0.5} ${r * 0.3}H${-r * 0.5}z` }),
      svg("title"));
  }

  function place(mark, [a, b, yaw]) {
    mark.setAttribute("transform", `translate(${x(a)} ${y(b)}) rotate(${yaw})`);
  }

  function corners([cx, cz, width, depth, yaw]) {
    const [s, c] = [Math.abs(Math.sin(yaw * Math.PI / 180)), Math.abs(Math.cos(yaw * Math.PI / 180))];
    const [a, b] = [(c * width + s * depth) / 2, (s * width + c * depth) / 2];
    return [[cx - a, cz - b], [cx + a, cz + b]];
  }

  return RoomMap;
})();
