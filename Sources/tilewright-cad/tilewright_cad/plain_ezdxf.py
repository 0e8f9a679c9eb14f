"""Imports ezdxf without what it does on its own: opening every font of the system, and reading settings of the user.

Import this module before ezdxf. Drawings then look the same for every user, and nothing is written into home folders.
"""

from __future__ import annotations

import json
import os
import pathlib
import tempfile

# The version of the cache file that ezdxf 1.2 and newer read. An older one scans the fonts, which takes longer.
_CACHE = json.dumps({"version": 2, "font-faces": []})


def _import_plainly() -> None:
    """Imports ezdxf with an empty cache of fonts, in a folder that is then removed."""
    environment = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        cache = pathlib.Path(folder, "ezdxf", "font_manager_cache.json")
        cache.parent.mkdir()
        cache.write_text(_CACHE)
        os.environ.update(XDG_CACHE_HOME=folder, XDG_CONFIG_HOME=folder, EZDXF_CONFIG_FILE="")
        try:
            import ezdxf  # noqa: F401
        finally:
            os.environ.clear()
            os.environ.update(environment)


_import_plainly()
