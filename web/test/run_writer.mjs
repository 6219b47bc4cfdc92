// Puts a run into the page as RUN_FORMAT.md says, from the moments of the mock engine.

import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { colors, layoutMessage, MockEngine, moment } from './mock_engine.mjs';
import { pagePath } from './browser.mjs';

const bytesOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);
const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

function u32(...values) {
  return bytesOf(Uint32Array.from(values));
}

/** Its length, the bytes, and zeros up to a multiple of four. */
const part = (bytes) => Buffer.concat([u32(bytes.length), padded(bytes)]);

/** Lowest, step and 16-bit places of points. */
function quantise(positions) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((x, i) => {
    low[i % 3] = Math.min(low[i % 3], x);
    high[i % 3] = Math.max(high[i % 3], x);
  });
  const step = low.map((l, axis) => (high[axis] - l) / 65535);
  const steps = Uint16Array.from(positions, (x, i) => (step[i % 3] ? Math.round((x - low[i % 3]) / step[i % 3]) : 0));
  return Buffer.concat([bytesOf(Float32Array.from(low)), bytesOf(Float32Array.from(step)), padded(bytesOf(steps))]);
}

function frame(layout, index, time, poses, limits) {
  const { positions, directors, values } = moment(time, null, poses);
  const header = Buffer.from(layout.subarray(0, 64)); // the same counts
  header[6] = 3;
  header.writeDoubleLE(time, 16);
  header.fill(0, 36, 64);
  header.writeUInt32LE(2, 44);
  header.writeUInt32LE(index, 48);
  const planes = limits.filter((limit) => limit > 0).map((_, k) => padded(bytesOf(values.map((value) => (k ? 255 - value : value)))));
  return Buffer.concat([header, quantise(positions), bytesOf(poses), ...planes, bytesOf(directors)]);
}

/** The page with a run of so many frames in it. */
export async function pageWithRun(frames) {
  const engine = new MockEngine({ mode: 'recorded' });
  engine.stop();
  const limits = colors.map(({ name }) => ({ strain: 0.012, speed: 1.5 })[name] ?? 0);
  const columns = Array.from({ length: frames }, (_, k) => [k, 2 * k, 3 * k, 4 * k, null]);
  const preface = { scene: engine.sceneMessage(), colors, limits, columns };
  const layout = layoutMessage(0, 1);
  const parts = [part(Buffer.from(JSON.stringify(preface))), part(layout)];
  for (let k = 0; k < frames; ++k) parts.push(part(frame(layout, k, k / 30, engine.poses, limits)));
  const container = deflateSync(Buffer.concat([u32(0x52444e54, 1), ...parts]));
  const page = await readFile(pagePath, 'utf8');
  return page.replace('<!--run-->', `<script type="text/plain" id="tendril-run">${container.toString('base64')}</script>`);
}

/** Where the engine had put a point. */
export function pointOf(time, point) {
  return [...moment(time, null, new Float32Array(0)).positions.subarray(3 * point, 3 * point + 3)];
}
