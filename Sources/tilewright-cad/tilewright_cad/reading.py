"""Reads a drawing: DXF as text or binary, of any version, whole or damaged."""

from __future__ import annotations

import io
import os
from typing import BinaryIO, Callable, Iterable, Iterator

import ezdxf.lldxf.loader
from ezdxf import recover
from ezdxf.document import Drawing
from ezdxf.entities import DXFEntity, DXFTagStorage, factory
from ezdxf.entities.acis import Body
from ezdxf.filemanagement import dxf_stream_info
from ezdxf.lldxf.const import DXFError
from ezdxf.lldxf.extendedtags import ExtendedTags
from ezdxf.lldxf.tagger import binary_tags_loader
from ezdxf.lldxf.tags import Tags

from .conversation import Refusal
from .mending import mend

# Solids are not drawn, and some programs write what ezdxf cannot decode.
Body.load_sat_data = lambda *_: None  # type: ignore[method-assign]

_BINARY = b"AutoCAD Binary DXF\r\n\x1a\x00"


def read(descriptor: int) -> tuple[Drawing, bool]:
    """Reads the drawing of an open file; true if it was damaged, and what could be saved was read."""
    is_damaged = False
    try:
        doc = _read_strictly(descriptor)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - a damaged file raises whatever the library did not expect
        doc, is_damaged = _recover(descriptor, error), True
    mend(doc)
    return doc, is_damaged


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
    """Reads what can be read; if that is nothing, also around lines that are out of place."""
    strict_loader = ezdxf.lldxf.loader.load_dxf_entities
    ezdxf.lldxf.loader.load_dxf_entities = _load_leniently
    try:
        if _is_binary(descriptor):
            raise error
        return _recovered(descriptor, recover.bytes_loader)
    except MemoryError:
        raise
    except Exception as failure:  # noqa: BLE001 - see above
        doc = _resynchronised(descriptor)
        if doc is not None:
            return doc
        reason = str(failure) if isinstance(failure, DXFError) else ""
        raise Refusal("damaged", f"it is damaged, or not a DXF{_clause(reason)}") from failure
    finally:
        ezdxf.lldxf.loader.load_dxf_entities = strict_loader


def _recovered(descriptor: int, loader: Callable[[BinaryIO], Iterator[object]]) -> Drawing:
    with _opened(descriptor) as file:
        return recover._load_and_audit_document(recover.Recover.run(file, loader))[0]


def _resynchronised(descriptor: int) -> Drawing | None:
    """The drawing without lines that are no group codes, such as those of a broken text; None if it is none."""
    try:
        doc = _recovered(descriptor, recover.synced_bytes_loader)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - see above
        return None
    return doc if any(len(layout) for layout in doc.layouts) else None


def _load_leniently(entities: Iterable[Tags], doc: Drawing | None = None) -> Iterator[DXFEntity]:
    """Makes the objects of a drawing; one that is damaged becomes one that cannot be drawn."""
    for tags in entities:
        try:
            yield factory.load(ExtendedTags(tags), doc)
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - see above
            yield DXFTagStorage.load(ExtendedTags(_common(tags)), doc)


def _common(tags: Tags) -> Tags:
    """What an object has in common with others, its type, owner and layer: up to the data of its own type."""
    markers = [index for index, tag in enumerate(tags) if tag.code == 100]
    return Tags(tags[: markers[1] if len(markers) > 1 else 1])


def _is_binary(descriptor: int) -> bool:
    return os.pread(descriptor, len(_BINARY), 0) == _BINARY


def _clause(reason: str) -> str:
    words = " ".join(reason.split()).rstrip(".")
    return f": {words[:200]}" if words else ""


def _opened(descriptor: int) -> io.BufferedReader:
    """The file from its beginning. The descriptor stays open."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    return open(os.dup(descriptor), "rb")
