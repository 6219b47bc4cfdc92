// Which segment is under the pointer: the nearest to the eye of those whose axis passes within a few pixels of it.

import * as THREE from 'three';
import { Frame, Layout } from './binary';

export interface Picked {
  segment: number;
  fraction: number; // along it
  point: THREE.Vector3; // on its axis
  distance: number; // from the eye [m]
}

/** `reach` is in pixels, `pixelAngle` the width of a pixel at distance 1; beyond `farthest` nothing is seen. */
export function pickSegment(
  layout: Layout, frame: Frame, ray: THREE.Ray, pixelAngle: number, reach: number, farthest: number,
): Picked | null {
  const { segments, radii, segmentCount } = layout;
  const { positions, broken } = frame;
  const o = ray.origin, d = ray.direction;
  let best: Picked | null = null, bestScore = Infinity;
  for (let s = 0; s < segmentCount; ++s) {
    if (broken?.[s]) continue;
    const i = segments[2 * s], j = segments[2 * s + 1];
    // closest points of the ray and the segment: the segment's start and edge across and along the ray
    const ax = positions[3 * i] - o.x, ay = positions[3 * i + 1] - o.y, az = positions[3 * i + 2] - o.z;
    const ex = positions[3 * j] - o.x - ax, ey = positions[3 * j + 1] - o.y - ay, ez = positions[3 * j + 2] - o.z - az;
    const aAlong = ax * d.x + ay * d.y + az * d.z, eAlong = ex * d.x + ey * d.y + ez * d.z;
    const across = ex * ex + ey * ey + ez * ez - eAlong * eAlong;
    const aDotE = ax * ex + ay * ey + az * ez - aAlong * eAlong;
    const fraction = across > 0 ? Math.min(Math.max(-aDotE / across, 0), 1) : 0;
    const depth = aAlong + fraction * eAlong;
    if (depth <= 0 || depth > farthest) continue;
    const x = ax + fraction * ex - depth * d.x, y = ay + fraction * ey - depth * d.y, z = az + fraction * ez - depth * d.z;
    const gap = Math.max(Math.sqrt(x * x + y * y + z * z) - radii[i], 0);
    const pixels = gap / (pixelAngle * depth);
    if (pixels > reach) continue;
    const score = depth * (1 + 0.02 * pixels); // the nearest; of those that are about as near, the one under the pointer
    if (score >= bestScore) continue;
    bestScore = score;
    const point = new THREE.Vector3(o.x + ax + fraction * ex, o.y + ay + fraction * ey, o.z + az + fraction * ez);
    best = { segment: s, fraction, point, distance: depth };
  }
  return best;
}

/** Where a point of a segment is now. */
export function pointOnSegment(layout: Layout, frame: Frame, segment: number, fraction: number): THREE.Vector3 {
  const a = new THREE.Vector3().fromArray(frame.positions, 3 * layout.segments[2 * segment]);
  const b = new THREE.Vector3().fromArray(frame.positions, 3 * layout.segments[2 * segment + 1]);
  return a.lerp(b, fraction);
}
