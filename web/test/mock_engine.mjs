// An engine without physics for the page's tests: strands that swing as pendulums do, a ball, a mesh, a bob and clamps.
// It speaks the whole protocol and remembers what it was asked.

const magic = 0x4c444e54;
const strands = 12, perStrand = 24, length = 0.8, radius = 0.006;
const pointsPerStrand = perStrand + 1;
const pointCount = strands * pointsPerStrand, segmentCount = strands * perStrand;
const origin = [10, 0, 0]; // so that a page that forgets it fails

export const solvers = [{ name: 'block', summary: 'implicit' }, { name: 'stable', summary: 'sweeps' }, { name: 'direct', summary: 'Newton' }];
export const colors = [['rod', ''], ['strain', '-'], ['curvature', '1/m'], ['twist', 'rad/m'], ['contact', '-'], ['speed', 'm/s']]
  .map(([name, unit]) => ({ name, unit }));

export const toml = `title = "Pendulums"

[simulation]
solver = "block"
time_step = 0.01
duration = 5.0      # seconds

[material.wood]
young_modulus = 1e9
damping = 0.5
`;

const bodies = [
  { name: 'floor', kind: 'kinematic', obstacle: true, movable: false, shape: { type: 'plane', point: [0, 0, 0], normal: [0, 0, 1] } },
  { name: 'ball', kind: 'kinematic', obstacle: true, movable: true, shape: { type: 'sphere', center: [0, 0, 0], radius: 0.16 } },
  { name: 'wedge', kind: 'kinematic', obstacle: true, movable: true,
    shape: { type: 'mesh', first_vertex: 0, vertex_count: 4, first_triangle: 0, triangle_count: 4, inside: false } },
  { name: 'bob', kind: 'dynamic', obstacle: false, movable: false, shape: { type: 'cylinder', from: [0, 0, -0.05], to: [0, 0, 0.05], radius: 0.05 } },
  ...Array.from({ length: strands }, () => ({ name: '', kind: 'kinematic', obstacle: false, movable: true, shape: { type: 'none' } })),
].map((body) => ({ visible: true, color: [0.55, 0.58, 0.62], ...body }));

const meshPoints = [[-0.12, -0.1, 0], [0.12, -0.1, 0], [0, 0.12, 0], [0, 0, 0.22]];
const meshTriangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

const rootOf = (strand) => [-0.66 + 0.12 * strand, 0, 1];

// where a point of a strand is: it swings to and fro, the lower parts a little later
function pointAt(strand, k, time, pull) {
  const [x, y, z] = rootOf(strand);
  const f = k / perStrand, swing = 0.5 * Math.sin(3.5 * time - 1.1 * f + 0.35 * strand);
  const curl = 0.03 * strand / strands, phase = 14 * f;
  const point = [x + curl * f * Math.cos(phase), y + length * f * Math.sin(swing * f ** 0.3), z - length * f * Math.cos(swing * f)];
  if (!pull || Math.floor(pull.segment / perStrand) !== strand) return point;
  const held = (pull.segment % perStrand + pull.fraction) / perStrand;
  const weight = Math.exp(-30 * (f - held) ** 2) * Math.min(1, 3 * f);
  return point.map((c, axis) => c + 0.8 * weight * (pull.target[axis] - origin[axis] - c));
}

function header(kind, side, layout, sequence, time, [a, b, limit], flags, index = 0) {
  const view = new DataView(new ArrayBuffer(64));
  view.setUint32(0, magic, true);
  view.setUint16(4, 1, true);
  view.setUint8(6, kind);
  view.setUint8(7, side);
  view.setUint32(8, layout, true);
  view.setUint32(12, sequence, true);
  view.setFloat64(16, time, true);
  [pointCount, segmentCount, bodies.length].forEach((count, k) => view.setUint32(24 + 4 * k, count, true));
  view.setUint32(36, a, true);
  if (limit === undefined) view.setUint32(40, b, true);
  else view.setFloat32(40, limit, true);
  view.setUint32(44, flags, true);
  view.setUint32(48, index, true);
  return Buffer.from(view.buffer);
}

const bytesOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);
const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

export function layoutMessage(side, layout) {
  const segments = new Uint32Array(2 * segmentCount), beside = new Int32Array(2 * segmentCount).fill(-1);
  const sRgb = new Uint8Array(4 * segmentCount).fill(255);
  for (let s = 0; s < segmentCount; ++s) {
    const strand = Math.floor(s / perStrand), k = s % perStrand, first = strand * pointsPerStrand;
    segments.set([first + k, first + k + 1], 2 * s);
    beside.set([k > 0 ? s - 1 : -1, k + 1 < perStrand ? s + 1 : -1], 2 * s);
    sRgb.set([200 - 9 * strand, 110 + 5 * strand, 60 + 13 * strand], 4 * s);
  }
  return Buffer.concat([
    header(1, side, layout, 0, 0, [meshPoints.length, meshTriangles.length], 0), bytesOf(segments), bytesOf(beside),
    bytesOf(new Float32Array(pointCount).fill(radius)), bytesOf(sRgb),
    bytesOf(new Float32Array(meshPoints.flat())), bytesOf(new Uint32Array(meshTriangles.flat())),
  ]);
}

/** The arrays of a moment. */
export function moment(time, pull, poses) {
  const positions = new Float32Array(3 * pointCount), directors = new Int8Array(4 * segmentCount);
  const values = new Uint8Array(segmentCount);
  for (let strand = 0; strand < strands; ++strand)
    for (let k = 0; k <= perStrand; ++k) positions.set(pointAt(strand, k, time, pull), 3 * (strand * pointsPerStrand + k));
  for (let s = 0; s < segmentCount; ++s) {
    const turn = 0.3 * (s % perStrand);
    directors.set([127 * Math.cos(turn), 127 * Math.sin(turn), 0], 4 * s);
    values[s] = 255 * (s % perStrand) / perStrand;
  }
  return { positions, directors, values, poses };
}

export class MockEngine {
  constructor({ mode = 'live' } = {}) {
    this.mode = mode;
    this.asked = []; // every message but acks
    this.acks = 0;
    this.time = 0;
    this.playing = true;
    this.rate = 1;
    this.sides = ['block'];
    this.layout = 1;
    this.frameCount = mode === 'recorded' ? 61 : 0;
    this.shown = { color: 'rod', stripes: false, limit: 0 };
    this.pull = null;
    this.toml = toml;
    this.poses = new Float32Array(7 * bodies.length);
    bodies.forEach((_, b) => this.poses.set([...this.startOf(b), 1, 0, 0, 0], 7 * b));
    this.clients = new Set();
    this.timer = setInterval(() => this.tick(), 150);
  }

  startOf(body) {
    return [[0, 0, 0], [0.1, -0.35, 0.3], [-0.5, -0.4, 0.001], [0.6, -0.3, 0.06]][body] ?? rootOf(body - 4);
  }

  connect(send) {
    const client = { send, sent: 0, acked: 0 };
    this.clients.add(client);
    this.say(client, { type: 'welcome', version: 1, program: 'mock', control: this.clients.size === 1, mode: this.mode, solvers, colors, keys: [] });
    if (this.mode === 'gallery') this.sayGallery(client);
    else this.sayScene(client);
    return { receive: (message) => this.receive(client, message), left: () => this.clients.delete(client) };
  }

  say(client, message) {
    client.send(JSON.stringify(message));
  }
  sayAll(message) {
    for (const client of this.clients) this.say(client, message);
  }
  asking(type) {
    return this.asked.filter((message) => message.type === type);
  }

  sayGallery(client) {
    const names = ['hair_on_head', 'wilberforce', 'pile', 'bridge', 'plectoneme', 'stairs', 'capstan'];
    this.say(client, { type: 'gallery', scenes: names.map((name) => ({ name, title: `The scene ${name.replaceAll('_', ' ')}`, thumbnail: false })) });
  }

  settings() {
    return {
      toml: this.toml, solver: this.sides, gravity: [0, 0, -9.81], wind: { has: false, on: false, velocity: [2, 0, 0] }, touched: false,
      sliders: [{ path: 'material.wood.damping', value: 0.5, low: 0, high: 5, unit: '1/s', integer: false, meaning: 'air' }],
    };
  }

  sceneMessage() {
    return {
      type: 'scene', layout: this.layout, sides: this.sides.length, name: 'pendulums', title: 'Pendulums', origin,
      bounds: { low: [9.2, -0.6, 0], high: [10.8, 0.6, 1.05] }, time_step: 0.01, duration: 2, frame_rate: 30,
      rods: Array.from({ length: strands }, (_, k) => ({ name: `strand.${k}`, first_segment: k * perStrand, segment_count: perStrand, strands: 1, closed: false, color: [0.5, 0.4, 0.3] })),
      bodies, probes: ['tip'], chart_columns: ['kinetic', 'elastic', 'gravity', 'tip.x', 'tip.z'],
      frames: this.frameCount, times: Array.from({ length: this.frameCount }, (_, k) => k / 30), ...this.settings(),
    };
  }

  sayScene(client) {
    this.say(client, this.sceneMessage());
    this.sides.forEach((_, side) => client.send(layoutMessage(side, this.layout)));
    this.sayStatus(client);
  }

  sayStatus(client) {
    const swing = Math.sin(3.5 * this.time);
    const row = [this.time, 0.4 * (1 - swing ** 2), 0.05, 0.4 * swing ** 2, swing, 0.2];
    this.say(client, {
      type: 'status', playing: this.playing, time: this.time, rate: this.rate, frame: Math.round(this.time * 30) % Math.max(this.frameCount, 1),
      touched: false, saving: null, clients: this.clients.size, columns: this.sides.map((_, side) => row.map((value, k) => value * (k && side ? 0.9 : 1))),
      grabs: this.pull ? [{ id: 0, side: 0, from: [0, 0, 0], to: [0, 0, 1], force: [0.3, 0, 0.4] }] : [],
      sides: this.sides.map((solver) => ({ solver, speed: 0.62, ms_per_step: 8.13, iterations: 4, residual: 1e-9, contacts: 12, unsolved: 0, steps: 100, smallest_gap: 1e-4, broken: 0 })),
    });
  }

  tick() {
    const end = this.frameCount ? (this.frameCount - 1) / 30 : Infinity;
    if (this.playing && this.mode !== 'gallery') this.time = Math.min(this.time + 0.05 * this.rate, end);
    for (const client of this.clients) {
      if (this.mode === 'gallery') continue;
      this.sayStatus(client);
      if (client.sent - client.acked <= this.sides.length) this.sides.forEach((_, side) => this.sendFrame(client, side));
    }
  }

  sendFrame(client, side) {
    const time = this.time + 0.2 * side;
    const { positions, directors, values, poses } = moment(time, this.pull, this.poses);
    const color = colors.findIndex(({ name }) => name === this.shown.color);
    const flags = (color > 0 ? 1 : 0) | (this.shown.stripes ? 2 : 0);
    const limit = this.shown.limit || 0.012;
    client.send(Buffer.concat([
      header(2, side, this.layout, ++client.sent, time, [color, 0, limit], flags, Math.round(time * 30)), bytesOf(positions), bytesOf(poses),
      color > 0 ? padded(bytesOf(values)) : Buffer.alloc(0), this.shown.stripes ? bytesOf(directors) : Buffer.alloc(0),
    ]));
  }

  receive(client, message) {
    if (message.type === 'ack') {
      client.acked = message.sequence;
      ++this.acks;
      return;
    }
    this.asked.push(message);
    const act = this[`on_${message.type}`];
    if (act) act.call(this, message, client);
  }

  on_play() { this.playing = true; }
  on_pause() { this.playing = false; }
  on_step({ count }) { this.playing = false; this.time += 0.01 * count; }
  on_reset() { this.time = 0; }
  on_rate({ value }) { this.rate = value; }
  on_seek({ frame }) { this.playing = false; this.time = frame / 30; }
  on_show(message) { this.shown = message; }
  on_grab(message) { if (message.segment !== undefined) this.pull = message; }
  on_drag({ target }) { if (this.pull) this.pull = { ...this.pull, target }; }
  on_release() { this.pull = null; }
  on_move({ body, x, q }) { this.poses.set([x[0] - origin[0], x[1] - origin[1], x[2] - origin[2], ...q], 7 * body); }
  on_open(message, client) {
    this.mode = 'live';
    this.say(client, { type: 'welcome', version: 1, program: 'mock', control: true, mode: 'live', solvers, colors, keys: [] });
    this.sayScene(client);
  }
  on_gallery(message, client) { this.sayGallery(client); }
  on_solver({ name, side }) {
    this.sides[side] = name;
    this.sayAll({ type: 'changed', ...this.settings() });
  }
  on_compare({ solver }) {
    this.sides = solver ? [this.sides[0], solver] : [this.sides[0]];
    ++this.layout;
    for (const client of this.clients) this.sayScene(client);
  }
  // a mistake is any key that begins with "wrong"
  problemsOf(text) {
    return text.split('\n').flatMap((line, k) =>
      line.startsWith('wrong') ? [{ line: k + 1, column: 1, message: 'simulation.wrong: no such key; did you mean time_step?' }] : []);
  }
  on_check({ text }, client) { this.say(client, { type: 'checked', problems: this.problemsOf(text) }); }
  on_toml({ text }, client) {
    const problems = this.problemsOf(text);
    if (problems.length) return this.say(client, { type: 'error', about: 'toml', message: `scene.toml:${problems[0].line}:1: ${problems[0].message}`, problems });
    this.toml = text;
    this.sayAll({ type: 'changed', ...this.settings() });
  }
  on_set() { this.sayAll({ type: 'changed', ...this.settings() }); }
  on_save({ name }, client) { this.say(client, { type: 'saved', name, path: `runs/${name}`, frames: 61 }); }

  stop() {
    clearInterval(this.timer);
  }
}
