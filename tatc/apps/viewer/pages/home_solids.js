"use strict";

/* The solids of a home as rows that the graphics card draws: boxes, cylinders and ellipsoids.

   A ray of the simulated world enters a solid through its open faces and hits the far side from
   within; so an open face is drawn only where it is seen from within.  Our axes are left-handed,
   WebGL's are right-handed: z is turned round. */

const HomeSolids = (() => {
  const BODIES = ["box", "cylinder", "ellipsoid"];
  /** How a solid is drawn: as it is, hatched, tinted, or in tint and full of holes. */
  const STYLES = { plain: 0, unseen: 1, picked: 2, ghost: 3 };
  const PARTS = { place: 3, extent: 3, turn: 2, colour: 4, kind: 3 };
  /** The owner of what a click goes through; that of what is no object is -1. */
  const THROUGH = -2;

  const VERTEX = `#version 300 es
    in vec3 position, normal, place, extent, kind;
    in vec2 uv, turn;
    in vec4 colour;
    uniform mat4 viewMatrix, projectionMatrix;
    out vec3 facing;
    out vec2 within;
    out vec4 paint;
    flat out vec3 about;
    void main() {
      // A disc lies along x or z.
      vec3 p = kind.z == 1. ? position.yzx : kind.z == 2. ? position.zxy : position;
      vec3 n = kind.z == 1. ? normal.yzx : kind.z == 2. ? normal.zxy : normal;
      p *= extent;
      n /= max(extent, vec3(.001));
      facing = vec3(n.x * turn.x - n.z * turn.y, n.y, n.x * turn.y + n.z * turn.x);
      vec3 at = place + vec3(p.x * turn.x - p.z * turn.y, p.y, p.x * turn.y + p.z * turn.x);
      within = uv;
      paint = colour;
      about = vec3(kind.xy, normal.y);
      gl_Position = projectionMatrix * viewMatrix * vec4(at, 1.);
    }`;

  const FRAGMENT = `#version 300 es
    precision highp float;
    in vec3 facing;
    in vec2 within;
    in vec4 paint;
    flat in vec3 about;
    uniform float picking, edged;
    uniform vec3 tint;
    out vec4 shown;
    void main() {
      bool isOpen = about.y > 1.5 || (about.y > .5 && about.z > .5);
      if (gl_FrontFacing && isOpen) discard;
      float stripe = mod(gl_FragCoord.x + gl_FragCoord.y, 8.);
      bool isGhost = paint.a > 2.5;
      if (isGhost && mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 2.) < 1.) discard;
      if (picking > .5) {
        if (about.x < 0.) discard;
        shown = vec4(mod(about.x, 256.) / 255., floor(about.x / 256.) / 255., 0., 1.);
        return;
      }
      vec3 n = normalize(facing) * (gl_FrontFacing ? 1. : -1.);
      float light = .66 + .26 * max(dot(n, vec3(.36, .8, .48)), 0.) + .08 * n.x;
      vec3 colour = paint.rgb * light;
      vec2 edge = min(within, 1. - within) / max(fwidth(within), vec2(1e-6));
      if (edged > .5 && min(edge.x, edge.y) < 1.1) colour *= .72;
      if (paint.a > 1.5) colour = mix(colour, tint, isGhost ? .75 : .55);
      else if (paint.a > .5) colour = mix(vec3(dot(colour, vec3(.3, .5, .2))), vec3(.5, .52, .56), stripe < 2.5 ? .85 : .45);
      shown = vec4(colour, 1.);
    }`;

  /** Keeps the rows of each kind of body and draws them with one call a kind. */
  class HomeSolids {
    constructor(gl, scene) {
      this.gl = gl;
      const { Box, Cylinder, Sphere, Program, Mesh } = ogl;
      const bases = [new Box(gl), new Cylinder(gl, { radialSegments: 28 }), new Sphere(gl, { widthSegments: 24 })];
      const shared = { picking: { value: 0 }, tint: { value: [1, 0.7, 0] } };
      this.uniforms = shared;
      this.meshes = bases.map((base, body) => {
        const edged = { value: body === 0 ? 1 : 0 };
        const program = new Program(gl, { vertex: VERTEX, fragment: FRAGMENT, uniforms: { ...shared, edged }, cullFace: false });
        const mesh = new Mesh(gl, { geometry: base, program, frustumCulled: false });
        mesh.base = base.attributes;
        mesh.setParent(scene);
        return mesh;
      });
      this.clear();
    }

    clear() {
      this.rows = BODIES.map(() => []);
    }

    /** Add a solid: its centre and lengths in metres, its yaw in degrees, its kind as Python numbers it. */
    add([x, y, z], [width, height, depth], yaw, kind, colour, { style = STYLES.plain, owner = -1 } = {}) {
      const shape = Math.floor(kind / 3);
      let body = shape, axis = 0, size = [width, height, depth];
      if (shape === 3) { // a disc: a cylinder along its shortest side
        body = 1;
        if (width <= height && width <= depth) axis = 1;
        else if (depth <= height) axis = 2;
      }
      const turn = yaw * Math.PI / 180;
      this.rows[body].push([x, y, -z, ...size, Math.cos(turn), Math.sin(turn), ...colour, style, owner + 1, kind % 3, axis]);
    }

    /** Add an object: its box from above as the plan has it, cut into the solids of its shape. */
    addObject(box, shape, colour, given) {
      const [x, z, width, depth, yaw, low, high] = box;
      const middle = [x, (low + high) / 2, z];
      if (!shape) return this.add(middle, [width, high - low, depth], yaw, 0, colour, given);
      const [s, c] = [Math.sin(yaw * Math.PI / 180), Math.cos(yaw * Math.PI / 180)];
      for (const [a, up, b, w, h, d, kind, turn = 0] of shape.map((row) => row.map((each, i) => (i < 6 ? each / 1000 : each))))
        this.add([x + a * c + b * s, middle[1] + up, z - a * s + b * c], [w, h, d], yaw + turn, kind, colour, given);
    }

    /** Hand the rows to the graphics card. */
    upload() {
      this.meshes.forEach((mesh, body) => {
        const rows = this.rows[body];
        mesh.visible = rows.length > 0;
        if (rows.length > (mesh.room ?? 0)) this.enlarge(mesh, Math.ceil(rows.length * 1.5));
        let from = 0;
        for (const [name, size] of Object.entries(PARTS)) {
          const part = mesh.geometry.attributes[name];
          if (part) {
            rows.forEach((row, i) => part.data.set(row.slice(from, from + size), i * size));
            part.needsUpdate = true;
          }
          from += size;
        }
        mesh.geometry.instancedCount = rows.length;
      });
    }

    enlarge(mesh, room) {
      const parts = Object.entries(PARTS).map(([name, size]) =>
        [name, { instanced: 1, size, data: new Float32Array(room * size), usage: this.gl.DYNAMIC_DRAW }]);
      const { position, normal, uv, index } = mesh.base;
      const base = Object.entries({ position, normal, uv, index }).map(([name, { data, size }]) => [name, { data, size }]);
      if (mesh.room) mesh.geometry.remove();
      mesh.geometry = new ogl.Geometry(this.gl, Object.fromEntries([...base, ...parts]));
      mesh.room = room;
    }
  }

  /** Return "#b98a5a" as three numbers from 0 to 1. */
  const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);

  Object.assign(HomeSolids, { STYLES, THROUGH, rgb });
  return HomeSolids;
})();
