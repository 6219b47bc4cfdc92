// Daylight from a studio's window: a warm key light that casts shadows, a cool sky, a dim light from behind.

import * as THREE from 'three';

export class Lighting {
  readonly group = new THREE.Group();
  private readonly sky = new THREE.HemisphereLight(0xf2f6fc, 0xb8b0a6, 1.5);
  private readonly key = new THREE.DirectionalLight(0xfff3e2, 2.4);

  constructor() {
    this.sky.position.set(0, 0, 1);
    const back = new THREE.DirectionalLight(0xd5e4ff, 0.7);
    back.position.set(-2, 3, 1.2);
    this.key.castShadow = true;
    this.key.shadow.radius = 3;
    this.key.shadow.intensity = 0.8;
    this.group.add(this.sky, back, this.key, this.key.target);
  }

  /** Shadows cover a sphere of this radius about the centre. */
  cover(center: THREE.Vector3, radius: number): void {
    this.key.target.position.copy(center);
    this.key.position.copy(center).addScaledVector(new THREE.Vector3(0.9, -1.3, 2.4).normalize(), 3 * radius);
    const shadow = this.key.shadow;
    Object.assign(shadow.camera, { left: -radius, right: radius, top: radius, bottom: -radius, near: radius, far: 6 * radius });
    shadow.camera.updateProjectionMatrix();
    shadow.normalBias = 2.5 * radius / shadow.mapSize.x;
    shadow.bias = -2e-4;
  }

  /** By night the sky is dimmer. */
  setTheme(theme: 'light' | 'dark'): void {
    this.sky.intensity = theme === 'dark' ? 0.8 : 1.5;
  }

  /** Width of the map of shadows [texel]. */
  setDetail(texels: number): void {
    this.key.shadow.mapSize.set(texels, texels);
  }

  castShadows(on: boolean): void {
    this.key.castShadow = on;
  }
}
