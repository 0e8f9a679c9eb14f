"""The conversation with tilewright: one request in, progress and one answer out, each a line of JSON."""

from __future__ import annotations

import json
import os
import sys
import threading
from dataclasses import dataclass
from typing import Any, Callable, TextIO

PROTOCOL = 1

# The drawing, open for reading, and an empty file for the page.
DRAWING_DESCRIPTOR, PAGE_DESCRIPTOR = 3, 4

# Longer requests are refused: they name a file, a layout and some layers.
MOST_REQUEST_BYTES = 1 << 20


class Refusal(Exception):
    """The reason why there is no page: a kind that tilewright knows, and a clause for people."""

    def __init__(self, cause: str, reason: str) -> None:
        super().__init__(reason)
        self.cause = cause
        self.reason = reason


class OutOfTime(BaseException):
    """The processor time is used up. Not an `Exception`, so that code that handles damage does not catch it."""


@dataclass(frozen=True)
class Request:
    """What tilewright asks for."""

    path: str
    """The drawing's name for messages."""
    folder: str | None
    """The folder in which other files are looked for; None if the drawing has none."""
    layout: str | None
    """The layout; None for the model space."""
    layers: list[str] | None
    """The layers to show; None for those that plot."""
    scale: float | None
    """The denominator of the scale of a page of the model space; None for the usual one."""
    unit: float | None
    """The metres in a unit, if what the drawing says is wrong; else None."""
    is_on_dark: bool
    """Whether the page is for a dark background, as on CAD's screen."""
    memory: int
    """Bytes of memory."""
    seconds: int
    """Seconds of processor time."""

    @staticmethod
    def read(stream: TextIO) -> Request:
        """Reads a request; refuses what does not follow the protocol."""
        text = stream.read(MOST_REQUEST_BYTES + 1)
        try:
            if len(text) > MOST_REQUEST_BYTES:
                raise ValueError("it is too long")
            value = json.loads(text)
            if value["version"] != PROTOCOL:
                raise ValueError(f"its version is {value['version']}")
            return Request(
                path=str(value["path"]),
                folder=_text(value["folder"]),
                layout=_text(value["layout"]),
                layers=None if value["layers"] is None else [str(name) for name in value["layers"]],
                scale=_positive(value["scale"]),
                unit=_positive(value["unit"]),
                is_on_dark=bool(value["is_on_dark"]),
                memory=int(value["memory"]),
                seconds=int(value["seconds"]),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise Refusal("request", f"the request violates the protocol: {error}") from error


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _positive(value: Any) -> float | None:
    number = None if value is None else float(value)
    if number is not None and not 1e-6 < number < 1e9:
        raise ValueError("its scale or unit is out of range")
    return number


class Progress:
    """Tells tilewright how far the work is, about twice a second, from a thread of its own.

    The work itself only replaces `share`, a function that is cheap to call from another thread.
    """

    INTERVAL = 0.5

    def __init__(self, say: Callable[[dict[str, Any]], None]) -> None:
        self._say = say
        self._stage = "reading"
        self._share: Callable[[], float] = lambda: 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def begin(self, stage: str, share: Callable[[], float]) -> None:
        """Begins a stage of the work."""
        self._stage, self._share = stage, share

    def start(self) -> None:
        """Begins to tell."""
        try:
            self._thread.start()
        except RuntimeError as error:
            # The limit of memory leaves no room for its stack.
            raise MemoryError from error

    def end(self) -> None:
        """Ends the telling: nothing follows."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self.INTERVAL):
            share = min(max(self._share(), 0.0), 1.0)
            try:
                self._say({"progress": {"stage": self._stage, "share": round(share, 4)}})
            except OSError:
                # tilewright was killed, and the page is not needed any more.
                os._exit(1)


class Answers:
    """Writes answers to standard output, which nothing else reaches: libraries print there, too."""

    def __init__(self) -> None:
        self._output = sys.stdout
        sys.stdout = _Nowhere()

    def say(self, answer: dict[str, Any]) -> None:
        """Writes an answer."""
        # Bytes of a drawing that are no letters of its encoding are none in an answer either.
        line = json.dumps(answer, ensure_ascii=False) + "\n"
        self._output.buffer.write(line.encode("utf-8", "replace"))
        self._output.buffer.flush()


class _Nowhere:
    """A stream that forgets what is written."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass
