// The programs of the graphics card: bodies, lines, arrows, areas and marks, triangles, the sky.

/** Colors that a table of a shader has at most. */
export const MOST_COLORS = 8;

/** Which way shadows lie in the plane, as far from the sun as it can be. */
export const AWAY = [0.6, -0.8];

const HEAD = `#version 300 es
precision highp float;
uniform mat4 seen;
uniform vec2 canvas; // Pixels.
uniform vec3 eye;
uniform float reach;
uniform vec4 haze; // The color of what is far away, and how much of it there is.
uniform vec3 storey; // A height, whether what is above it (1) or below (-1) is painted, or both (0), and how dense that is.
vec4 placed(vec3 place, float height) { // Out of the picture where something at this height is not painted.
  return storey.y * (height - storey.x) < 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : seen * vec4(place, 1.0);
}
vec2 pixels(vec4 place) { // From the middle of the picture.
  return place.xy / place.w * canvas * 0.5;
}
vec3 misty(vec3 color, vec3 place) {
  float far = clamp((distance(place, eye) / reach - 1.6) / 2.2, 0.0, 1.0);
  return mix(color, haze.rgb, haze.a * far);
}
const vec3 SUN = vec3(0.24, -0.33, 0.91); // Where it stands in space.
vec3 lit(vec3 color, vec3 normal) {
  float sun = max(dot(normal, SUN), 0.0), sky = 0.5 + 0.5 * normal.z;
  return color * (vec3(0.42, 0.44, 0.48) + 0.18 * sky + 0.52 * sun * vec3(1.03, 1.0, 0.93));
}
`;

/**
 * @param {string} vertex
 * @param {string} fragment
 */
const program = (vertex, fragment) => ({ vertex: HEAD + vertex, fragment: HEAD + fragment });

const BODIES = program(
  `
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal; // 1 long in the color of the vehicle, 2 where that is darker, 3 for skin, 4 for wool.
layout(location = 2) in vec3 before;
layout(location = 3) in vec3 after;
layout(location = 4) in vec3 headed;
layout(location = 5) in vec3 heading;
layout(location = 6) in vec3 upward;
layout(location = 7) in vec3 up;
layout(location = 8) in float size;
layout(location = 9) in float value;
layout(location = 10) in float axis; // By how much longer than its size it is [m].
uniform float part; // How far it is from the frame before to the one after.
uniform vec3 period, frequency; // Of the seam; 0 where there is none.
uniform vec3 color;
uniform float colored; // Whether values give the colors: 1 along a ramp, 2 by number, 3 around a wheel.
uniform vec3 table[${MOST_COLORS}]; // These colors, and how many there are.
uniform int count;
uniform vec3 paper;
uniform vec4 rim; // Added to the size, as a part of it and in meters; whether it is the rim (1) or a shadow (2); and whether that lies on the ground below (1), at its feet (2), or so many sizes beside it (negative).
uniform float ground;
uniform vec4 veil; // A color, and how much of it lies over all others; negative: over that of the vehicle alone.
out vec3 shade;
vec3 meaning() {
  if (colored > 1.5 && colored < 2.5) return table[int(value) % count];
  bool around = colored > 2.5;
  int last = around ? count : count - 1;
  float k = (around ? fract(value) : clamp(value, 0.0, 1.0)) * float(last);
  int low = min(int(floor(k)), last - 1);
  return mix(table[low], table[(low + 1) % count], k - float(low));
}
void main() {
  vec3 way = after - before;
  way -= period * floor(way * frequency + 0.5);
  vec3 place = before + part * way;
  float height = place.z;
  vec3 forward = mix(headed, heading, part);
  forward = normalize(dot(forward, forward) > 1e-6 ? forward : heading);
  vec3 side = normalize(cross(mix(upward, up, part), forward) + vec3(0.0, 1e-9, 0.0));
  vec3 top = cross(forward, side);
  float large = size * (1.0 + rim.x) + rim.y;
  vec3 off = large * (corner.x * forward + corner.y * side + corner.z * top) + 0.5 * axis * sign(corner.x) * forward;
  vec3 feet = place - 0.03 * size * top;
  place += off;
  vec3 n = normal.x * forward + normal.y * side + normal.z * top;
  float tint = length(n);
  shade = colored > 0.5 ? meaning() : color;
  n /= max(tint, 1e-6);
  if (tint > 3.5) shade = mix(vec3(1.0, 0.98, 0.93), shade, colored > 0.5 ? 0.7 : 0.22);
  else if (tint > 1.5) shade = tint > 2.5 ? mix(vec3(0.88, 0.66, 0.51), shade, 0.12) : shade * 0.5;
  if (rim.z > 1.0) {
    if (rim.w > 1.0) place -= SUN * dot(place - feet, top) / max(dot(SUN, top), 0.3);
    else if (rim.w > 0.0) place -= SUN * (place.z - ground) / SUN.z;
    else place.xy -= size * rim.w * vec2(${AWAY});
    shade = paper * 0.12;
  } else if (rim.z > 0.0) {
    shade = paper;
  } else {
    if (haze.a > 0.0 && tint > 0.3) shade = misty(lit(shade * 1.12 + 0.05, n), place);
    else if (tint > 0.3 && abs(tint - 2.5) > 1.0) { // Paper that is folded along the middle: also where the light comes from ahead, one half is darker.
      float fold = clamp(2.0 * dot(n.xy, vec2(-0.62, 0.79)) + 0.4 * normal.y / tint, -1.0, 1.0);
      shade = fold > 0.0 ? mix(shade, vec3(1.0), 0.16 * fold) : shade * (1.0 + 0.32 * fold);
    }
    shade = mix(shade, veil.rgb, veil.a < 0.0 ? tint < 1.5 ? -veil.a : 0.0 : veil.a);
  }
  gl_Position = placed(place, height);
  if (rim.w > 1.0) gl_Position.z -= 0.001 * gl_Position.w;
}`,
  `
in vec3 shade;
uniform float opacity;
out vec4 ink;
void main() { ink = vec4(shade, opacity * storey.z); }`,
);

const LINES = program(
  `
layout(location = 0) in vec2 corner; // Along, in 0..1, and across, in -1..1.
layout(location = 1) in vec3 from;
layout(location = 2) in vec3 to;
layout(location = 3) in vec4 color;
layout(location = 4) in float width;
layout(location = 5) in float start;
uniform float point; // Pixels.
uniform float meter; // Pixels.
uniform float lift; // Nearer to the eye than what lies there too.
uniform vec2 beside; // Pixels beside it.
uniform vec3 paper;
uniform float halo; // Pixels of paper at either side, in place of the line; 0 for the line itself.
uniform float strength;
out vec4 shade;
out float along;
out vec2 across; // Pixels from the middle of the line, and how far its rim is from there.
out vec2 disc; // In a dot, which is a line without a length.
void main() {
  vec4 a = seen * vec4(from, 1.0), b = seen * vec4(to, 1.0);
  float near = 1e-3 * reach;
  if (a.w < near && b.w > near) a = mix(a, b, (near - a.w) / (b.w - a.w));
  if (b.w < near && a.w > near) b = mix(b, a, (near - b.w) / (a.w - b.w));
  vec2 ahead = pixels(b) - pixels(a);
  float length2 = dot(ahead, ahead);
  ahead = length2 > 1e-12 ? ahead * inversesqrt(length2) : vec2(1.0, 0.0);
  disc = from == to ? vec2(2.0 * corner.x - 1.0, corner.y) : vec2(0.0);
  float wide = max(width * point, 1.0) + 2.0 * halo;
  float cap = color.a > 0.99 ? 0.5 * wide : 0.0;
  float outer = 0.5 * wide + 1.0;
  disc.y *= 2.0 * outer / wide;
  across = vec2(corner.y * outer, 0.5 * wide);
  vec4 here = corner.x < 0.5 ? a : b;
  vec2 off = across.x * vec2(-ahead.y, ahead.x) + (corner.x * 2.0 - 1.0) * cap * ahead;
  here.xy += (off + beside) / canvas * 2.0 * here.w;
  here.z -= lift * here.w;
  vec3 place = corner.x < 0.5 ? from : to;
  gl_Position = storey.y * (place.z - storey.x) < 0.0 ? placed(place, place.z) : here;
  shade = vec4(halo > 0.0 ? paper : misty(color.rgb, place), color.a * strength * min(width * point, 1.0));
  along = (start + corner.x * distance(from, to)) * meter;
}`,
  `
in vec4 shade;
in float along;
in vec2 across, disc;
uniform vec2 dash; // Pixels; none where the first is 0.
out vec4 ink;
void main() {
  float cover = clamp(across.y + 0.5 - abs(across.x), 0.0, 1.0);
  if (dot(disc, disc) > 1.0 || cover <= 0.0) discard;
  if (dash.x > 0.0 && mod(along, dash.x + dash.y) > dash.x) discard;
  ink = vec4(shade.rgb, shade.a * cover * storey.z);
}`,
);

const ARROWS = program(
  `
layout(location = 0) in vec2 corner; // Along in shafts behind the tip (negative) or from the tail (positive), across in shafts.
layout(location = 1) in vec3 tail;
layout(location = 2) in vec3 tip;
layout(location = 3) in vec4 color;
layout(location = 4) in float width; // [m], negative: [points].
uniform float meter, point, halo, strength; // See the lines.
uniform vec3 paper;
out vec4 shade;
vec2 rim() { // From a corner to that of the halo, in widths of it.
  float side = sign(corner.y);
  if (corner.x >= 0.0) return vec2(-1.0, side);
  if (corner.x < -5.9) return vec2(-1.6, 1.76 * side);
  return corner.x < -1.0 ? vec2(0.0, side) : vec2(2.6, 0.0);
}
void main() {
  vec4 a = seen * vec4(tail, 1.0), b = seen * vec4(tip, 1.0);
  vec2 one = pixels(a), ahead = pixels(b) - one;
  float far = max(length(ahead), 1e-6);
  ahead /= far;
  float wide = max(width < 0.0 ? -width * point : width * meter / max(b.w, 1e-6), 1.2);
  wide = min(wide, far / 7.0);
  float at = corner.x >= 0.0 ? corner.x * far : far + corner.x * wide;
  vec2 grown = vec2(max(at, 0.0), corner.y * wide) + halo * rim();
  vec2 place = one + grown.x * ahead + grown.y * vec2(-ahead.y, ahead.x);
  at = clamp(grown.x, 0.0, far);
  float w = mix(a.w, b.w, at / far);
  float z = mix(a.z / a.w, b.z / b.w, at / far);
  gl_Position = vec4(place / canvas * 2.0 * w, z * w, w);
  shade = vec4(halo > 0.0 ? paper : misty(color.rgb, tip), color.a * strength);
  if (a.w <= 0.0 || b.w <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`,
  `
in vec4 shade;
out vec4 ink;
void main() { ink = shade; }`,
);

const AREAS = program(
  `
layout(location = 0) in vec3 place;
uniform vec2 off; // Pixels.
out vec2 spot, seat; // In the plane [m], and in the picture, in -1..1.
void main() {
  gl_Position = placed(place, place.z);
  gl_Position.xy += off / canvas * 2.0 * gl_Position.w;
  spot = place.xy;
  seat = gl_Position.xy;
}`,
  `
in vec2 spot, seat;
uniform vec3 color;
uniform float opacity;
uniform sampler2D grain;
uniform float weave; // How much of its grain there is,
uniform vec2 tile; // how often it repeats [1/m], 0: no grain; and how far a finer one shows through it.
uniform vec3 mesh; // Lines a meter, pixels between two of them, and how many of them are one denser line.
uniform vec4 rule; // Their color and density.
uniform bool material; // Whether there is any of this.
out vec4 ink;
float near(vec2 at) { // How far the nearest line is, in meshes.
  vec2 away = abs(fract(at + 0.5) - 0.5);
  return min(away.x, away.y);
}
void main() {
  ink = vec4(color, opacity * storey.z);
  if (!material) return;
  vec2 off = seat - vec2(-0.2, 0.25); // The sun stands at the upper left.
  ink.rgb *= 1.04 - 0.075 * weave * dot(off, off);
  if (tile.x > 0.0) {
    vec2 at = tile.x * spot, wide = 0.23 * mat2(0.8, 0.6, -0.6, 0.8) * at;
    vec4 fine = texture(grain, at);
    float broad = texture(grain, wide).a;
    if (tile.y > 0.0) {
      fine = mix(fine, texture(grain, 2.0 * at), tile.y);
      broad = mix(broad, texture(grain, 2.0 * wide).a, tile.y);
    }
    ink.rgb *= 1.0 + weave * (fine.rgb - 0.5 + (broad - 0.5) * vec3(0.16, 0.13, 0.17));
  }
  if (rule.a == 0.0) return;
  vec2 slab = floor(mesh.x * spot); // Each has a tone of its own.
  if (tile.x > 0.0) ink.rgb *= 1.0 + 0.03 * weave * (fract(sin(dot(slab, vec2(12.9, 78.2))) * 437.5) - 0.5);
  float thin = 0.5 * clamp(1.0 - mesh.y * near(mesh.x * spot), 0.0, 1.0);
  float thick = clamp(1.0 - mesh.y * mesh.z * near(mesh.x / mesh.z * spot), 0.0, 1.0);
  ink.rgb = mix(ink.rgb, rule.rgb, rule.a * max(thin, thick));
}`,
);

const MARKS = program(
  `
layout(location = 0) in vec2 corner; // In -1..1.
layout(location = 1) in vec3 place;
layout(location = 2) in float size;
uniform float point, halo;
out vec2 at;
out float half_size;
void main() {
  vec4 here = seen * vec4(place, 1.0);
  half_size = 0.5 * size * point + 1.0 + halo;
  at = corner * half_size;
  here.xy += at / canvas * 2.0 * here.w;
  gl_Position = here;
}`,
  `
in vec2 at;
in float half_size;
uniform vec3 color, paper;
uniform int shape; // 0 plus, 1 dot, 2 ring, 3 cross, 4 a glow.
uniform float point, halo, strength; // A mark with a halo has thicker lines.
out vec4 ink;
float cover(float more) { // Of the mark, and so many pixels around it.
  float radius = length(at), edge = half_size - 1.0 - halo, thick = (halo > 0.0 ? 1.0 : 0.6) * point;
  float disc = clamp(edge + more - radius + 0.5, 0.0, 1.0);
  vec2 turned = shape == 0 ? at : 0.7071 * vec2(at.x + at.y, at.x - at.y);
  float bars = clamp(thick + more + 0.5 - min(abs(turned.x), abs(turned.y)), 0.0, 1.0);
  float reach = max(abs(turned.x), abs(turned.y));
  if (shape == 0 || shape == 3) return bars * clamp(edge + more - reach + 0.5, 0.0, 1.0);
  return shape == 2 ? disc * clamp(radius - edge + thick + more + 0.5, 0.0, 1.0) : disc;
}
void main() {
  float far = length(at) / half_size;
  if (shape == 4) ink = vec4(mix(paper, color, 0.32), 0.9 * (1.0 - smoothstep(0.4, 1.0, far)));
  else ink = vec4(halo > 0.0 ? mix(paper, color, cover(0.0)) : color, strength * cover(halo));
}`,
);

const MEADOW = `
uniform sampler2D grain;
uniform float weave; // How much there is of it.
vec3 meadow(vec2 at, float steep) { // Slopes are bare.
  float broad = texture(grain, 0.13 * at).a;
  vec3 fine = texture(grain, 1.6 * at, -1.0).rgb - 0.5;
  return mix(vec3(0.78, 0.9, 0.56), vec3(1.0, 0.93, 0.76), smoothstep(0.0, 1.0, 4.0 * steep + 0.9 * broad - 0.5)) * (1.0 + weave * fine);
}`;

const TRIANGLES = program(
  `
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
uniform vec3 color;
out vec3 shade, spot;
out float steep;
void main() {
  spot = place;
  steep = 1.0 - abs(normal.z);
  vec3 n = dot(normal, eye - place) < 0.0 ? -normal : normal;
  shade = lit(color * 1.02, n);
  gl_Position = placed(place, place.z);
}`,
  `
in vec3 shade, spot;
in float steep;
${MEADOW}
uniform float tile; // How often the grain of land repeats [1/m].
out vec4 ink;
void main() {
  vec3 color = shade;
  if (tile > 0.0) color *= meadow(tile * spot.xy, steep);
  ink = vec4(misty(color, spot), storey.z);
}`,
);

const SKY = program(
  `
layout(location = 0) in vec2 corner;
uniform vec3 right, up, toward; // The axes of the camera, as far as the picture reaches.
out vec3 ray;
void main() {
  ray = corner.x * right + corner.y * up - toward;
  gl_Position = vec4(corner, 1.0, 1.0);
}`,
  `
in vec3 ray;
uniform vec3 above, below, soil;
uniform float wet; // 1 under water.
${MEADOW}
uniform vec2 ground; // How far below the eye it is, where there is one, and the mesh of its grid, of which the negative has no lines.
out vec4 ink;
void main() {
  vec3 way = normalize(ray), land = mix(haze.rgb, soil, 0.12);
  vec3 color = mix(mix(haze.rgb, below, 0.3), above, smoothstep(ground.x > 0.0 ? -0.02 : -0.4, 0.16, way.z));
  float round = atan(way.x, way.y) - 0.3 * way.z;
  float rays = sin(19.0 * round) + sin(31.0 * round + 1.0) + sin(53.0 * round + 2.0);
  if (wet > 0.0) {
    color = mix(mix(below, haze.rgb, smoothstep(-0.3, 0.12, way.z)), above, smoothstep(0.02, 0.5, way.z));
    color += 0.035 * max(rays, 0.0) * smoothstep(-0.1, 0.45, way.z);
    land = haze.rgb;
  }
  else if (way.z > 0.0) {
    vec2 cloud = texture(grain, 0.16 * way.xy / (way.z + 0.12)).ar;
    color = mix(color, vec3(1.0), haze.g * smoothstep(0.6, 1.2, cloud.x + 0.6 * cloud.y) * smoothstep(0.0, 0.2, way.z));
  }
  float far = ground.x / max(-way.z, 1e-4);
  vec2 place = (eye.xy + far * way.xy) / max(abs(ground.y), 1e-6);
  vec2 off = abs(fract(place) - 0.5), wide = fwidth(place);
  vec2 lines = clamp((off - 0.5) / wide + 1.2, 0.0, 1.0) * clamp(1.0 - 3.0 * wide, 0.0, 1.0);
  float even = mod(floor(place.x + 0.5) + floor(place.y + 0.5), 2.0) * clamp(1.0 - 3.0 * max(wide.x, wide.y), 0.0, 1.0);
  vec2 wave = 7.0 * place + 1.3 * sin(5.0 * place.yx + 3.0 * sin(2.0 * place));
  float net = pow(1.0 - 0.5 * abs(sin(wave.x) + sin(wave.y)), 3.0) * clamp(1.0 - 2.0 * max(wide.x, wide.y), 0.0, 1.0);
  vec3 earth = wet > 0.0 ? soil * (0.92 + 0.2 * net) * (0.5 + texture(grain, 2.1 * place).rgb) : soil - sign(soil.g - 0.4) * step(0.0, ground.y) * (0.1 * max(lines.x, lines.y) + 0.02 * even);
  if (way.z < 0.0 && ground.x > 0.0) color = mix(land, wet > 0.0 ? earth : earth * meadow(1.5 * place, 0.0), exp(-0.1 * far / reach));
  ink = vec4(color, 1.0);
}`,
);

/** All programs by name. */
export const PROGRAMS = { BODIES, LINES, ARROWS, AREAS, MARKS, TRIANGLES, SKY };
