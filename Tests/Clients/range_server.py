#!/usr/bin/env python3
"""Serves a folder with ranges on the loopback address, and misbehaves on request.

Prints its port. GET /!WORD sets how it behaves from then on, and answers how many requests came since the last word.
The words: ok, off (closes the connection), stall, cut (half of the body), html (a login page), empty, whole (no ranges),
redirect, and numbers of statuses, such as 403.
"""

import http.server
import os
import re
import socketserver
import sys
import threading
import time

PAGE = b"<html><body>Please accept the terms of this network.</body></html>"


class State:
    behaviour = "ok"
    requests = 0
    lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def do_GET(self):
        if self.path.startswith("/!"):
            with State.lock:
                count, State.requests, State.behaviour = State.requests, 0, self.path[2:]
            return self.answer(200, str(count).encode())
        with State.lock:
            State.requests += 1
            behaviour = State.behaviour
        if behaviour.isdigit():
            # Longer than any tile here.
            return self.answer(int(behaviour), b"" if behaviour == "204" else PAGE * 2000)
        if behaviour == "off":
            self.close_connection = True
            return self.connection.close()
        if behaviour == "stall":
            time.sleep(60)
        if behaviour == "html":
            return self.answer(200, PAGE, {"Content-Type": "text/html"})
        if behaviour == "empty":
            return self.answer(200, b"")
        if behaviour == "redirect" and not self.path.startswith("/moved/"):
            return self.answer(302, b"", {"Location": "/moved" + self.path})
        self.file(self.path.removeprefix("/moved").split("?")[0], behaviour)

    def file(self, path, behaviour):
        try:
            with open(os.path.join(sys.argv[1], path.lstrip("/")), "rb") as file:
                body = file.read()
                facts = os.fstat(file.fileno())
        except OSError:
            return self.answer(404, b"no such file")
        headers = {"ETag": f'"{facts.st_mtime_ns:x}-{facts.st_size:x}"', "Accept-Ranges": "bytes"}
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        status = 200
        if asked and behaviour != "whole":
            first, last = int(asked[1]), min(int(asked[2]), len(body) - 1)
            if first >= len(body):
                return self.answer(416, b"", {"Content-Range": f"bytes */{len(body)}"})
            headers["Content-Range"] = f"bytes {first}-{last}/{len(body)}"
            status, body = 206, body[first : last + 1]
        self.answer(status, body, headers, cut=behaviour == "cut")

    def answer(self, status, body, headers={}, cut=False):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            self.close_connection = True


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, address):
        pass


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
