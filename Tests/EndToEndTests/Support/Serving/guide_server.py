"""The program that serves the pages of 'open'."""

import signal
import socket
import subprocess
import time


class Server:
    """The program that gives the pages, always with the same command."""

    def __init__(self, program, folder):
        self.program, self.folder, self.process = program, folder, None
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.start()

    def start(self):
        with open(self.folder / "server.log", "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "open", "--no-browser", "--listen", self.address, "--basemap", "none", "plans.pdf"],
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for _ in range(400):
            try:
                socket.create_connection(self.address.split(":"), timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    raise RuntimeError((self.folder / "server.log").read_text()) from None
                time.sleep(0.05)
        raise RuntimeError("the server does not listen")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def restart(self):
        self.kill()
        self.start()

    def url(self, step="", language=None):
        return f"http://{self.address}/{step}" + (f"?lang={language}" if language else "")
