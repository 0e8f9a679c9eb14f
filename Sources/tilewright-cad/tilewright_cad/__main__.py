"""tilewright-cad draws CAD drawings. tilewright starts it; users do not call it."""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import FrameType
from typing import Any

from .conversation import PROTOCOL, Answers, OutOfTime, Progress, Refusal, Request

HELP = """tilewright-cad draws CAD drawings (DXF) as pages. tilewright starts it; users do not call it.

  --version   print the versions of the protocol and the libraries
  --check     print which actions this system forbids while drawings are read"""


def main() -> None:
    """Runs the program."""
    arguments = sys.argv[1:]
    if not arguments and not os.isatty(0):
        _converse()
    elif arguments in ([], ["--help"], ["-h"]):
        print(HELP)
    elif arguments == ["--version"]:
        from . import plain_ezdxf  # noqa: F401
        from .plan import versions

        print(f"tilewright-cad, protocol {PROTOCOL}, {versions()}")
    elif arguments == ["--check"]:
        from .confinement import check

        is_confined, text = check()
        print(text)
        sys.exit(0 if is_confined else 1)
    else:
        print(f"tilewright-cad has no option '{arguments[0]}'\n\n{HELP}")
        sys.exit(64)


def _converse() -> None:
    # Objects of a drawing live as long as the process: to look for garbage among them takes a third of the time.
    gc.disable()
    answers = Answers()
    progress = Progress(answers.say)
    try:
        answer = {"page": _page(Request.read(sys.stdin), progress)}
    except BaseException as error:  # noqa: BLE001 - whatever happens is told
        answer = {"failure": _failure(error)}
    progress.end()
    answers.say(answer)
    # What is left of a large drawing need not be taken apart.
    os._exit(0)


def _page(request: Request, progress: Progress) -> dict[str, Any]:
    # Libraries are loaded before the process is confined.
    from . import plain_ezdxf  # noqa: F401 - before ezdxf
    from .confinement import confine
    from .plan import Plan

    confine([request.folder] if request.folder else [], request.memory, request.seconds)
    signal.signal(signal.SIGXCPU, _end_of_time)
    progress.start()
    return Plan(request, progress).draw()


def _end_of_time(number: int, frame: FrameType | None) -> None:
    raise OutOfTime


def _failure(error: BaseException) -> dict[str, str]:
    if isinstance(error, Refusal):
        return {"cause": error.cause, "reason": error.reason}
    if isinstance(error, OutOfTime):
        return {"cause": "time", "reason": "it takes too long to draw"}
    if isinstance(error, MemoryError):
        return {"cause": "memory", "reason": "it needs more memory than allowed"}
    if isinstance(error, OSError):
        return {"cause": "system", "reason": error.strerror or str(error)}
    if isinstance(error, RecursionError):
        return {"cause": "damaged", "reason": "its parts are nested too deeply"}
    return {"cause": "damaged", "reason": f"it cannot be drawn ({type(error).__name__}: {error})"}


if __name__ == "__main__":
    main()
