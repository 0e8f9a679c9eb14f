#!/usr/bin/env python3
"""Takes out of programs what says in which folder they were built: forget_folder.py PROGRAM...

Hashes of modules, which only the next build there would read, become 0. The build ID becomes the SHA-1 of the
program's bytes, those of the ID being 0: a linker takes it of all that it writes, symbols for debuggers too, and they
name the folder, so that the ID differs also when strip has removed them. Nothing moves: if strip or objcopy removes a
section that is loaded, it also removes the segment that protects relocations (GNU_RELRO).
"""

import hashlib
import struct
import sys
from pathlib import Path

HASHES = b".swift_modhash"
BUILD_ID = b".note.gnu.build-id"
# A note: the length of its name, of its content, its kind, and its name.
HEAD = struct.pack("<III", 4, 20, 3) + b"GNU\0"


def main():
    for name in sys.argv[1:]:
        data = bytearray(Path(name).read_bytes())
        sections = sections_of(data, name)
        if HASHES in sections:
            start, size = sections[HASHES]
            data[start : start + size] = bytes(size)
        start, size = sections.get(BUILD_ID, (0, 0))
        if data[start : start + size - 20] != HEAD:
            sys.exit(f"{name} has no build ID of 20 bytes")
        data[start + size - 20 : start + size] = bytes(20)
        data[start + size - 20 : start + size] = hashlib.sha1(data).digest()
        Path(name).write_bytes(data)


def sections_of(data, name):
    """Where each section begins in a file of ELF, and how long it is."""
    if data[:6] != b"\x7fELF\x02\x01":
        sys.exit(f"{name} is not a little-endian ELF file of 64 bits")
    table, = struct.unpack_from("<Q", data, 0x28)
    length, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, table + index * length) for index in range(count)]
    start = headers[names][4]
    return {bytes(data[start + at : data.index(0, start + at)]): (offset, size) for at, _, _, _, offset, size in headers}


if __name__ == "__main__":
    main()
