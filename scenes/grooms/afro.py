#!/usr/bin/env python3
"""Writes afro.hair: 2,000 coils of 12 vertices that stand out from a head, over its ears."""

from math import cos, pi, sin, sqrt
import struct

STRANDS, SEGMENTS = 2000, 11
RADIUS = 0.09        # of the head [m]
LIFT = 2e-4          # of the roots above it [m]
LOWEST = -0.1        # height of the lowest root, over the radius
LENGTH = 0.075       # from root to tip, straight out [m]
COIL, TURNS = 3e-3, 1.75  # radius [m], turns of each strand
THICKNESS = 8e-5     # diameter [m]
COLOR = 0.035, 0.022, 0.014
HAS_POINTS = 2       # bit of the header: an array of points, everything else by default


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def strand(k):
    """A coil about the line from the head's centre through the root; where it begins to turn differs."""
    z = 1 - (1 - LOWEST) * (k + 0.5) / STRANDS
    azimuth = k * pi * (3 - sqrt(5))
    out = sqrt(1 - z * z) * cos(azimuth), sqrt(1 - z * z) * sin(azimuth), z
    a = cross(out, (0, 0, 1) if abs(z) < 0.9 else (1, 0, 0))
    a = [c / sqrt(sum(d * d for d in a)) for c in a]
    b = cross(out, a)
    start = 2 * pi * ((k * 61) % 100) / 100
    for i in range(SEGMENTS + 1):
        t = i / SEGMENTS
        phi = start + 2 * pi * TURNS * t
        r = COIL * min(1, 4 * t)
        yield [(RADIUS + LIFT + LENGTH * t) * out[j] + r * (cos(phi) * a[j] + sin(phi) * b[j]) for j in range(3)]


def main():
    with open("afro.hair", "wb") as out:
        out.write(struct.pack("<4sIIIIfffff88s", b"HAIR", STRANDS, STRANDS * (SEGMENTS + 1), HAS_POINTS, SEGMENTS,
                              THICKNESS, 0.0, *COLOR, b"2,000 coils on a head, made by afro.py [m]"))
        for k in range(STRANDS):
            for x in strand(k):
                out.write(struct.pack("<fff", *x))


if __name__ == "__main__":
    main()
