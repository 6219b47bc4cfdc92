// What one solver shows of the scene: its rods, its bodies, the springs that pull at it.

import * as THREE from 'three';
import { Frame, Layout } from './binary';
import { BodyInfo, Scene } from './protocol';
import { Rods } from './rods';
import { Solids } from './solids';

export class Side {
  readonly group = new THREE.Group();
  readonly rods: Rods;
  readonly solids: Solids;
  frame: Frame | null = null;

  constructor(scene: Scene, readonly layout: Layout, size: number) {
    this.rods = new Rods(layout);
    this.solids = new Solids(scene.bodies, layout, size);
    this.group.add(this.rods.mesh, this.solids.group);
    this.group.visible = false; // until its first frame
  }

  get bodies(): BodyInfo[] {
    return this.solids.bodies;
  }

  update(frame: Frame): void {
    if (frame.positions.length !== 3 * this.layout.pointCount) return;
    this.frame = frame;
    this.rods.update(frame);
    this.solids.update(frame);
    this.group.visible = true;
  }

  dispose(): void {
    this.rods.dispose();
    this.solids.dispose();
  }
}
