"""Imports ezdxf without what it does on its own: opening every font of the system, and reading settings of the user.

Import this module before ezdxf. Drawings then look the same for every user, and nothing is written into home folders.
"""

from __future__ import annotations

import os
import pathlib

# Holds an empty cache of fonts, of the version that ezdxf 1.2 and newer read. Another one scans the fonts, which takes
# longer. A folder of its own in /tmp would stay there if the process is killed meanwhile.
_FOLDER = str(pathlib.Path(__file__).parent / "no_fonts")


def _import_plainly() -> None:
    """Imports ezdxf with an empty cache of fonts."""
    environment = dict(os.environ)
    os.environ.update(XDG_CACHE_HOME=_FOLDER, XDG_CONFIG_HOME=_FOLDER, EZDXF_CONFIG_FILE="")
    try:
        import ezdxf  # noqa: F401
    finally:
        os.environ.clear()
        os.environ.update(environment)


_import_plainly()
