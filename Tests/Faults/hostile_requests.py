#!/usr/bin/env python3
"""Sends requests that were made to break the server, on this machine only, and for at most 90 seconds.

The server serves a folder and an archive that this script makes, with secrets next to them. At all times:

- a response is well formed; it is either an error, or exactly the requested bytes; it contains no secret, no
  path of this machine and no script from the request;
- a tile is served after each family of requests, and while hundreds of slow clients hold connections;
- the server takes at most 100 MB of memory, and closes every file that it opened;
- after a signal to end, it ends within a second, and truncates no response.

    hostile_requests.py PROGRAM [--requests 10000] [--only FAMILY] [--seed N]

PROGRAM is tilewright-serve, with tilewright in the same folder. Needs Linux, for /proc.
"""

import argparse
import asyncio
import collections
import contextlib
import dataclasses
import itertools
import pathlib
import random
import resource
import signal
import statistics
import sys
import time

from exchange import REFUSALS, Bad, Cut, Outcome, connection, exchange, read_answer
from families import SCRIPT, Families, message
from served import Server, Site

MOST_BYTES = 100_000_000
MOST_SECONDS = 85
AT_ONCE = 48
# Shares of the requests, in percent; the rest counts for itself, since each takes long or is large.
SHARES = {"harmless": 5, "traversal": 22, "numbers": 18, "lines": 9, "headers": 9, "hosts": 9, "halves": 9,
          "smuggling": 10, "ranges": 5, "conditions": 2, "methods": 3, "origins": 1}
COUNTS = {"floods": 40, "pipelines": 16}
# Families that are clients rather than requests.
LONG = ["unread", "crowd", "crowd without files", "slow"]
SLOW, SLOW_SECONDS, UNREAD, UNREAD_SECONDS = 400, 10, 400, 3
# More than a process may have open, mostly; and so many files, if it may have few.
CROWD, CROWD_SECONDS, FEW_FILES = 1500, 2, 200
# Of a tile that is asked for meanwhile, in seconds.
MOST_LATENCY = 1
# Seconds until what was opened for clients that are gone is closed.
CLOSING = 5
# Clients that are being served when the server is to end, and for how long before; seconds that it has then.
LAST_CLIENTS, LAST_SECONDS, ENDING = 64, 1, 1
ENDINGS = {0, 143, -signal.SIGTERM}
# Of one kind; the rest is counted.
MOST_SHOWN = 3


class Findings:
    """What did not hold, of each kind some examples."""

    def __init__(self):
        self.counts = collections.Counter()

    def add(self, family, what, request=None):
        kind = f"{family}, {request.name}" if request else family
        self.counts[kind, what[:30]] += 1
        if self.counts[kind, what[:30]] > MOST_SHOWN:
            return
        print(f"FINDING: {kind}: {what}")
        if request and isinstance(request.pieces, list):
            print(f"    sent {shortened(b''.join(request.pieces))}", flush=True)

    @property
    def count(self):
        return sum(self.counts.values())


def shortened(data):
    return repr(data) if len(data) <= 700 else f"{data[:500]!r} ... {data[-150:]!r}, {len(data)} bytes"


@dataclasses.dataclass
class Tally:
    """How the requests of a family ended."""

    ends: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    most_sent: int = 0

    def add(self, outcome):
        self.most_sent = max(self.most_sent, outcome.sent)
        self.ends[outcome.answers[0].status if outcome.answers else outcome.end] += 1

    def __str__(self):
        return ", ".join(f"{count} {end}" for end, count in sorted(self.ends.items(), key=str))


class Attack:
    """A server, and what it must stand."""

    def __init__(self, site, server, seed, findings):
        self.site, self.server, self.seed, self.findings = site, server, seed, findings
        self.unspeakable = site.unspeakable
        self.sent = self.most_bytes = 0

    def families(self, name):
        return Families(self.site, self.server.port, random.Random(f"{self.seed} {name}"))

    async def run(self, counts, only):
        """Each family, and what holds after it."""
        await self.warm_up()
        steps = [(name, lambda name=name, count=count: self.send(name, count)) for name,
                 count in counts.items()]
        steps += zip(LONG, [self.leave_unread, self.come_in_crowds, self.take_all_files, self.be_slow])
        for name, step in steps:
            if only and only != name:
                continue
            start = time.monotonic()
            said = await step()
            await self.check(name)
            print(f"{name}: {said}; {time.monotonic() - start:.1f} s, at most "
                  f"{self.server.peak / 1e6:.0f} MB so far", flush=True)
        print(f"end: {await self.end()}", flush=True)

    async def warm_up(self):
        """Until all is open that stays open."""
        await self.send("harmless", 300, name_of_seed="warm-up")
        await asyncio.sleep(0.3)
        self.open_files = self.server.open_files

    async def send(self, family, count, name_of_seed=None):
        """So many requests of a family, some at once."""
        families, tally = self.families(name_of_seed or family), Tally()
        requests = (getattr(families, family)() for _ in range(count))

        async def work():
            for request in requests:
                self.sent += 1
                try:
                    outcome = await exchange(self.server.port, request)
                    tally.add(outcome)
                    self.judge(request, outcome)
                except (Bad, OSError) as bad:
                    self.findings.add(family, str(bad), request)
                    tally.ends["bad"] += 1

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))
        said = f"{count} requests: {tally}"
        return said if family != "floods" else f"{said}; at most {tally.most_sent / 1e6:.1f} MB taken"

    def judge(self, request, outcome):
        """Whether what came back is what may."""
        if outcome.end == "silent" and not request.may_wait:
            raise Bad("no answer, and the connection stays open")
        if request.is_harmless and not outcome.answers:
            raise Bad("no answer")
        for index, answer in enumerate(outcome.answers):
            more = REFUSALS if index and not request.is_harmless else frozenset()
            if answer.status not in request.statuses | more:
                raise Bad(str(answer))
            self.judge_answer(request, answer)

    def judge_answer(self, request, answer):
        # What comes back may be what was sent.
        text, said = answer.text, b"".join(request.pieces) if isinstance(request.pieces, list) else b""
        if any(secret in text and secret not in said for secret in self.unspeakable):
            raise Bad(f"a secret, or a place of this machine: {answer}")
        if request.forbidden and request.forbidden in text:
            raise Bad(f"what must not be asked for: {answer}")
        if answer.status == 200 and request.body is not None and answer.body != request.body:
            raise Bad(f"something else: {answer}")
        if answer.status >= 400 and len(answer.body) > 1 << 16:
            raise Bad(f"a long refusal: {answer}")
        if any(b"html" in kind for kind in answer.values("content-type")) and SCRIPT.encode() in answer.body:
            raise Bad(f"a script of the request is in the answer: {answer}")
        if answer.values("x-injected") or answer.values("access-control-allow-credentials"):
            raise Bad(f"a header that should not be: {answer}")
        allowed = b",".join(answer.values("allow"))
        if answer.status == 405 and not (b"GET" in allowed and b"HEAD" in allowed):
            raise Bad(f"405 allows {allowed!r}")
        complaint = request.check and request.check(answer)
        if complaint:
            raise Bad(f"{complaint}: {answer}")

    async def check(self, name):
        """Checks the conditions after each family."""
        if self.server.ending is not None:
            raise Bad(f"{name}: the server ended with {self.server.ending}: "
                      f"{self.server.said.read_bytes()[-2000:]!r}")
        await self.check_open_files(name)
        request = self.families(name).tile("after all", frozenset({200}))
        request.is_harmless = True
        try:
            self.judge(request, await exchange(self.server.port, request))
        except (Bad, OSError) as bad:
            self.findings.add(name, f"a tile is not served afterwards: {bad}")
        if self.server.peak > max(MOST_BYTES, self.most_bytes):
            self.findings.add(name, f"{self.server.peak / 1e6:.0f} MB of memory")
        self.most_bytes = self.server.peak
        if self.server.control_characters:
            self.findings.add(name, f"it says control characters: {self.server.control_characters}")

    async def check_open_files(self, name):
        end = time.monotonic() + CLOSING
        while self.server.open_files > self.open_files:
            if time.monotonic() > end:
                self.findings.add(
                    name, f"{self.server.open_files} open files, {self.open_files} before all")
                return
            await asyncio.sleep(0.05)

    async def come_in_crowds(self):
        """More clients than the server accepts: clients that came first are still served."""
        asked = came = 0
        async with contextlib.AsyncExitStack() as crowd:
            reader, writer = await crowd.enter_async_context(connection(self.server.port))
            # A client that has to wait is not accepted any more.
            with contextlib.suppress(OSError, asyncio.TimeoutError):
                for came in range(1, CROWD + 1):
                    await asyncio.wait_for(crowd.enter_async_context(connection(self.server.port)), 0.3)
            end = time.monotonic() + CROWD_SECONDS
            while time.monotonic() < end:
                request = self.families(f"crowd {asked}").tile("a tile", frozenset({200}))
                writer.write(request.pieces[0])
                try:
                    answer = await read_answer(reader)
                    self.judge(request, Outcome([answer] if answer else []))
                except (Bad, OSError, asyncio.TimeoutError) as bad:
                    self.findings.add("crowd", f"among {came} clients: {bad!r}", request)
                    break
                asked += 1
        self.sent += came
        return f"{came} clients that say nothing; {asked} tiles meanwhile for one who was there before"

    async def take_all_files(self):
        """The same with so few file descriptors that clients take them all."""
        server = Server(self.server.program, self.site, FEW_FILES)
        other = Attack(self.site, server, self.seed, self.findings)
        try:
            await other.warm_up()
            said = await other.come_in_crowds()
            await other.check(f"crowd with {FEW_FILES} files")
        except Bad as bad:
            self.findings.add("crowd without files", str(bad))
            said = "lost"
        finally:
            server.kill()
        self.sent += other.sent
        return f"{FEW_FILES} files: {said}"

    # Slow clients

    async def be_slow(self):
        """Clients that send a byte a second, or nothing, or read a byte a second; and some that do not."""
        fates = collections.Counter()
        slow = [asyncio.create_task(self.drip(kind, fates)) for kind, _ in zip(
            itertools.cycle(["line", "headers", "body", "chunks", "nothing", "reading"]), range(SLOW))]
        await asyncio.sleep(1)
        latencies = await self.serve_meanwhile(SLOW_SECONDS - 1)
        await asyncio.gather(*slow)
        self.sent += SLOW
        if max(latencies, default=0) > MOST_LATENCY:
            self.findings.add("slow", f"a tile takes {max(latencies):.1f} s meanwhile")
        fate = ", ".join(f"{count} {name}" for name, count in sorted(fates.items(), key=str))
        return (f"{SLOW} clients for {SLOW_SECONDS} s: {fate}; {len(latencies)} tiles meanwhile, "
                f"in {1000 * statistics.median(latencies or [0]):.0f} ms, at most "
                f"{1000 * max(latencies, default=0):.0f} ms")

    async def drip(self, kind, fates):
        site, host = self.site, f"127.0.0.1:{self.server.port}".encode()
        start = b"POST / HTTP/1.1\r\nHost: " + host
        first = {
            "line": b"GET /tiles/", "headers": b"GET / HTTP/1.1\r\nHost: " + host + b"\r\nX: ",
            "body": start + b"\r\nContent-Length: 1000\r\n\r\n",
            "chunks": start + b"\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n", "nothing": b"",
            "reading": message(host, b"/plan.pmtiles")}[kind]
        limit = 16 if kind == "reading" else 1 << 16
        try:
            async with connection(self.server.port, limit) as (reader, writer):
                writer.write(first)
                for _ in range(SLOW_SECONDS):
                    if kind not in ("nothing", "reading"):
                        writer.write(b"a")
                    said = await self.wait_a_second(reader, kind)
                    if said is not None:
                        fates[said] += 1
                        return
            fates["held"] += 1
        except ConnectionError:
            fates["closed"] += 1
        except OSError as error:
            self.findings.add("slow", f"no connection: {error}")

    async def wait_a_second(self, reader, kind):
        """The way in which the server has ended the connection, or None."""
        try:
            if kind == "reading":
                await asyncio.sleep(1)
                return None if await reader.read(1) else "closed"
            answer = await read_answer(reader, patience=1)
            return answer.status if answer else "closed"
        except asyncio.TimeoutError:
            return None
        except Bad as bad:
            self.findings.add("slow", str(bad))
            return "bad"

    async def serve_meanwhile(self, seconds):
        """The latencies of tiles for well-behaved clients, in seconds."""
        end, latencies, families = time.monotonic() + seconds, [], self.families("slow")

        async def ask():
            while time.monotonic() < end:
                start, request = time.monotonic(), families.harmless()
                try:
                    self.judge(request, await exchange(self.server.port, request))
                    latencies.append(time.monotonic() - start)
                except (Bad, OSError) as bad:
                    self.findings.add("slow", f"while others are slow: {bad}", request)
                await asyncio.sleep(0.05)

        await asyncio.gather(*(ask() for _ in range(8)))
        return latencies

    async def leave_unread(self):
        """Clients that request gigabytes at once, and read nothing."""
        host = f"127.0.0.1:{self.server.port}".encode()
        targets = itertools.cycle([b"/plan.pmtiles", self.site.tile.encode(), b"/", b"/none", b"/tiles.json"])

        async def ask(target):
            async with connection(self.server.port, limit=16, window=1 << 12) as (_, writer):
                writer.write(message(host, target) * 2000)
                with contextlib.suppress(asyncio.TimeoutError, ConnectionError):
                    await asyncio.wait_for(writer.drain(), UNREAD_SECONDS)
                await asyncio.sleep(UNREAD_SECONDS)

        await asyncio.gather(*(ask(target) for target, _ in zip(targets, range(UNREAD))))
        self.sent += UNREAD
        return f"{UNREAD} clients with 2000 requests each, of which no answer is read"

    # The end

    async def end(self):
        """SIGTERM while clients are served; no response is truncated."""
        self.is_ending, self.served = False, 0
        clients = [asyncio.create_task(self.keep_asking(number)) for number in range(LAST_CLIENTS)]
        await asyncio.sleep(LAST_SECONDS)
        start, before = time.monotonic(), self.served
        self.is_ending = True
        self.server.terminate()
        while self.server.ending is None and time.monotonic() < start + 5 * ENDING:
            await asyncio.sleep(0.002)
        took = time.monotonic() - start
        if self.server.ending is None:
            self.server.kill()
        _, left = await asyncio.wait(clients, timeout=ENDING)
        for client in left:
            client.cancel()
        if took > ENDING:
            self.findings.add("end", f"it takes {took:.1f} s to end")
        if self.server.ending not in ENDINGS:
            self.findings.add("end",
                              f"it ends with {self.server.ending}: {self.server.said.read_bytes()[-2000:]!r}")
        return (f"status {self.server.ending} after {1000 * took:.0f} ms; {before} answers to "
                f"{LAST_CLIENTS} clients before, {self.served - before} after the signal")

    async def keep_asking(self, number):
        # When the server ends, small responses are already sent completely; the archive is not.
        files, window = list(self.site.content.items()), None
        if number % 8 == 0:
            files, window = [("/plan.pmtiles", self.site.archive)], 1 << 14
        host = f"127.0.0.1:{self.server.port}".encode()
        try:
            async with connection(self.server.port, window=window) as (reader, writer):
                for step in itertools.count(number):
                    path, data = files[step % len(files)]
                    writer.write(message(host, path.encode()))
                    if not await self.take(reader, data):
                        return
        except OSError as error:
            if not self.is_ending:
                self.findings.add("end", f"a connection ends before the signal: {error}")

    async def take(self, reader, data):
        """Reads a response that must be complete; returns whether another request may follow."""
        try:
            answer = await read_answer(reader)
        except Cut as cut:
            self.findings.add("end", str(cut))
            return False
        if answer is None:
            if not self.is_ending:
                self.findings.add("end", "a connection is closed before the signal")
            return False
        if answer.status != 200 or answer.body != data:
            self.findings.add("end", f"{answer.status} with {len(answer.body)} bytes")
        self.served += 1
        return not answer.is_last


def counts(requests):
    """The number of requests of each family, at least one."""
    return {name: max(1, requests * share // 100) for name, share in SHARES.items()} | COUNTS


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--requests", type=int, default=10000)
    parser.add_argument("--only", choices=[*SHARES, *COUNTS, *LONG])
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    program = pathlib.Path(options.program).resolve()
    print(f"seed {options.seed}", flush=True)
    findings, start = Findings(), time.monotonic()
    site = Site(program.parent / "tilewright", random.Random(options.seed))
    server = Server(program, site)
    # Only for this script: the server keeps the usual limit.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 4096), most))
    attack = Attack(site, server, options.seed, findings)
    try:
        asyncio.run(asyncio.wait_for(attack.run(counts(options.requests), options.only), MOST_SECONDS))
    except (asyncio.TimeoutError, Bad) as end:
        findings.add("all", str(end) or f"it takes more than {MOST_SECONDS} s")
    finally:
        server.kill()
        site.close()
    print(f"{attack.sent} requests sent in {time.monotonic() - start:.0f} s, {findings.count} findings"
          + "".join(f"\n    {count} x {kind}: {what}" for (kind, what), count in findings.counts.items()))
    sys.exit(findings.count > 0)


if __name__ == "__main__":
    main()
