// A recorded run that is embedded in the page: no engine, no network. RUN_FORMAT.md says how it is written.

import { Connection, Listener } from './connection';
import { EmbeddedRun, readRun } from './embedded_run';
import { Request, Status, Welcome } from './protocol';

export class RunConnection implements Connection {
  private run: EmbeddedRun | null = null;
  private shown = { color: 'rod', stripes: false, limit: 0 };
  private playing = true;
  private rate = 1;
  private time = 0; // since the run's first frame [s]
  private frame = 0; // the one that is shown
  private sequence = 0;
  private lastTick = 0;
  private lastStatus = 0;

  constructor(base64: string, private readonly listener: Listener) {
    readRun(base64).then((run) => this.begin(run)).catch((error: unknown) => listener.lost(`The run in this page cannot be read: ${error}`));
  }

  send(request: Request): void {
    if (!this.run) return;
    switch (request.type) {
      case 'play':
        if (this.frame === this.run.times.length - 1) this.time = 0;
        this.playing = true;
        break;
      case 'pause': this.playing = false; break;
      case 'reset': this.seek(0); break;
      case 'step': this.playing = false; this.seek(this.frame + request.count); break;
      case 'seek': this.seek(request.frame); break;
      case 'rate': this.rate = request.value || 1; break;
      case 'show': this.shown = request; this.show(); break;
      default: return;
    }
    this.tell();
  }

  thumbnail(): string {
    return '';
  }

  private begin(run: EmbeddedRun): void {
    this.run = run;
    const welcome: Welcome = { type: 'welcome', version: 1, program: '', control: true, mode: 'recorded', solvers: [], colors: run.colors };
    this.listener.said(welcome);
    this.listener.said(run.scene);
    this.listener.laidOut(run.layout);
    this.seek(0);
    this.lastTick = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  private seek(frame: number): void {
    if (!this.run) return;
    const k = Math.min(Math.max(Math.round(frame), 0), this.run.times.length - 1);
    this.time = this.run.times[k] - this.run.times[0];
    this.frame = k;
    this.show();
  }

  // the clock goes on; at the end it starts again after a moment
  private tick(now: number): void {
    requestAnimationFrame((next) => this.tick(next));
    const run = this.run!, passed = (now - this.lastTick) / 1000;
    this.lastTick = now;
    if (this.playing) {
      this.time += passed * this.rate;
      const end = run.times[run.times.length - 1] - run.times[0];
      if (this.time > end + 0.5 * this.rate) this.time = 0;
      const frame = run.frameAt(Math.min(this.time, end));
      if (frame !== this.frame) {
        this.frame = frame;
        this.show();
      }
    }
    if (now - this.lastStatus > 100) this.tell(now);
  }

  private show(): void {
    if (!this.run) return;
    this.listener.moved(this.run.frame(this.frame, ++this.sequence, this.shown));
  }

  private tell(now = performance.now()): void {
    this.lastStatus = now;
    const run = this.run!;
    const status: Status = {
      type: 'status', playing: this.playing, time: run.times[this.frame], rate: this.rate, frame: this.frame,
      touched: false, saving: null, clients: 1, grabs: [], sides: [], columns: [[run.times[this.frame], ...run.columns[this.frame] ?? []]],
    };
    this.listener.said(status);
  }
}
