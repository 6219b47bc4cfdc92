// Where the viewer stands: orbit, pan, zoom, and a view that frames the whole scene.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export class Camera {
  readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
  readonly orbit: OrbitControls;

  constructor(canvas: HTMLCanvasElement) {
    this.camera.up.set(0, 0, 1);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = true;
    this.orbit.dampingFactor = 0.12;
    this.orbit.zoomToCursor = true;
  }

  /** Looks at a box from the front, a little from the right and from above, so near that it fills the view. */
  frame(box: THREE.Box3, radius: number): void {
    const { camera, orbit } = this;
    const back = new THREE.Vector3(0.45, -1, 0.34).normalize();
    const right = new THREE.Vector3().crossVectors(camera.up, back).normalize();
    const up = new THREE.Vector3().crossVectors(back, right);
    const high = Math.tan(THREE.MathUtils.degToRad(camera.fov / 2)), wide = high * camera.aspect;
    const center = box.getCenter(new THREE.Vector3());
    let distance = 0;
    for (let k = 0; k < 8; ++k) {
      const corner = new THREE.Vector3(...(['x', 'y', 'z'] as const).map((axis, bit) => box[k >> bit & 1 ? 'max' : 'min'][axis])).sub(center);
      const spread = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / high);
      distance = Math.max(distance, spread + corner.dot(back));
    }
    orbit.target.copy(center);
    camera.position.copy(center).addScaledVector(back, 1.12 * Math.max(distance, radius / 10));
    orbit.update();
    this.setDepths(radius);
  }

  /** Near and far planes that hold a sphere of this radius from wherever one may stand. */
  setDepths(radius: number): void {
    this.camera.near = radius / 500;
    this.camera.far = 100 * radius;
    this.camera.updateProjectionMatrix();
    this.orbit.minDistance = radius / 100;
    this.orbit.maxDistance = 20 * radius;
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
  }

  /** Width of a pixel at distance 1, in a view of this height. */
  pixelAngle(height: number): number {
    return (2 * Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2))) / Math.max(height, 1);
  }
}
