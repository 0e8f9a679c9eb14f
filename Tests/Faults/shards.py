"""Faults of shards and of their merge."""

import os
import shutil
import subprocess
import time

from bench import Lost, Scene, Tally, contents, png

# The endings of a job's folder and of a merged archive in these tests; the program does not know the first.
SHARD = ".job"
MERGED = ".merged.pmtiles"
COUNT = 4


def split(bench, job):
    """The command that plans a job."""
    build = bench.command(job)
    jobs = build.index("--jobs")
    return [bench.program, "split", *build[1:jobs], *build[jobs + 2:], "--shards", str(COUNT)]


def shard(bench, job, index):
    return [bench.program, "shard", str(job), str(index), "--jobs", "2"]


class ShardScene(Scene):
    """A job's folder, in which a shard is made."""

    def __init__(self, bench, ending):
        self.bench = bench
        self.output = bench.path("out" + ending)
        self.before = bench.path("before" + ending)
        self.command = shard(bench, self.output.name, 1)
        bench.path("plan.png").write_bytes(png(300, 200, seed=2))
        bench.succeed(split(bench, self.before))
        self.reset(is_empty=False)
        self.old = contents(self.output)
        bench.succeed(self.command)
        self.new = contents(self.output)

    def reset(self, is_empty):
        """Restores the job as it was split: a shard is always made from nothing."""
        self.remove(self.output)
        shutil.copytree(self.before, self.output)

    def check_finish(self):
        super().check_finish()
        left = os.listdir(self.output / "shards")
        if left != ["1.shard"]:
            raise Lost(f"{left} are left behind")


class MergeScene(Scene):
    """An archive that is merged from shards. It replaces the archive of an earlier plan."""

    def command_for(self, output, is_earlier=False):
        job = "earlier-shards" if is_earlier else "shards"
        if not self.bench.path(job).exists():
            self.bench.succeed(split(self.bench, job))
            for index in range(COUNT):
                self.bench.succeed(shard(self.bench, job, index))
        inside = output.parent == self.bench.folder
        return [self.bench.program, "merge", job, "-o", output.name if inside else str(output), "--jobs", "2"]


def full_disks(bench, count):
    """The disk of the shards fills up, and is then made larger."""
    tally = Tally()
    scene = bench.scene(SHARD)
    size = len(scene.new["shards/1.shard"]) // 1024
    for step in range(count):
        scene.reset(is_empty=True)
        disk = scene.output / "shards"
        room = max(4, size * step // count)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room}k", "none", disk], check=True)
        try:
            status, said = bench.run(scene.command)
            tally.count(status)
            if status not in (0, 74) or (status and os.listdir(disk)):
                raise Lost(f"a disk of {room} KiB ends {scene.command} with {status}: {said}")
            subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
            scene.check_finish()
        finally:
            subprocess.run(["umount", disk], check=True)
    return tally


def damaged(bench, count):
    """A shard has a wrong bit, or is truncated. An error names it, and nothing is merged until it is made again."""
    tally = Tally()
    scene = bench.scene(MERGED)
    path = bench.path("shards/shards/2.shard")
    whole = path.read_bytes()
    for number in range(count):
        scene.reset(is_empty=number % 2 == 0)
        data = bytearray(whole)
        place = bench.random.randrange(len(whole))
        if number % 10 == 0:
            del data[place:]
        else:
            data[place] ^= 1 << bench.random.randrange(8)
        path.write_bytes(data)
        status, said = bench.run(scene.command)
        tally.count(status)
        if status != 65 or "shard 2 is " not in said:
            raise Lost(f"a shard that is damaged at {place} of {len(whole)} ends {scene.command}: {status} {said}")
        if (contents(scene.output) if scene.output.exists() else {}) != ({} if number % 2 == 0 else scene.old):
            raise Lost(f"a shard that is damaged at {place} has changed the output")
        if number % 50 == 0:
            bench.succeed(shard(bench, "shards", 2))
            if path.read_bytes() != whole:
                raise Lost("a shard that was damaged is not made as it was")
    path.write_bytes(whole)
    scene.check_finish()
    return tally


def twins(bench, count):
    """Two workers make the same shard, and one of them may be killed."""
    tally = Tally()
    scene = bench.scene(SHARD)
    duration = scene.duration()
    for _ in range(count):
        scene.reset(is_empty=True)
        workers = [bench.start(scene.command) for _ in range(3)]
        time.sleep(bench.random.uniform(0, duration))
        workers[0].kill()
        statuses = [worker.wait(timeout=60) for worker in workers]
        if statuses[1:] != [0, 0]:
            raise Lost(f"beside another worker, {scene.command} ends with {statuses}")
        tally.count(statuses[0])
        scene.check_success()
        scene.check_finish()
    return tally


def changed_sources(bench, count):
    """A worker's source differs from that of the machine that split the job: its shard does not get a name."""
    tally = Tally()
    scene = bench.scene(SHARD)
    path = bench.path("plan.png")
    whole = path.read_bytes()
    for _ in range(count):
        scene.reset(is_empty=True)
        data = bytearray(whole)
        data[bench.random.randrange(len(whole))] ^= 1 << bench.random.randrange(8)
        path.write_bytes(data)
        status, said = bench.run(scene.command)
        path.write_bytes(whole)
        tally.count(status)
        if status != 65 or os.listdir(scene.output / "shards"):
            raise Lost(f"another source ends {scene.command} with {status}: {said}")
    scene.check_finish()
    return tally
