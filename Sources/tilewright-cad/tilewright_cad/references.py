"""Other files that a drawing names: drawings within it, pictures, plot styles. Only those in its folder are read."""

from __future__ import annotations

import ntpath
import os
import stat
from pathlib import Path

from ezdxf import xref
from ezdxf.addons import acadctb
from ezdxf.document import Drawing
from ezdxf.entities import Block
from ezdxf.layouts import BlockLayout, Layout
from ezdxf.lldxf import const
from ezdxf.math import Vec3

from .conversation import DRAWING_DESCRIPTOR, Refusal
from .reading import read

# More drawings within drawings are a loop or a bomb.
_MOST_DRAWINGS = 200


class References:
    """Finds and reads files that a drawing names, and remembers which."""

    def __init__(self, folder: str | None) -> None:
        self._folder = None if folder is None else Path(folder)
        self.files: list[str] = []
        """Absolute paths of the files that were read."""
        self.warnings: list[str] = []
        """Clauses about files that are missing."""
        self._paths: dict[str, str] = {}
        """The files of embedded drawings, by the names of their blocks."""

    # Drawings

    def embed(self, doc: Drawing) -> None:
        """Puts the drawings that a drawing refers to into their blocks, and those within them."""
        done: set[str] = set()
        for _ in range(_MOST_DRAWINGS):
            waiting = [
                block for block in doc.blocks
                if block.block is not None and _is_drawing(block.block) and block.name not in done
            ]
            if not waiting:
                return
            done.add(waiting[0].name)
            self._embed(waiting[0], doc)
        self.warnings.append(f"it has more than {_MOST_DRAWINGS} xrefs: the others are left out")

    def _embed(self, block: BlockLayout, doc: Drawing) -> None:
        name = str(block.block.dxf.get("xref_path", "")) or block.name
        path = self._find_within(block.name, name)
        if path is None:
            way = "save it there as DXF" if name.lower().endswith(".dwg") else "copy it there"
            self.warnings.append(f"the xref '{name}' {self._where_not(way)}")
            return
        if self._is_within_itself(block.name, path):
            self.warn_once(f"the xref '{name}' refers to itself, and is drawn only once")
            return
        try:
            self._load(block, doc, path)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - one damaged part does not take the rest away
            reason = error.reason if isinstance(error, Refusal) else "it cannot be inserted"
            self.warnings.append(f"the xref '{name}' is left out: {reason}")

    def _find_within(self, block: str, name: str) -> str | None:
        """The file of a drawing: in the folder of the one that names it, or in that of all."""
        outer = self._paths.get(block.rpartition("$0$")[0])
        beside = self.find(name, [".dxf"], Path(outer).parent) if outer else None
        return beside or self.find(name, [".dxf"])

    def _is_within_itself(self, block: str, path: str) -> bool:
        """Whether a file is the drawing itself, or one of those that its block is part of: `OUTER$0$INNER`."""
        parts = block.split("$0$")
        outer = (self._paths.get("$0$".join(parts[:count])) for count in range(1, len(parts)))
        return os.path.samestat(os.stat(path), os.fstat(DRAWING_DESCRIPTOR)) or any(
            other is not None and os.path.samefile(path, other) for other in outer
        )

    def _load(self, block: BlockLayout, doc: Drawing, path: str) -> None:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            source, _ = read(descriptor)
        finally:
            os.close(descriptor)
        self.files.append(path)
        self._paths[block.name] = path
        loader = xref.Loader(source, doc, conflict_policy=xref.ConflictPolicy.XREF_PREFIX)
        loader.load_modelspace(block)
        loader.execute(xref_prefix=block.name)
        flags = const.BLK_XREF | const.BLK_XREF_OVERLAY | const.BLK_EXTERNAL
        block.block.set_flag_state(flags, state=False)
        block.block.dxf.base_point = Vec3(source.header.get("$INSBASE", (0, 0, 0)))
        _take_over_layers(doc, block.name)

    # Pictures

    def picture(self, name: str) -> str | None:
        """The path of a picture; None, with a warning, if it is not in the folder."""
        path = self.find(name, [])
        if path is None:
            self.warn_once(f"the picture '{name}' {self._where_not('copy it there')}")
        elif path not in self.files:
            self.files.append(path)
        return path

    def _where_not(self, way: str) -> str:
        if self._folder is None:
            return "is left out: a drawing at an address is read alone"
        return f"is not in the drawing's folder: {way}"

    def warn_once(self, warning: str) -> None:
        """Adds a warning, unless it is there."""
        if warning not in self.warnings:
            self.warnings.append(warning)

    # Plot styles

    def plot_styles(self, layout: Layout) -> acadctb.PlotStyleTable:
        """The table of plot styles with which a layout is plotted: that of a file, or one that changes nothing."""
        name = str(layout.get_plot_style_filename())
        if not name:
            return acadctb.new_ctb()
        path = self.find(name, [])
        if path is not None:
            try:
                table = acadctb.load(path)
                self.files.append(path)
                return table
            except MemoryError:
                raise
            except Exception:  # noqa: BLE001 - a damaged table is as one that is missing
                pass
        if ntpath.basename(name).lower() == "monochrome.ctb":
            return _monochrome()
        if ntpath.basename(name).lower() not in ("acad.ctb", "acad.stb"):
            self.warnings.append(
                f"the plot style table '{name}' is not in the drawing's folder, or is damaged: colours are those of "
                "the screen"
            )
        return acadctb.new_ctb()

    # Finding

    def find(self, name: str, endings: list[str], folder: Path | None = None) -> str | None:
        """The path of a regular file in the drawing's folder or below; None if there is none.

        Names come from strangers, often with the folders of another machine: their last parts are tried, the longest
        first, without regard to case.

        - endings: the endings that the file may have instead of its own; none for its own.
        - folder: one below the drawing's folder, in its place.
        """
        folder = folder or self._folder
        if folder is None:
            return None
        parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
        if ".." in parts:
            parts = parts[len(parts) - parts[::-1].index("..") :]
        for start in range(max(0, len(parts) - 8), len(parts)):
            for ending in endings or [None]:
                path = _below(folder, parts[start:], ending)
                if path is not None:
                    return str(path)
        return None


def _is_drawing(block: Block) -> bool:
    """Whether a block is another drawing that is shown: an overlay is shown only in the drawing that names it."""
    return block.is_xref or (block.is_xref_overlay and "$0$" not in block.dxf.name)


def _below(folder: Path, parts: list[str], ending: str | None) -> Path | None:
    """A regular file below a folder, by parts of its name in any case; not behind a symbolic link."""
    place = folder
    for index, part in enumerate(parts):
        wanted = part if index < len(parts) - 1 or ending is None else ntpath.splitext(part)[0] + ending
        try:
            names = os.listdir(place)
        except OSError:
            return None
        found = wanted if wanted in names else next((n for n in names if n.lower() == wanted.lower()), None)
        if found is None:
            return None
        place = place / found
        mode = os.lstat(place).st_mode
        if not (stat.S_ISREG(mode) if index == len(parts) - 1 else stat.S_ISDIR(mode)):
            return None
    return place


def _take_over_layers(doc: Drawing, name: str) -> None:
    """Gives layers of a drawing within another the states that the other one keeps for them.

    CAD names such a layer `NAME|LAYER`, ezdxf `NAME$0$LAYER`.
    """
    prefix = f"{name}$0$"
    for layer in list(doc.layers):
        if not layer.dxf.name.startswith(prefix):
            continue
        kept = f"{name}|{layer.dxf.name[len(prefix):]}"
        if kept not in doc.layers:
            continue
        other = doc.layers.get(kept)
        for key in ("color", "true_color", "linetype", "lineweight", "flags", "plot", "plotstyle_handle"):
            if other.dxf.hasattr(key):
                layer.dxf.set(key, other.dxf.get(key))
        doc.layers.remove(kept)


def _monochrome() -> acadctb.ColorDependentPlotStyles:
    """The table `monochrome.ctb` that CAD comes with: everything is black."""
    table = acadctb.new_ctb()
    for index in range(1, 256):
        table[index].color = (0, 0, 0)
    return table
