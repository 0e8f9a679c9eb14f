#!/usr/bin/env python3
"""A web server for a folder, with ranges and conditions after RFC 9110, that is slow and fails as it is told to.

usage: range_server.py FOLDER [options]          prints its port, and serves 127.0.0.1 until it is killed

Addresses that begin so ask for trouble, whatever the options are; NAME is a file of the folder:

    /~redirect/NAME     a redirection to /NAME          /~loop/NAME     a redirection to itself
    /~file/NAME         one to file:///NAME             /~away/NAME     one to http://example.com/NAME
    /~status/403/NAME   that status                     /~never/NAME    no answer
    /~secret/NAME       one to /NAME?X-Amz-Signature=   /~garbage/NAME  an answer that is not HTTP
    /~settle            waits until no other answer is under way, and tells the number of requests so far

Each request that is not /~settle is one line of JSON in the log: n, method, path (with its query), range, status,
bytes (sent of the body), time (seconds since the start), connection, fault.

It parses requests itself and lets the system send files: Python's own server would cost more than what is measured.
"""

import argparse
import email.utils
import hashlib
import itertools
import json
import os
import re
import select
import socket
import ssl
import struct
import sys
import threading
import time
import urllib.parse

START = time.monotonic()
REASONS = {200: "OK", 204: "No Content", 206: "Partial Content", 302: "Found", 304: "Not Modified",
           400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
           412: "Precondition Failed", 416: "Range Not Satisfiable", 503: "Service Unavailable"}
FAULTS = ["status", "reset", "cut", "hang", "slow", "length", "short", "total", "start", "encoded"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log", help="file that gets a line for each request")
    parser.add_argument("--latency", type=float, default=0, metavar="MS",
                        help="before each answer; a new connection costs as much again, as its handshake does")
    parser.add_argument("--mbit", type=float, default=0, help="bandwidth of all connections together")
    parser.add_argument("--fault", default="", metavar="KINDS", help=f"some of {','.join(FAULTS)}, in turns")
    parser.add_argument("--every", type=int, default=10, metavar="N", help="every Nth request of a file fails")
    parser.add_argument("--only", default="", metavar="SUFFIX", help="faults hit only names that end so")
    parser.add_argument("--etag", choices=["strong", "weak", "none"], default="strong")
    parser.add_argument("--no-date", action="store_true", help="without Last-Modified")
    parser.add_argument("--replace-after", type=int, default=0, metavar="N",
                        help="files are others, by tag and date, after N requests of files")
    parser.add_argument("--no-conditions", action="store_true", help="ignores If-Match and the like")
    parser.add_argument("--no-ranges", action="store_true", help="ignores Range")
    parser.add_argument("--s3", action="store_true", help="a file that is missing is 403, as in a closed bucket")
    parser.add_argument("--tls", metavar="CERT,KEY", help="serves https")
    return parser.parse_args()


class Reset(Exception):
    """The connection ends here."""


class Shared:
    """What all connections have in common."""

    def __init__(self, options):
        self.options = options
        self.root = os.path.realpath(options.folder)
        self.faults = [name for name in options.fault.split(",") if name]
        if set(self.faults) - set(FAULTS):
            sys.exit(f"error: faults are {', '.join(FAULTS)}")
        self.lock = threading.Condition()
        self.log = options.log and os.open(options.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self.numbers, self.connections = itertools.count(1), itertools.count(1)
        self.total = self.under_way = self.files = self.counted = self.failed = 0
        self.free_at = 0.0

    def begin(self):
        with self.lock:
            self.total += 1
            self.under_way += 1

    def end(self, line):
        if self.log:
            os.write(self.log, json.dumps(line).encode() + b"\n")
        with self.lock:
            self.under_way -= 1
            self.lock.notify_all()

    def settle(self):
        with self.lock:
            self.lock.wait_for(lambda: self.under_way == 0, timeout=10)
            return self.total

    def next_fault(self, path):
        """Counts a request of a file: its fault, and whether the file is another one by now."""
        with self.lock:
            self.files += 1
            is_replaced = 0 < self.options.replace_after < self.files
            if not self.faults or not path.endswith(self.options.only):
                return None, is_replaced
            self.counted += 1
            if self.counted % self.options.every != 0:
                return None, is_replaced
            self.failed += 1
            return self.faults[(self.failed - 1) % len(self.faults)], is_replaced

    def wait_for_bandwidth(self, count):
        seconds = count * 8 / (self.options.mbit * 1e6)
        with self.lock:
            self.free_at = max(self.free_at, time.monotonic()) + seconds
            pause = self.free_at - time.monotonic()
        if pause > 0:
            time.sleep(pause)


class Connection:
    """One client, request after request."""

    def __init__(self, shared, link):
        self.shared, self.options, self.link = shared, shared.options, link
        self.number = next(shared.connections)
        self.pending = b""
        self.sent = 0

    def serve(self):
        try:
            self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            time.sleep(self.options.latency / 1000)
            while self.answer_one():
                pass
        except (OSError, Reset):
            pass
        finally:
            self.link.close()

    def read_request(self):
        while b"\r\n\r\n" not in self.pending:
            more = self.link.recv(65536)
            if not more or len(self.pending) > 1 << 20:
                return None
            self.pending += more
        head, self.pending = self.pending.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            fields[name.strip().lower()] = value.strip()
        method, target, _ = lines[0].split(" ", 2)
        return method, target, fields

    def answer_one(self):
        request = self.read_request()
        if request is None:
            return False
        method, target, fields = request
        if target.startswith("/~settle"):
            text = str(self.shared.settle()).encode()
            self.send_head(200, [("Content-Type", "text/plain")], len(text))
            self.link.sendall(text)
            return True
        self.shared.begin()
        line = {"n": next(self.shared.numbers), "method": method, "path": target, "range": fields.get("range"),
                "time": round(time.monotonic() - START, 4), "connection": self.number, "fault": None, "status": 0}
        self.sent = 0
        try:
            time.sleep(self.options.latency / 1000)
            self.respond(method, target, fields, line)
        finally:
            self.shared.end(line | {"bytes": self.sent})
        return fields.get("connection", "").lower() != "close"

    def send_head(self, status, fields, length):
        fields = [*fields, ("Content-Length", str(length))]
        text = f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}\r\n"
        text += "".join(f"{name}: {value}\r\n" for name, value in fields) + "\r\n"
        # MSG_MORE: head and body in one packet.
        flags = getattr(socket, "MSG_MORE", 0) if length and not self.options.tls else 0
        data = text.encode("latin-1")
        if flags:
            self.link.send(data, flags)
        else:
            self.link.sendall(data)

    def send_status(self, line, status, fields=(), text=None, is_head=False):
        line["status"] = status
        body = b"" if status in (204, 304) else (text or f"{status} {REASONS.get(status, '')}\n").encode()
        self.send_head(status, fields, len(body))
        if not is_head and body:
            self.link.sendall(body)
            self.sent = len(body)

    def respond(self, method, target, fields, line):
        is_head = method == "HEAD"
        path = urllib.parse.unquote(target.partition("?")[0])
        special = re.fullmatch(r"/~(\w+)/(.*)", path)
        if special and self.respond_specially(special[1], special[2], target, line, is_head):
            return
        if method not in ("GET", "HEAD"):
            return self.send_status(line, 405)
        file = os.path.realpath(self.shared.root + path)
        if not file.startswith(self.shared.root + "/") or not os.path.isfile(file):
            if self.options.s3:
                text = '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code></Error>'
                return self.send_status(line, 403, [("Content-Type", "application/xml")], text, is_head)
            return self.send_status(line, 404, is_head=is_head)
        fault, is_replaced = self.shared.next_fault(path)
        line["fault"] = fault
        if fault == "status":
            return self.send_status(line, 503, [("Retry-After", "0")], is_head=is_head)
        if fault == "reset":
            self.link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raise Reset
        with open(file, "rb") as opened:
            self.send_file(opened, fields, is_replaced, fault, line, is_head)

    def respond_specially(self, word, rest, target, line, is_head):
        places = {"redirect": "/" + rest, "loop": target, "file": "file:///" + rest,
                  "away": "http://example.com/" + rest, "secret": "/" + rest + "?X-Amz-Signature=SECRETOFREDIRECT"}
        if word in places:
            self.send_status(line, 302, [("Location", urllib.parse.quote(places[word], "/:?=~&%"))], is_head=is_head)
        elif word == "status":
            self.send_status(line, int(rest.split("/")[0]), is_head=is_head)
        elif word == "garbage":
            self.link.sendall(b"220 this is a mail server\r\n" * 4)
            raise Reset
        elif word == "never":
            self.wait_for_client()
            raise Reset
        else:
            return False
        return True

    def wait_for_client(self):
        """Waits until the client has gone, for a minute at most."""
        poll = select.poll()
        poll.register(self.link, select.POLLIN | getattr(select, "POLLRDHUP", 0))
        poll.poll(60_000)

    def send_file(self, opened, fields, is_replaced, fault, line, is_head):
        status = os.fstat(opened.fileno())
        # A date of today would be a weak validator: RFC 9110, 8.8.2.2.
        size, modified = status.st_size, int(status.st_mtime) - (0 if is_replaced else 86400)
        tag = hashlib.md5(f"{status.st_mtime_ns} {size} {is_replaced}".encode()).hexdigest()
        tag = {"strong": f'"{tag}"', "weak": f'W/"{tag}"', "none": None}[self.options.etag]
        if self.options.no_date:
            modified = None
        head = [("Content-Type", "application/octet-stream")]
        if not self.options.no_ranges:
            head.append(("Accept-Ranges", "bytes"))
        if tag:
            head.append(("ETag", tag))
        if modified is not None:
            head.append(("Last-Modified", email.utils.formatdate(modified, usegmt=True)))
        failed = None if self.options.no_conditions else failed_condition(fields, tag, modified)
        if failed:
            return self.send_status(line, failed, head, is_head=is_head)
        wanted = None
        if not self.options.no_ranges and not is_head and is_range_valid(fields, tag, modified):
            wanted = parse_range(fields.get("range", ""), size)
        if wanted == ():
            return self.send_status(line, 416, [*head, ("Content-Range", f"bytes */{size}")])
        first, end = wanted or (0, size)
        if fault == "short" and wanted:
            end = first + max(1, (end - first) // 2)
        count = end - first
        line["status"] = 206 if wanted else 200
        if wanted:
            total = size + (100 if fault == "total" else 0)
            shown = first + (16 if fault == "start" else 0)
            head.append(("Content-Range", f"bytes {shown}-{shown + count - 1}/{total}"))
        if fault == "encoded":
            head.append(("Content-Encoding", "gzip"))
        # Says more than it sends: only the end of the connection shows it.
        self.send_head(line["status"], head, count + (7 if fault == "length" else 0))
        if is_head:
            return
        if fault in ("cut", "hang"):
            count //= 2
        pace = (max(1, count // 8), 0.05) if fault == "slow" else None
        self.send_body(opened, first, count, pace)
        if fault == "hang":
            self.wait_for_client()
        if fault in ("cut", "hang", "length"):
            raise Reset

    def send_body(self, opened, first, count, pace):
        """Sends a part of a file; pace has the bytes at a time, and the seconds before each."""
        step = pace[0] if pace else 32768 if self.options.mbit else 1 << 30
        end = first + count
        while first < end:
            part = min(step, end - first)
            if pace:
                time.sleep(pace[1])
            if self.options.mbit:
                self.shared.wait_for_bandwidth(part)
            if self.options.tls:
                opened.seek(first)
                data = opened.read(min(part, 1 << 20))
                self.link.sendall(data)
                sent = len(data)
            else:
                sent = os.sendfile(self.link.fileno(), opened.fileno(), first, part)
            if sent == 0:
                raise Reset
            first += sent
            self.sent += sent


def failed_condition(fields, tag, modified):
    """The status that RFC 9110, 13.2.2, demands in place of the file, or None."""
    matches = fields.get("if-match")
    if matches is not None:
        # Strong comparison: a weak tag never matches.
        if matches != "*" and tag not in re.findall(r'(?<![/W])"[^"]*"', matches):
            return 412
    elif modified is not None and (date := parse_date(fields.get("if-unmodified-since"))) is not None:
        if modified > date:
            return 412
    others = fields.get("if-none-match")
    if others is not None:
        bare = (tag or "").removeprefix("W/")
        if others == "*" or bare in re.findall(r'"[^"]*"', others):
            return 304
    elif modified is not None and (date := parse_date(fields.get("if-modified-since"))) is not None:
        if modified <= date:
            return 304
    return None


def is_range_valid(fields, tag, modified):
    """Whether If-Range lets the range apply: RFC 9110, 13.1.5."""
    condition = fields.get("if-range")
    if condition is None:
        return True
    if '"' in condition:
        return condition == tag and not condition.startswith("W/")
    return modified is not None and parse_date(condition) == modified


def parse_date(text):
    try:
        return int(email.utils.parsedate_to_datetime(text).timestamp()) if text else None
    except (TypeError, ValueError):
        return None


def parse_range(text, size):
    """First byte and end of one range; None to ignore it, () if the file has none of it: RFC 9110, 14.1.2."""
    match = re.fullmatch(r"bytes=(\d*)-(\d*)", text.replace(" ", ""))
    if not match or match[0] == "bytes=-" or (match[1] and match[2] and int(match[2]) < int(match[1])):
        return None
    if not match[1]:
        count = min(int(match[2]), size)
        return (size - count, size) if count else ()
    first = int(match[1])
    return (first, min(int(match[2]) + 1 if match[2] else size, size)) if first < size else ()


def main():
    options = parse_arguments()
    shared = Shared(options)
    context = None
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls.split(","))
    listener = socket.create_server(("127.0.0.1", options.port), backlog=128)
    print(listener.getsockname()[1], flush=True)

    def serve(link):
        try:
            link = context.wrap_socket(link, server_side=True) if context else link
        except OSError:
            return
        Connection(shared, link).serve()

    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


if __name__ == "__main__":
    main()
