#!/usr/bin/env python3
"""Writes combed.hair: 300 strands of 20 vertices on the upper half of a sphere, combed down along its meridians."""

from math import acos, cos, pi, sin, sqrt
import struct

STRANDS, SEGMENTS = 300, 19
RADIUS = 0.09        # of the head [m]
LIFT = 2e-4          # of the strands' axes above it [m]
THICKNESS = 8e-5     # diameter [m]
HEIGHTS = 0.97, 0.35 # of the highest and the lowest roots, over the radius
COLOR = 0.12, 0.07, 0.04
HAS_POINTS = 2       # bit of the header: an array of points, everything else by default


def strand(k):
    """Along a meridian from its root to the equator, then straight down; no two share a meridian."""
    r = RADIUS + LIFT
    azimuth = k * pi * (3 - sqrt(5))
    angle = acos(HEIGHTS[0] + (HEIGHTS[1] - HEIGHTS[0]) * (k + 0.5) / STRANDS)  # from the crown
    length = 0.16 + 0.04 * ((k * 37) % 100) / 100
    for i in range(SEGMENTS + 1):
        s = i * length / SEGMENTS
        phi = min(angle + s / r, pi / 2)
        below = max(0.0, s - (pi / 2 - angle) * r)
        yield r * sin(phi) * cos(azimuth), r * sin(phi) * sin(azimuth), r * cos(phi) - below


def main():
    with open("combed.hair", "wb") as out:
        out.write(struct.pack("<4sIIIIfffff88s", b"HAIR", STRANDS, STRANDS * (SEGMENTS + 1), HAS_POINTS, SEGMENTS,
                              THICKNESS, 0.0, *COLOR, b"300 strands combed down, made by combed.py [m]"))
        for k in range(STRANDS):
            for x in strand(k):
                out.write(struct.pack("<fff", *x))


if __name__ == "__main__":
    main()
