"""Answers that no honest server sends: /NAME is answered by the bytes of that name.

hostile_answers.py --list: the names, and which of open, read and download must fail (o, r, d).
hostile_answers.py: serves them, and says its port on standard output.

The file that is asked for has 1000 bytes, all of them `x`, and the tag "v". A range is asked for as bytes=0-99.
"""

import socket
import socketserver
import sys
import time

OK = b"HTTP/1.1 200 OK\r\n"
PART = b"HTTP/1.1 206 Partial Content\r\n"
TAG = b'ETag: "v"\r\n'
SPAN = b"Content-Range: bytes 0-99/1000\r\n"
HUNDRED = b"Content-Length: 100\r\n"
X = b"x" * 100


def part(fields, body=X, end=b"\r\n"):
    return PART + fields + end + body


def ranged(value, fields=TAG + HUNDRED, body=X):
    return part(b"Content-Range: " + value + b"\r\n" + fields, body)


def whole(fields, body=b"x" * 1000):
    return OK + fields + b"\r\n" + body


def endless(first, piece, pause=0.0):
    def pieces():
        yield first
        while True:
            if pause:
                time.sleep(pause)
            yield piece
    return pieces


ANSWERS = {
    # Nothing, or not HTTP.
    "close": ("ord", b""),
    "one-byte": ("ord", b"H"),
    "text": ("ord", b"hello\n"),
    "binary": ("ord", bytes(range(256)) * 8),
    "ssh": ("ord", b"SSH-2.0-OpenSSH_9.2\r\n"),
    "http-0.9": ("ord", b"x" * 1000),
    "version-9": ("ord", b"HTTP/9.9 200 OK\r\nContent-Length: 4\r\n\r\nxxxx"),
    "http-2": ("ord", b"HTTP/2 200\r\nContent-Length: 4\r\n\r\nxxxx"),
    "status-99": ("ord", b"HTTP/1.1 99 Low\r\nContent-Length: 4\r\n\r\nxxxx"),
    "status-999": ("ord", b"HTTP/1.1 999 High\r\nContent-Length: 4\r\n\r\nxxxx"),
    "status-20": ("ord", b"HTTP/1.1 20 OK\r\nContent-Length: 4\r\n\r\nxxxx"),
    "status-2000": ("ord", b"HTTP/1.1 2000 OK\r\nContent-Length: 4\r\n\r\nxxxx"),
    "status-minus": ("ord", b"HTTP/1.1 -200 OK\r\nContent-Length: 4\r\n\r\nxxxx"),
    "status-words": ("ord", b"HTTP/1.1 OK\r\nContent-Length: 4\r\n\r\nxxxx"),
    "only-header": ("ord", OK),
    "half-line": ("ord", OK + b"Content-Len"),
    # Header lines.
    "endless-headers": ("ord", endless(OK, b"X-A: 1\r\n")),
    "endless-line": ("ord", endless(OK + b"X-A: ", b"a" * 1000)),
    "huge-line": ("ord", OK + b"X-A: " + b"a" * 90_000 + b"\r\n" + HUNDRED + b"\r\n" + X),
    "many-lines": ("ord", PART + b"X-A: 1\r\n" * 300 + SPAN + TAG + HUNDRED + b"\r\n" + X),
    "endless-interim": ("ord", endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n")),
    "endless-early-hints": ("ord", endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")),
    "interim-alone": ("ord", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "switching": ("ord", b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n" + b"x" * 100),
    "header-nul": ("ord", PART + SPAN + TAG + b"X-A: a\0b\r\n" + HUNDRED + b"\r\n" + X),
    "header-bell": ("ord", PART + SPAN + TAG + b"X-A: a\x07b\r\n" + HUNDRED + b"\r\n" + X),
    "no-colon": ("ord", PART + SPAN + TAG + b"nonsense\r\n" + HUNDRED + b"\r\n" + X),
    "slow-headers": ("ord", endless(OK, b"X", 0.3)),
    # Lengths.
    "length-negative": ("ord", ranged(b"bytes 0-99/1000", TAG + b"Content-Length: -1\r\n")),
    "length-words": ("ord", ranged(b"bytes 0-99/1000", TAG + b"Content-Length: many\r\n")),
    "length-plus": ("ord", ranged(b"bytes 0-99/1000", TAG + b"Content-Length: +100\r\n")),
    "length-overflow": ("ord", ranged(b"bytes 0-99/1000", TAG + b"Content-Length: 99999999999999999999999\r\n")),
    "length-two": ("ord", ranged(b"bytes 0-99/1000", TAG + HUNDRED + b"Content-Length: 90\r\n")),
    "length-larger": ("ord", ranged(b"bytes 0-99/1000", TAG + b"Content-Length: 1000\r\n")),
    "length-smaller": ("ord", ranged(b"bytes 0-99/1000", TAG + b"Content-Length: 10\r\n")),
    "length-huge": ("rd", whole(TAG + b"Content-Length: 9000000000000000000\r\n")),
    "body-short": ("ord", ranged(b"bytes 0-99/1000", TAG + HUNDRED, X[:50])),
    "body-long-by-close": ("ord", ranged(b"bytes 0-99/1000", TAG, X * 2)),
    "body-endless": ("ord", endless(part(SPAN + TAG, b""), b"x" * 1000)),
    "body-drip": ("ord", endless(part(SPAN + TAG + HUNDRED, b""), b"x", 0.3)),
    "body-stall": ("ord", endless(part(SPAN + TAG + HUNDRED, b"xx"), b"", 0.3)),
    "whole-endless": ("rd", endless(whole(TAG, b""), b"x" * 1000)),
    # Chunks.
    "chunk-garbage": ("ord", part(SPAN + TAG + b"Transfer-Encoding: chunked\r\n", b"zz\r\nxxxx\r\n")),
    "chunk-huge": ("ord", part(SPAN + TAG + b"Transfer-Encoding: chunked\r\n", b"ffffffffffffffffff\r\nx")),
    "chunk-negative": ("ord", part(SPAN + TAG + b"Transfer-Encoding: chunked\r\n", b"-5\r\nxxxxx\r\n0\r\n\r\n")),
    "chunk-unended": ("ord", part(SPAN + TAG + b"Transfer-Encoding: chunked\r\n", b"32\r\n" + b"x" * 50 + b"\r\n")),
    "chunk-many": ("ord", part(SPAN + TAG + b"Transfer-Encoding: chunked\r\n", b"c8\r\n" + b"x" * 200 + b"\r\n0\r\n\r\n")),
    "chunk-endless": ("ord", endless(part(SPAN + TAG + b"Transfer-Encoding: chunked\r\n", b""), b"5\r\nxxxxx\r\n")),
    "trailer-endless": ("ord", endless(
        part(SPAN + TAG + b"Transfer-Encoding: chunked\r\n", b"64\r\n" + X + b"\r\n0\r\n"), b"X-A: 1\r\n")),
    "trailer-length": ("d", part(
        SPAN + TAG + b"Transfer-Encoding: chunked\r\n", b"64\r\n" + X + b"\r\n0\r\nContent-Length: 5\r\n\r\n")),
    # Codings.
    "gzip": ("ord", ranged(b"bytes 0-99/1000", TAG + HUNDRED + b"Content-Encoding: gzip\r\n")),
    "gzip-whole": ("ord", whole(TAG + b"Content-Length: 1000\r\nContent-Encoding: gzip\r\n")),
    "brotli": ("ord", ranged(b"bytes 0-99/1000", TAG + HUNDRED + b"Content-Encoding: br\r\n")),
    "codings": ("ord", ranged(b"bytes 0-99/1000", TAG + HUNDRED + b"Content-Encoding: gzip, gzip, gzip, gzip\r\n")),
    "transfer-gzip": ("ord", part(SPAN + TAG + b"Transfer-Encoding: gzip\r\n")),
    "transfer-unknown": ("ord", part(SPAN + TAG + b"Transfer-Encoding: rot13, chunked\r\n", b"64\r\n" + X + b"\r\n0\r\n\r\n")),
    "multipart": ("ord", part(
        TAG + HUNDRED + SPAN + b"Content-Type: multipart/byteranges; boundary=b\r\n")),
    # Ranges.
    "range-missing": ("ord", part(TAG + HUNDRED)),
    "range-later": ("ord", ranged(b"bytes 1-100/1000")),
    "range-longer": ("ord", ranged(b"bytes 0-199/1000", TAG + b"Content-Length: 200\r\n", X * 2)),
    "range-shorter": ("ord", ranged(b"bytes 0-49/1000", TAG + b"Content-Length: 50\r\n", X[:50])),
    "range-backwards": ("ord", ranged(b"bytes 99-0/1000")),
    "range-beyond": ("ord", ranged(b"bytes 0-99/50")),
    "range-unknown": ("ord", ranged(b"bytes 0-99/*")),
    "range-unsatisfied": ("ord", ranged(b"bytes */1000")),
    "range-words": ("ord", ranged(b"all of it")),
    "range-units": ("ord", ranged(b"pixels 0-99/1000")),
    "range-overflow": ("ord", ranged(b"bytes 0-99/99999999999999999999999")),
    "range-negative": ("ord", ranged(b"bytes -1-99/1000")),
    "range-two": ("ord", part(SPAN + b"Content-Range: bytes 0-99/2000\r\n" + TAG + HUNDRED)),
    "range-ignored": ("r", whole(TAG + b"Content-Length: 1000\r\n")),
    "total-changed": ("rd", ranged(b"bytes 0-99/1001")),
    "tag-changed": ("rd", part(SPAN + b'ETag: "w"\r\n' + HUNDRED)),
    "tag-two": ("ord", part(SPAN + TAG + b'ETag: "w"\r\n' + HUNDRED)),
    "unasked-416": ("ord", b"HTTP/1.1 416 No\r\nContent-Range: bytes */1000\r\nContent-Length: 0\r\n\r\n"),
    "416-bare": ("ord", b"HTTP/1.1 416 No\r\nContent-Length: 0\r\n\r\n"),
    # Other statuses.
    "204": ("ord", b"HTTP/1.1 204 No Content\r\n\r\n"),
    "304": ("ord", b"HTTP/1.1 304 Not Modified\r\n\r\n"),
    "300": ("ord", b"HTTP/1.1 300 Choose\r\nContent-Length: 0\r\n\r\n"),
    "401-asks": ("ord", b"HTTP/1.1 401 No\r\nWWW-Authenticate: Negotiate\r\nContent-Length: 0\r\n\r\n"),
    "407": ("ord", b"HTTP/1.1 407 Proxy\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"),
    "500-endless": ("ord", endless(b"HTTP/1.1 500 No\r\n\r\n", b"x" * 1000)),
    "503-for-ever": ("ord", b"HTTP/1.1 503 No\r\nRetry-After: 99999999999999999999\r\nContent-Length: 0\r\n\r\n"),
    # Redirects.
    "loop": ("ord", b"HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n"),
    "to-nowhere": ("ord", b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"),
    "to-empty": ("ord", b"HTTP/1.1 302 Found\r\nLocation: \r\nContent-Length: 0\r\n\r\n"),
    "to-file": ("ord", b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"),
    "to-ftp": ("ord", b"HTTP/1.1 302 Found\r\nLocation: ftp://127.0.0.1/a\r\nContent-Length: 0\r\n\r\n"),
    "to-gopher": ("ord", b"HTTP/1.1 302 Found\r\nLocation: gopher://127.0.0.1/_a\r\nContent-Length: 0\r\n\r\n"),
    "to-s3": ("ord", b"HTTP/1.1 302 Found\r\nLocation: s3://bucket/key\r\nContent-Length: 0\r\n\r\n"),
    "to-plain-http": ("ord", b"HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\n\r\n"),
    "to-user": ("ord", b"HTTP/1.1 302 Found\r\nLocation: http://a:b@127.0.0.1/\r\nContent-Length: 0\r\n\r\n"),
    "to-backslash": ("ord", b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1\\@a.test/\r\nContent-Length: 0\r\n\r\n"),
    "to-port": ("ord", b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:99999/\r\nContent-Length: 0\r\n\r\n"),
    "to-two": ("ord", b"HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"),
    "to-long": ("ord", b"HTTP/1.1 302 Found\r\nLocation: /" + b"a" * 20_000 + b"\r\nContent-Length: 0\r\n\r\n"),
    # In order.
    "honest": ("", None),
}


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.settimeout(60)
        request = b""
        while b"\r\n\r\n" not in request:
            piece = self.request.recv(4096)
            if not piece:
                return
            request += piece
        name = request.split(b" ")[1].decode()[1:]
        answer = ANSWERS.get(name, ("", b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"))[1]
        if name == "honest":
            answer = ranged(b"bytes 0-99/1000") if b"Range:" in request else whole(TAG + b"Content-Length: 1000\r\n")
        try:
            for piece in [answer] if isinstance(answer, bytes) else answer():
                self.request.sendall(piece)
                if not piece:
                    # Notices when the client has gone.
                    self.request.setblocking(False)
                    try:
                        if self.request.recv(1) == b"":
                            return
                    except BlockingIOError:
                        pass
                    self.request.settimeout(60)
        except OSError:
            pass
        try:
            self.request.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 128


if sys.argv[1:] == ["--list"]:
    for name, (failing, _) in ANSWERS.items():
        print(name, failing or "-")
else:
    with Server(("127.0.0.1", 0), Handler) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()
