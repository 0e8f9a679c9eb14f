"""A store of objects with one bucket, 'plans', for tests: bucket_server.py [--moto]

Serves a part of S3 itself, or passes requests to moto's. It writes down all requests, and looks after each change
whether a TileJSON names a tile that is not there. It prints its port, and then answers:

    /!requests   the requests since the last time, a line each
    /!objects    JSON: of each object the SHA-256, the type and the Cache-Control
    /!faults     tiles that a TileJSON named and that were not there, a line each
    /!clear      removes all objects
    /!refuse     answers all later requests with 403; /!accept ends that
"""

import hashlib
import http.server
import io
import json
import re
import sys
import threading
import urllib.parse

BUCKET = "plans"
lock = threading.RLock()
requests, faults = [], []
refuses = False


class Plain:
    """Objects in memory: GET with or without a range, PUT, DELETE."""

    def __init__(self):
        self.objects = {}

    def answer(self, method, path, query, headers, body):
        bucket, _, key = path.lstrip("/").partition("/")
        if bucket != BUCKET:
            return 404, {}, b"<Error><Code>NoSuchBucket</Code></Error>"
        if method == "PUT":
            self.objects[key] = (body, headers.get("content-type"), headers.get("cache-control"))
            return 200, {}, b""
        if method == "DELETE":
            self.objects.pop(key, None)
            return 204, {}, b""
        if key not in self.objects:
            return 404, {}, b"<Error><Code>NoSuchKey</Code></Error>"
        found, kind, cache = self.objects[key]
        fields = {"Content-Type": kind, "Cache-Control": cache or "", "ETag": '"%s"' % hashlib.md5(found).hexdigest()}
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", headers.get("range", ""))
        if not wanted:
            return 200, fields, found
        first, last = int(wanted[1]), min(int(wanted[2]), len(found) - 1)
        fields["Content-Range"] = "bytes %d-%d/%d" % (first, last, len(found))
        return 206, fields, found[first : last + 1]

    def all(self):
        return dict(self.objects)

    def clear(self):
        self.objects = {}


class Moto:
    """The objects of moto's S3."""

    # Moto tells apart only whether a request is signed.
    SIGNED = {
        "authorization": "AWS4-HMAC-SHA256 Credential=A/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, "
        "Signature=0"
    }

    def __init__(self):
        from moto.server import DomainDispatcherApplication, create_backend_app

        self.application = DomainDispatcherApplication(create_backend_app)
        self.answer("PUT", "/" + BUCKET, "", self.SIGNED, b"")

    def answer(self, method, path, query, headers, body):
        environment = {
            "REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query, "SCRIPT_NAME": "",
            "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "HTTP_HOST": "127.0.0.1",
            "RAW_URI": urllib.parse.quote(path), "REQUEST_URI": urllib.parse.quote(path), "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": headers.get("content-type", ""), "wsgi.version": (1, 0), "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body), "wsgi.errors": io.StringIO(), "wsgi.multithread": True,
            "wsgi.multiprocess": False, "wsgi.run_once": False,
        }
        for name, value in headers.items():
            if name not in ("content-type", "content-length", "host"):
                environment["HTTP_" + name.upper().replace("-", "_")] = value
        result = {}

        def start(status, fields, failure=None):
            result["status"], result["fields"] = int(status.split()[0]), dict(fields)

        answer = b"".join(self.application(environment, start))
        fields = {name: value for name, value in result["fields"].items() if name.lower() != "content-length"}
        return result["status"], fields, answer

    def keys(self):
        keys, token = [], ""
        while True:
            text = self.answer("GET", "/" + BUCKET, "list-type=2&encoding-type=url" + token, self.SIGNED, b"")[2].decode()
            keys += [urllib.parse.unquote_plus(key) for key in re.findall("<Key>(.*?)</Key>", text)]
            more = re.search("<NextContinuationToken>(.*?)</NextContinuationToken>", text)
            if not more:
                return keys
            token = "&continuation-token=" + urllib.parse.quote(more[1])

    def all(self):
        found = {}
        for key in self.keys():
            _, fields, body = self.answer("GET", "/%s/%s" % (BUCKET, key), "", self.SIGNED, b"")
            fields = {name.lower(): value for name, value in fields.items()}
            found[key] = (body, fields.get("content-type"), fields.get("cache-control"))
        return found

    def clear(self):
        for key in self.keys():
            self.answer("DELETE", "/%s/%s" % (BUCKET, key), "", self.SIGNED, b"")


class Watch:
    """Which objects are there, and which tiles each TileJSON names."""

    def __init__(self):
        self.keys, self.named = set(), {}

    def put(self, key, body):
        self.keys.add(key)
        if not re.search(r"(^|/)tilejson[^/]*\.json$", key):
            return
        document, folder, named = json.loads(body), key.rpartition("/")[0], set()
        for limits in document["tileMatrixSetLimits"]:
            for row in range(limits["minTileRow"], limits["maxTileRow"] + 1):
                for column in range(limits["minTileCol"], limits["maxTileCol"] + 1):
                    path = document["tiles"][0].replace("{z}", limits["tileMatrix"])
                    path = path.replace("{x}", str(column)).replace("{y}", str(row))
                    named.add(folder + "/" + path if folder else path)
        self.named[key] = named
        faults.extend("%s names %s" % (key, tile) for tile in sorted(named - self.keys))

    def remove(self, key):
        self.keys.discard(key)
        self.named.pop(key, None)
        faults.extend("%s names %s" % (document, key) for document, named in self.named.items() if key in named)


store = Moto() if "--moto" in sys.argv else Plain()
watch = Watch()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def handle_all(self):
        size = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(size)
        if len(body) < size:
            # No store keeps a part of an object.
            self.close_connection = True
            return
        with lock:
            status, fields, answer = self.answer(body)
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_PUT = do_DELETE = do_HEAD = do_POST = handle_all

    def answer(self, body):
        global refuses, watch
        path, _, query = self.path.partition("?")
        path = urllib.parse.unquote(path)
        if path.startswith("/!"):
            text = ""
            if path == "/!requests":
                text = "".join(line + "\n" for line in requests)
                requests.clear()
            elif path == "/!objects":
                text = json.dumps(
                    {key: [hashlib.sha256(one[0]).hexdigest()] + list(one[1:]) for key, one in store.all().items()})
            elif path == "/!faults":
                text = "".join(line + "\n" for line in faults)
            elif path == "/!clear":
                store.clear()
                watch = Watch()
            else:
                refuses = path == "/!refuse"
            return 200, {}, text.encode()
        requests.append("%s %s" % (self.command, path))
        if refuses:
            return 403, {}, b"<Error><Code>AccessDenied</Code></Error>"
        headers = {name.lower(): value for name, value in self.headers.items()}
        status, fields, answer = store.answer(self.command, path, query, headers, body)
        key = path[len(BUCKET) + 2 :]
        if 200 <= status < 300 and self.command == "PUT":
            watch.put(key, body)
        if 200 <= status < 300 and self.command == "DELETE":
            watch.remove(key)
        return status, fields, answer


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_port, flush=True)
server.serve_forever()
