// Obstacles, bobs and clamps: one object per body of the scene, posed by every frame.

import * as THREE from 'three';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import { Frame, Layout } from './binary';
import { makeFloor } from './floor';
import { BodyInfo, Shape, Vector } from './protocol';

const along = new THREE.Vector3(0, 1, 0); // the axis of three's capsules and cylinders

const crease = Math.PI / 5; // a larger angle between two triangles is an edge, not a curved surface

const mostMarkers = 200; // more would hide what they hold

const vector = (v: Vector) => new THREE.Vector3(...v);

/** The geometry of a shape in the frame of its body; null for what has none. Planes are floors. */
function makeGeometry(shape: Shape, layout: Layout): THREE.BufferGeometry | null {
  switch (shape.type) {
    case 'sphere':
      return new THREE.SphereGeometry(shape.radius, 64, 40).translate(...shape.center);
    case 'capsule':
    case 'cylinder':
      return makeRoundBar(shape.type, vector(shape.from), vector(shape.to), shape.radius);
    case 'box': {
      const box = new THREE.BoxGeometry(...shape.size);
      const [w, x, y, z] = shape.rotation ?? [1, 0, 0, 0];
      return box.applyQuaternion(new THREE.Quaternion(x, y, z, w)).translate(...shape.center);
    }
    case 'mesh':
      return makeMesh(shape, layout);
    default:
      return null;
  }
}

function makeRoundBar(type: 'capsule' | 'cylinder', from: THREE.Vector3, to: THREE.Vector3, radius: number) {
  const axis = to.clone().sub(from), length = axis.length();
  const bar = type === 'capsule'
    ? new THREE.CapsuleGeometry(radius, length, 16, 48)
    : new THREE.CylinderGeometry(radius, radius, length, 64);
  const turn = new THREE.Quaternion().setFromUnitVectors(along, axis.normalize());
  return bar.applyQuaternion(turn).translate(...from.add(to).multiplyScalar(0.5).toArray());
}

function makeMesh(shape: Shape & { type: 'mesh' }, layout: Layout): THREE.BufferGeometry {
  const { first_vertex: first, vertex_count: count, first_triangle: firstTriangle, triangle_count: triangles } = shape;
  const geometry = new THREE.BufferGeometry();
  const points = layout.meshPoints.slice(3 * first, 3 * (first + count));
  const indices = layout.meshTriangles.slice(3 * firstTriangle, 3 * (firstTriangle + triangles)).map((i) => i - first);
  geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
  geometry.setIndex(new THREE.BufferAttribute(indices, 1));
  // sharp edges stay sharp, where that is not too long a search
  if (triangles <= 20_000) return toCreasedNormals(geometry, crease);
  geometry.computeVertexNormals();
  return geometry;
}

/** What rods lie inside of is glass. */
function makeMaterial(body: BodyInfo): THREE.MeshStandardMaterial {
  const material = new THREE.MeshStandardMaterial({ roughness: 0.75, color: new THREE.Color(...body.color) });
  if (body.shape.type === 'mesh') {
    material.side = THREE.DoubleSide;
    if (body.shape.inside) Object.assign(material, { transparent: true, opacity: 0.22, depthWrite: false });
  }
  return material;
}

export class Solids {
  readonly group = new THREE.Group();
  private readonly objects: THREE.Object3D[] = []; // by number of the body
  private readonly markers: THREE.Mesh[] = []; // of clamps, which have no shape

  constructor(readonly bodies: BodyInfo[], layout: Layout, size: number) {
    const markerShape = new THREE.SphereGeometry(1, 20, 14);
    const markerLook = new THREE.MeshStandardMaterial({ color: 0x2b6cb0, roughness: 0.5 });
    bodies.forEach((body, index) => {
      const object = new THREE.Group();
      object.userData.body = index;
      const geometry = makeGeometry(body.shape, layout);
      if (!body.visible) object.visible = false;
      else if (body.shape.type === 'plane') object.add(makeFloor(vector(body.shape.point), vector(body.shape.normal), size));
      else if (geometry) {
        const mesh = new THREE.Mesh(geometry, makeMaterial(body));
        mesh.castShadow = mesh.receiveShadow = !mesh.material.transparent;
        object.add(mesh);
      } else if (body.movable && this.markers.length < mostMarkers) {
        const marker = new THREE.Mesh(markerShape, markerLook);
        this.markers.push(marker);
        object.add(marker);
      }
      this.objects.push(object);
      this.group.add(object);
    });
  }

  update({ poses }: Frame): void {
    this.objects.forEach((object, b) => {
      object.position.fromArray(poses, 7 * b);
      object.quaternion.set(poses[7 * b + 4], poses[7 * b + 5], poses[7 * b + 6], poses[7 * b + 3]);
    });
  }

  /** Markers are as large on the screen however far away they are: a radius of five pixels. */
  scaleMarkers(camera: THREE.Camera, pixelAngle: number): void {
    const place = new THREE.Vector3();
    for (const marker of this.markers) {
      marker.getWorldPosition(place).applyMatrix4(camera.matrixWorldInverse);
      marker.scale.setScalar(Math.max(5 * pixelAngle * -place.z, 1e-9));
    }
  }

  showMarkers(shown: boolean): void {
    for (const marker of this.markers) marker.visible = shown;
  }

  poseOf(body: number): THREE.Object3D {
    return this.objects[body];
  }

  /** The nearest body that a ray meets, floors left out: they cannot be taken hold of. */
  hit(ray: THREE.Raycaster): { body: number; point: THREE.Vector3; distance: number } | null {
    const solid = this.objects.filter((object, b) => object.visible && this.bodies[b].shape.type !== 'plane');
    const [first] = ray.intersectObjects(solid, true);
    if (!first) return null;
    return { body: first.object.parent!.userData.body as number, point: first.point, distance: first.distance };
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (!(object instanceof THREE.Mesh)) return;
      (object.geometry as THREE.BufferGeometry).dispose();
      (object.material as THREE.Material).dispose();
    });
  }
}
