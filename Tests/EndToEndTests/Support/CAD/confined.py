"""Prints which actions succeed once tilewright-cad is confined, a line for each: confined.py EMPTY_FOLDER."""

from __future__ import annotations

import os
import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

# First: it keeps numpy from starting threads.
from tilewright_cad.confinement import confine

import numpy
import PIL.Image
from fontTools.fontBuilder import FontBuilder
from fontTools.ttLib import TTFont

FOLDER = Path(sys.argv[1])
MEMORY = 1 << 30


def main() -> None:
    """Confines this process, and tries each action."""
    write_files()
    output = os.open(FOLDER / "output", os.O_RDWR | os.O_CREAT)
    # Those that run already are not confined.
    print(f"threads: {len(os.listdir('/proc/self/task'))}")
    confine([str(FOLDER / "readable")], MEMORY, 30, first_file=os.dup2(output, 99))
    for name, action in actions(output).items():
        try:
            print(f"{name}: {action() or 'allowed'}")
        except (MemoryError, OSError, ValueError) as error:
            print(f"{name}: {type(error).__name__}")


def write_files() -> None:
    """Writes the files that are read later."""
    readable = FOLDER / "readable"
    readable.mkdir()
    (readable / "file").write_text("text")
    (FOLDER / "secret").write_text("secret")
    (readable / "link").symlink_to("../secret")
    PIL.Image.new("RGB", (3, 3)).save(readable / "picture.png")
    font = FontBuilder(1000)
    font.setupGlyphOrder([".notdef", "A"])
    font.setupMaxp()
    font.save(readable / "font.ttf")


def actions(output: int) -> dict[str, Callable[[], object]]:
    """What is tried, by name."""
    file = FOLDER / "readable" / "file"
    return {
        "read in the folder": file.read_text,
        "list the folder": lambda: len(os.listdir(file.parent)),
        "read another file": (FOLDER / "secret").read_text,
        "read another file by a link": (file.parent / "link").read_text,
        "read another file of the system": Path("/etc/passwd").read_text,
        "read an open file": lambda: os.read(99, 1),
        "write a file that is open": lambda: rewrite(output),
        "write a new file": lambda: (file.parent / "new").write_text("x"),
        "write a file": lambda: file.write_text("x"),
        "open the output by its name": lambda: open(f"/proc/self/fd/{output}", "wb"),
        "truncate a file": lambda: os.truncate(file, 0),
        "remove a file": file.unlink,
        "rename a file": lambda: file.rename(FOLDER / "renamed"),
        "make a folder": (file.parent / "folder").mkdir,
        "make a link": lambda: (file.parent / "other").symlink_to("file"),
        "set permissions": lambda: file.chmod(0o777),
        "fork": os.fork,
        "start a program": lambda: subprocess.run(["/bin/true"]),
        "use the network": socket.socket,
        "signal another process": lambda: os.kill(os.getppid(), 0),
        "take too much memory": lambda: bytearray(MEMORY + 1),
        "raise the limit": lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY * 2, MEMORY * 2)),
        "compute": lambda: int(numpy.ones((200, 200)).dot(numpy.ones((200, 200))).sum()),
        "draw a picture": lambda: PIL.Image.open(file.parent / "picture.png").resize((2, 2)).size,
        "read a font": lambda: TTFont(file.parent / "font.ttf")["maxp"].numGlyphs,
        "import a module": lambda: __import__("sqlite3").sqlite_version[:1],
        "start a thread": start_thread,
    }


def rewrite(output: int) -> str:
    """Writes and shortens a file that is open, and returns what it then contains."""
    os.write(output, b"written")
    os.ftruncate(output, 5)
    return os.pread(output, 10, 0).decode()


def start_thread() -> None:
    """Runs a thread to its end."""
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()


main()
