#!/usr/bin/env python3
"""Gives each program a build ID that is the SHA-1 of its bytes, those of the ID being 0: build_id.py PROGRAM...

A linker takes it of all that it writes, symbols for debuggers too. They say in which folder a build ran, so that the
ID differs from folder to folder, also when strip has removed them.
"""

import hashlib
import sys
from pathlib import Path

# A note: the length of its name, of its content, its kind, and its name.
HEAD = bytes([4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0]) + b"GNU\0"


def main():
    for name in sys.argv[1:]:
        data = bytearray(Path(name).read_bytes())
        if data.count(HEAD) != 1:
            sys.exit(f"{name} has {data.count(HEAD)} build IDs of 20 bytes")
        at = data.index(HEAD) + len(HEAD)
        data[at : at + 20] = bytes(20)
        data[at : at + 20] = hashlib.sha1(data).digest()
        Path(name).write_bytes(data)


if __name__ == "__main__":
    main()
