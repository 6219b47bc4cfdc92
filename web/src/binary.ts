// The binary messages: a Layout when the topology changes, then Frames. Arrays are views of the message itself.

export const magic = 0x4c444e54; // "TNDL"
export const version = 1;
export const headerBytes = 64;

/** What does not change from frame to frame. */
export interface Layout {
  kind: 'layout';
  side: number;
  number: number;
  pointCount: number;
  segmentCount: number;
  segments: Uint32Array; // the two points of each (2 × segment)
  beside: Int32Array; // the segment before and after along the strand, -1: none (2 × segment)
  radii: Float32Array; // [m] (point)
  colors: Uint8Array; // sRGB and 255 (4 × segment)
  meshPoints: Float32Array; // in the frames of their bodies (3 × vertex)
  meshTriangles: Uint32Array; // (3 × triangle)
}

/** One moment. */
export interface Frame {
  kind: 'frame';
  side: number;
  layout: number;
  sequence: number;
  time: number; // [s]
  index: number; // in a recorded run
  color: number; // number of the shown quantity
  limit: number; // end of its scale
  positions: Float32Array; // relative to the scene's origin [m] (3 × point)
  poses: Float32Array; // x y z, w x y z (7 × body)
  values: Uint8Array | null; // the shown quantity, 255 at the end of the scale (segment)
  directors: Int8Array | null; // d1 times 127, and 0 (4 × segment)
  broken: Uint8Array | null; // (segment)
}

export class MalformedMessage extends Error {}

/** Hands out one array after the other of a message. */
export class Cursor {
  constructor(private readonly buffer: ArrayBuffer, private offset: number) {}

  u32(count: number): Uint32Array {
    return new Uint32Array(this.buffer, this.take(4 * count), count);
  }
  i32(count: number): Int32Array {
    return new Int32Array(this.buffer, this.take(4 * count), count);
  }
  f32(count: number): Float32Array {
    return new Float32Array(this.buffer, this.take(4 * count), count);
  }
  u16(count: number): Uint16Array {
    return new Uint16Array(this.buffer, this.take(2 * count), count);
  }
  u8(count: number): Uint8Array {
    return new Uint8Array(this.buffer, this.take(count), count);
  }
  i8(count: number): Int8Array {
    return new Int8Array(this.buffer, this.take(count), count);
  }

  // where an array of so many bytes begins; the next one begins at a multiple of 4
  private take(bytes: number): number {
    const start = this.offset;
    if (start + bytes > this.buffer.byteLength) throw new MalformedMessage('the message ends too early');
    this.offset = start + ((bytes + 3) & ~3);
    return start;
  }
}

/** The numbers at the start of every message. */
export function readHeader(buffer: ArrayBuffer) {
  if (buffer.byteLength < headerBytes) throw new MalformedMessage('the message is shorter than its header');
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== magic) throw new MalformedMessage('not a message of Tendril');
  if (view.getUint16(4, true) !== version) throw new MalformedMessage('a message of another version');
  return {
    kind: view.getUint8(6),
    side: view.getUint8(7),
    layout: view.getUint32(8, true),
    sequence: view.getUint32(12, true),
    time: view.getFloat64(16, true),
    points: view.getUint32(24, true),
    segments: view.getUint32(28, true),
    bodies: view.getUint32(32, true),
    color: view.getUint32(36, true), // of a layout: vertices of meshes
    limit: view.getFloat32(40, true),
    triangles: view.getUint32(40, true), // of a layout
    flags: view.getUint32(44, true),
    index: view.getUint32(48, true),
  };
}
export type Header = ReturnType<typeof readHeader>;

const hasColors = 1, hasStripes = 2, hasBroken = 4;

export function readMessage(buffer: ArrayBuffer): Layout | Frame {
  const header = readHeader(buffer);
  const cursor = new Cursor(buffer, headerBytes);
  if (header.kind === 1) return readLayout(header, cursor);
  if (header.kind === 2) return readFrame(header, cursor);
  throw new MalformedMessage(`a message of kind ${header.kind}`);
}

function readLayout(header: Header, cursor: Cursor): Layout {
  return {
    kind: 'layout',
    side: header.side,
    number: header.layout,
    pointCount: header.points,
    segmentCount: header.segments,
    segments: cursor.u32(2 * header.segments),
    beside: cursor.i32(2 * header.segments),
    radii: cursor.f32(header.points),
    colors: cursor.u8(4 * header.segments),
    meshPoints: cursor.f32(3 * header.color),
    meshTriangles: cursor.u32(3 * header.triangles),
  };
}

function readFrame(header: Header, cursor: Cursor): Frame {
  return {
    kind: 'frame',
    side: header.side,
    layout: header.layout,
    sequence: header.sequence,
    time: header.time,
    index: header.index,
    color: header.color,
    limit: header.limit,
    positions: cursor.f32(3 * header.points),
    poses: cursor.f32(7 * header.bodies),
    values: header.flags & hasColors ? cursor.u8(header.segments) : null,
    directors: header.flags & hasStripes ? cursor.i8(4 * header.segments) : null,
    broken: header.flags & hasBroken ? cursor.u8(header.segments) : null,
  };
}
