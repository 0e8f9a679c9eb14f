"""An HTTP client that sends any bytes, and accepts only well-formed responses."""

import asyncio
import contextlib
import dataclasses
import re
import socket
import struct

STATUS_LINE = re.compile(rb"HTTP/1\.[01] ([1-9][0-9]{2}) [\t\x20-\x7e\x80-\xff]*")
FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)")
MOST_HEAD = 1 << 16
# Seconds to wait: for a response, for the rest of a response, and for a second response that should not come.
PATIENCE, REST, QUIET = 5, 10, 0.15
# Closes with a reset.
NO_LINGERING = struct.pack("ii", 1, 0)
REFUSALS = frozenset(range(400, 500))


class Bad(Exception):
    """A wrong, missing or unexpected response."""


class Cut(Bad):
    """A truncated response."""


@dataclasses.dataclass
class Request:
    """Bytes to send, and the allowed responses.

    A response of 200 must have the bytes of `body`, unless that is None. Each further response must be an error.
    """

    name: str
    pieces: list
    statuses: frozenset = REFUSALS
    body: bytes | None = None
    method: str = "GET"
    answers: int = 1
    # Additional bytes that a response must not contain.
    forbidden: bytes | None = None
    # The server may wait for more of the request.
    may_wait: bool = False
    # The request must get a response.
    is_harmless: bool = False
    # Returns the problem of a response, or None.
    check: object = None
    # The end of the request: nothing; an `eof`, while the client waits for responses; or a final `reset`.
    ending: str = ""

    def __post_init__(self):
        if isinstance(self.pieces, bytes):
            self.pieces = [self.pieces]


@dataclasses.dataclass
class Answer:
    status: int
    fields: list
    body: bytes = b""

    def values(self, name):
        return [value for key, value in self.fields if key == name]

    @property
    def is_last(self):
        return any(b"close" in value.lower() for value in self.values("connection"))

    def __str__(self):
        head = ", ".join(f"{key}: {value.decode(errors='replace')}" for key, value in self.fields)
        kind = b"".join(self.values("content-type"))
        body = repr(self.body[:200]) if b"image" not in kind else "a picture"
        return f"{self.status} ({head[:300]}) with {len(self.body)} bytes, {body}"

    @property
    def text(self):
        """The whole response, for searching."""
        return b"\n".join([f"{key}: ".encode() + value for key, value in self.fields] + [self.body])


@dataclasses.dataclass
class Outcome:
    """The responses, and the end of the connection: `open`, `closed`, `reset` or `silent`."""

    answers: list = dataclasses.field(default_factory=list)
    end: str = "open"
    sent: int = 0


class Reader(asyncio.StreamReader):
    """Also returns data that came before a reset: the server often resets after an error."""

    is_reset = False

    def set_exception(self, exception):
        self.is_reset = True
        self.feed_eof()

    def expect(self, is_whole):
        """Accepts an end here, but not a reset."""
        if self.is_reset:
            raise ConnectionResetError if is_whole else Cut("the connection is reset within an answer")


async def read_answer(reader, method="GET", patience=PATIENCE):
    """The next final response; None if the connection is closed before it.

    Raises `TimeoutError` of asyncio if nothing comes for that many seconds.
    """
    while True:
        first = await asyncio.wait_for(reader.read(1), patience)
        if not first:
            reader.expect(is_whole=True)
            return None
        try:
            answer = await asyncio.wait_for(read_rest(reader, first, method), REST)
        except asyncio.IncompleteReadError as end:
            reader.expect(is_whole=False)
            raise Cut("the connection is closed within an answer") from end
        except asyncio.LimitOverrunError as end:
            raise Bad("the head of an answer is too long") from end
        except asyncio.TimeoutError as end:
            raise Bad("an answer stops half-way") from end
        if answer.status == 101:
            raise Bad("another protocol is agreed to")
        if answer.status >= 200:
            return answer


async def read_rest(reader, first, method):
    head = first + await reader.readuntil(b"\r\n\r\n")
    answer = parse(head)
    if answer.status < 200 or answer.status in (204, 304) or method == "HEAD":
        return answer
    if answer.values("transfer-encoding"):
        answer.body = await read_chunks(reader)
    else:
        answer.body = await reader.readexactly(int(answer.values("content-length")[0]))
    return answer


def parse(head):
    """Parses the head of a response."""
    line, *lines = head[:-4].split(b"\r\n")
    status = STATUS_LINE.fullmatch(line)
    if not status:
        raise Bad(f"no status line: {line[:200]!r}")
    fields = []
    for line in lines:
        field = FIELD.fullmatch(line)
        if not field:
            raise Bad(f"no header: {line[:200]!r}")
        fields.append((field[1].decode().lower(), field[2].strip()))
    answer = Answer(int(status[1]), fields)
    lengths, codings = answer.values("content-length"), answer.values("transfer-encoding")
    if answer.status >= 200 and answer.status not in (204, 304) and len(lengths) + len(codings) != 1:
        raise Bad(f"not one length of the body: {head[:400]!r}")
    if any(not re.fullmatch(rb"\d{1,15}", length) for length in lengths) or codings not in ([], [b"chunked"]):
        raise Bad(f"an odd length of the body: {head[:400]!r}")
    return answer


async def read_chunks(reader):
    parts = []
    while True:
        line = await reader.readuntil(b"\r\n")
        if not re.fullmatch(rb"[0-9A-Fa-f]{1,8}\r\n", line):
            raise Bad(f"an odd length of a chunk: {line!r}")
        size = int(line, 16)
        parts.append(await reader.readexactly(size))
        if await reader.readexactly(2) != b"\r\n":
            raise Bad("a chunk without its end")
        if size == 0:
            return b"".join(parts)


@contextlib.asynccontextmanager
async def connection(port, limit=MOST_HEAD, window=None):
    """A connection that is dropped at the end, even if data are left to read.

    At most twice `limit` bytes are buffered here, and about `window` by the system.
    """
    plug = socket.socket()
    plug.setblocking(False)
    if window:
        plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    try:
        await asyncio.get_running_loop().sock_connect(plug, ("127.0.0.1", port))
    except OSError:
        plug.close()
        raise
    loop = asyncio.get_running_loop()
    reader = Reader(limit=limit, loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    transport, _ = await loop.create_connection(lambda: protocol, sock=plug)
    writer = asyncio.StreamWriter(transport, protocol, reader, loop)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def send(writer, request, outcome):
    """Sends until the server stops reading, or has sent its last response."""
    with contextlib.suppress(ConnectionError):
        for piece in request.pieces:
            writer.write(piece)
            outcome.sent += len(piece)
            await writer.drain()
        if request.ending == "eof":
            writer.write_eof()


async def exchange(port, request):
    """Sends a request, and reads its responses."""
    outcome = Outcome()
    async with connection(port) as (reader, writer):
        sender = asyncio.create_task(send(writer, request, outcome))
        try:
            await receive(reader, request, outcome)
        except Cut:
            # A server that closes a connection before it has read the whole request may destroy its response.
            if request.is_harmless:
                raise
            outcome.end = "reset"
        except ConnectionError:
            outcome.end = "reset"
        finally:
            sender.cancel()
            if request.ending == "reset":
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGERING)
    return outcome


async def receive(reader, request, outcome):
    while len(outcome.answers) < request.answers:
        patience = QUIET if outcome.answers or request.may_wait else PATIENCE
        try:
            answer = await read_answer(reader, request.method, patience)
        except asyncio.TimeoutError:
            outcome.end = "open" if outcome.answers else "silent"
            return
        if answer is None:
            outcome.end = "closed"
            return
        outcome.answers.append(answer)
        if answer.is_last:
            await expect_end(reader, outcome)
            return


async def expect_end(reader, outcome):
    """Checks that nothing follows the last response."""
    try:
        if await asyncio.wait_for(reader.read(1), PATIENCE):
            raise Bad("more comes after an answer that is the last one")
    except asyncio.TimeoutError as end:
        raise Bad("the connection stays open after an answer that is the last one") from end
    outcome.end = "closed"
