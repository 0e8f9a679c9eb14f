"""Reads a drawing: DXF as text or binary, of any version, whole or damaged."""

from __future__ import annotations

import io
import os

from ezdxf import recover
from ezdxf.document import Drawing
from ezdxf.filemanagement import dxf_stream_info
from ezdxf.lldxf.const import DXFError
from ezdxf.lldxf.tagger import binary_tags_loader

from .conversation import Refusal

_BINARY = b"AutoCAD Binary DXF\r\n\x1a\x00"


def read(descriptor: int) -> tuple[Drawing, bool]:
    """Reads the drawing of an open file; true if it was damaged, and what could be saved was read."""
    try:
        return _read_strictly(descriptor), False
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - a damaged file raises whatever the library did not expect
        return _recover(descriptor, error), True


def _read_strictly(descriptor: int) -> Drawing:
    if _is_binary(descriptor):
        with _opened(descriptor) as file:
            return Drawing.load(binary_tags_loader(file.read(), errors="surrogateescape"))
    with io.TextIOWrapper(_opened(descriptor), encoding="utf-8-sig", errors="ignore") as head:
        encoding = dxf_stream_info(head).encoding
    # A byte order mark is not part of the first group code.
    encoding = "utf-8-sig" if encoding == "utf-8" else encoding
    with io.TextIOWrapper(_opened(descriptor), encoding=encoding, errors="surrogateescape") as text:
        return Drawing.read(text)


def _recover(descriptor: int, error: Exception) -> Drawing:
    try:
        if _is_binary(descriptor):
            raise error
        with _opened(descriptor) as file:
            return recover.read(file)[0]
    except MemoryError:
        raise
    except Exception as failure:  # noqa: BLE001 - see above
        reason = str(failure) if isinstance(failure, DXFError) else ""
        raise Refusal("damaged", f"it is damaged, or not a DXF{_clause(reason)}") from failure


def _is_binary(descriptor: int) -> bool:
    return os.pread(descriptor, len(_BINARY), 0) == _BINARY


def _clause(reason: str) -> str:
    words = " ".join(reason.split()).rstrip(".")
    return f": {words[:200]}" if words else ""


def _opened(descriptor: int) -> io.BufferedReader:
    """The file from its beginning. The descriptor stays open."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    return open(os.dup(descriptor), "rb")
