"""Hostile requests, by family. Each method makes a random request of its family."""

import itertools
import re

from exchange import REFUSALS, Request
from served import is_tilejson

CRLF = b"\r\n"
# Statuses of RFC 9110 for unknown methods, codings and versions.
UNKNOWN = REFUSALS | {501, 505}
SCRIPT = "<script>alert(1)</script>"


def message(host, target, method=b"GET", fields=(), version=b"HTTP/1.1", body=b""):
    """A request from unchanged parts; `host` may be None."""
    lines = [b" ".join([method, target, version])]
    lines += [] if host is None else [b"Host: " + host]
    return CRLF.join([*lines, *fields, b"", b""]) + body


class Families:
    """Requests to a site at a port."""

    def __init__(self, site, port, randomness):
        self.site, self.random = site, randomness
        self.host = f"127.0.0.1:{port}".encode()
        self.target = site.tile.encode()
        self.body = site.content[site.tile]

    def tile(self, name, statuses=REFUSALS, **parts):
        """A request for a tile, with some wrong parts."""
        data = message(**{"host": self.host, "target": self.target, **parts})
        return Request(name, data, statuses, self.body)

    def pick(self, *choices):
        return self.random.choice(choices)

    # Ordinary requests

    def harmless(self):
        """Ordinary requests, which must be served meanwhile."""
        path = self.random.choice(list(self.site.content))
        target, body = path.encode(), self.site.content[path]
        fields = [b"User-Agent: Mozilla/5.0", b"Accept: */*", b"Accept-Encoding: gzip, br"]

        def served(name, target=target, body=body, check=None, method="GET", statuses=(200,), fields=fields):
            data = message(self.host, target, method.encode(), fields)
            return Request(name, data, frozenset(statuses), body, method, is_harmless=True, check=check)

        return self.pick(
            lambda: served("a tile"),
            lambda: served("a tile of a version", target + b"?v=0123456789"),
            lambda: served("the head of a tile", body=b"", method="HEAD",
                           check=lambda answer: is_long(answer, len(body))),
            lambda: served("the archive", b"/plan.pmtiles", self.site.archive),
            lambda: served("a part of the archive", b"/plan.pmtiles", statuses=(206,),
                           fields=[b"Range: bytes=5-100"], check=self.is_part),
            lambda: served("a TileJSON", self.pick(b"/tiles.json", b"/plan.json"), None,
                           lambda answer: is_right_tilejson(answer, self.host.decode())),
            lambda: served("the page", b"/", None, is_page),
            lambda: served("a tile that is not there", b"/tiles/0/0/0.png", statuses=(404,)),
        )()

    # Addresses

    def traversal(self):
        """Files next to, above and inside the served folder, with paths in every disguise."""
        dot = self.pick(".", "%2e", "%2E", "%252e", "%25252e", "%c0%ae", "%e0%80%ae", "%c0%2e", "%u002e",
                        "%ef%bc%8e", "\uff0e", ".%00", "%00.", "%%32%65", ".;", ".\u200b")
        slash = self.pick("/", "%2f", "%2F", "%252f", "%c0%af", "%e0%80%af", "\\", "%5c", "%255c", "//",
                          "/./", ";/", ";a=b/", "/;/", "%u2215", "\u2215", "%ef%bc%8f", "/%20/", "%09/",
                          "/%00/")
        up = self.pick(f"..{slash}", f"{2 * dot}/", 2 * dot + slash, f".{dot}{slash}", f"....{slash}{slash}",
                       f"..{dot}{slash}", f"{dot}{slash}{2 * dot}{slash}")
        zoom, column, row = self.site.numbers
        folder = self.pick("/", "/tiles/", f"/tiles/{zoom}/", f"/tiles/{zoom}/{column}/", "/plan/",
                           "/tiles-secret/")
        other = self.pick("//", "/./", "/tiles//", f"/tiles/{zoom}/{column}/{row}.png/", "/plan.pmtiles/",
                          f"/tiles/{zoom}/{column}/{row}.png", "/tiles.json/", "/tiles", "/plan", "", "\\",
                          "/building.json/", "/%00/", "/~root/", "/tiles%2f", "/C:/", "/file:/")
        start = self.pick(folder, folder, other)
        secret = self.pick("secret.txt", self.random.choice(self.site.secrets), f"{zoom}/secret.png")
        goal = self.pick(secret, secret, self.pick(
            "etc/passwd", "proc/self/environ", "proc/self/cmdline", "proc/self/fd/0", "tilejson.json",
            "plan.pmtiles", "metadata.json", "index.html", ".tilewright/tileset", ".tilewright/", "tiles/",
            ".git/config", ".secret", str(self.site.folder / "secret.txt"), "windows\\win.ini",
            "-secret/secret.txt", f"{SCRIPT}.png"))
        end = self.pick("", self.pick(
            "%00", "%00.png", ".png", ";.png", "?.png", "%23.png", "%3f.png", "%20", ".", "/", "::$DATA",
            "%0a", "%0d%0aX-Injected:%201", "~", "/.", "//", f"?{SCRIPT}"))
        way = start + up * self.pick(0, 1, 1, 2, 2, 3, 4, 9) + goal.replace("/", self.pick("/", slash)) + end
        if way == "/plan.pmtiles" or way.startswith("/plan.pmtiles?"):
            way = "/" + way
        return self.tile("a way out", target=way.encode())

    def numbers(self):
        """Invalid zooms, columns and rows."""
        right = self.site.numbers
        zoom = int(right[0])
        odd = ["31", "32", "63", "64", "99", "-1", "-0", str(1 << 31), str((1 << 32) + zoom),
               str((1 << 63) - 1), str(1 << 63), str(1 << 64), str((1 << 64) + zoom), f"-{1 << 63}", "1e3",
               "1E400", "0x10", "0b1", "0o7", f"+{zoom}", f"0{zoom}", "00", f"{zoom}.0", f"{zoom}.", ".5",
               "NaN", "inf", "null", "true", "", "%20", f"%20{zoom}", f"{zoom}%20", f"{zoom}%00",
               f"{zoom}%0a", f"{zoom};", f"{zoom},", "1_8", "1'8", "*", "{z}", "%7bz%7d", "$((1))", "../18",
               "%s%n", "\uff11\uff18", "\u0661\u0668", "\U0001d7d9\U0001d7e0", "\u00b2", "%EF%BC%91%EF%BC%98",
               "%D9%A1%D9%A8", "9" * 10000, "0" * 1000 + str(zoom), "1" * 300, "~", "-", "--1", "%2d1",
               str(1 << zoom), str((1 << zoom) + 1), "%31%38%2f", "\xa018", "1\u0308"]
        parts = [self.random.choice(odd) if self.random.random() < 0.5 else part for part in right]
        if parts == right:
            parts[self.random.randrange(3)] = self.random.choice(odd)
        ending = self.pick("png", "png", "png", "png", "PNG", "jpg", "png.", "png ", "png%00", "png/",
                           "png%2f", "pn", "", "json", "pmtiles", "%70ng%20", "png.gz", "*")
        name = self.pick("tiles", "tiles", "tiles", "plan", "Tiles", "tiles.", "tiles ", "", "tiles%00",
                         "til*", "%2e")
        more = self.pick("", "", "", "/", "/0", "@2x")
        way = f"/{name}/{'/'.join(parts)}{more}.{ending}"
        return self.tile("odd numbers", target=way.encode())

    # The syntax of requests

    def lines(self):
        """First lines that are invalid, or of other protocols."""
        host, target = self.host, self.target
        whole = UNKNOWN | {200}

        def first(line, statuses=UNKNOWN, **options):
            return Request("an odd first line", line + b"\r\nHost: " + host + b"\r\n\r\n", statuses,
                           self.body, **options)

        spaces = self.pick(b"  ", b"\t", b" \t ", b"\x0b", b"\x0c", b"\xc2\xa0", b"\r", b"\x00", b"")
        versions = [b"HTTP/0.9", b"HTTP/1", b"HTTP/1.", b"HTTP/1.10", b"HTTP/9.9", b"HTTP/2", b"HTTP/2.0",
                    b"HTTP/-1.1", b"http/1.1", b"HTTP/1,1", b"HTTPS/1.1", b"ICY/1.1", b"RTSP/1.0",
                    b"HTTP/1.1HTTP/1.1", b"HTTP/01.01", b"HTTP/" + b"1" * 5000, b"1.1", b"HTTP/1.1;",
                    b"HTTP /1.1", b"HTTP/1.1\x00"]
        evil = self.pick(b"http://evil.example", b"https://evil.example:443", b"file://",
                         b"ftp://evil.example", b"gopher://evil.example", b"http://evil.example@127.0.0.1",
                         b"http://", b"http:", b"x:", b"http://" + host + b"@evil.example",
                         b"http://" + host + b".evil.example", b"javascript:")
        return self.pick(
            lambda: first(b"GET" + spaces + target + b" HTTP/1.1", whole),
            lambda: first(b"GET " + target + spaces + b"HTTP/1.1", whole, may_wait=True),
            lambda: first(b"GET " + target + b" HTTP/1.1" + spaces, whole),
            lambda: first(b"GET " + target + b" " + self.random.choice(versions), whole, may_wait=True),
            lambda: first(b"GET " + target + b" " + target + b" HTTP/1.1"),
            lambda: first(b" GET " + target + b" HTTP/1.1", whole),
            lambda: first(b"GET " + evil + target + b" HTTP/1.1"),
            lambda: first(b"GET http://" + host + target + b" HTTP/1.1", whole),
            lambda: first(b"GET " + self.pick(
                b"*", host, b"evil.example:80", b"?", b"#", b".", b"tiles", b"\\", b"%")
                          + b" HTTP/1.1"),
            lambda: first(b"GET " + target + self.pick(
                b"#x", b"#", b"?#", b"?%00", b"?%", b"?\xff") + b" HTTP/1.1",
                          whole),
            lambda: first(b"GET /" + bytes([self.random.choice([*range(32), *range(127, 256)])])
                          + b" HTTP/1.1"),
            lambda: Request("HTTP/0.9", b"GET " + target + self.pick(b"\r\n", b"\n", b"\r\n\r\n", b"\n\n"),
                            UNKNOWN, may_wait=True),
            lambda: Request("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9), UNKNOWN, answers=3),
            lambda: Request("TLS", bytes.fromhex("16030100f5010000f10303") + self.random.randbytes(234),
                            UNKNOWN, may_wait=True),
            lambda: Request("noise", self.random.randbytes(self.random.randrange(1, 3000)), UNKNOWN,
                            answers=3, may_wait=True),
            lambda: Request("empty lines", self.random.randrange(1, 2000) * self.pick(CRLF, b"\n", b"\r")
                            + message(host, target), whole, self.body, may_wait=True),
            lambda: Request("lines without CR", message(host, target).replace(CRLF, b"\n"), whole, self.body),
            lambda: Request("lines without LF", message(host, target).replace(CRLF, b"\r"), UNKNOWN,
                            may_wait=True),
            lambda: Request("a proxy's header", self.pick(
                b"PROXY TCP4 1.2.3.4 127.0.0.1 1 80\r\n", b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c")
                + message(host, target), UNKNOWN),
        )()

    def headers(self):
        """Invalid headers, and too many headers."""
        control = bytes([self.random.choice([*range(1, 9), 11, 12, *range(14, 32), 127])])
        served = REFUSALS | {200}
        size = self.random.randrange(1, 6000)
        return self.pick(
            lambda: self.tile("a bad name", fields=[self.pick(
                b"X Y: 1", b"X\tY: 1", b": 1", b" : 1", b"X\x00: 1", b"X" + control + b": 1", b"X\x80: 1",
                b"(X): 1", b"X[]: 1", b"X\xc3\xa4: 1", b"\"X\": 1", b"X/Y: 1", b"@: 1", b"{}: 1")]),
            lambda: self.tile("a space before the colon", fields=[
                self.pick(b"X : 1", b"Accept\t: */*", b"X \t : 1")]),
            lambda: self.tile("no colon", fields=[self.pick(b"X", b"GET / HTTP/1.1", b"=", b"X=1", b"\xff")]),
            lambda: self.tile("a zero", fields=[b"X: a\x00b"]),
            lambda: self.tile("a CR", served, fields=[self.pick(b"X: a\rb", b"X: a\r\r", b"X: \rY: 1")]),
            # RFC 9110 allows a server to accept these.
            lambda: self.tile("a control character", served, fields=[b"X: a" + control + b"b"]),
            lambda: self.tile("other letters", served, fields=[
                b"X: " + bytes(self.random.choices(range(128, 256), k=20))]),
            lambda: self.tile("an empty value", served, fields=[self.pick(b"X:", b"X: ", b"X:\t \t")]),
            # RFC 9112: refused, or read as a space.
            lambda: self.tile("a fold", served, fields=[self.pick(
                b"X: 1\r\n 2", b"X: 1\r\n\t2", b"X:\r\n 1", b"X: 1\r\n \r\n 2",
                b"Accept: */*\r\n Host: evil.example")]),
            lambda: self.tile("a fold of nothing", served, fields=[b" X: 1"]),
            lambda: Request("a fold before the first header",
                            b"GET " + self.target + b" HTTP/1.1\r\n X: 1\r\nHost: " + self.host + b"\r\n\r\n",
                            served, self.body),
            lambda: self.tile("many headers", served, fields=[b"A%d: b" % number for number in range(size)]),
            lambda: self.tile("one header many times", served, fields=size * [b"Accept: */*"]),
            lambda: self.tile("a long value", served, fields=[b"Cookie: " + size * b"abcd"]),
            lambda: self.tile("a long name", served, fields=[size * b"X" + b": 1"]),
            lambda: self.tile("odd conditions", served | {304}, fields=[self.pick(
                b"If-None-Match: \"", b"If-None-Match: W/", b"If-None-Match: \"\x80\"", b"If-None-Match: *",
                b"If-None-Match: " + b",".join(b'"%x"' % number for number in range(size // 8)),
                b"If-Modified-Since: Thu, 99 Foo 9999 99:99:99 GMT", b"If-Modified-Since: -1",
                b"If-Modified-Since: " + b"9" * 4000, b"If-Match: \"x\"", b"If-Unmodified-Since: 0",
                b"If-None-Match: " + b"W/" * 3000)]),
            lambda: self.tile("an odd wish", served, fields=[self.pick(
                b"Accept-Encoding: " + b"gzip;q=0." + b"0" * 5000, b"Accept: " + b"*/*," * 2000,
                b"Connection: \x80", b"Connection: " + b"close," * 3000, b"Keep-Alive: timeout=99999999999",
                b"TE: trailers, deflate", b"Max-Forwards: -1", b"X-HTTP-Method-Override: DELETE",
                b"X-Original-URL: /../secret.txt", b"X-Rewrite-URL: /../secret.txt",
                b"X-Forwarded-Host: evil.example", b"Forwarded: host=evil.example",
                b"X-Sendfile: /etc/passwd", b"Cookie: " + SCRIPT.encode(), b"Referer: " + SCRIPT.encode())]),
        )()

    def hosts(self):
        """Host names that this server must not accept: other sites' pages could reach it with them."""
        port = self.host.split(b":")[1]
        strange = [b"evil.example", b"evil.example:" + port, b"127.0.0.1.evil.example:" + port,
                   b"localhost.evil.example:" + port, b"evil.example:80", b"127.0.0.1.nip.io:" + port,
                   b"169.254.169.254", b"10.0.0.1:" + port, b"0x7f.1:" + port, b"2130706433:" + port,
                   b"127.1:" + port, b"0177.0.0.1:" + port, b"[::ffff:169.254.169.254]:" + port,
                   b"[fe80::1]:" + port, b"user@" + self.host, b"user:word@" + self.host,
                   self.host + b"@evil.example", b"", b" ", b":", b":" + port, b"http://" + self.host,
                   self.host + b"/", self.host + b"/x", self.host + b"?x", self.host + b"#x",
                   self.host + b"\\x", self.host + b" evil.example", self.host + b",evil.example",
                   b"evil.example," + self.host, self.host + b":" + port, self.host + b"x",
                   b"127.0.0.1:" + b"9" * 30, b"127.0.0.1:-1", b"127.0.0.1:0x50", b"[::1", b"::1",
                   b"[]:" + port, b"[::1]x:" + port, b"*", b"*:" + port, b"%31%32%37.0.0.1:" + port, b"\xff",
                   b"a" * 5000, b"127.0.0.1%00:" + port, SCRIPT.encode(), b"127.0.0.1:1",
                   b"127.0.0.1:" + b"%d" % (int(port) ^ 1), b"evil.example\t", b"," + self.host,
                   self.host + b",", b"\x00" + self.host, b"l\xc3\xb6calhost:" + port]
        name = self.random.choice(strange)
        same = b"Host: " + self.host
        either = REFUSALS | {200}
        return self.pick(
            lambda: self.tile("a wrong host", host=name),
            lambda: self.tile("a wrong host", host=name, target=self.pick(
                b"/", b"/tiles.json", b"/plan.json", b"/plan.pmtiles", b"/building.json", b"/none")),
            lambda: self.tile("two hosts", fields=[b"Host: " + name]),
            lambda: self.tile("two hosts", host=name, fields=[same]),
            lambda: self.tile("the same host twice", fields=[same]),
            lambda: self.tile("no host", host=None),
            lambda: self.tile("a host in another header", host=None,
                              fields=[b"X-Forwarded-Host: " + self.host]),
            lambda: self.tile("no host in HTTP/1.0", either, host=None, version=b"HTTP/1.0"),
            lambda: self.tile("a wrong host in HTTP/1.0", host=name, version=b"HTTP/1.0"),
            lambda: self.tile("an address within the line", target=b"http://" + self.random.choice(
                [name for name in strange if not set(name) & set(b"/?#\\")]) + self.target),
            lambda: self.tile("another name of this machine", either, host=self.pick(
                b"127.0.0.1", b"localhost:" + port, b"LOCALHOST:" + port, b"localhost.:" + port,
                b"[::1]:" + port, b"localhost", b"127.0.0.1:0" + port, self.host + b" ",
                b"[::ffff:127.0.0.1]:" + port, b"127.0.0.1.:" + port)),
        )()

    def halves(self):
        """Requests that end at any byte."""
        whole = self.pick(
            message(self.host, self.target, fields=[b"Accept: */*", b"Range: bytes=0-9"]),
            message(self.host, b"/", b"POST", [b"Content-Length: 40"], body=b"x" * 40),
            message(self.host, self.target, b"PUT", [b"Transfer-Encoding: chunked"],
                    body=b"5\r\nhello\r\n0\r\n\r\n"))
        end = self.random.randrange(1, len(whole))
        return Request("half a request", whole[:end], may_wait=True, ending=self.pick("", "eof", "reset"))

    # The boundary between requests

    def smuggling(self):
        """Requests that contain another request, which only a confused server answers."""
        secret = message(self.host, self.site.hidden.encode())
        length = b"Content-Length: %d" % len(secret)
        chunks = b"0\r\n\r\n" + secret
        all_of_it = b"Content-Length: %d" % len(chunks)
        five = b"AAAAA\r\n0\r\n\r\n" + secret
        chunked = b"Transfer-Encoding: chunked"
        either = UNKNOWN | {200}
        method = self.pick(b"GET", b"POST", b"PUT", b"DELETE")

        def hiding(name, fields, body, statuses=UNKNOWN, method=method, version=b"HTTP/1.1",
                   may_wait=False):
            data = message(self.host, self.target, method, fields, version, body)
            return Request(name, data, statuses, self.body, answers=4, may_wait=may_wait,
                           forbidden=self.site.content[self.site.hidden])

        def either_order(*fields):
            return list(self.pick(fields, fields[::-1]))

        coding = self.pick(
            b"xchunked", b"chunked, identity", b"identity", b"chunked;q=1", b"chunkedd", b"chunked\x00",
            b"\"chunked\"", b"gzip", b"\x0bchunked", b"chunked, chunked", b"", b",", b"c\xc4\xb1hunked",
            b"deflate, gzip", b"chunk ed", b"nothing\r\n chunked", b"chunked\r\n identity", b"chunked, gzip")
        looks_like = self.pick(
            b"Transfer-Encoding : chunked", b"Transfer_Encoding: chunked", b"Transfer-Encoding\r\n : chunked",
            b"X: y\nTransfer-Encoding: chunked", b"X: y\rTransfer-Encoding: chunked",
            b" Transfer-Encoding: chunked", b"Transfer-Encoding:\x0bchunked",
            b"\x00Transfer-Encoding: chunked", b"Transfer-Encoding\x00: chunked",
            b"Transfer\xc2\xadEncoding: chunked", b"X-Transfer-Encoding: chunked",
            b"Transfer-Encoding:\r\n chunked")
        size = self.pick(
            b"-5", b"0x5", b"+5", b" 5", b"5 ", b"5\t", b"", b"g", b"5\n", b"5;\nx", b"10000000000000005",
            b"\x005", b"F" * 16, b"F" * 40, b"7FFFFFFFFFFFFFFF", b"100000000000000000000000000000005", b"5\r",
            b"5,5", b"5h", b"\xef\xbc\x95")
        number = self.pick(
            b"0, %d" % len(secret), b"+%d" % len(secret), b"-1", b"0x%x" % len(secret), b"%d;" % len(secret),
            b"1e2", b"", b"0" * 3000 + b"%d" % len(secret), b"%d" % (1 << 64), b"\xc2\xb2",
            b"%d, 0" % len(secret), b"NaN", b"%d %d" % (len(secret), len(secret)), b"0\x0b", b"\"0\"", b"1_0",
            b"0.0")
        return self.pick(
            lambda: hiding("Content-Length and chunks", either_order(all_of_it, chunked), chunks, either),
            lambda: hiding("chunks and a short Content-Length", either_order(b"Content-Length: 4", chunked),
                           b"%x\r\n" % len(secret) + secret + b"\r\n0\r\n\r\n", either),
            lambda: hiding("two lengths", either_order(b"Content-Length: 0", length), secret),
            lambda: hiding("an odd length", [b"Content-Length: " + number], secret,
                           either if number.startswith(b"00") else UNKNOWN),
            lambda: hiding("an odd name of the length",
                           [self.pick(
                               b"Content-Length : %d", b"Content_Length: %d", b" Content-Length: %d",
                               b"Content-Length\x00: %d", b"X: y\nContent-Length: %d",
                               b"Content-Length:\r\n %d") % len(secret), b"Connection: close"],
                           secret, either),
            lambda: hiding("an odd coding", [b"Transfer-Encoding: " + coding],
                           chunks, UNKNOWN if coding not in (b"", b",") else either),
            lambda: hiding("an odd coding and a length",
                           either_order(b"Transfer-Encoding: " + coding, all_of_it), chunks, either),
            lambda: hiding("what looks like a coding", either_order(looks_like, all_of_it), chunks, either),
            lambda: hiding("two codings", [chunked, b"Transfer-Encoding: " + (coding.strip(b",") or b"x")],
                           chunks, either),
            lambda: hiding("an odd length of a chunk", [chunked], size + CRLF + five, either,
                           may_wait=size[:1] in b"F7"),
            lambda: hiding("a chunk without its end", [chunked], b"5\r\nAAAAAXX0\r\n\r\n" + secret, either),
            lambda: hiding("odd trailers", [chunked],
                           b"0\r\nHost: evil.example\r\nContent-Length: 9\r\nX y\r\n" + secret, either),
            lambda: hiding("a body", [length], secret, either),
            lambda: hiding("a body in a chunk", [chunked, b"Trailer: X"],
                           b"%x;a=b;c=\"d\"\r\n" % len(secret) + secret + b"\r\n0\r\nX: y\r\n\r\n", either),
            lambda: hiding("a body in HTTP/1.0", [chunked, all_of_it], chunks, either, version=b"HTTP/1.0"),
            lambda: hiding("a request behind the last", [b"Connection: close"], secret, either,
                           method=b"GET"),
            lambda: hiding("an expectation", [self.pick(b"Expect: 100-continue", b"Expect: x"), length],
                           secret, either),
            lambda: hiding("an upgrade",
                           [b"Connection: Upgrade, HTTP2-Settings, close",
                            b"Upgrade: " + self.pick(b"h2c", b"websocket", b"TLS/1.0"),
                            b"HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
                            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", b"Sec-WebSocket-Version: 13"],
                           b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + secret, either, method=b"GET"),
        )()

    # Methods and headers

    def ranges(self):
        """Ranges of an archive that are invalid, or too many."""
        size, many = len(self.site.archive), self.random.randrange(2, 900)
        asked = self.pick(
            b"bytes=0-%d" % ((1 << 64) - 1), b"bytes=0-%d" % (1 << 64), b"bytes=0-%d" % ((1 << 63) - 1),
            b"bytes=%d-" % (1 << 64), b"bytes=%d-" % size, b"bytes=%d-%d" % (size, size),
            b"bytes=%d-" % (size - 1), b"bytes=-%d" % (1 << 64), b"bytes=-0", b"bytes=-1",
            b"bytes=-%d" % (2 * size), b"bytes=9-5", b"bytes=-", b"bytes=", b"bytes", b"bytes=x-y",
            b"bytes=0x0-0x9", b"bytes=+0-9", b"bytes=--5", b"bytes=0--5", b"bytes=0 - 9", b"bytes= 0-9",
            b"BYTES=0-9", b"Bytes=0-9", b"items=0-9", b"bytes=0-9;", b"bytes=0-9,", b"bytes=,0-9",
            b"bytes=0-9,x", b"bytes=00-09", b"bytes=" + b",".join(many * [b"0-"]),
            b"bytes=" + b",".join(b"%d-%d" % (n, n) for n in range(many)),
            b"bytes=" + b",".join(many * [b"-1"]), b"bytes=" + b"," * many * 5, b"bytes=0-" + b"9" * 5000,
            b"bytes=\xef\xbc\x90-9", b"bytes=0-0,%d-%d" % (size - 1, size), b"bytes=1-1,0-0")
        fields = [b"Range: " + asked] + self.pick([], [], [b"Range: bytes=0-1"], [b"If-Range: \"x\""],
                                                  [b"If-Range: " + b"x" * 3000], [b"If-Range: W/\"\""])
        path = self.pick("/plan.pmtiles", "/plan.pmtiles", self.site.tile)
        # A head that is too long is refused before its method is examined.
        method = self.pick(b"GET", b"GET", b"HEAD") if len(asked) < 1000 and asked.isascii() else b"GET"
        full = self.site.archive if path.endswith("s") else self.body
        data = message(self.host, path.encode(), method, fields)
        body, check = (b"", None) if method == b"HEAD" else (full, lambda answer: is_part(answer, full))
        return Request("an odd range", data, REFUSALS | {200, 206}, body, method.decode(), check=check)

    def conditions(self):
        """Outdated ETags in If-Match, which are always refused; and Expect headers."""
        stale = self.pick(b'"x"', b'W/"x"', b'"' + b"x" * 3000 + b'"', b"x", b'""', b'"a", "b"', b", , ",
                          SCRIPT.encode())
        target = self.pick(self.target, self.target, b"/plan.pmtiles", b"/tiles.json", b"/")
        more = self.pick([], [b"Range: bytes=0-1"], [b"If-None-Match: *"], [b'If-Range: "x"', b"Range: bytes=0-"])
        expecting = [b"Expect: " + self.pick(b"100-continue", b"100-Continue", b"x" * 3000, b"",
                                             b"100-continue, 100-continue")]
        body = self.pick(b"x" * 9, b"", b"x" * 5000)
        return self.pick(
            lambda: Request("a state that has gone", message(
                self.host, target, fields=[b"If-Match: " + stale] + more), frozenset({412})),
            lambda: Request("any state", message(self.host, self.target, fields=[b"If-Match: *"]),
                            frozenset({200}), self.body),
            lambda: self.tile("an expectation without a body", REFUSALS | {200}, fields=expecting),
            lambda: self.tile("an expectation of a body", method=b"POST", target=target, body=body,
                              fields=expecting + [b"Content-Length: %d" % len(body)]),
        )()

    def is_part(self, answer):
        return is_part(answer, self.site.archive)

    def methods(self):
        """Methods that change data, and unknown methods."""
        noise = bytes(self.random.choices(range(256), k=self.random.randrange(1, 30)))
        odd = self.pick(b"get", b"Get", b"GETT", b"GE", b"G\x00T", b"GET\xff", b"", b"<GET>", b"GET,POST",
                        b"X" * 9000, noise)
        known = self.pick(b"POST", b"PUT", b"DELETE", b"PATCH", b"TRACE", b"CONNECT", b"PROPFIND", b"MKCOL",
                          b"COPY", b"MOVE", b"LOCK", b"PURGE", b"LINK", b"SEARCH")
        target = self.pick(self.target, self.target, b"/", b"/tiles.json", b"/plan.pmtiles", b"/none", b"*",
                           self.host)
        fields = [b"X: " + SCRIPT.encode(), b"Content-Length: 0", b"Destination: /tiles/x"]
        refused = {405} if known != b"CONNECT" and target.startswith(b"/") and target != b"/none" else UNKNOWN
        return self.pick(
            lambda: self.tile("a method that is not allowed", refused, method=known, target=target,
                              fields=fields),
            lambda: Request("an odd method", message(self.host, target, odd, fields), UNKNOWN, may_wait=True,
                            answers=3, forbidden=self.body))()

    def origins(self):
        """Requests that another site's page can make a browser send."""
        origin = self.pick(b"http://evil.example", b"null", b"file://", b"http://127.0.0.1:1",
                           b"chrome-extension://x", b"\xff", SCRIPT.encode(),
                           b"http://evil.example\x0bhttp://x", b"a" * 5000)
        target = self.pick(self.target, b"/", b"/tiles.json", b"/plan.pmtiles", b"/building.json", b"/none")
        body = self.pick(b"", b"x" * 500, b'{"a": 1}', b"--b\r\n\r\nx\r\n--b--", SCRIPT.encode())
        fields = [b"Origin: " + origin, b"Sec-Fetch-Site: cross-site", b"Content-Length: %d" % len(body),
                  b"Content-Type: " + self.pick(
                      b"text/plain", b"application/json", b"multipart/form-data; boundary=b",
                      b"application/x-www-form-urlencoded")]
        wishes = [b"Origin: " + origin,
                  b"Access-Control-Request-Method: " + self.pick(b"PUT", b"GET", b"x" * 3000),
                  b"Access-Control-Request-Headers: " + self.pick(
                      b"x", b"authorization,cookie", b"a," * 2000),
                  b"Access-Control-Request-Private-Network: true"]
        return self.pick(
            lambda: self.tile("a form of another page", method=b"POST", target=target, fields=fields,
                              body=body),
            lambda: Request("a preflight of another page", message(self.host, target, b"OPTIONS", wishes),
                            REFUSALS | {204}, check=lambda answer: allows_little(answer, target)),
            lambda: Request("another page's request", message(self.host, self.target, fields=fields[:2]),
                            REFUSALS | {200}, self.body,
                            check=lambda answer: allows_little(answer, self.target)),
        )()

    # Too much

    def floods(self):
        """Lines, headers and bodies without end: 16 MB, if the server takes them."""
        piece = self.pick(b"a", b"%2e", b"/..", b"9") * 20000
        start = b"GET " + self.target + b" HTTP/1.1\r\nHost: " + self.host + CRLF
        post = b"POST / HTTP/1.1\r\nHost: " + self.host + CRLF
        chunk = b"%x\r\n" % len(piece) + piece + CRLF
        first, rest = self.pick(
            (b"GET /", piece), (b"GET /?", piece), (b"", b"G" * 60000), (b"GET / HTTP/1.1", piece),
            (b"", CRLF * 30000), (start + b"X: ", piece), (start, piece), (start, b"X: y\r\n" * 10000),
            (start, b"A:\r\n" * 15000), (start + b"X: y\r\n", b" folded\r\n" * 6000),
            (start + b"If-None-Match: ", b'"0123456789abcdef", ' * 3000),
            (start + b"Range: bytes=", b"0-0," * 15000), (start + b"Cookie: ", b"a=b; " * 12000),
            (post + b"Content-Length: 1000000000000\r\n\r\n", piece),
            (post + b"Transfer-Encoding: chunked\r\n\r\n", chunk),
            (start + b"Transfer-Encoding: chunked\r\n\r\n", chunk),
            (start + b"Content-Length: 99999999\r\n\r\n", piece),
            (post + b"Transfer-Encoding: chunked\r\n\r\n5;", b"x" * 60000),
            (post + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n" * 10000),
            (post + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 10000))
        pieces = itertools.chain([first], itertools.repeat(rest, (16 << 20) // len(rest)))
        # Empty lines before a request are skipped.
        return Request("too much", pieces, UNKNOWN | {200}, self.body, answers=2, may_wait=rest[:2] == CRLF)

    def pipelines(self):
        """Thousands of requests at once, which are answered in order. After a missing response, none follows."""
        count = self.random.randrange(500, 3000)
        head = message(self.host, self.target, b"HEAD")
        missing = message(self.host, b"/tiles/0/0/0.png")
        return self.pick(
            lambda: Request("a pipeline", [head * count], frozenset({200}), b"", "HEAD", count,
                            is_harmless=True),
            lambda: Request("a pipeline of what is missing", [missing * count], answers=count,
                            is_harmless=True),
            lambda: Request("a pipeline with a bad end", [missing * 50, bytes(5000)], UNKNOWN, answers=60),
            lambda: Request("a pipeline of tiles", [message(self.host, self.target) * 100], frozenset({200}),
                            self.body, answers=100, is_harmless=True),
        )()


# Problems of a response

def is_long(answer, size):
    lengths = answer.values("content-length")
    return None if lengths == [str(size).encode()] else f"the length is {lengths}, not {size}"


def is_page(answer):
    return None if b"<html" in answer.body[:2000].lower() else "it is not a page"


def is_right_tilejson(answer, host):
    if is_tilejson(answer.body, host):
        return None
    return f"it is not a TileJSON with addresses of {host}"


def is_part(answer, full):
    """Checks the response to a range: the whole file, the part in Content-Range, or parts of limited size."""
    if answer.status != 206:
        return None
    if answer.values("content-type") and answer.values("content-type")[0].startswith(b"multipart/byteranges"):
        return None if len(answer.body) <= 2 * len(full) + 4096 else f"{len(answer.body)} bytes in parts"
    said = b", ".join(answer.values("content-range"))
    found = re.fullmatch(rb"bytes (\d+)-(\d+)/(\d+)", said)
    if not found:
        return f"Content-Range is {said!r}"
    first, last, size = map(int, found.groups())
    if size != len(full) or not first <= last < size or answer.body != full[first:last + 1]:
        return f"it is not what Content-Range says, {said!r} of {len(full)}"
    return None


def allows_little(answer, target):
    """Checks that other sites' pages may read only tiles, TileJSON and archives."""
    if answer.values("access-control-allow-origin") and target == b"/":
        return "another page may read the page"
    methods = b",".join(answer.values("access-control-allow-methods"))
    if re.search(rb"PUT|POST|DELETE|PATCH|\*", methods):
        return f"another page may use {methods.decode()}"
    return None
