// The canvas: sides of the scene, light, camera, and the loop that draws when something has changed.

import * as THREE from 'three';
import { Frame, Layout } from './binary';
import { Camera } from './camera';
import { makeFloor } from './floor';
import { Lighting } from './lighting';
import { Scene, Vector } from './protocol';
import { Side } from './side';

// from the zenith over the horizon to the ground
const backdropColors = { light: ['#dfe7ef', '#f3f5f7', '#e4e8ec'], dark: ['#151a21', '#2a323d', '#1c222a'] };

/** A soft gradient behind everything. */
function makeBackdrop(theme: 'light' | 'dark'): THREE.Texture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 512;
  const pen = canvas.getContext('2d')!;
  const light = pen.createLinearGradient(0, 0, 0, 512);
  backdropColors[theme].forEach((color, k) => light.addColorStop([0, 0.45, 1][k], color));
  pen.fillStyle = light;
  pen.fillRect(0, 0, 512, 512);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

/** True where the processor draws: no graphics card, or a virtual machine. */
function drawsInSoftware(): boolean {
  const probe = document.createElement('canvas').getContext('webgl2');
  const names = probe?.getExtension('WEBGL_debug_renderer_info');
  const renderer = String(probe && names ? probe.getParameter(names.UNMASKED_RENDERER_WEBGL) : '');
  probe?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(renderer);
}

export class Stage {
  readonly camera: Camera;
  readonly lighting = new Lighting();
  readonly world = new THREE.Scene();
  readonly overlay = new THREE.Group(); // springs and handles
  readonly sides: Side[] = [];
  sideCount = 1; // of the scene; a side exists from its layout on
  beforeDraw: () => void = () => {};
  afterDraw: () => void = () => {};
  framesPerSecond = 0;

  private readonly renderer: THREE.WebGLRenderer;
  private ground: THREE.Mesh | null = null;
  private scene: Scene | null = null;
  private readonly bounds = new THREE.Box3();
  private readonly center = new THREE.Vector3();
  private size = 1;
  private stale = true;
  private lastDraw = 0;

  constructor(readonly canvas: HTMLCanvasElement) {
    const slow = drawsInSoftware();
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !slow });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, slow ? 1 : 2));
    this.lighting.setDetail(slow ? 512 : 2048);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.camera = new Camera(canvas);
    this.camera.orbit.addEventListener('change', () => this.invalidate());
    this.world.add(this.lighting.group, this.overlay);
    this.setTheme('light');
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
    requestAnimationFrame((now) => this.loop(now));
  }

  setTheme(theme: 'light' | 'dark'): void {
    this.world.background = makeBackdrop(theme);
    this.lighting.setTheme(theme);
    this.invalidate();
  }

  /** A new scene; the view stays when the scene of that name was there before. */
  open(scene: Scene): void {
    const isNew = this.scene?.name !== scene.name;
    this.scene = scene;
    this.sideCount = scene.sides;
    while (this.sides.length > scene.sides) this.remove(this.sides.pop());
    const low = this.fromWorld(scene.bounds.low), high = this.fromWorld(scene.bounds.high);
    this.bounds.set(low, high);
    this.bounds.getCenter(this.center);
    this.size = Math.max(low.distanceTo(high) / 2, 1e-6);
    this.lighting.cover(this.center, 1.6 * this.size);
    this.layGround(low.z);
    this.resize();
    if (isNew) this.frameScene();
    else this.camera.setDepths(this.size);
  }

  setLayout(layout: Layout): void {
    if (!this.scene) return;
    this.remove(this.sides[layout.side]);
    const side = new Side(this.scene, layout, this.size);
    this.sides[layout.side] = side;
    this.world.add(side.group);
    this.invalidate();
  }

  update(frame: Frame): void {
    this.sides[frame.side]?.update(frame);
    this.invalidate();
  }

  frameScene(): void {
    this.camera.frame(this.bounds, this.size);
    this.invalidate();
  }

  showGround(shown: boolean): void {
    if (this.ground) this.ground.visible = shown;
    this.invalidate();
  }

  fromWorld([x, y, z]: Vector): THREE.Vector3 {
    const [ox, oy, oz] = this.scene?.origin ?? [0, 0, 0];
    return new THREE.Vector3(x - ox, y - oy, z - oz);
  }

  toWorld({ x, y, z }: THREE.Vector3): Vector {
    const [ox, oy, oz] = this.scene?.origin ?? [0, 0, 0];
    return [x + ox, y + oy, z + oz];
  }

  get sceneSize(): number {
    return this.size;
  }

  get sceneCenter(): THREE.Vector3 {
    return this.center;
  }

  get pixelAngle(): number {
    return this.camera.pixelAngle(this.canvas.clientHeight);
  }

  invalidate(): void {
    this.stale = true;
  }

  /** The side under a place of the canvas, and that place within its view, -1 … 1. */
  locate(clientX: number, clientY: number): { side: number; place: THREE.Vector2 } {
    const box = this.canvas.getBoundingClientRect();
    const column = ((clientX - box.left) / box.width) * this.sideCount;
    const side = Math.min(Math.max(Math.floor(column), 0), this.sideCount - 1);
    return { side, place: new THREE.Vector2(2 * (column - side) - 1, 1 - (2 * (clientY - box.top)) / box.height) };
  }

  rayAt(place: THREE.Vector2): THREE.Raycaster {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(place, this.camera.camera);
    return ray;
  }

  draw(): void {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    this.beforeDraw();
    const part = width / this.sideCount;
    this.renderer.setScissorTest(this.sideCount > 1);
    for (let k = 0; k < this.sideCount; ++k) {
      this.sides.forEach((side, other) => (side.group.visible = other === k && side.frame !== null));
      const side = this.sides[k];
      side?.rods.setPixelAngle(this.pixelAngle);
      side?.solids.scaleMarkers(this.camera.camera, this.pixelAngle);
      this.renderer.setViewport(k * part, 0, part, height);
      this.renderer.setScissor(k * part, 0, part, height);
      this.renderer.render(this.world, this.camera.camera);
    }
    this.afterDraw();
  }

  private loop(now: number): void {
    requestAnimationFrame((next) => this.loop(next));
    this.camera.orbit.update();
    if (!this.stale) return;
    this.stale = false;
    this.draw();
    if (now > this.lastDraw) this.framesPerSecond += 0.1 * (1000 / (now - this.lastDraw) - this.framesPerSecond);
    this.lastDraw = now;
  }

  private resize(): void {
    const box = this.canvas.parentElement!;
    this.renderer.setSize(box.clientWidth, box.clientHeight);
    this.camera.resize(box.clientWidth / this.sideCount, box.clientHeight);
    this.invalidate();
  }

  // beneath everything, where the scene has no floor of its own
  private layGround(height: number): void {
    if (this.ground) this.world.remove(this.ground);
    this.ground = null;
    if (this.scene?.bodies.some((body) => body.visible && body.shape.type === 'plane')) return;
    const point = new THREE.Vector3(this.center.x, this.center.y, height - 0.04 * this.size);
    this.ground = makeFloor(point, new THREE.Vector3(0, 0, 1), this.size);
    this.world.add(this.ground);
  }

  private remove(side: Side | undefined): void {
    if (!side) return;
    this.world.remove(side.group);
    side.dispose();
  }
}
