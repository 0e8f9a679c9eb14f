"""Kills, signals, failing system calls, full disks, vanishing outputs, concurrent runs."""

import errno
import os
import re
import signal
import subprocess
import time

from bench import CHANGED, Lost, Scene, Tally, contents

WRITING = [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EINTR, "short", "kill"]
READING = [errno.EIO, errno.EMFILE, errno.ENOMEM, errno.EINTR, "short"]


def kills(bench, ending, count):
    """SIGKILL at random moments, sometimes several in a row."""
    tally = Tally()
    scene = bench.scene(ending)
    duration = scene.duration()
    while tally.faults < count:
        scene.reset(is_empty=bench.random.random() < 0.5)
        for _ in range(bench.random.choice([1, 1, 1, 3])):
            process = bench.start(scene.command)
            time.sleep(bench.random.uniform(0, 1.1 * duration))
            process.send_signal(signal.SIGKILL)
            tally.count(process.wait())
            scene.check_whole()
        scene.check_finish()
    return tally


def signals(bench, ending, count):
    """Signals to end, at random moments: the program ends within a second."""
    tally = Tally()
    scene = bench.scene(ending)
    duration = scene.duration()
    statuses = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGXCPU: 71}
    for _ in range(count):
        number = bench.random.choice(list(statuses))
        scene.reset(is_empty=bench.random.random() < 0.5)
        process = bench.start(scene.command)
        time.sleep(bench.random.uniform(0, 1.1 * duration))
        process.send_signal(number)
        try:
            status = process.wait(timeout=2)
        except subprocess.TimeoutExpired as hang:
            process.kill()
            raise Lost(f"signal {number} does not end {scene.command}") from hang
        # In the program's first milliseconds, the signal itself ends it.
        if status not in (0, statuses[number], -number):
            raise Lost(f"signal {number} ends {scene.command} with {status}")
        tally.count(status)
        scene.check_whole()
        scene.check_finish()
    return tally


def calls(bench, ending, kind, step):
    """Each system call that changes a file, or reads one, fails; or the program is killed there."""
    tally = Tally()
    scene = bench.scene(ending)
    for is_empty in (True, False):
        scene.reset(is_empty)
        total = count_calls(bench, scene.command, kind)
        for number in range(1 + bench.random.randrange(step), total + 1, step):
            fault = bench.random.choice(WRITING if kind == "write" else READING)
            scene.reset(is_empty)
            try:
                tally.count(fail_call(bench, scene, kind, number, fault))
                scene.check_whole()
                scene.check_finish()
            except Lost as lost:
                raise Lost(
                    f"{kind} {number} of {total}, {fault}, empty {is_empty}: {lost}") from lost
    return tally


def count_calls(bench, command, kind):
    counter = bench.path("calls")
    counter.write_text("")
    bench.run(
        command, {"LD_PRELOAD": bench.shim, "FAULT_COUNT": str(counter), "FAULT_KIND": kind})
    return int(counter.read_text().split()[-1])


def fail_call(bench, scene, kind, number, fault):
    """Runs a command in which a call fails, and returns its status."""
    environment = {"LD_PRELOAD": bench.shim, "FAULT_AT": str(number), "FAULT_KIND": kind}
    if fault == "kill":
        return subprocess.run(
            scene.command, cwd=bench.folder, stderr=subprocess.DEVNULL,
            env={**os.environ, **environment, "FAULT_KILL": "1"}).returncode
    environment["FAULT_SHORT" if fault == "short" else "FAULT_ERRNO"] = (
        "1" if fault == "short" else str(fault))
    status, said = bench.run(scene.command, environment)
    if status == 0:
        scene.check_success()
    elif fault == "short":
        raise Lost(f"half of a call is no error: {said}")
    elif "out of memory, or of" in said and "cannot" not in said:
        raise Lost(f"a crash, as of memory that is short: {said}")
    return status


def full_disks(bench, ending, count):
    """A small file system that fills up, and is then made larger."""
    size = sum(len(data) + 4096 for data in bench.scene(ending).new.values())
    rooms = [max(16, int(size / 1024 * (step + 1) / count)) for step in range(count)]
    return small_disks(bench, ending, [f"size={room}k" for room in rooms], "size=64m")


def few_inodes(bench, ending, count):
    """A file system with room for only a few files."""
    files = len(bench.scene(ending).new) + 20
    numbers = sorted({2 + files * step // count for step in range(count)})
    return small_disks(
        bench, ending, [f"size=64m,nr_inodes={number}" for number in numbers],
        "size=64m,nr_inodes=10000")


def small_scratch_disks(bench, rooms):
    """Scratch files go to a file system that is too small for them."""
    tally = Tally()
    disk = bench.path("disk")
    disk.mkdir(exist_ok=True)
    for ending in ("", ".pmtiles"):
        scene = bench.scene(ending)
        command = scene.command + ["--memory", "1M", "--tmpdir", str(disk)]
        for room in rooms:
            scene.reset(is_empty=tally.faults % 2 == 0)
            subprocess.run(
                ["mount", "-t", "tmpfs", "-o", f"size={room}k", "none", disk], check=True)
            try:
                status, said = bench.run(command)
                tally.count(status)
                if status not in (0, 74) or os.listdir(disk):
                    raise Lost(f"{room} KiB for scratch files end {command} with {said}")
            finally:
                subprocess.run(["umount", disk], check=True)
            scene.check_whole()
            scene.check_finish()
    return tally


def small_disks(bench, ending, rooms, enough):
    tally = Tally()
    scene = bench.scene(ending)
    disk = bench.path("disk")
    disk.mkdir(exist_ok=True)
    for room in rooms:
        subprocess.run(["mount", "-t", "tmpfs", "-o", room, "none", disk], check=True)
        try:
            output = disk / ("out" + ending)
            command = scene.command_for(output)
            status, _ = bench.run(command)
            tally.count(status)
            subprocess.run(["mount", "-o", f"remount,{enough}", disk], check=True)
            bench.succeed(command)
            if scene.contents(output) != scene.new:
                raise Lost(f"{room}: the output is not what an undisturbed run makes")
            if status != 0 and (os.listdir(disk) != [output.name]):
                raise Lost(f"{room}: {os.listdir(disk)} are left behind")
        finally:
            subprocess.run(["umount", disk], check=True)
    return tally


def read_only_disks(bench, ending):
    """A file system that becomes read-only, before a run and in its middle."""
    tally = Tally()
    scene = bench.scene(ending)
    duration = scene.duration()
    disk = bench.path("disk")
    disk.mkdir(exist_ok=True)
    for share in (None, 0.2, 0.4, 0.6, 0.8):
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "none", disk], check=True)
        try:
            output = disk / ("out" + ending)
            command = scene.command_for(output)
            process = share and bench.start(command)
            if process:
                time.sleep(share * duration)
            # A disk cannot become read-only while a file on it is being written.
            changed = subprocess.run(
                ["mount", "-o", "remount,ro", disk], stderr=subprocess.DEVNULL).returncode == 0
            status = process.wait(timeout=60) if process else bench.run(command)[0]
            if status not in (0, 73, 74) or (changed and not process and status == 0):
                raise Lost(f"a read-only disk ends {command} with {status}")
            tally.count(status)
            subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
            bench.succeed(command)
            if scene.contents(output) != scene.new:
                raise Lost("the output is not what an undisturbed run makes")
        finally:
            subprocess.run(["umount", disk], check=True)
    return tally


def vanishing(bench, ending, count):
    """OUTPUT, or a part of it, is removed or replaced at a random moment."""
    tally = Tally()
    scene = bench.scene(ending)
    duration = scene.duration()
    output = scene.output
    partial = output.with_name(output.name + ".tilewright-partial")
    moved = bench.path("moved")

    def replace(path):
        Scene.remove(path)
        path.write_bytes(b"")

    def become_folder(path):
        Scene.remove(path)
        path.mkdir(exist_ok=True)

    actions = [
        lambda: Scene.remove(output), lambda: Scene.remove(output / ".tilewright"),
        lambda: Scene.remove(partial), lambda: replace(partial), lambda: replace(output),
        lambda: become_folder(partial), lambda: output.exists() and output.rename(moved),
    ]
    for _ in range(count):
        scene.reset(is_empty=bench.random.random() < 0.5)
        Scene.remove(moved)
        process = bench.start(scene.command)
        time.sleep(bench.random.uniform(0, duration))
        try:
            bench.random.choice(actions)()
        except OSError:
            pass  # The program has already ended.
        status = process.wait(timeout=60)
        if status not in (0, 71, 73, 74):
            raise Lost(f"an output that vanishes ends {scene.command} with {status}")
        tally.count(status)
        if status == 0 and ending and output.is_file() and output.stat().st_size > 0:
            scene.check_success()
        for path in (output, moved, partial):
            Scene.remove(path)
        scene.check_finish()
    return tally


def second_runs(bench, ending):
    """A run ends with 75 at once if another run is writing its output."""
    tally = Tally()
    scene = bench.scene(ending)
    scene.reset(is_empty=True)
    total = count_calls(bench, scene.command, "write")
    for is_empty, share in ((True, 0.5), (False, 0.5), (True, 0.9), (False, 0.9)):
        scene.reset(is_empty)
        process = subprocess.Popen(
            scene.command, cwd=bench.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "LD_PRELOAD": bench.shim, "FAULT_KIND": "write",
                 "FAULT_FREEZE": "1", "FAULT_AT": str(int(total * share))})
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        status, said = bench.run(scene.command, timeout=10)
        process.send_signal(signal.SIGCONT)
        tally.count(status)
        if status != 75 or process.wait(timeout=60) != 0:
            raise Lost(
                f"beside a run that stands at {share:.0%} another ends with {status}: {said}")
        scene.check_success()
    return tally


def floors_at_once(bench, count):
    """Many floors are built into one folder at once, and some of the runs are killed."""
    tally = Tally()
    output = bench.path("floors")
    Scene.remove(output)
    commands = [
        bench.command(output.name, options=["--floor", str(floor), "--template",
                                            "{floor}/{z}/{x}/{y}.{ext}"])
        for floor in range(count)
    ]
    for command in commands[::2]:
        killed = bench.start(command)
        time.sleep(bench.random.uniform(0, 0.05))
        killed.kill()
        killed.wait()
        tally.count(1)
    processes = [bench.start(command) for command in commands]
    victims = bench.random.sample(range(count), count // 3)
    for victim in victims:
        time.sleep(bench.random.uniform(0, 0.1))
        processes[victim].kill()
    for number, process in enumerate(processes):
        status = process.wait(timeout=120)
        if status != 0 and number not in victims:
            raise Lost(f"floor {number} beside others ends with {status}")
        tally.count(status)
    for victim in victims:
        bench.succeed(commands[victim])
    bench.succeed([bench.program, "verify", output.name])
    alone = bench.path("alone")
    Scene.remove(alone)
    for command in commands:
        bench.succeed([alone.name if word == output.name else word for word in command])
    if contents(output) != contents(alone):
        raise Lost("floors that are built at once are other than those that are built in turns")
    return tally


def flushes(bench, ending):
    """With --fsync, data are on the disk before a name that refers to them."""
    tally = Tally()
    scene = bench.scene(ending)
    log = bench.path("log")
    # SQLite orders what it writes into a file that it changes where it is.
    for is_empty in (True,) if ending == CHANGED else (True, False):
        scene.reset(is_empty)
        log.write_text("")
        bench.run(scene.command + ["--fsync"], {"LD_PRELOAD": bench.shim, "FAULT_LOG": str(log)})
        check_order(log.read_text().splitlines(), scene.output, scene.output.is_file())
        tally.count(0)
    return tally


def is_promised(tile, by):
    """Whether a document refers to a file: a floor's document does not refer to other floors' tiles."""
    if tile.endswith(".json"):
        return False
    floor = re.fullmatch(r"(?:tilejson|metadata)-(\w+)\.json", by)
    return not floor or tile.startswith((floor[1] + "/", f".tilewright/floor-{floor[1]}/"))


def check_order(lines, output, is_archive):
    """Looks for a name that was given before its data were on the disk."""
    unwritten, unnamed = set(), set()
    promises = 0
    source = None
    for line in lines:
        call, _, path = line.partition(" ")
        if path.endswith(" (deleted)"):
            continue  # A scratch file.
        if call == "write":
            unwritten.add(path)
        elif call == "sync":
            unwritten.clear()
            unnamed.clear()
        elif call == "fsync":
            unwritten.discard(path)
            if os.path.isdir(path):
                unnamed = {name for name in unnamed if os.path.dirname(name) != path}
        elif call == "from":
            source = os.path.normpath(path)
        elif call == "rename":
            path = os.path.normpath(path)
            name = os.path.relpath(path, output)
            if name.startswith(".tilewright/") and "staging" in name:
                if source in unwritten:
                    unwritten.remove(source)
                    unwritten.add(path)
                continue  # No name refers to it yet.
            if source in unwritten:
                raise Lost(f"--fsync: '{name}' is named before its bytes are on the disk")
            if name.startswith(("tilejson", "metadata", "building.json")) or is_archive:
                promises += 1
                tiles = [tile for tile in unnamed if is_promised(tile, by=name)]
                if tiles:
                    raise Lost(f"--fsync: '{name}' is named before {tiles[:3]} are on the disk")
            unnamed.add(path)
    if unnamed or unwritten or not promises:
        raise Lost(f"--fsync: at the end {unnamed or unwritten or 'nothing'} is not on the disk")
