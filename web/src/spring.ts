// The spring with which a pointer pulls: a coil from the rod to the pointer that opens as it is stretched.

import * as THREE from 'three';

const turns = 9, pointsPerTurn = 12;
const count = turns * pointsPerTurn + 1;

export class Spring {
  readonly group = new THREE.Group();
  private readonly coil: THREE.Line;
  private readonly ends: THREE.Mesh[];

  constructor() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * count), 3).setUsage(THREE.DynamicDrawUsage));
    this.coil = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: 0xd2452f, depthTest: false, transparent: true }));
    this.coil.frustumCulled = false;
    this.coil.renderOrder = 10;
    const ball = new THREE.SphereGeometry(1, 16, 12);
    this.ends = [0, 1].map(() => new THREE.Mesh(ball, new THREE.MeshBasicMaterial({ color: 0xd2452f, depthTest: false, transparent: true })));
    for (const end of this.ends) end.renderOrder = 11;
    this.group.add(this.coil, ...this.ends);
    this.group.visible = false;
  }

  /** From a point of a rod to the pointer; `pixel` is the size of a pixel there. */
  show(from: THREE.Vector3, to: THREE.Vector3, pixel: number): void {
    const axis = to.clone().sub(from);
    const u = new THREE.Vector3(axis.y, -axis.x, 0);
    if (u.lengthSq() < 1e-12 * axis.lengthSq()) u.set(1, 0, 0);
    u.normalize();
    const v = axis.clone().normalize().cross(u);
    const radius = Math.min(6 * pixel, 0.1 * axis.length());
    const positions = this.coil.geometry.getAttribute('position') as THREE.BufferAttribute;
    const place = new THREE.Vector3();
    for (let k = 0; k < count; ++k) {
      const f = k / (count - 1), angle = 2 * Math.PI * turns * f;
      const wide = radius * Math.min(1, 8 * f, 8 * (1 - f)); // it begins and ends on its axis
      place.copy(from).addScaledVector(axis, f).addScaledVector(u, wide * Math.cos(angle)).addScaledVector(v, wide * Math.sin(angle));
      positions.setXYZ(k, place.x, place.y, place.z);
    }
    positions.needsUpdate = true;
    [from, to].forEach((point, k) => {
      this.ends[k].position.copy(point);
      this.ends[k].scale.setScalar((k ? 5 : 3.5) * pixel);
    });
    this.group.visible = true;
  }

  hide(): void {
    this.group.visible = false;
  }
}
