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

  /** Looks at a sphere from the front, a little to the right and from above. */
  frame(center: THREE.Vector3, radius: number): void {
    const { camera, orbit } = this;
    const half = THREE.MathUtils.degToRad(camera.fov / 2);
    const distance = radius / Math.sin(Math.min(half, Math.atan(Math.tan(half) * camera.aspect)));
    orbit.target.copy(center);
    camera.position.copy(center).addScaledVector(new THREE.Vector3(0.45, -1, 0.36).normalize(), distance);
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
