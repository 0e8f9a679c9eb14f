"""Confines the process before it reads a drawing."""

from __future__ import annotations

import ctypes
import os
import resource
import site
import sys
import sysconfig
from pathlib import Path

# In the environment that `make companions` makes.
LIBRARY = Path(sys.prefix) / "lib" / "libtilewright-confinement.so"


class NotConfined(OSError):
    """This process cannot be confined; the text is a clause that says why."""


def confine(readable: list[str], memory: int, seconds: int, first_file: int = 5) -> None:
    """Limits memory (bytes) and CPU time, and closes all files from `first_file` on.

    After `seconds` from now, SIGXCPU ends the process. On Linux, this process can then read only the system's
    libraries and fonts, Python's own folders, and the files and folders of `readable`, which may be missing. It can
    write only files that are open, and has no network and no other processes. All threads must start later.

    Raises NotConfined on Linux if the library is missing or if a limit cannot be set.
    """
    library = loaded()
    if library is None and sys.platform == "linux":
        raise NotConfined(f"'{LIBRARY}' is not installed: run 'make companions' or 'make install' again")
    try:
        limit(memory, seconds)
    except (OSError, OverflowError, ValueError) as error:
        raise NotConfined(f"the system does not limit memory and time: {error}") from error
    if library is not None:
        paths = [os.fsencode(path) for path in [*folders_of_python(), *readable]]
        library.cf_confine(first_file, (ctypes.c_char_p * len(paths))(*paths), len(paths))


def check() -> tuple[bool, str]:
    """Confines this process, tries what is forbidden, and says whether it failed, with a line for each attempt."""
    library = loaded()
    if library is None:
        return False, f"nothing is forbidden: '{LIBRARY}' is not installed"
    confine([], resource.RLIM_INFINITY, 60)
    text = ctypes.c_char_p()
    is_confined = library.cf_check(ctypes.byref(text))
    return is_confined, (text.value or b"").decode()


def loaded() -> ctypes.CDLL | None:
    """The library, or None if it is not installed or not for this system."""
    try:
        library = ctypes.CDLL(str(LIBRARY))
    except OSError:
        return None
    library.cf_confine.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]
    library.cf_confine.restype = None
    library.cf_check.argtypes = [ctypes.POINTER(ctypes.c_char_p)]
    library.cf_check.restype = ctypes.c_bool
    return library


def limit(memory: int, seconds: int) -> None:
    """Limits memory and CPU time of this process. The hard limit of the time is for a process that catches SIGXCPU."""
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    least = memory if most == resource.RLIM_INFINITY or 0 <= memory < most else most
    resource.setrlimit(resource.RLIMIT_DATA, (least, least))
    usage = resource.getrusage(resource.RUSAGE_SELF)
    end = int(usage.ru_utime + usage.ru_stime) + 1 + seconds
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    most = end + 5 if most == resource.RLIM_INFINITY else min(end + 5, most)
    resource.setrlimit(resource.RLIMIT_CPU, (min(end, most), most))


def folders_of_python() -> list[str]:
    """The folders from which this Python imports; not the current folder, from which `python -m` imports."""
    paths = sysconfig.get_paths()
    folders = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {*site.getsitepackages(), *(path for path in sys.path if path)} - {os.getcwd()}
    # The current folder may be this one.
    return sorted(folders | {str(Path(__file__).resolve().parent)})
