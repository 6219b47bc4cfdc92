// The colour scale, as in the pictures that tendril render makes (src/render/coloring.cpp): dark blue, teal, yellow, red.

const stops = [0x27306e, 0x2c6fa6, 0x35a79c, 0xa9cf6b, 0xf2c04b, 0xd2452f];

const toLinear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const toSrgb = (c: number) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);

/** sRGB bytes of a fraction of the scale; between its stops linear light is mixed. */
export function scaleColor(fraction: number): [number, number, number] {
  const position = Math.min(Math.max(fraction, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(position), stops.length - 2);
  const f = position - i;
  const channel = (shift: number) => {
    const low = toLinear(((stops[i] >> shift) & 255) / 255), high = toLinear(((stops[i + 1] >> shift) & 255) / 255);
    return Math.round(255 * toSrgb((1 - f) * low + f * high));
  };
  return [channel(16), channel(8), channel(0)];
}

/** The scale's 256 colours as texels: red in the lowest byte, 255 in the highest. */
export const colorTable = Uint32Array.from({ length: 256 }, (_, k) => {
  const [r, g, b] = scaleColor(k / 255);
  return (r | (g << 8) | (b << 16) | (255 << 24)) >>> 0;
});

/** A colour of rods or bodies, linear 0 … 1, for style sheets. */
export function cssOf([r, g, b]: readonly number[]): string {
  return `rgb(${[r, g, b].map((c) => Math.round(255 * toSrgb(c))).join(' ')})`;
}
