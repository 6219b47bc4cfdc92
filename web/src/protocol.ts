// What page and engine say to each other: ../PROTOCOL.md in types. SI units, z up, quaternions (w, x, y, z).

export type Vector = [number, number, number];
export type Quaternion = [number, number, number, number];

// ---- what the engine says ----

export interface SolverInfo {
  name: string;
  summary: string;
}

export interface ColorInfo {
  name: string;
  unit: string;
}

export type Mode = 'gallery' | 'live' | 'recorded';

export interface Welcome {
  type: 'welcome';
  version: number;
  program: string;
  control: boolean; // false: this page may only watch
  mode: Mode;
  solvers: SolverInfo[];
  colors: ColorInfo[];
}

export interface GalleryScene {
  name: string;
  title: string;
  thumbnail: boolean | string; // a picture at /thumbnail/NAME.png, or its own address
}

export type Shape =
  | { type: 'none' }
  | { type: 'plane'; point: Vector; normal: Vector }
  | { type: 'sphere'; center: Vector; radius: number }
  | { type: 'capsule' | 'cylinder'; from: Vector; to: Vector; radius: number }
  | { type: 'box'; center: Vector; size: Vector; rotation?: Quaternion }
  | { type: 'mesh'; first_vertex: number; vertex_count: number; first_triangle: number; triangle_count: number; inside?: boolean };

export interface BodyInfo {
  name: string;
  kind: 'kinematic' | 'dynamic';
  obstacle: boolean;
  movable: boolean;
  visible: boolean;
  color: Vector; // linear
  shape: Shape;
}

export interface RodInfo {
  name: string;
  first_segment: number;
  segment_count: number;
  strands: number;
  closed: boolean;
  color: Vector;
}

export interface Wind {
  has: boolean; // the scene has a wind of its own
  on: boolean;
  velocity: Vector;
}

export interface Slider {
  path: string;
  value: number;
  low: number;
  high: number;
  unit: string;
  integer: boolean;
  meaning: string;
}

/** Everything that a change may alter without a new layout. */
export interface Settings {
  toml: string;
  solver: string[]; // by side
  gravity: Vector;
  wind: Wind;
  sliders: Slider[];
  touched: boolean;
}

export interface Scene extends Settings {
  type: 'scene';
  layout: number;
  sides: number;
  name: string;
  title: string;
  origin: Vector;
  bounds: { low: Vector; high: Vector };
  time_step: number;
  duration: number;
  frame_rate: number;
  rods: RodInfo[];
  bodies: BodyInfo[];
  probes: string[];
  chart_columns: string[];
  frames: number;
  times: number[];
}

export interface Grab {
  id: number;
  side: number;
  from: Vector;
  to: Vector;
  force: Vector;
}

export interface SideStatus {
  solver: string;
  speed: number; // simulated seconds per second
  ms_per_step: number;
  iterations: number;
  residual: number | null;
  contacts: number;
  unsolved: number;
  steps: number;
  smallest_gap: number | null;
  broken: number;
}

export interface Status {
  type: 'status';
  playing: boolean;
  time: number;
  rate: number;
  frame: number;
  touched: boolean;
  saving: { name: string; fraction: number } | null;
  clients: number;
  grabs: Grab[];
  sides: SideStatus[];
  columns: (number | null)[][]; // per side the time, then chart_columns
}

export interface Problem {
  line: number; // 0: nowhere in the text
  column: number;
  message: string;
}

export type Report =
  | Welcome
  | { type: 'gallery'; scenes: GalleryScene[] }
  | Scene
  | Status
  | { type: 'error'; about: string; message: string; problems?: Problem[] }
  | { type: 'checked'; problems: Problem[] }
  | { type: 'notice'; message: string }
  | { type: 'stopped'; message: string; time: number }
  | ({ type: 'changed' } & Settings)
  | { type: 'saved'; name: string; path: string; frames: number }
  | { type: 'dropped'; body: number };

// ---- what the page asks ----

export type Request =
  | { type: 'ack'; sequence: number }
  | { type: 'open'; scene: string }
  | { type: 'gallery' | 'play' | 'pause' | 'reset' }
  | { type: 'step'; count: number }
  | { type: 'rate'; value: number }
  | { type: 'seek'; frame: number }
  | { type: 'grab'; id: number; side: number; segment: number; fraction: number; target: Vector; strength: number }
  | { type: 'grab'; id: number; side: number; body: number; point: Vector; target: Vector; strength: number }
  | { type: 'drag'; id: number; target: Vector }
  | { type: 'release'; id: number }
  | { type: 'move'; body: number; x: Vector; q: Quaternion }
  | { type: 'stay'; body: number }
  | { type: 'drop'; at: Vector; radius: number; mass: number }
  | { type: 'gravity'; on: boolean }
  | { type: 'wind'; on: boolean; velocity?: Vector }
  | { type: 'set'; path: string; value: number | boolean | string | unknown[] }
  | { type: 'toml' | 'check'; text: string }
  | { type: 'solver'; name: string; side: number }
  | { type: 'compare'; solver: string }
  | { type: 'show'; color: string; stripes: boolean; limit: number }
  | { type: 'save'; name: string };
