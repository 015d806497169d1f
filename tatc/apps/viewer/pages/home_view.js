"use strict";

/* The home in three dimensions: objects as rays hit them, both agents and what they look at. */

const HomeView = (() => {
  const { el, spaced } = tatc;
  const { STYLES, THROUGH, rgb } = HomeSolids;
  const FIELD = 42; // degrees, of the reader's own camera
  const FRUSTUM = 0.9; // metres, the length of what is drawn of an agent's view
  const BODY = 0.2; // metres, the radius of a body
  const UNDER = 0.03; // metres, how far the room's own bottom is below the floor, which hides it
  const HAND = [0.45, -0.35]; // metres ahead of the eye and above it
  const DARK = [0.16, 0.17, 0.2];
  const GREY = "#a8a5ad";
  const CLICK = 5; // pixels that a pointer may move in a click
  const MARKS = { wanted: "○ to do", wrong: "✗ believed wrong" };
  const CAMERAS = { corner: "From the side", above: "From above", eyes: "Follower's eyes" };

  class HomeView {
    /** Show a session's home; `pick` is called with the index of the object clicked on, or null. */
    constructor(timeline, pick) {
      this.timeline = timeline;
      this.pick = pick;
      this.camera = null;
      this.placed = "corner";
      const types = new Map(timeline.things.map(({ type, colour }) => [type, colour]));
      this.colourOf = ({ type, colour }) => rgb(colour ?? types.get(type) ?? GREY);
      this.canvas = el("canvas", { "aria-label": "The home in three dimensions: drag to turn it, click an object to see its state" });
      this.labels = el("div.names", { "aria-hidden": "true" });
      this.card = el("div.card", { hidden: true, role: "status" });
      this.cameras = el("div.cameras", {}, ...Object.entries(CAMERAS).map(([name, words]) =>
        el("button", { type: "button", "data-camera": name, onclick: () => this.place(name) }, words)));
      this.root = el("div.home", {}, this.canvas, this.labels, this.cameras, this.card);
    }

    /** Start WebGL 2; return whether the browser has it. */
    start() {
      const { Renderer, Camera, Transform, Orbit, Vec3, RenderTarget } = ogl;
      if (!document.createElement("canvas").getContext("webgl2")) return false;
      this.renderer = new Renderer({ canvas: this.canvas, alpha: true, antialias: true, dpr: Math.min(devicePixelRatio, 2) });
      const { gl } = this.renderer;
      this.scene = new Transform();
      this.bodies = new Transform();
      this.bodies.setParent(this.scene);
      this.solids = new HomeSolids(gl, this.bodies);
      this.colours = Object.fromEntries(["follower", "commander", "glow"].map((name) =>
        [name, rgb(getComputedStyle(this.canvas).getPropertyValue(`--${name}`).trim())]));
      this.solids.uniforms.tint.value = this.colours.glow;
      this.frusta = { follower: this.frustum(gl, "follower"), commander: this.frustum(gl, "commander") };
      this.camera = new Camera(gl, { near: 0.05, far: 100, fov: FIELD });
      this.orbit = new Orbit(this.camera, {
        element: this.canvas, target: new Vec3(), ease: 1, inertia: 0, rotateSpeed: 0.5, panSpeed: 0.7, maxPolarAngle: Math.PI * 0.55,
      });
      this.target = new RenderTarget(gl, { width: 1, height: 1 });
      this.listen();
      this.mark("corner");
      new ResizeObserver(() => this.resize()).observe(this.root);
      return true;
    }

    /** Return the lines along which an agent's view widens. */
    frustum(gl, who) {
      const { Geometry, Program, Mesh } = ogl;
      const half = FRUSTUM * Math.tan(this.timeline.room.fov * Math.PI / 360);
      const far = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => [a * half, b * half, -FRUSTUM]);
      const lines = far.flatMap((corner, i) => [[0, 0, 0], corner, corner, far[(i + 1) % 4]]);
      const sides = far.flatMap((corner, i) => [[0, 0, 0], corner, far[(i + 1) % 4]]);
      const vertex = `attribute vec3 position; uniform mat4 modelViewMatrix, projectionMatrix;
        void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.); }`;
      const fragment = "precision mediump float; uniform vec4 colour; void main() { gl_FragColor = colour; }";
      const part = (points, mode, alpha) => {
        const program = new Program(gl, {
          vertex, fragment, uniforms: { colour: { value: [...this.colours[who], alpha] } }, transparent: true, cullFace: false, depthWrite: false,
        });
        const geometry = new Geometry(gl, { position: { size: 3, data: new Float32Array(points.flat()) } });
        return new Mesh(gl, { geometry, program, mode, frustumCulled: false });
      };
      const both = new ogl.Transform();
      part(sides, gl.TRIANGLES, 0.13).setParent(both);
      part(lines, gl.LINES, 0.9).setParent(both);
      both.setParent(this.scene);
      return both;
    }

    listen() {
      const { canvas } = this;
      let from = null;
      const moved = ({ clientX, clientY }) => Math.hypot(clientX - from[0], clientY - from[1]) > CLICK;
      canvas.addEventListener("pointerdown", ({ clientX, clientY }) => { from = [clientX, clientY]; });
      addEventListener("pointermove", (event) => {
        if (!from || !event.buttons) return;
        if (moved(event)) this.mark(null);
        this.draw();
      });
      addEventListener("pointerup", (event) => {
        if (from && event.target === canvas && !moved(event)) this.choose(event.offsetX, event.offsetY);
        from = null;
      });
      for (const kind of ["wheel", "touchmove"]) canvas.addEventListener(kind, () => { this.mark(null); this.draw(); });
    }

    /** Put the reader's camera where its name says: at the side, above, or in the Follower's head. */
    place(name) {
      this.mark(name);
      this.aim();
      this.show(this.shown);
    }

    aim() {
      const { low, high, fov, eye } = this.timeline.room;
      const middle = [(low[0] + high[0]) / 2, 0.5, -(low[2] + high[2]) / 2];
      const wide = Math.max((high[0] - low[0]) / Math.min(1, this.camera.aspect * 0.85), high[2] - low[2], 2.5);
      const way = this.placed === "above" ? [0, 1.6, 0.0005] : [0.24, 1.12, 0.98];
      const inHead = this.placed === "eyes" ? this.eyeOf(this.shown.follower, eye) : null;
      this.orbit.target.set(...(inHead ? inHead.at.map((part, i) => part + 0.5 * inHead.ahead[i]) : middle));
      this.camera.position.set(...(inHead ? inHead.at : way.map((part, i) => middle[i] + part * wide)));
      this.camera.perspective({ fov: inHead ? fov : FIELD });
      this.orbit.forcePosition();
    }

    /** Mark the button of the camera in use; null once the reader has moved it. */
    mark(name) {
      this.placed = name;
      for (const button of this.cameras.children) button.setAttribute("aria-pressed", String(button.dataset.camera === name));
    }

    /** Return where an agent's eye is and what is ahead of it, in WebGL's axes. */
    eyeOf([x, z, yaw, horizon, y], above) {
      const [turn, tilt] = [yaw * Math.PI / 180, horizon * Math.PI / 180];
      const ahead = [Math.sin(turn) * Math.cos(tilt), -Math.sin(tilt), -Math.cos(turn) * Math.cos(tilt)];
      return { at: [x, y + above, -z], ahead, turn, tilt };
    }

    /** Show a step: `objects` with their `states`, what the Follower holds, both poses, the cells not
        seen yet, the objects not seen yet, and [index, kind] of those that are marked. */
    show(shown) {
      this.shown = shown;
      if (!this.camera) return;
      if (this.placed === "eyes") this.aim();
      this.solids.clear();
      this.addRoom(shown);
      shown.states.forEach((state, i) => { if (state && !state[1].includes("sliced")) this.addThing(i, state); });
      this.addAgent("follower", shown.follower, this.timeline.room.eye);
      if (shown.commander) this.addAgent("commander", shown.commander, 0);
      this.frusta.commander.visible = Boolean(shown.commander);
      this.solids.upload();
      this.tell();
      this.draw();
    }

    addRoom({ unknown }) {
      const { low, high, colour, stove } = this.timeline.room;
      const middle = low.map((part, i) => (part + high[i]) / 2);
      const lengths = low.map((part, i) => high[i] - part);
      this.solids.add([middle[0], middle[1] - UNDER, middle[2]], lengths, 0, 2, rgb(colour));
      if (stove.length) this.solids.addObject([0, 0, 0, 0, 0, 0, 0], stove, rgb(GREY));
      for (const [x0, z0, x1, z1] of this.timeline.floor.beyond)
        this.solids.add([(x0 + x1) / 2, 0.02, (z0 + z1) / 2], [x1 - x0, 0.04, z1 - z0], 0, 0, DARK);
      const { step } = this.timeline.floor;
      for (const [i, k] of unknown)
        this.solids.add([i * step, 0.012, k * step], [step, 0.004, step], 0, 0, DARK, { style: STYLES.unseen, owner: THROUGH });
    }

    addThing(i, [box, flags, , shape]) {
      const { objects, held, unseen, follower } = this.shown;
      const solids = this.timeline.shapes[shape ?? 0];
      const style = i === this.chosen ? STYLES.picked : unseen.has(i) ? STYLES.unseen : STYLES.plain;
      let colour = this.colourOf(objects[i]);
      if (flags.includes("cooked")) colour = colour.map((part, at) => 0.45 * part + 0.55 * [0.27, 0.16, 0.07][at]);
      if (i === held) {
        const { at, ahead } = this.eyeOf(follower, this.timeline.room.eye);
        const [x, y, z] = at.map((part, axis) => part + HAND[0] * ahead[axis] + (axis === 1 ? HAND[1] : 0));
        const half = (box[6] - box[5]) / 2;
        box = [x, -z, box[2], box[3], box[4], y - half, y + half];
      }
      this.solids.addObject(box, solids, colour, { style, owner: i });
    }

    addAgent(who, pose, above) {
      const { at, turn, tilt } = this.eyeOf(pose, above);
      const { position, rotation } = this.frusta[who];
      position.set(...at);
      rotation.set(-tilt, -turn, 0);
      const [x, y, z] = [at[0], at[1], -at[2]];
      const given = { owner: THROUGH };
      const colour = this.colours[who];
      this.frusta[who].visible = !(who === "follower" && this.placed === "eyes");
      if (!this.frusta[who].visible) return;
      this.solids.add([x, y, z], [0.24, 0.24, 0.24], 0, 6, colour, given);
      if (who === "commander") return;
      this.solids.add([x, 0.03, z], [2 * BODY, 0.04, 2 * BODY], 0, 3, colour, given);
      this.solids.add([x, y / 2, z], [0.07, y, 0.07], 0, 3, colour, given);
    }

    /** Choose the object at a point of the picture, as a ray would hit it. */
    choose(x, y) {
      const { gl } = this.renderer;
      const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
      this.target.setSize(width, height);
      this.frusta.follower.visible = this.frusta.commander.visible = false;
      this.solids.uniforms.picking.value = 1;
      this.renderer.render({ scene: this.scene, camera: this.camera, target: this.target });
      const pixel = new Uint8Array(4);
      gl.readPixels(Math.round(x), height - 1 - Math.round(y), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      this.renderer.bindFramebuffer();
      this.solids.uniforms.picking.value = 0;
      this.select(pixel[0] + 256 * pixel[1] - 1);
    }

    select(i) {
      this.chosen = i >= 0 && i !== this.chosen ? i : undefined;
      this.pick(this.chosen);
      this.show(this.shown);
    }

    /** Tell the state of the chosen object. */
    tell() {
      const { objects, states, unseen, step } = this.shown;
      const [object, state] = [objects[this.chosen], states[this.chosen]];
      this.card.hidden = !object || !state;
      if (this.card.hidden) return;
      const [, flags, within] = state;
      const since = object.track.findLast(([from]) => from <= step)[0];
      const facts = [
        ...flags, within === null || within === undefined ? "" : `in or on the ${spaced(objects[within].type).toLowerCase()}`,
        unseen.has(this.chosen) ? "not seen by the Follower" : "", since ? `so since step ${since}` : "as at the start",
      ];
      this.card.replaceChildren(el("b", {}, spaced(object.type)), ` ${facts.filter(Boolean).join(", ")} `, el("code", {}, object.id),
        el("button", { type: "button", "aria-label": "Close", onclick: () => this.select(-1) }, "×"));
    }

    resize() {
      const { clientWidth: width, clientHeight: height } = this.root;
      if (!width || !height) return;
      this.renderer.setSize(width, height);
      this.camera.perspective({ aspect: width / height });
      if (this.placed) this.aim();
      this.draw();
    }

    /** Draw once before the browser paints next. */
    draw() {
      if (!this.camera || this.waits) return;
      this.waits = requestAnimationFrame(() => {
        this.waits = null;
        this.orbit.update();
        this.renderer.render({ scene: this.scene, camera: this.camera });
        this.name();
      });
    }

    /** Write the agents' names and what the marked objects are marked for where they are seen. */
    name() {
      const { follower, commander, marks, states } = this.shown;
      const eye = this.timeline.room.eye;
      const wanted = [["follower", "Follower", this.eyeOf(follower, eye).at]];
      if (commander) wanted.push(["commander", "Commander", this.eyeOf(commander, 0).at]);
      if (this.placed === "eyes") wanted.shift();
      for (const [i, kind] of marks) {
        const state = states[i];
        if (state && MARKS[kind]) wanted.push([kind, `${MARKS[kind]}`, [state[0][0], state[0][6], -state[0][1]]]);
      }
      const seen = wanted.map(([kind, words, at]) => [kind, words, this.onScreen(at)]).filter(([, , at]) => at);
      this.labels.replaceChildren(...seen.map(([kind, words, [left, top]]) => {
        const made = el(`span.${kind}`, {}, words);
        made.style.left = `${left}px`;
        made.style.top = `${top}px`;
        return made;
      }));
    }

    /** Return where a point is on the screen, null for one that is behind the camera or outside. */
    onScreen(at) {
      const point = new ogl.Vec3(...at);
      point.applyMatrix4(this.camera.viewMatrix);
      if (point.z > -0.05) return null;
      point.applyMatrix4(this.camera.projectionMatrix);
      if (Math.abs(point.x) > 1 || Math.abs(point.y) > 1) return null;
      return [(point.x + 1) / 2 * this.canvas.clientWidth, (1 - point.y) / 2 * this.canvas.clientHeight];
    }
  }

  return HomeView;
})();
