// The container of a run in a page, see RUN_FORMAT.md: a base64 text of a deflated file that holds a JSON text, one
// layout and all frames, with positions in 16 bits.

import { Cursor, Frame, Header, Layout, MalformedMessage, headerBytes, readHeader, readMessage } from './binary';
import { ColorInfo, Scene } from './protocol';

const runMagic = 0x52444e54; // "TNDR"
const recordedFrame = 3;
const hasStripes = 2, hasBroken = 4;

interface Preface {
  scene: Scene;
  colors: ColorInfo[];
  limits: number[]; // end of the scale of each colour; 0: it has no values
  columns: (number | null)[][]; // chart_columns of each frame
}

export interface Shown {
  color: string;
  stripes: boolean;
  limit: number;
}

async function inflate(base64: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

export class EmbeddedRun {
  readonly scene: Scene;
  readonly colors: ColorInfo[];
  readonly columns: (number | null)[][];
  readonly times: number[];

  constructor(private readonly preface: Preface, readonly layout: Layout, private readonly frames: ArrayBuffer[]) {
    this.scene = preface.scene;
    this.colors = preface.colors;
    this.columns = preface.columns;
    this.times = frames.map((frame) => readHeader(frame).time);
    Object.assign(this.scene, { frames: frames.length, times: this.times });
  }

  /** The last frame that is not later than so many seconds after the first. */
  frameAt(time: number): number {
    let low = 0, high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] - this.times[0] <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  frame(index: number, sequence: number, shown: Shown): Frame {
    const buffer = this.frames[index], header = readHeader(buffer);
    const cursor = new Cursor(buffer, headerBytes);
    const positions = readPositions(cursor, header);
    const poses = cursor.f32(7 * header.bodies);
    const color = this.colors.findIndex(({ name }) => name === shown.color);
    const values = this.readValues(cursor, header, color);
    const directors = header.flags & hasStripes ? cursor.i8(4 * header.segments) : null;
    const broken = header.flags & hasBroken ? cursor.u8(header.segments) : null;
    return {
      kind: 'frame', side: 0, layout: header.layout, sequence, time: header.time, index, color, positions, poses,
      ...this.rescale(values, this.preface.limits[color], shown.limit), broken,
      directors: shown.stripes ? directors : null,
    };
  }

  // every colour that has a scale stands there in its turn
  private readValues(cursor: Cursor, header: Header, color: number): Uint8Array | null {
    let values: Uint8Array | null = null;
    this.preface.limits.forEach((limit, k) => {
      if (limit <= 0) return;
      const plane = cursor.u8(header.segments);
      if (k === color) values = plane;
    });
    return values;
  }

  private rescale(values: Uint8Array | null, limit: number, wanted: number): { values: Uint8Array | null; limit: number } {
    if (!values || wanted <= 0) return { values, limit };
    const factor = limit / wanted;
    return { values: values.map((value) => Math.min(255, value * factor)), limit: wanted };
  }
}

// 16 bits between the lowest and the highest of each axis
function readPositions(cursor: Cursor, { points }: Header): Float32Array {
  const low = cursor.f32(3), step = cursor.f32(3), steps = cursor.u16(3 * points);
  const positions = new Float32Array(3 * points);
  for (let i = 0; i < 3 * points; ++i) positions[i] = low[i % 3] + step[i % 3] * steps[i];
  return positions;
}

/** Reads the text of the script element `tendril-run`. */
export async function readRun(base64: string): Promise<EmbeddedRun> {
  const file = await inflate(base64), view = new DataView(file);
  if (view.getUint32(0, true) !== runMagic || view.getUint32(4, true) !== 1) throw new MalformedMessage('not a run of this version');
  let offset = 8;
  const next = () => {  // every part begins with its length, and ends at a multiple of 4
    const length = view.getUint32(offset, true), start = offset + 4;
    offset = start + ((length + 3) & ~3);
    return file.slice(start, start + length);
  };
  const preface = JSON.parse(new TextDecoder().decode(next())) as Preface;
  const layout = readMessage(next());
  if (layout.kind !== 'layout') throw new MalformedMessage('a run without a layout');
  const frames: ArrayBuffer[] = [];
  while (offset < file.byteLength) frames.push(next());
  if (!frames.length || frames.some((frame) => readHeader(frame).kind !== recordedFrame)) throw new MalformedMessage('a run without frames');
  return new EmbeddedRun(preface, layout, frames);
}
