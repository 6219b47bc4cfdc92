// Arrows and rings on a body that can be moved: an obstacle, a clamp, the head of a groom.

import * as THREE from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { Connection } from './connection';
import { Stage } from './stage';

export type HandleMode = 'translate' | 'rotate';

export class Handles {
  body = -1; // the one with the handle, -1: none
  private readonly controls: TransformControls;
  private readonly goal = new THREE.Object3D(); // where the body is to go
  private dragging = false;

  constructor(private readonly stage: Stage, private readonly connection: Connection) {
    this.controls = new TransformControls(stage.camera.camera, stage.canvas);
    this.controls.setSize(0.8);
    // of two sides, each has its own half of the canvas
    Object.assign(this.controls, {
      _getPointer: (event: PointerEvent) => {
        const { place } = stage.locate(event.clientX, event.clientY);
        return { x: place.x, y: place.y, button: event.button };
      },
    });
    stage.overlay.add(this.goal);
    this.controls.addEventListener('dragging-changed', ({ value }) => this.setDragging(Boolean(value)));
    this.controls.addEventListener('objectChange', () => this.tell());
    this.controls.addEventListener('change', () => stage.invalidate());
  }

  /** True while the pointer is on the handle: then it takes hold of nothing else. */
  get isUnderPointer(): boolean {
    return this.body >= 0 && (this.dragging || this.controls.axis !== null);
  }

  attach(body: number, mode: HandleMode): void {
    this.detach();
    this.body = body;
    this.follow();
    this.controls.setMode(mode);
    this.controls.attach(this.goal);
    this.stage.overlay.add(this.controls.getHelper());
    this.stage.invalidate();
  }

  detach(): void {
    this.body = -1;
    this.controls.detach();
    this.stage.overlay.remove(this.controls.getHelper());
    this.stage.invalidate();
  }

  setMode(mode: HandleMode): void {
    this.controls.setMode(mode);
    this.stage.invalidate();
  }

  /** The handle goes where the body is, unless a person moves it. */
  follow(): void {
    const side = this.stage.sides[0];
    if (this.body < 0 || this.dragging || !side) return;
    const pose = side.solids.poseOf(this.body);
    this.goal.position.copy(pose.position);
    this.goal.quaternion.copy(pose.quaternion);
  }

  private setDragging(dragging: boolean): void {
    this.dragging = dragging;
    this.stage.camera.orbit.enabled = !dragging;
  }

  private tell(): void {
    if (!this.dragging) return;
    const { w, x, y, z } = this.goal.quaternion;
    this.connection.send({ type: 'move', body: this.body, x: this.stage.toWorld(this.goal.position), q: [w, x, y, z] });
  }
}
