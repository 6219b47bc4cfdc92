// Taking hold of things with the pointer: a rod or a bob is pulled by a spring, an obstacle is carried along.

import * as THREE from 'three';
import { Connection } from './connection';
import { pickSegment, pointOnSegment } from './picking';
import { Grab, Quaternion, Vector } from './protocol';
import { Spring } from './spring';
import { Stage } from './stage';

const reach = 10; // how far from a rod it can still be taken [pixel]
const grabId = 0; // the mouse's; others would be fingers

type Held =
  | { what: 'rod'; side: number; segment: number; fraction: number }
  | { what: 'bob'; side: number; body: number; point: THREE.Vector3 }
  | { what: 'obstacle'; body: number; offset: THREE.Vector3; pose: Quaternion };

export class Pull {
  enabled = true;
  strength = 1;
  isBlocked: () => boolean = () => false; // by a handle under the pointer
  onSelect: (body: number) => void = () => {};
  onHold: (holding: boolean) => void = () => {};
  held: Held | null = null;
  private readonly spring = new Spring();
  private readonly plane = new THREE.Plane(); // through what is held, parallel to the screen
  private readonly target = new THREE.Vector3();
  private moved = false; // since the last message

  constructor(private readonly stage: Stage, private readonly connection: Connection) {
    stage.overlay.add(this.spring.group);
    const canvas = stage.canvas;
    // before the camera's own listener, which would turn the view
    canvas.addEventListener('pointerdown', (event) => this.take(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.follow(event));
    canvas.addEventListener('pointerup', () => this.letGo());
    canvas.addEventListener('pointercancel', () => this.letGo());
  }

  /** Once before each picture: tells the engine where the pointer is and draws the spring. */
  update(): void {
    if (!this.held) return;
    if (this.moved) this.tell(this.held);
    this.moved = false;
    const from = this.heldPoint(this.held);
    if (!from) return;
    const eye = this.stage.camera.camera.position;
    this.spring.show(from, this.target, this.stage.pixelAngle * this.target.distanceTo(eye));
  }

  /** What somebody else pulls at; undefined: nothing. */
  showOthers(grab: Grab | undefined): void {
    if (this.held) return;
    if (!grab) {
      this.spring.hide();
      return;
    }
    const to = this.stage.fromWorld(grab.to), eye = this.stage.camera.camera.position;
    this.spring.show(this.stage.fromWorld(grab.from), to, this.stage.pixelAngle * to.distanceTo(eye));
    this.stage.invalidate();
  }

  letGo(): void {
    if (!this.held) return;
    if (this.moved) this.tell(this.held);
    if (this.held.what !== 'obstacle') this.connection.send({ type: 'release', id: grabId });
    this.held = null;
    this.spring.hide();
    this.stage.camera.orbit.enabled = true;
    this.onHold(false);
    this.stage.invalidate();
  }

  private take(event: PointerEvent): void {
    if (!this.enabled || this.isBlocked() || event.button !== 0 || event.altKey || event.ctrlKey) return;
    const { side, place } = this.stage.locate(event.clientX, event.clientY);
    const ray = this.stage.rayAt(place);
    const found = this.find(side, ray, event.shiftKey);
    if (!found) return;
    this.held = found.held;
    this.target.copy(found.point);
    this.plane.setFromNormalAndCoplanarPoint(this.stage.camera.camera.getWorldDirection(new THREE.Vector3()), found.point);
    this.stage.camera.orbit.enabled = false;
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.begin(found.held);
    this.onHold(true);
    this.stage.invalidate();
  }

  // the nearest of a rod and a body; with the shift key only bodies
  private find(number: number, ray: THREE.Raycaster, bodiesOnly: boolean): { held: Held; point: THREE.Vector3 } | null {
    const side = this.stage.sides[number];
    if (!side?.frame) return null;
    const hit = side.solids.hit(ray);
    const depth = hit ? hit.distance : Infinity;
    const onMarker = hit && side.bodies[hit.body].shape.type === 'none'; // it sits on a rod
    const rod = bodiesOnly || onMarker ? null : pickSegment(side.layout, side.frame, ray.ray, this.stage.pixelAngle, reach, depth);
    if (rod) {
      const { segment, fraction, point } = rod;
      return { held: { what: 'rod', side: number, segment, fraction }, point };
    }
    if (!hit) return null;
    const { body, point } = hit, info = side.bodies[body], pose = side.solids.poseOf(body);
    if (info.kind === 'dynamic') return { held: { what: 'bob', side: number, body, point: pose.worldToLocal(point.clone()) }, point };
    if (!info.movable) return null;
    this.onSelect(body);
    const { w, x, y, z } = pose.quaternion;
    return { held: { what: 'obstacle', body, offset: pose.position.clone().sub(point), pose: [w, x, y, z] }, point };
  }

  private begin(held: Held): void {
    const target = this.stage.toWorld(this.target), strength = this.strength;
    if (held.what === 'rod') {
      const { side, segment, fraction } = held;
      this.connection.send({ type: 'grab', id: grabId, side, segment, fraction, target, strength });
    } else if (held.what === 'bob') {
      const { side, body } = held;
      this.connection.send({ type: 'grab', id: grabId, side, body, point: held.point.toArray() as Vector, target, strength });
    }
  }

  private follow(event: PointerEvent): void {
    if (!this.held) return;
    const { place } = this.stage.locate(event.clientX, event.clientY);
    if (!this.stage.rayAt(place).ray.intersectPlane(this.plane, this.target)) return;
    this.moved = true;
    this.stage.invalidate();
  }

  private tell(held: Held): void {
    if (held.what === 'obstacle') {
      const x = this.stage.toWorld(this.target.clone().add(held.offset));
      this.connection.send({ type: 'move', body: held.body, x, q: held.pose });
    } else {
      this.connection.send({ type: 'drag', id: grabId, target: this.stage.toWorld(this.target) });
    }
  }

  // where the spring is fastened; an obstacle is carried without one
  private heldPoint(held: Held): THREE.Vector3 | null {
    if (held.what === 'obstacle') return null;
    const side = this.stage.sides[held.side];
    if (!side?.frame) return null;
    if (held.what === 'rod') return pointOnSegment(side.layout, side.frame, held.segment, held.fraction);
    return side.solids.poseOf(held.body).localToWorld(held.point.clone());
  }
}
