// What the colours stand for, at the edge of the picture.

import { scaleColor } from './colours';
import { byId, make } from './dom';
import { ColorInfo } from './protocol';

const gradient = Array.from({ length: 33 }, (_, k) => `rgb(${scaleColor(1 - k / 32).join(' ')})`).join(', ');

/** A number for people: three digits. */
export function short(value: number): string {
  return value === 0 ? '0' : Number(value.toPrecision(3)).toString();
}

export class ColorBar {
  private readonly box = byId('color-bar');
  private readonly high = make('span', { className: 'end' });
  private readonly middle = make('span', { className: 'end' });
  private readonly name = make('span', { className: 'name' });
  private shown = '';

  constructor() {
    const bar = make('div', { className: 'bar' });
    bar.style.background = `linear-gradient(${gradient})`;
    const numbers = make('div', { className: 'numbers' }, this.high, this.middle, make('span', { className: 'end', textContent: '0' }));
    this.box.append(this.name, make('div', { className: 'scale' }, bar, numbers));
  }

  /** The quantity and the end of its scale; null hides the bar. */
  show(color: ColorInfo | null, limit: number): void {
    const unit = color?.unit && color.unit !== '-' ? ` ${color.unit}` : '';
    const text = color ? `${color.name} ${short(limit)}${unit}` : '';
    if (text === this.shown) return;
    this.shown = text;
    this.box.hidden = color === null;
    if (!color) return;
    this.name.textContent = color.name;
    this.high.textContent = short(limit) + unit;
    this.middle.textContent = short(limit / 2);
  }
}
