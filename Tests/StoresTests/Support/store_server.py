"""A web server and a store for objects, for tests: says its port on standard output, and writes each request to a log.

store_server.py LOG [CERTIFICATE KEY]

Files are /OPTION,OPTION/NAME; their bytes are those of `content`. Objects are /BUCKET/KEY; their signatures are computed
again by botocore.
"""

import collections
import hashlib
import http.server
import json
import re
import ssl
import sys
import threading
import time
import urllib.parse

log = open(sys.argv[1], "w")
lock = threading.Lock()
counts = collections.Counter()
objects = {}
DATE = "Sat, 28 Nov 2026 10:00:00 GMT"
KEYS = {"AKTEST": ("SKTEST", None), "ASTEMPORARY": ("SKTEMPORARY", "TOKEN"), "ASROLE": ("SKROLE", "ROLETOKEN")}


def content(size):
    return bytes((index * 7 + index // 256) % 256 for index in range(size))


def signature_is_right(request, body):
    # Loaded when it is needed, which takes longer than all else.
    from botocore.auth import S3SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials

    words = dict(re.findall(r"(Credential|SignedHeaders|Signature)=([^, ]+)", request.headers["Authorization"]))
    key, _, region, service, _ = words["Credential"].split("/")
    secret, token = KEYS[key]
    if request.headers.get("x-amz-security-token") != token or service != "s3":
        return False
    names = words["SignedHeaders"].split(";")
    if not {"host", "x-amz-content-sha256", "x-amz-date"} <= set(names):
        return False
    paid = request.headers["x-amz-content-sha256"]
    if paid not in ("UNSIGNED-PAYLOAD", hashlib.sha256(body).hexdigest()):
        return False
    url = "http://" + request.headers["Host"] + request.path
    again = AWSRequest(
        method=request.command, url=url, data=body,
        headers={name: request.headers[name] for name in names if name != "host"})
    again.context["timestamp"] = request.headers["X-Amz-Date"]
    signer = S3SigV4Auth(Credentials(key, secret), "s3", region)
    text = signer.string_to_sign(again, signer.canonical_request(again))
    return signer.signature(text, again) == words["Signature"]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def reply(self, status, body=b"", fields=(), length=None):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
            self.wfile.flush()

    def error(self, status, code, more="", fields=()):
        self.reply(status, f"<?xml version='1.0'?><Error><Code>{code}</Code>{more}</Error>".encode(), fields)

    def do_GET(self):
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        if len(body) < size:
            # No store keeps a part of an object.
            self.close_connection = True
            return
        path = urllib.parse.unquote(self.path.split("?")[0])
        with lock:
            line = {"method": self.command, "path": self.path, "body": len(body)}
            for name in ("Range", "If-Match", "If-Range", "Content-Type", "Cache-Control", "Authorization"):
                if name in self.headers:
                    line[name] = self.headers[name]
            print(json.dumps(line), file=log, flush=True)
            counts[self.path] += 1
            count = counts[self.path]
        first = path.split("/")[1]
        if first.endswith("-bucket"):
            self.store(first, path.split("/", 2)[2], body)
        elif first == "redirect":
            self.redirect(path, count)
        elif first == "container":
            self.container()
        elif self.command == "POST":
            self.role(urllib.parse.parse_qs(body.decode()))
        else:
            self.file(dict((option.split("=") + [""])[:2] for option in first.split(",")), count)

    do_PUT = do_DELETE = do_POST = do_GET

    def file(self, options, count):
        size = int(options.get("size", 1000))
        fails = options.get("fail", "0:503").split(":")
        if count <= int(fails[0]):
            return self.reply(int(fails[1]), b"busy", [("Retry-After", fails[2])] if len(fails) > 2 else [])
        if "missing" in options:
            return self.reply(404, b"not found")
        if "hang" in options:
            time.sleep(30)
        data = content(size)
        version = 2 if count > int(options.get("change", 10**9)) else 1
        fields = []
        if "unversioned" not in options:
            if "date" not in options:
                fields.append(("ETag", f'"v{version}"'))
            fields.append(("Last-Modified", DATE if version == 1 else DATE.replace("10:", "11:")))
        match = self.headers.get("If-Match")
        if match and match != f'"v{version}"':
            return self.reply(412)
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        condition = self.headers.get("If-Range")
        if condition and condition not in [value for _, value in fields]:
            wanted = None
        if wanted is None or "whole" in options:
            status, part = 200, data
        else:
            start = int(wanted[1])
            end = min(int(wanted[2] or size) + 1, size)
            if start >= size:
                return self.reply(416, b"", fields + [("Content-Range", f"bytes */{size}")])
            status, part = 206, data[start:end]
            fields.append(("Content-Range", f"bytes {start}-{end - 1}/{size}"))
        if "chunked" in options:
            self.send_response(status)
            for name, value in fields + [("Transfer-Encoding", "chunked")]:
                self.send_header(name, value)
            self.end_headers()
            for start in range(0, len(part), 300):
                piece = part[start:start + 300]
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")
            return None
        if count <= int(options.get("cut", 0)):
            self.reply(status, part[: len(part) // 2], fields, len(part))
            self.close_connection = True
            return None
        return self.reply(status, part, fields)

    def redirect(self, path, count):
        """/redirect/COUNT/REST, /redirect/loop/…, /redirect/signed/REST, /redirect/to/HEX"""
        _, _, kind, rest = path.split("/", 3)
        if kind == "loop":
            target = self.path
        elif kind == "to":
            target = bytes.fromhex(rest).decode()
        elif kind == "signed":
            target = f"/{rest}?signature={count}"
        else:
            target = f"/redirect/{int(kind) - 1}/{rest}" if int(kind) > 1 else f"/{rest}"
        self.reply(302, b"elsewhere", [("Location", target)])

    def store(self, bucket, key, body):
        signed = "Authorization" in self.headers
        if bucket == "gone-bucket":
            return self.error(404, "NoSuchBucket")
        if bucket != "open-bucket":
            if not signed:
                return self.error(403, "AccessDenied")
            if not signature_is_right(self, body):
                return self.error(403, "SignatureDoesNotMatch")
        if bucket == "far-bucket" and "/eu-central-1/s3/" not in self.headers["Authorization"]:
            return self.error(400, "AuthorizationHeaderMalformed", "<Region>eu-central-1</Region>")
        name = (bucket, key)
        if self.command == "PUT":
            with lock:
                objects[name] = (body, self.headers.get("Content-Type"))
            return self.reply(200, b"", [("ETag", '"%s"' % hashlib.md5(body).hexdigest())])
        if self.command == "DELETE":
            with lock:
                found = objects.pop(name, None)
            return self.reply(204 if found else 404)
        if name not in objects:
            return self.error(404, "NoSuchKey")
        data = objects[name][0]
        fields = [("ETag", '"%s"' % hashlib.md5(data).hexdigest()), ("Last-Modified", DATE)]
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if not wanted:
            return self.reply(200, data, fields)
        start, end = int(wanted[1]), min(int(wanted[2]) + 1, len(data))
        if start >= len(data):
            return self.error(416, "InvalidRange", fields=[("Content-Range", f"bytes */{len(data)}")])
        return self.reply(206, data[start:end], fields + [("Content-Range", f"bytes {start}-{end - 1}/{len(data)}")])

    def role(self, fields):
        if fields.get("WebIdentityToken") != ["web.token"] or fields.get("RoleArn") != ["arn:aws:iam::1:role/r"]:
            return self.error(403, "AccessDenied")
        return self.reply(200, b"""<AssumeRoleWithWebIdentityResponse><Credentials><SessionToken>ROLETOKEN</SessionToken>
            <SecretAccessKey>SKROLE</SecretAccessKey><Expiration>2999-01-01T00:00:00Z</Expiration>
            <AccessKeyId>ASROLE</AccessKeyId></Credentials></AssumeRoleWithWebIdentityResponse>""")

    def container(self):
        if self.headers.get("Authorization") != "Bearer container":
            return self.reply(403)
        return self.reply(200, json.dumps({
            "AccessKeyId": "ASROLE", "SecretAccessKey": "SKROLE", "Token": "ROLETOKEN",
            "Expiration": "2999-01-01T00:00:00Z"}).encode())


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, address):
        pass


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
