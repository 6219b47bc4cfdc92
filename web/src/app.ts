// Everything together: what the engine says goes to the parts of the page, what a person does goes to the engine.

import { Frame, Layout } from './binary';
import { Capture } from './capture';
import { Charts } from './charts';
import { ColorBar, short } from './color_bar';
import { Connection, Listener } from './connection';
import { byId, make } from './dom';
import { Editor } from './editor';
import { Gallery } from './gallery';
import { Handles } from './handles';
import { Panel } from './panel';
import { Report, Scene, Settings, Status, Welcome } from './protocol';
import { Pull } from './pull';
import { Saving } from './saving';
import { Stage } from './stage';
import { toast } from './toasts';
import { Transport } from './transport';

const textual = ['set', 'toml', 'open', 'solver', 'compare']; // requests whose mistakes stand in the scene's text

export class App implements Listener {
  readonly stage = new Stage(byId<HTMLCanvasElement>('canvas'));
  readonly connection: Connection;
  readonly pull: Pull;
  readonly handles: Handles;
  readonly transport: Transport;
  readonly editor: Editor;
  readonly charts = new Charts();
  welcome: Welcome | null = null;
  scene: Scene | null = null;
  status: Status | null = null;
  framesSeen = 0;
  private readonly panel: Panel;
  private readonly gallery: Gallery;
  private readonly capture = new Capture(this.stage, () => this.scene?.name || 'tendril');
  private readonly saving: Saving;
  private readonly colorBar = new ColorBar();
  private undrawn: number[] = []; // sequences of frames that have come since the last picture

  constructor(connect: (listener: Listener) => Connection) {
    this.connection = connect(this);
    this.pull = new Pull(this.stage, this.connection);
    this.handles = new Handles(this.stage, this.connection);
    this.pull.isBlocked = () => this.handles.isUnderPointer;
    this.transport = new Transport(this.connection);
    this.editor = new Editor(this.connection);
    this.gallery = new Gallery(this.connection);
    this.saving = new Saving(this.connection);
    this.panel = new Panel(this.stage, this.connection, this.pull, this.handles);
    this.stage.beforeDraw = () => {
      this.handles.follow();
      this.pull.update();
    };
    this.stage.afterDraw = () => this.acknowledge();
    this.bindButtons();
    addEventListener('keydown', (event) => this.press(event));
  }

  said(report: Report): void {
    switch (report.type) {
      case 'welcome': return this.greet(report);
      case 'gallery': return this.gallery.show(report.scenes, this.scene !== null);
      case 'scene': return this.open(report);
      case 'changed': return this.change(report);
      case 'status': return this.report(report);
      case 'checked': return this.editor.show(report.problems);
      case 'notice': return toast(report.message);
      case 'stopped': return toast(report.message, 'error');
      case 'saved': return this.saving.done(report.path, report.frames);
      case 'error':
        toast(report.message, 'error');
        if (report.about === 'open') this.gallery.refused();
        if (textual.includes(report.about) && report.problems?.some(({ line }) => line > 0)) this.editor.reveal(report.problems);
    }
  }

  laidOut(layout: Layout): void {
    if (layout.number === this.scene?.layout) this.stage.setLayout(layout);
  }

  moved(frame: Frame): void {
    this.undrawn.push(frame.sequence);
    if (frame.layout !== this.scene?.layout) return this.stage.invalidate();
    this.stage.update(frame);
    ++this.framesSeen;
    if (frame.side === 0) this.colorBar.show(frame.values ? this.welcome?.colors[frame.color] ?? null : null, frame.limit);
  }

  lost(reason: string): void {
    const box = byId('lost');
    box.replaceChildren(make('p', { textContent: reason }), make('button', { textContent: 'Try again', onclick: () => location.reload() }));
    box.hidden = false;
  }

  private greet(welcome: Welcome): void {
    this.welcome = welcome;
    document.body.classList.toggle('watching', !welcome.control);
    document.body.dataset.mode = welcome.mode;
    this.pull.enabled = welcome.control && welcome.mode === 'live';
    this.transport.enable(welcome.control);
    if (!welcome.control) toast('Somebody else has the controls. You watch until they leave.');
    if (this.scene) this.panel.open(this.scene, welcome);
  }

  private open(scene: Scene): void {
    const same = this.scene?.name === scene.name;
    this.scene = scene;
    this.gallery.hide();
    this.pull.letGo();
    this.stage.open(scene);
    if (same) this.editor.take(scene.toml);
    else this.editor.open(scene.toml);
    this.editor.show([]);
    this.charts.open(scene);
    if (this.welcome) {
      this.panel.open(scene, this.welcome);
      this.transport.open(scene, this.welcome.mode);
    }
    byId('title').textContent = scene.title || scene.name;
    document.title = `${scene.title || scene.name} · Tendril`;
    this.showSolvers(scene.solver, scene.sides);
  }

  private change(settings: Settings): void {
    if (!this.scene) return;
    Object.assign(this.scene, settings, { type: 'scene' });
    this.editor.take(settings.toml);
    this.editor.show([]);
    this.panel.change(settings, this.welcome?.mode ?? 'live');
    this.showSolvers(settings.solver, this.scene.sides);
  }

  private report(status: Status): void {
    if (this.status && status.time < this.status.time) this.charts.clear();
    this.status = status;
    this.transport.update(status, this.welcome?.mode ?? 'live');
    this.charts.update(status);
    this.saving.update(status);
    const force = byId('force'), pull = status.grabs[0];
    this.pull.showOthers(pull);
    force.hidden = !pull;
    if (pull) force.textContent = `pull ${short(Math.hypot(...pull.force))} N`;
    document.body.classList.toggle('touched', status.touched);
  }

  // what has been drawn is answered, so that the engine sends the next
  private acknowledge(): void {
    for (const sequence of this.undrawn) this.connection.send({ type: 'ack', sequence });
    this.undrawn = [];
  }

  private showSolvers(names: string[], sides: number): void {
    const solver = byId<HTMLSelectElement>('solver'), compare = byId<HTMLSelectElement>('compare');
    const all = this.welcome?.solvers ?? [];
    const options = () => all.map(({ name, summary }) => make('option', { value: name, textContent: name, title: summary }));
    solver.replaceChildren(...options());
    compare.replaceChildren(make('option', { value: '', textContent: 'none' }), ...options());
    solver.value = names[0] ?? '';
    compare.value = sides > 1 ? names[1] : '';
    solver.disabled = compare.disabled = !this.welcome?.control;
    byId('side-labels').replaceChildren(...(sides > 1 ? names.map((name) => make('span', { textContent: name })) : []));
  }

  private bindButtons(): void {
    byId<HTMLSelectElement>('solver').onchange = ({ target }) =>
      this.connection.send({ type: 'solver', name: (target as HTMLSelectElement).value, side: 0 });
    byId<HTMLSelectElement>('compare').onchange = ({ target }) =>
      this.connection.send({ type: 'compare', solver: (target as HTMLSelectElement).value });
    byId('brand').onclick = () => this.connection.send({ type: 'gallery' });
    byId('open-editor').onclick = () => this.editor.toggle();
    byId('open-charts').onclick = () => this.charts.toggle();
    byId('open-panel').onclick = () => this.panel.toggle();
    byId('screenshot').onclick = () => this.capture.picture();
    byId('movie').onclick = () => this.capture.toggleMovie();
    byId('save').onclick = () => this.saving.ask(this.scene?.name ?? '');
  }

  private press(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || event.ctrlKey || event.metaKey || this.gallery.isOpen) return;
    const acts: Record<string, () => void> = {
      ' ': () => this.transport.toggle(),
      '.': () => this.connection.send({ type: 'step', count: 1 }),
      r: () => this.connection.send({ type: 'reset' }),
      f: () => this.stage.frameScene(),
      s: () => this.panel.toggleStripes(),
      c: () => this.charts.toggle(),
      e: () => this.editor.toggle(),
      o: () => this.panel.toggle(),
      p: () => this.capture.picture(),
    };
    const act = acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
