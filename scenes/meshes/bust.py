#!/usr/bin/env python3
"""Writes head.obj and shoulders.obj, a head that looks along -y and what carries it. Group `scalp` is where hair
grows, `face` the rest of the head; of material `tail` is where a ponytail is tied."""

from math import cos, exp, hypot, pi, sin, sqrt

HALF = 0.075, 0.098, 0.118     # half the head's width, depth and height; its middle is the origin [m]
CUTS = 4                       # of an octahedron into quarters: 2,048 faces
TAIL, TAIL_RADIUS = (0.042, 0.072, 0.045), 0.022  # of a ponytail's roots [m]

# z, half width, half depth and y of the middle of sections from the chest to the neck [m]
SECTIONS = [(-0.46, 0.170, 0.100, 0.000), (-0.40, 0.185, 0.108, 0.000), (-0.33, 0.205, 0.105, 0.005),
            (-0.29, 0.205, 0.095, 0.010), (-0.26, 0.185, 0.082, 0.012), (-0.235, 0.145, 0.070, 0.014),
            (-0.215, 0.105, 0.062, 0.014), (-0.195, 0.077, 0.057, 0.014), (-0.17, 0.060, 0.054, 0.014),
            (-0.13, 0.050, 0.048, 0.010), (-0.09, 0.044, 0.042, 0.006)]
SIDES = 32


def octahedron(cuts):
    points = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    faces = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    for _ in range(cuts):
        middles, finer = {}, []

        def middle(a, b):
            key = min(a, b), max(a, b)
            if key not in middles:
                p = [points[a][k] + points[b][k] for k in range(3)]
                n = sqrt(sum(c * c for c in p))
                middles[key] = len(points)
                points.append(tuple(c / n for c in p))
            return middles[key]

        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        faces = finer
    return points, faces


def head_point(p):
    """An ellipsoid, narrower and further forward towards the chin, with a nose."""
    x, y, z = (p[k] * HALF[k] for k in range(3))
    low = max(0.0, -p[2])
    x *= 1 - 0.35 * low * low
    y = y * (1 - 0.25 * low * low) - 0.018 * low
    if p[1] < 0:
        y -= 0.020 * exp(-(hypot(x, 1.3 * (z + 0.018)) / 0.014) ** 2)
        y += 0.006 * exp(-(hypot(abs(x) - 0.030, z - 0.012) / 0.016) ** 2)
    return x, y, z


def group_of(middle):
    """Group and material."""
    tail = hypot(*(middle[k] - TAIL[k] for k in range(3))) < TAIL_RADIUS
    return "scalp" if middle[2] + 0.8 * middle[1] > 0 else "face", "tail" if tail else "skin"


def write(name, points, faces):
    with open(name, "w") as out:
        out.write("# made by bust.py [m]\n")
        for p in points:
            out.write("v %.5f %.5f %.5f\n" % p)
        for group in sorted(faces):
            out.write("g {}\nusemtl {}\n".format(*group))
            for face in faces[group]:
                out.write("f " + " ".join(str(i + 1) for i in face) + "\n")


def head():
    unit, triangles = octahedron(CUTS)
    points, faces = [head_point(p) for p in unit], {}
    for t in triangles:
        middle = [sum(points[i][k] for i in t) / 3 for k in range(3)]
        faces.setdefault(group_of(middle), []).append(t)
    return points, faces


def shoulders():
    """Rings of flattened ellipses (|x/a|^2.3 + |y/b|^2.3 = 1), closed by fans at both ends."""
    points, faces = [], []
    for z, a, b, y0 in SECTIONS:
        for s in range(SIDES):
            c, d = cos(2 * pi * s / SIDES), sin(2 * pi * s / SIDES)
            r = (abs(c) ** 2.3 + abs(d) ** 2.3) ** (-1 / 2.3)
            points.append((a * r * c, y0 + b * r * d, z))
    for k in range(len(SECTIONS) - 1):
        for s in range(SIDES):
            a, b = k * SIDES + s, k * SIDES + (s + 1) % SIDES
            faces += [(a, b, b + SIDES), (a, b + SIDES, a + SIDES)]
    for ring, turn in ((0, -1), (len(SECTIONS) - 1, 1)):
        centre = len(points)
        points.append((0.0, SECTIONS[ring][3], SECTIONS[ring][0]))
        for s in range(SIDES):
            a, b = ring * SIDES + s, ring * SIDES + (s + 1) % SIDES
            faces.append((centre, a, b)[::turn])
    return points, {("shoulders", "skin"): faces}


if __name__ == "__main__":
    write("head.obj", *head())
    write("shoulders.obj", *shoulders())
