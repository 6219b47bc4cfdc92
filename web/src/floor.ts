// A floor with a grid, which fades out towards its rim so that it has no edge.

import * as THREE from 'three';

/** A round decimal length, about a tenth of the size: 1, 2 or 5 times a power of ten. */
export function gridSpacing(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size / 8));
  const digit = size / 8 / power;
  return power * (digit < 2 ? 1 : digit < 5 ? 2 : 5);
}

const gridFunctions = /* glsl */ `
uniform float spacing;
uniform float reach;
varying vec2 vGround;
float lines(vec2 place, float width) {
  vec2 fraction = abs(fract(place - 0.5) - 0.5);
  vec2 blur = fwidth(place);
  vec2 line = 1.0 - smoothstep(blur * width, blur * (width + 1.0), fraction);
  return max(line.x, line.y) * (1.0 - smoothstep(0.2, 0.5, max(blur.x, blur.y)));
}
`;

export function makeFloor(point: THREE.Vector3, normal: THREE.Vector3, size: number): THREE.Mesh {
  const reach = 12 * size;
  const material = new THREE.MeshStandardMaterial({ color: 0xdfe2e6, roughness: 0.95, transparent: true });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.spacing = { value: gridSpacing(size) };
    shader.uniforms.reach = { value: reach };
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec2 vGround;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvGround = position.xy;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${gridFunctions}`)
      .replace('#include <color_fragment>', `
        float grid = max(0.05 * lines(vGround / spacing, 0.3), 0.09 * lines(vGround / spacing / 5.0, 0.5));
        diffuseColor.rgb *= 1.0 - grid;
        diffuseColor.a *= 1.0 - smoothstep(0.15, 0.9, length(vGround) / reach);`);
  };
  const floor = new THREE.Mesh(new THREE.CircleGeometry(reach, 96), material);
  floor.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal.clone().normalize());
  floor.position.copy(point);
  floor.receiveShadow = true;
  floor.renderOrder = -1; // before what is transparent above it
  return floor;
}
