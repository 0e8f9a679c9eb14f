"""Codes for letters within text, which ezdxf leaves as they are."""

from __future__ import annotations

import codecs
import re
from typing import Callable

from ezdxf.document import Drawing
from ezdxf.entities import DXFEntity, Dimension, MText, Text
from ezdxf.lldxf.encoding import decode_dxf_unicode

_NUMBER = re.compile(r"%%(\d{3})")
_ASIAN = re.compile(r"\\M\+([1-5])([0-9A-Fa-f]{4})")
_LETTER = re.compile(r"%%[^\s%]|.", re.DOTALL)
_LINE_CODE = re.compile(r"%%([uok])", re.IGNORECASE)

# The combining letters for a line under, over or through the letter before.
_LINES = {"u": "\u0332", "o": "\u0305", "k": "\u0336"}

# The encodings of \M+nXXXX: Japanese, traditional Chinese, Korean, Korean as Johab, simplified Chinese.
_ASIAN_ENCODINGS = {"1": "cp932", "2": "cp950", "3": "cp949", "4": "johab", "5": "cp936"}

# Numbers that shape fonts give to signs.
_SIGNS = {127: "°", 128: "±", 129: "Ø"}


def decode_texts(document: Drawing) -> None:
    """Turns the codes in a drawing's text into letters: \\U+00E4, \\M+18140, %%065, and %%u, %%o, %%k for lines."""
    for entity in document.entitydb.values():
        if isinstance(entity, Text):
            _decode(entity, "text", lambda text: _with_lines(decoded(text, document.encoding)))
        elif isinstance(entity, Dimension):
            _decode(entity, "text", lambda text: decoded(text, document.encoding))
        elif isinstance(entity, MText):
            entity.text = decoded(entity.text, document.encoding)


def decoded(text: str, encoding: str) -> str:
    """Text with letters for the codes that give their numbers; %%065 is a number in the drawing's encoding."""
    if "\\" in text:
        text = _ASIAN.sub(_asian_letter, decode_dxf_unicode(text))
    return _NUMBER.sub(lambda code: _letter(int(code[1]), encoding) or code[0], text) if "%%" in text else text


def _asian_letter(code: re.Match[str]) -> str:
    letter = bytes.fromhex(code[2]).lstrip(b"\0").decode(_ASIAN_ENCODINGS[code[1]], errors="replace")
    return letter if letter.isprintable() else code[0]


def _letter(number: int, encoding: str) -> str | None:
    if number in _SIGNS or not 32 <= number < 256:
        return _SIGNS.get(number)
    try:
        return codecs.decode(bytes([number]), encoding)
    except (LookupError, UnicodeDecodeError):
        return chr(number)


def _with_lines(text: str) -> str:
    """Text with a combining letter after each letter that a line goes along, for the codes that begin and end it."""
    if not _LINE_CODE.search(text):
        return text
    result = ""
    marks: list[str] = []
    for index, part in enumerate(_LINE_CODE.split(text)):
        if index % 2:
            mark = _LINES[part.lower()]
            marks.remove(mark) if mark in marks else marks.append(mark)
        else:
            result += "".join(letter + "".join(marks) for letter in _LETTER.findall(part)) if marks else part
    return result


def _decode(entity: DXFEntity, name: str, function: Callable[[str], str]) -> None:
    text = entity.dxf.get(name)
    if text and ("\\" in text or "%%" in text):
        entity.dxf.set(name, function(text))
