#!/usr/bin/env python3
"""Writes tube.obj: straight, a quarter turn, straight; open at both ends. The rods of scenes/tube.toml live inside."""

from math import cos, pi, sin

RADIUS = 0.01        # of the corners of its section [m]
SIDES = 12
INLET = 0.40         # along x, from x = -INLET to 0 [m]
BEND = 0.10          # radius of the turn from x to z [m]
BEND_SECTIONS = 12
OUTLET = 0.10        # along z [m]


def sections():
    """Centre and outward direction (in the plane of the turn) of every section."""
    yield (-INLET, 0.0), (0.0, 1.0)
    for k in range(BEND_SECTIONS + 1):
        phi = 0.5 * pi * k / BEND_SECTIONS
        yield (BEND * sin(phi), BEND * (1 - cos(phi))), (-sin(phi), cos(phi))
    yield (BEND, BEND + OUTLET), (-1.0, 0.0)


def main():
    rings = list(sections())
    with open("tube.obj", "w") as out:
        out.write("# made by tube.py [m]\n")
        for (x, z), (ux, uz) in rings:
            for s in range(SIDES):
                c, y = RADIUS * cos(2 * pi * s / SIDES), RADIUS * sin(2 * pi * s / SIDES)
                out.write(f"v {x + c * ux:.6f} {y:.6f} {z + c * uz:.6f}\n")
        for r in range(len(rings) - 1):
            for s in range(SIDES):
                a, b = r * SIDES + s + 1, r * SIDES + (s + 1) % SIDES + 1
                out.write(f"f {a} {b} {b + SIDES}\nf {a} {b + SIDES} {a + SIDES}\n")


main()
