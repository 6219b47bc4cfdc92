// Play, pause, step, reset, how fast; and the truth about how fast it really is.

import { short } from './color_bar';
import { Connection } from './connection';
import { byId, make } from './dom';
import { Mode, Scene, SideStatus, Status } from './protocol';
import { Timeline } from './timeline';

const rates: [name: string, value: number][] = [
  ['¹⁄₁₀₀ ×', 0.01], ['¹⁄₁₀ ×', 0.1], ['¼ ×', 0.25], ['½ ×', 0.5], ['real time', 1], ['2 ×', 2], ['5 ×', 5], ['as fast as it goes', 0],
];

/** An icon of 16 by 16 dots. */
function icon(path: string): string {
  return `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path fill="currentColor" d="${path}"/></svg>`;
}
const icons = {
  play: icon('M4 2.5v11l9-5.5z'),
  pause: icon('M4 2.5h3v11H4zM9 2.5h3v11H9z'),
  step: icon('M3 2.5v11l7-5.5zM11 2.5h2v11h-2z'),
  reset: icon('M8 3V.8L4.4 4 8 7.2V5a3.8 3.8 0 1 1-3.7 4.7H2.2A5.8 5.8 0 1 0 8 3z'),
};

export class Transport {
  readonly timeline: Timeline;
  private readonly play: HTMLButtonElement;
  private readonly step: HTMLButtonElement;
  private readonly reset: HTMLButtonElement;
  private readonly rate: HTMLSelectElement;
  private readonly clock = make('output', { id: 'clock', title: 'simulated time' });
  private readonly readout = make('div', { id: 'readout' });
  private playing = false;

  constructor(private readonly connection: Connection) {
    const button = (id: string, title: string, act: () => void) => {
      const made = make('button', { id, title, className: 'icon', onclick: act });
      made.setAttribute('aria-label', title);
      return made;
    };
    this.play = button('play', 'Play or pause (space)', () => this.toggle());
    this.step = button('step', 'One step (.)', () => connection.send({ type: 'step', count: 1 }));
    this.reset = button('reset', 'Back to the start (R)', () => connection.send({ type: 'reset' }));
    this.step.innerHTML = icons.step;
    this.reset.innerHTML = icons.reset;
    this.rate = make('select', { id: 'rate', title: 'How fast it should go' });
    for (const [name, value] of rates) this.rate.append(make('option', { value: String(value), textContent: name }));
    this.rate.value = '1';
    this.rate.onchange = () => connection.send({ type: 'rate', value: Number(this.rate.value) });
    this.timeline = new Timeline(connection);
    const buttons = make('div', { className: 'buttons' }, this.reset, this.play, this.step, this.rate);
    byId('transport').append(buttons, this.clock, this.timeline.element, this.readout);
    this.setPlaying(false);
  }

  toggle(): void {
    this.connection.send({ type: this.playing ? 'pause' : 'play' });
  }

  open(scene: Scene, mode: Mode): void {
    this.timeline.open(scene, mode);
    document.body.dataset.mode = mode;
  }

  enable(control: boolean): void {
    for (const item of [this.play, this.step, this.reset, this.rate]) item.disabled = !control;
  }

  update(status: Status, mode: Mode): void {
    this.setPlaying(status.playing);
    if (document.activeElement !== this.rate) this.setRate(status.rate);
    this.clock.textContent = `${status.time.toFixed(3)} s`;
    this.timeline.update(status);
    this.readout.replaceChildren(...(mode === 'live' ? status.sides.map((side) => describe(side, status)) : []));
  }

  private setRate(rate: number): void {
    const value = String(rate);
    if (![...this.rate.options].some((option) => option.value === value))
      this.rate.append(make('option', { value, textContent: `${short(rate)} ×` }));
    this.rate.value = value;
  }

  private setPlaying(playing: boolean): void {
    if (playing === this.playing && this.play.innerHTML) return;
    this.playing = playing;
    this.play.innerHTML = playing ? icons.pause : icons.play;
    this.play.setAttribute('aria-pressed', String(playing));
  }
}

/** One solver's figures; what is slower than asked for, or not solved, stands out. */
function describe(side: SideStatus, status: Status): HTMLElement {
  const figure = (value: string, unit: string, title: string, warns = false) =>
    make('span', { className: warns ? 'figure warns' : 'figure', title }, make('b', { textContent: value }), ` ${unit}`);
  const slow = status.playing && status.rate > 0 && side.speed < 0.9 * status.rate;
  const speed = status.playing ? short(Number(side.speed.toPrecision(2))) : 'paused';
  const figures = [
    figure(speed, status.playing ? '× real time' : '', 'simulated seconds per second, as it really is', slow),
    figure(short(side.ms_per_step), 'ms/step', 'computing time of a step'),
    figure(String(side.iterations), 'iterations', 'most of any step since the last figures'),
    figure(String(side.contacts), 'contacts', 'pairs that push each other'),
    figure(String(side.unsolved), 'unsolved', 'steps that were not solved to the tolerance, since the start', side.unsolved > 0),
  ];
  if (side.broken) figures.push(figure(String(side.broken), 'broken', 'segments', true));
  return make('div', { className: 'figures' }, make('span', { className: 'who', textContent: side.solver }), ...figures);
}
