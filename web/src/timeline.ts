// A recorded run's frames under the pointer.

import { Connection } from './connection';
import { make } from './dom';
import { Mode, Scene, Status } from './protocol';

export class Timeline {
  readonly element = make('div', { id: 'timeline', hidden: true });
  private readonly slider = make('input', { type: 'range', min: '0', step: '1' });
  private readonly end = make('span');
  private scrubbing = false;

  constructor(connection: Connection) {
    this.slider.setAttribute('aria-label', 'frame');
    this.slider.oninput = () => {
      this.paint();
      connection.send({ type: 'seek', frame: Number(this.slider.value) });
    };
    this.slider.onpointerdown = () => (this.scrubbing = true);
    this.slider.onpointerup = () => (this.scrubbing = false);
    this.element.append(this.slider, this.end);
  }

  open(scene: Scene, mode: Mode): void {
    this.element.hidden = mode !== 'recorded';
    this.slider.max = String(Math.max(scene.frames - 1, 0));
    this.end.textContent = `${(scene.times[scene.times.length - 1] ?? 0).toFixed(2)} s`;
  }

  update(status: Status): void {
    if (!this.scrubbing) this.slider.value = String(status.frame);
    this.paint();
  }

  // what has been played is filled
  private paint(): void {
    const done = (100 * Number(this.slider.value)) / Math.max(Number(this.slider.max), 1);
    this.slider.style.setProperty('--done', `${done}%`);
  }
}
