"""Writes a few small files of each kind to begin from: make_seeds.py DIRECTORY."""

import pathlib
import struct
import sys
import zlib


def chunk(name, data):
    body = name + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png(color_type, depth, samples, interlaced=0, extra=()):
    row = bytes((samples * depth * 8 + 7) // 8)
    head = struct.pack(">IIBBBBB", 8, 8, depth, color_type, 0, 0, interlaced)
    file = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
    file += b"".join(chunk(*pair) for pair in extra)
    if color_type == 3:
        file += chunk(b"PLTE", bytes(range(12))) + chunk(b"tRNS", b"\0\x80")
    # An interlaced image has up to fifteen rows in its passes; what is left over does not matter.
    return file + chunk(b"IDAT", zlib.compress((b"\0" + row) * 15)) + chunk(b"IEND", b"")


def fixed(*values):
    return b"".join(struct.pack(">i", round(value * 65536)) for value in values)


def profile(space, pcs, tags):
    table, data, start = b"", b"", 132 + 12 * len(tags)
    for name, content in tags:
        table += name + struct.pack(">II", start + len(data), len(content))
        data += content + bytes(-len(content) % 4)
    body = struct.pack(">I", len(tags)) + table + data
    head = struct.pack(">I4sI", 128 + len(body), bytes(4), 0x02400000) + b"mntr" + space + pcs
    return head + bytes(12) + b"acsp" + bytes(28) + fixed(0.9642, 1, 0.8249) + bytes(48) + body


def xyz(*values):
    return b"XYZ " + bytes(4) + fixed(*values)


def profiles():
    gamma = b"curv" + bytes(4) + struct.pack(">IH", 1, 563)
    curve = b"para" + bytes(4) + b"\0\3\0\0" + fixed(2.4, 0.948, 0.052, 0.0774, 0.04)
    columns = [(b"rXYZ", xyz(0.61, 0.31, 0.02)), (b"gXYZ", xyz(0.2, 0.63, 0.06)),
               (b"bXYZ", xyz(0.15, 0.06, 0.75))]
    yield profile(b"RGB ", b"XYZ ", columns + [(b"%cTRC" % c, gamma) for c in b"rgb"])
    yield profile(b"RGB ", b"XYZ ", columns + [(b"%cTRC" % c, curve) for c in b"rgb"])
    yield profile(b"GRAY", b"XYZ ", [(b"wtpt", xyz(0.9642, 1, 0.8249)), (b"kTRC", gamma)])
    matrix = fixed(1, 0, 0, 0, 1, 0, 0, 0, 1)
    for space, inputs in ((b"CMYK", 4), (b"RGB ", 3)):
        ramp = bytes(range(256))
        table = b"mft1" + bytes(4) + bytes([inputs, 3, 2, 0]) + matrix + ramp * inputs
        table += bytes(range(3 * 2**inputs)) + ramp * 3
        yield profile(space, b"Lab ", [(b"A2B0", table), (b"A2B1", table)])


def segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def jpeg(components, extra=b""):
    """Eight by eight pixels whose only coefficients are zeros, each by the shortest code."""
    sampling = b"".join(bytes([i + 1, 0x11, 0]) for i in range(components))
    scan = b"".join(bytes([i + 1, 0]) for i in range(components))
    codes = bytes([1] + [0] * 15) + b"\0"
    return (b"\xff\xd8" + extra + segment(0xDB, b"\0" + b"\1" * 64)
            + segment(0xC0, b"\x08\0\x08\0\x08" + bytes([components]) + sampling)
            + segment(0xC4, b"\0" + codes) + segment(0xC4, b"\x10" + codes)
            + segment(0xDA, bytes([components]) + scan + b"\0\x3f\0") + b"\0\xff\xd9")


def seeds():
    found = list(profiles())
    yield "icc", found
    forms = [(0, 1, 1), (0, 8, 1), (0, 16, 1), (2, 8, 3), (2, 16, 3), (3, 8, 1), (4, 8, 2),
             (6, 8, 4), (6, 16, 4)]
    images = [png(*form, interlaced) for form in forms for interlaced in (0, 1)]
    images.append(png(2, 8, 3, 0, [(b"iCCP", b"A\0\0" + zlib.compress(found[0]))]))
    images.append(png(2, 16, 3, 0, [(b"gAMA", struct.pack(">I", 100000)), (b"sRGB", b"\0")]))
    images.append(png(0, 8, 1, 0, [(b"cICP", b"\x09\x08\0\1"), (b"cHRM", bytes(32))]))
    yield "png", images
    adobe = segment(0xEE, b"Adobe\0\x64\0\0\0\0\2")
    icc = segment(0xE2, b"ICC_PROFILE\0\1\1" + found[0])
    yield "jpeg", [jpeg(1), jpeg(3), jpeg(3, icc), jpeg(4), jpeg(4, adobe)]


def main(directory):
    for name, files in seeds():
        folder = pathlib.Path(directory, name)
        folder.mkdir(parents=True, exist_ok=True)
        for number, file in enumerate(files):
            (folder / f"seed{number}").write_bytes(file)


main(sys.argv[1])
