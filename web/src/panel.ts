// The panel at the right: how it is drawn, what acts on it, and the scene's own numbers.

import GUI, { Controller } from 'lil-gui';
import { Connection } from './connection';
import { byId } from './dom';
import { HandleMode, Handles } from './handles';
import { Mode, Scene, Settings, Welcome } from './protocol';
import { Pull } from './pull';
import { Stage } from './stage';

const nothing = '—';

export class Panel {
  color = 'rod';
  private readonly look = { color: 'rod', stripes: false, limit: 0, shadows: true, ground: true, markers: true, dark: false };
  private readonly air = { gravity: true, wind: false, speed: 2, direction: 0, rise: 0 };
  private readonly weight = { radius: 0.05, mass: 0.1 };
  private readonly hand = { body: nothing, mode: 'translate' as HandleMode };
  private readonly box = byId('panel');
  private gui = new GUI({ container: this.box, title: 'Controls' });
  private sceneFolder: GUI | null = null;
  private sliders = new Map<string, Controller>();
  private bodyChoice: Controller | null = null;
  private bodies = new Map<string, number>([[nothing, -1]]);

  constructor(
    private readonly stage: Stage, private readonly connection: Connection,
    private readonly pull: Pull, private readonly handles: Handles,
  ) {
    this.box.hidden = innerWidth < 960;
    pull.onSelect = (body) => this.select(body);
    const dark = matchMedia('(prefers-color-scheme: dark)').matches || new URLSearchParams(location.search).has('dark');
    this.look.dark = dark;
    this.setTheme(dark);
  }

  /** Rebuilt for every scene and mode. */
  open(scene: Scene, welcome: Welcome): void {
    this.gui.destroy();
    this.gui = new GUI({ container: this.box, title: 'Controls' });
    this.handles.detach();
    this.addLook(welcome);
    if (welcome.mode === 'live' && welcome.control) {
      this.addHand(scene);
      this.addAir(scene);
      this.addWeight();
      this.addSliders(scene);
    }
    this.show();
  }

  /** New settings of the same scene. */
  change(settings: Settings, mode: Mode): void {
    if (mode !== 'live') return;
    this.takeAir(settings);
    const same = settings.sliders.length === this.sliders.size && settings.sliders.every(({ path }) => this.sliders.has(path));
    if (!same) this.addSliders(settings);
    else for (const { path, value } of settings.sliders) this.sliders.get(path)!.setValue(value);
  }

  /** Says what this page wants to see. */
  show(): void {
    this.color = this.look.color;
    this.connection.send({ type: 'show', color: this.look.color, stripes: this.look.stripes, limit: this.look.limit });
  }

  toggle(): void {
    this.box.hidden = !this.box.hidden;
  }

  toggleStripes(): void {
    this.look.stripes = !this.look.stripes;
    this.refresh();
    this.show();
  }

  private refresh(): void {
    for (const controller of this.gui.controllersRecursive()) controller.updateDisplay();
  }

  private addLook(welcome: Welcome): void {
    const folder = this.gui.addFolder('Look'), say = () => this.show();
    folder.add(this.look, 'color', welcome.colors.map(({ name }) => name)).name('colour by').onChange(say);
    folder.add(this.look, 'limit', 0).name('scale ends at (0: auto)').onFinishChange(say);
    folder.add(this.look, 'stripes').name('stripes of twist').onChange(say);
    folder.add(this.look, 'shadows').onChange((on: boolean) => {
      this.stage.lighting.castShadows(on);
      this.stage.invalidate();
    });
    folder.add(this.look, 'ground').name('ground and grid').onChange((on: boolean) => this.stage.showGround(on));
    folder.add(this.look, 'markers').name('dots on clamps').onChange((on: boolean) => {
      for (const side of this.stage.sides) side?.solids.showMarkers(on);
      this.stage.invalidate();
    });
    folder.add(this.look, 'dark').onChange((on: boolean) => this.setTheme(on));
    folder.add({ frame: () => this.stage.frameScene() }, 'frame').name('Frame everything (F)');
  }

  private addHand(scene: Scene): void {
    const folder = this.gui.addFolder('Hand');
    const power = { power: Math.log10(this.pull.strength) };
    folder.add(power, 'power', -2, 2, 0.1).name('strength of pull, 10^').onChange((x: number) => (this.pull.strength = 10 ** x));
    this.bodies = new Map([[nothing, -1]]);
    scene.bodies.forEach(({ movable, name }, body) => {
      if (movable) this.bodies.set(name || `clamp ${body}`, body);
    });
    this.hand.body = nothing;
    this.bodyChoice = folder.add(this.hand, 'body', [...this.bodies.keys()]).name('handle on').onChange(() => this.moveHandle());
    folder.add(this.hand, 'mode', { move: 'translate', turn: 'rotate' }).name('handle to').onChange((mode: HandleMode) => this.handles.setMode(mode));
  }

  private select(body: number): void {
    const name = [...this.bodies].find(([, number]) => number === body)?.[0];
    if (!name || !this.bodyChoice) return;
    this.hand.body = name;
    this.bodyChoice.updateDisplay();
    this.moveHandle();
  }

  private moveHandle(): void {
    const body = this.bodies.get(this.hand.body) ?? -1;
    if (body < 0) this.handles.detach();
    else if (body !== this.handles.body) this.handles.attach(body, this.hand.mode);
  }

  private addAir(scene: Scene): void {
    const folder = this.gui.addFolder('World');
    folder.add(this.air, 'gravity').onChange((on: boolean) => this.connection.send({ type: 'gravity', on }));
    const blow = () => {
      const { wind, speed, direction, rise } = this.air;
      const flat = speed * Math.cos(rise);
      const velocity: [number, number, number] = [flat * Math.cos(direction), flat * Math.sin(direction), speed * Math.sin(rise)];
      this.connection.send(wind ? { type: 'wind', on: true, velocity } : { type: 'wind', on: false });
    };
    folder.add(this.air, 'wind').onChange(blow);
    folder.add(this.air, 'speed', 0, 20, 0.1).name('wind [m/s]').onFinishChange(blow);
    folder.add(this.air, 'direction', -3.14, 3.14, 0.01).name('from x towards y [rad]').onFinishChange(blow);
    folder.add(this.air, 'rise', -1.57, 1.57, 0.01).name('upwards [rad]').onFinishChange(blow);
    this.takeAir(scene);
  }

  private takeAir({ gravity, wind }: Settings): void {
    const [x, y, z] = wind.velocity, speed = Math.hypot(x, y, z);
    this.air.gravity = gravity.some((component) => component !== 0);
    this.air.wind = wind.on;
    if (speed > 0) Object.assign(this.air, { speed, direction: Math.atan2(y, x), rise: Math.asin(z / speed) });
    this.refresh();
  }

  private addWeight(): void {
    const folder = this.gui.addFolder('Drop a weight').close();
    const size = this.stage.sceneSize;
    this.weight.radius = Number((size / 12).toPrecision(1));
    folder.add(this.weight, 'radius', this.weight.radius / 10, this.weight.radius * 5).name('radius [m]');
    folder.add(this.weight, 'mass', 0.0001, 10).name('mass [kg]');
    folder.add({ drop: () => this.drop() }, 'drop').name('Drop it');
  }

  // above the middle of the scene
  private drop(): void {
    const place = this.stage.sceneCenter.clone();
    place.z += 0.6 * this.stage.sceneSize;
    this.connection.send({ type: 'drop', at: this.stage.toWorld(place), ...this.weight });
  }

  private addSliders({ sliders }: Settings): void {
    this.sceneFolder?.destroy();
    this.sceneFolder = null;
    this.sliders.clear();
    if (!sliders.length) return;
    this.sceneFolder = this.gui.addFolder("The scene's numbers");
    for (const { path, value, low, high, unit, integer, meaning } of sliders) {
      const holder = { [path]: value };
      const slider = this.sceneFolder.add(holder, path, low, high, integer ? 1 : undefined);
      slider.name(path.split('.').slice(-2).join(' ') + (unit ? ` [${unit}]` : ''));
      slider.domElement.title = `${path}: ${meaning}`;
      slider.onFinishChange((chosen: number) => this.connection.send({ type: 'set', path, value: chosen }));
      this.sliders.set(path, slider);
    }
  }

  private setTheme(dark: boolean): void {
    const theme = dark ? 'dark' : 'light';
    document.documentElement.dataset.theme = theme;
    this.stage.setTheme(theme);
  }
}
