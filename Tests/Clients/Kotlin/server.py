"""A server of the files below a folder, which behaves badly on request: the first part of a path names how.

/requests/MODE answers with the number of requests of a mode since the last time.
"""

import collections
import contextlib
import http.server
import os
import re
import socket
import ssl
import threading
import time

PAGE = b"<!DOCTYPE html><title>Log in to the hotel's network</title>"
STATUSES = {"204", "401", "403", "404", "410", "429", "500", "503"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    counts = collections.Counter()
    lock = threading.Lock()
    folder = https = http = ""

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        self.send_header("Content-Length", headers.pop("length", len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(body)
            self.wfile.flush()

    def do_GET(self):
        _, mode, rest = self.path.split("/", 2)
        with self.lock:
            if mode == "requests":
                return self.answer(200, str(self.counts.pop(rest, 0)).encode())
            self.counts[mode] += 1
        rest, _, query = rest.partition("?")
        if mode in STATUSES:
            self.answer(int(mode))
        elif mode == "html":
            self.answer(200, PAGE)
        elif mode == "empty":
            self.answer(200)
        elif mode == "redirect":
            self.answer(302, Location=f"/plain/{rest}")
        elif mode == "to-https":
            self.answer(301, Location=f"{self.https}/plain/{rest}")
        elif mode == "to-http":
            self.answer(301, Location=f"{self.http}/plain/{rest}")
        elif mode == "stall":
            time.sleep(20)
            self.close_connection = True
        else:
            self.file(mode, os.path.join(self.folder, rest))

    def file(self, mode, path):
        """Modes that send a file: plain, slow, whole (without ranges), short (ends too early), versioned (needs ?v=)."""
        if not os.path.isfile(path):
            return self.answer(404)
        if mode == "versioned" and not path.endswith(".json") and "?v=" not in self.path:
            return self.answer(400)
        if mode == "slow":
            time.sleep(0.2)
        with open(path, "rb") as file:
            data = file.read()
            status = os.fstat(file.fileno())
        tag = f'"{status.st_mtime_ns:x}-{status.st_size:x}"'
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if mode == "short":
            self.answer(200, data[:len(data) // 2], length=len(data))
            self.close_connection = True
        elif wanted and mode != "whole":
            first, last = int(wanted[1]), min(int(wanted[2]), len(data) - 1)
            if first > last:
                return self.answer(416, Content_Range=f"bytes */{len(data)}")
            self.answer(206, data[first:last + 1], ETag=tag, Content_Range=f"bytes {first}-{last}/{len(data)}")
        else:
            self.answer(200, data, ETag=tag)


def start(folder, certificate):
    """Serves a folder over http and https; returns both addresses."""
    Handler.folder = folder
    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) for _ in range(2)]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    servers[1].socket = context.wrap_socket(servers[1].socket, server_side=True, do_handshake_on_connect=False)
    Handler.http = f"http://127.0.0.1:{servers[0].server_port}"
    Handler.https = f"https://localhost:{servers[1].server_port}"
    for server in servers:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
    return Handler.http, Handler.https
