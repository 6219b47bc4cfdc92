// All rods in one draw call.

import * as THREE from 'three';
import { Frame, Layout } from './binary';
import { colorTable } from './colours';
import { carryDirectors, pointsAlong } from './rod_chains';
import { tubeFragmentColor, tubeFragmentInputs, tubeVertexFunctions } from './tube_shader';

const hairs = 30_000; // as many segments are seen from so far that their corners do not show

interface Detail {
  sides: number; // corners of a ring
  capRings: number; // rings of a free end's half sphere
}

/** So that the corners drawn stay within about a million however many segments there are. */
function detailFor(segments: number): Detail {
  if (segments < 4_000) return { sides: 16, capRings: 4 };
  if (segments < hairs) return { sides: 8, capRings: 2 };
  return { sides: 5, capRings: 0 };
}

/** The template of one segment: cap, ring, ring, cap, as rings of corners joined by triangles. */
function makeTemplate({ sides, capRings }: Detail): THREE.InstancedBufferGeometry {
  const rings: [end: number, latitude: number][] = [];
  for (let k = capRings; k > 0; --k) rings.push([0, (k / capRings) * (Math.PI / 2)]);
  rings.push([0, 0], [1, 0]);
  for (let k = 1; k <= capRings; ++k) rings.push([1, (k / capRings) * (Math.PI / 2)]);

  const corners: number[] = [], indices: number[] = [];
  for (const [end, latitude] of rings)
    for (let k = 0; k < sides; ++k) {
      const angle = (2 * Math.PI * k) / sides;
      corners.push(Math.cos(angle), Math.sin(angle), end, latitude);
    }
  for (let ring = 0; ring + 1 < rings.length; ++ring)
    for (let k = 0; k < sides; ++k) {
      const a = ring * sides + k, b = ring * sides + ((k + 1) % sides);
      indices.push(a, b, a + sides, b, b + sides, a + sides);
    }
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute('corner', new THREE.Float32BufferAttribute(corners, 4));
  geometry.setIndex(indices);
  return geometry;
}

type Texels = Float32Array | Uint8Array | Int8Array;

/** A texture of at least `count` texels, as nearly square as need be. */
function makeTexture<T extends Texels>(
  count: number, make: (length: number) => T, format: THREE.PixelFormat, type: THREE.TextureDataType,
): { texture: THREE.DataTexture; data: T } {
  const width = Math.max(1, Math.ceil(Math.sqrt(count)));
  const height = Math.max(1, Math.ceil(count / width));
  const data = make(4 * width * height);
  const texture = new THREE.DataTexture(data as unknown as Float32Array<ArrayBuffer>, width, height, format, type);
  texture.needsUpdate = true;
  return { texture, data };
}

export class Rods {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.MeshStandardMaterial>;
  private readonly layout: Layout;
  private readonly points;
  private readonly directors;
  private readonly colors;
  private readonly uniforms;

  constructor(layout: Layout) {
    const count = layout.segmentCount;
    this.layout = layout;
    this.points = makeTexture(layout.pointCount, (n) => new Float32Array(n), THREE.RGBAFormat, THREE.FloatType);
    this.directors = makeTexture(count, (n) => new Int8Array(n), THREE.RGBAIntegerFormat, THREE.ByteType);
    this.colors = makeTexture(count, (n) => new Uint8Array(n), THREE.RGBAFormat, THREE.UnsignedByteType);
    this.colors.texture.colorSpace = THREE.SRGBColorSpace; // read as linear
    this.colors.data.set(layout.colors);
    layout.radii.forEach((radius, i) => (this.points.data[4 * i + 3] = radius));

    this.uniforms = {
      pointTexture: { value: this.points.texture },
      directorTexture: { value: this.directors.texture },
      colorTexture: { value: this.colors.texture },
      pixelAngle: { value: 0 },
      stripes: { value: 0 },
      stripeColor: { value: new THREE.Color(0.9, 0.88, 0.82) },
    };
    const geometry = makeTemplate(detailFor(count));
    geometry.setAttribute('chain', new THREE.InstancedBufferAttribute(pointsAlong(layout), 4));
    geometry.setAttribute('beside', new THREE.InstancedBufferAttribute(layout.beside, 2));
    geometry.instanceCount = count;
    this.mesh = new THREE.Mesh(geometry, this.makeMaterial());
    this.mesh.customDepthMaterial = this.makeDepthMaterial();
    this.mesh.frustumCulled = false; // only the shader knows where it is
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.visible = count > 0;
  }

  update(frame: Frame): void {
    const { positions } = frame;
    const points = this.points.data;
    for (let i = 0, n = this.layout.pointCount; i < n; ++i) {
      points[4 * i] = positions[3 * i];
      points[4 * i + 1] = positions[3 * i + 1];
      points[4 * i + 2] = positions[3 * i + 2];
    }
    this.points.texture.needsUpdate = true;
    if (frame.directors) this.directors.data.set(frame.directors);
    else if (this.layout.segmentCount < hairs) carryDirectors(this.layout, positions, this.directors.data);
    else this.directors.data.fill(0); // so thin that the shader's own choice will do
    this.directors.texture.needsUpdate = true;
    this.uniforms.stripes.value = frame.directors ? 1 : 0;
    this.paint(frame);
  }

  /** Width of a pixel at distance 1 under the camera. */
  setPixelAngle(angle: number): void {
    this.uniforms.pixelAngle.value = angle;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.customDepthMaterial?.dispose();
    for (const { texture } of [this.points, this.directors, this.colors]) texture.dispose();
  }

  // by the shown quantity, or each segment's own colour; what is broken is not drawn
  private paint({ values, broken }: Frame): void {
    const colors = this.colors.data;
    if (values) {
      const texels = new Uint32Array(colors.buffer);
      for (let s = 0; s < values.length; ++s) texels[s] = colorTable[values[s]];
    } else {
      colors.set(this.layout.colors);
    }
    if (broken) for (let s = 0; s < broken.length; ++s) if (broken[s]) colors[4 * s + 3] = 0;
    this.colors.texture.needsUpdate = true;
  }

  private makeMaterial(): THREE.MeshStandardMaterial {
    const material = new THREE.MeshStandardMaterial({ roughness: 0.42 });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', `#include <common>\n${tubeVertexFunctions}`)
        .replace('#include <beginnormal_vertex>', 'vec3 tubePlace, objectNormal;\ntubeCorner(tubePlace, objectNormal);')
        .replace('#include <begin_vertex>', 'vec3 transformed = tubePlace;');
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>\n${tubeFragmentInputs}`)
        .replace('#include <color_fragment>', `#include <color_fragment>\n${tubeFragmentColor}`);
    };
    return material;
  }

  private makeDepthMaterial(): THREE.MeshDepthMaterial {
    const material = new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', `#include <common>\n${tubeVertexFunctions}`)
        .replace('#include <begin_vertex>', 'vec3 transformed, tubeNormal;\ntubeCorner(transformed, tubeNormal);');
    };
    return material;
  }
}
