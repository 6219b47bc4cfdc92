// Which points a tube passes: before a segment, its two ends, and after it.

import { Layout } from './binary';

const none = -1;

/** Segments of one strand may run in either direction. */
function otherEnd(segments: Uint32Array, segment: number, end: number): number {
  return segments[2 * segment] === end ? segments[2 * segment + 1] : segments[2 * segment];
}

/** Four points per segment; the outer ones are -1 where the tube ends. */
export function pointsAlong(layout: Layout): Int32Array {
  const { segments, beside, segmentCount } = layout;
  const points = new Int32Array(4 * segmentCount);
  for (let s = 0; s < segmentCount; ++s) {
    const a = segments[2 * s], b = segments[2 * s + 1], before = beside[2 * s], after = beside[2 * s + 1];
    points[4 * s] = before === none ? none : otherEnd(segments, before, a);
    points[4 * s + 1] = a;
    points[4 * s + 2] = b;
    points[4 * s + 3] = after === none ? none : otherEnd(segments, after, b);
  }
  return points;
}

/**
 * Unit vectors across the segments that turn as little as possible along each chain, times 127, for frames that bring
 * none: a tube's corners need a direction to start from. (4 × segment)
 */
export function carryDirectors(layout: Layout, positions: Float32Array, out: Int8Array): void {
  const { segments, beside, segmentCount } = layout;
  for (let s = 0; s < segmentCount; ++s) {
    const a = 3 * segments[2 * s], b = 3 * segments[2 * s + 1];
    const x = positions[b] - positions[a], y = positions[b + 1] - positions[a + 1], z = positions[b + 2] - positions[a + 2];
    const square = x * x + y * y + z * z || 1;
    const before = beside[2 * s];
    // the one of the segment before, or the axis that is least along this one
    let dx = 0, dy = 0, dz = 0;
    if (before !== none && before < s) [dx, dy, dz] = [out[4 * before], out[4 * before + 1], out[4 * before + 2]];
    else if (x * x <= y * y && x * x <= z * z) dx = 127;
    else if (y * y <= z * z) dy = 127;
    else dz = 127;
    const along = (dx * x + dy * y + dz * z) / square;
    dx -= along * x;
    dy -= along * y;
    dz -= along * z;
    const scale = 127 / (Math.sqrt(dx * dx + dy * dy + dz * dz) || 1);
    out[4 * s] = dx * scale;
    out[4 * s + 1] = dy * scale;
    out[4 * s + 2] = dz * scale;
  }
}
