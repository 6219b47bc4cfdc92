// The shape of a tube, computed where it is drawn. Every segment is one instance of the same template: rings of corners
// at its two ends, and half a sphere beyond each end that is free. Points, radii, directors and colours are read from
// textures, so that a frame uploads what has moved and nothing else.
//
// Where two segments meet, both put their corners on the same ring, in the plane that halves the joint's angle: the tube
// is closed, and its normals and colours go on without a seam.

export const tubeVertexFunctions = /* glsl */ `
attribute vec4 corner;      // cos and sin of its place on the ring, 0 or 1 for the end, latitude on the cap
attribute ivec4 chain;      // point before, two ends, point after
attribute ivec2 beside;     // segment before and after, -1: none
uniform highp sampler2D pointTexture;       // x, y, z, radius (point)
uniform highp isampler2D directorTexture;   // 127 d1 (segment)
uniform sampler2D colorTexture;             // rgb, 0 where it is broken (segment)
uniform float pixelAngle;                   // width of a pixel at distance 1
varying vec3 vTubeColor;
varying vec2 vTubeAngle;                    // cos and sin of the angle from d1

ivec2 texelOf(ivec2 size, int i) { return ivec2(i % size.x, i / size.x); }
vec4 pointOf(int i) { return texelFetch(pointTexture, texelOf(textureSize(pointTexture, 0), i), 0); }
vec3 directorOf(int s) { return vec3(texelFetch(directorTexture, texelOf(textureSize(directorTexture, 0), s), 0).xyz); }
vec4 colorOf(int s) { return texelFetch(colorTexture, texelOf(textureSize(colorTexture, 0), s), 0); }
vec3 unitOf(vec3 v, vec3 otherwise) {
  float square = dot(v, v);
  return square > 0.0 ? v * inversesqrt(square) : otherwise;
}

// the corner's place and the normal there
void tubeCorner(out vec3 place, out vec3 across) {
  bool far = corner.z > 0.5;
  vec4 a = pointOf(chain.y), b = pointOf(chain.z), end = far ? b : a;
  vec3 tangent = unitOf(b.xyz - a.xyz, vec3(0.0, 0.0, 1.0));
  vec4 color = colorOf(gl_InstanceID);
  vec3 director = directorOf(gl_InstanceID);

  // the ring's plane: across the segment at a free end, else half-way to the next one
  int neighbour = far ? beside.y : beside.x;
  vec4 otherColor = neighbour < 0 ? vec4(0.0) : colorOf(neighbour);
  bool joined = otherColor.a > 0.5;
  vec3 next = tangent, plane = tangent, mixed = color.rgb;
  if (joined) {
    vec3 beyond = pointOf(far ? chain.w : chain.x).xyz;
    next = unitOf(far ? beyond - b.xyz : a.xyz - beyond, tangent);
    plane = unitOf(tangent + next, tangent);
    director += directorOf(neighbour);
    mixed = 0.5 * (color.rgb + otherColor.rgb);
  }
  vec3 anywhere = unitOf(cross(plane, vec3(0.3, 0.5, 0.8)), vec3(1.0, 0.0, 0.0));
  vec3 u = unitOf(director - dot(director, plane) * plane, anywhere);
  across = corner.x * u + corner.y * cross(plane, u);

  // no thinner than a pixel: what is thinner would flicker
  float depth = max(-(modelViewMatrix * vec4(end.xyz, 1.0)).z, 0.0);
  float radius = color.a > 0.5 ? max(end.w, 0.5 * pixelAngle * depth) : 0.0;

  vec3 offset = across;
  if (joined) {  // the ring is wider in the plane of the bend, as a mitre is
    vec3 wide = unitOf(tangent - next, u);
    offset += (1.0 / max(dot(tangent, plane), 0.5) - 1.0) * dot(across, wide) * wide;
  } else {
    across = cos(corner.w) * across + sin(corner.w) * (far ? tangent : -tangent);
    offset = across;
  }
  place = end.xyz + radius * offset;
  vTubeColor = mixed;
  vTubeAngle = corner.xy;
}
`;

export const tubeFragmentInputs = /* glsl */ `
varying vec3 vTubeColor;
varying vec2 vTubeAngle;
uniform float stripes;      // 0: none
uniform vec3 stripeColor;
`;

// a stripe along d1
export const tubeFragmentColor = /* glsl */ `
diffuseColor.rgb *= vTubeColor;
float stripeEdge = fwidth(vTubeAngle.x) + 1e-4;
float stripe = smoothstep(0.75 - stripeEdge, 0.75 + stripeEdge, vTubeAngle.x);
diffuseColor.rgb = mix(diffuseColor.rgb, stripeColor, stripe * stripes);
`;
