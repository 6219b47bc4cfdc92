# Writes the small files that the tests of the readers start from, byte by byte from the formats' own descriptions and
# without any of our code: python3 make.py, in this folder.

import struct

import numpy


def hair():
    # two strands of 3 and 4 points, a thickness and a color for each point
    points = [(0, 0, 0), (0, 0, 1), (0, 0.5, 2), (1, 0, 0), (1, 0, 1), (1, 0, 2), (1, 0.25, 3)]
    thickness = [0.2, 0.1, 0.05, 0.2, 0.2, 0.1, 0.0]
    colors = [(1, 0.5, 0.25)] * 3 + [(0, 0, 1)] * 4
    head = struct.pack("<4sIIIIfffff88s", b"HAIR", 2, 7, 1 | 2 | 4 | 16, 0, 1, 0, 1, 1, 1, b"two hairs")
    assert len(head) == 128
    body = struct.pack("<2H", 2, 3)
    body += b"".join(struct.pack("<3f", *p) for p in points)
    body += struct.pack("<7f", *thickness)
    body += b"".join(struct.pack("<3f", *c) for c in colors)
    open("two.hair", "wb").write(head + body)
    # and the same points as one strand, by the header's own count and thickness
    head = struct.pack("<4sIIIIfffff88s", b"HAIR", 1, 7, 2, 6, 0.1, 0, 1, 1, 1, b"one hair")
    open("plain.hair", "wb").write(head + b"".join(struct.pack("<3f", *p) for p in points))


def bcc():
    # an open Catmull-Rom curve and a loop, y up
    curves = [(3, [(0, 0, 0), (1, 2, 3), (2, 0, 0)]), (-4, [(1, 0, 0), (0, 0, 1), (-1, 0, 0), (0, 0.5, -1)])]
    head = struct.pack("<3sB2sbbQQ40s", b"BCC", 0x44, b"C0", 3, 1, 2, 7, b"yarn")
    assert len(head) == 64
    body = b"".join(struct.pack("<i", n) + b"".join(struct.pack("<3f", *p) for p in ps) for n, ps in curves)
    open("yarn.bcc", "wb").write(head + body)


def npz():
    x = numpy.arange(2 * 5 * 3, dtype=float).reshape(2, 5, 3) / 8
    numpy.savez("moving.npz", x=x, time=numpy.array([0.0, 0.5]), strand_points=numpy.array([0, 1, 2, 2, 3, 4]),
                strand_first=numpy.array([0, 3, 6]), closed=numpy.array([False, True]),
                radius=numpy.array([1, 2, 3, 4, 5], dtype="f4"), name=numpy.array(["stem", "ränk"]))
    position = numpy.arange(2 * 3 * 3 * 4, dtype=float).reshape(2, 3, 3, 4)  # 2 rods, 3 moments, 4 nodes
    radius = numpy.arange(2 * 3 * 3, dtype=float).reshape(2, 3, 3) + 1
    numpy.savez("elastica.npz", position_collection=position, radius_collection=radius,
                time=numpy.array([0.0, 0.1, 0.2]))


hair()
bcc()
npz()
