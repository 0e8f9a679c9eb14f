#!/usr/bin/env python3
"""Runs the examples of the man pages, and fails if one of them fails.

    run_examples.py PROGRAM

The commands of examples.md run in their order, by a shell, in a folder of their own that has the files of
`Examples`. A command of `serve` or `open` is ended when it listens; without its companion it is left out.
Commands of `publish` find the bucket of the tests.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from reference import PROJECT, examples

BUCKETS = PROJECT / "Tests/EndToEndTests/Support/Buckets/bucket_server.py"
# More than any of them takes, on a slow machine too.
SECONDS = 120


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = Path(sys.argv[1]).resolve()
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder, "work")
        work.mkdir()
        for path in (PROJECT / "Examples").iterdir():
            if path.is_file() and path.name != "Makefile":
                shutil.copy(path, work)
        (Path(folder) / "tilewright").symlink_to(program)
        buckets = subprocess.Popen([sys.executable, BUCKETS], stdout=subprocess.PIPE, text=True)
        variables = {
            **os.environ,
            "PATH": f"{folder}:{os.environ['PATH']}",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{buckets.stdout.readline().strip()}",
            "AWS_ACCESS_KEY_ID": "example",
            "AWS_SECRET_ACCESS_KEY": "example",
        }
        for command, page in examples().items():
            for line in page.commands:
                status, said = run(line, program, work, variables)
                if status is None:
                    print(f"left out, for its companion is not there: {line}")
                elif status != 0:
                    faults += 1
                    print(f"{command}: status {status}: {line}\n{said}", file=sys.stderr)
        buckets.terminate()
        buckets.wait()
    sys.exit(1 if faults else 0)


def run(line, program, folder, variables):
    """The status and what was said; None if it cannot be run here."""
    if re.search(r"^tilewright (serve|open)\b", line):
        if not (program.parent / "tilewright-serve").exists() and not shutil.which("tilewright-serve"):
            return None, ""
        free_port = line.replace(":8080", ":0") if "--listen" in line else f"{line} --listen 127.0.0.1:0"
        return serve(free_port, folder, variables)
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], cwd=folder, env=variables, timeout=SECONDS,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    return done.returncode, done.stdout.decode("utf-8", "replace")


def serve(line, folder, variables):
    """Waits until a server listens, and ends it."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            ["bash", "-c", f"exec {line}"], cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        deadline = time.monotonic() + SECONDS
        said = ""
        while process.poll() is None and "http://" not in said and time.monotonic() < deadline:
            time.sleep(0.05)
            log.seek(0)
            said = log.read().decode("utf-8", "replace")
        process.send_signal(signal.SIGINT)
        status = process.wait(timeout=SECONDS)
        return (0 if status == 130 and "http://" in said else status or 1), said


if __name__ == "__main__":
    main()
