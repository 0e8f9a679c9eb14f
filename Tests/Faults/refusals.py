"""Refuses each allocation and each file read of the codecs, and each allocation of Zstandard, one at a time.

Each run ends with 0 and the tiles of an undisturbed run, or with one line and the status for the refused call.
No file of the output is partial.
"""

import errno
import pathlib
import random
import struct
import zlib

import inputs
from bench import STATUSES, WITHOUT_MEANS, Lost, Scene, Tally, contents, png

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "CCodec"
LIBRARIES = ["libpng", "libjpeg", "libtiff", "libwebp", "liblcms2", "libdeflate", "libzstd"]
# Errors of the system, and the exit statuses for them. A call that a signal interrupts may be repeated, or be an
# error of any kind.
REFUSALS = {
    errno.ENOMEM: {0, 71}, errno.EMFILE: {0, 71}, errno.ENFILE: {0, 71}, errno.EIO: {0, 74},
    errno.EINTR: {0, 66, 74},
}


# The code that calls


def code_of_codecs(program):
    """The addresses of CCodec's functions in a program, in the format of FAULT_CALLERS."""
    names = {path.name for path in SOURCES.rglob("*.c")}
    ranges = []
    file = ""
    for name, info, start, size in symbols(pathlib.Path(program).read_bytes()):
        kind, is_local = info & 15, info >> 4 == 0
        if kind == 4:
            file = name
        elif kind == 2 and size > 0 and (file in names if is_local else name.startswith("cc_")):
            ranges.append((start, start + size))
    if not ranges:
        raise Lost(f"{program} has no symbols that tell where the codecs are")
    return ",".join(f"{start:x}-{end:x}" for start, end in merged(ranges))


def symbols(elf):
    """The symbols of a 64-bit ELF file: name, info, value, size. The symbols of a source file follow its name."""
    table, = struct.unpack_from("<Q", elf, 40)
    size, count = struct.unpack_from("<HH", elf, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, table + size * i) for i in range(count)]
    for section in sections:
        if section[1] != 2:  # SHT_SYMTAB
            continue
        names = sections[section[6]][4]
        for place in range(section[4], section[4] + section[5], 24):
            name, info, _, _, value, length = struct.unpack_from("<IBBHQQ", elf, place)
            start = names + name
            yield elf[start:elf.index(b"\0", start)].decode(), info, value, length


def merged(ranges):
    """The same addresses in fewer ranges; gaps of up to 64 bytes between functions are padding."""
    result = []
    for start, end in sorted(ranges):
        if result and start <= result[-1][1] + 64:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result


# Small files of all kinds


def chunked_png(width, height, depth, kind, data, chunks=(), interlaced=0):
    def chunk(name, content):
        body = name + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlaced)
    parts = [chunk(b"IHDR", header)] + [chunk(*one) for one in chunks]
    parts += [chunk(b"IDAT", zlib.compress(data)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def interlaced_rows(width, height, pixel):
    """The rows of Adam7's passes, each preceded by its filter byte."""
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
              (0, 1, 1, 2)]
    rows = b""
    for left, top, right, down in passes:
        for y in range(top, height, down):
            row = b"".join(pixel(x, y) for x in range(left, width, right))
            rows += b"\0" + row if row else b""
    return rows


def profile():
    """An ICC profile of a screen with red and green swapped, gamma 2."""
    columns = [(0.385, 0.717, 0.097), (0.436, 0.222, 0.014), (0.143, 0.061, 0.714)]
    tags = [(b"wtpt", xyz(0.9642, 1, 0.8249)), (b"desc", b"desc" + bytes(4) + struct.pack(
        ">I", 5) + b"swap\0" + bytes(78))]
    tags += [(name, xyz(*column)) for name, column in zip((b"rXYZ", b"gXYZ", b"bXYZ"), columns)]
    tags += [(name, b"curv" + bytes(4) + struct.pack(">IH", 1, 512))
             for name in (b"rTRC", b"gTRC", b"bTRC")]
    table, data = struct.pack(">I", len(tags)), b""
    for name, content in tags:
        content += bytes(-len(content) % 4)
        table += name + struct.pack(">II", 132 + 12 * len(tags) + len(data), len(content))
        data += content
    head = struct.pack(">I", 128 + len(table) + len(data)) + bytes(4) + b"\2\x40\0\0mntrRGB XYZ "
    head += bytes(12) + b"acsp" + bytes(28) + xyz(0.9642, 1, 0.8249)[8:] + bytes(48)
    return head + table + data


def xyz(*value):
    return b"XYZ " + bytes(4) + b"".join(struct.pack(">i", round(65536 * one)) for one in value)


def tiff(*directories):
    """Directories of tags (number to values), each with the data of its only strip or tile."""
    file, link = b"II*\0" + bytes(4), 4
    for tags, data in directories:
        place = len(file)
        file += data + bytes(len(data) % 2)
        tiled = 322 in tags
        tags = {**tags, (324 if tiled else 273): [place], (325 if tiled else 279): [len(data)]}
        start = len(file)
        file = file[:link] + struct.pack("<I", start) + file[link + 4:]
        link = start + 2 + 12 * len(tags)
        entries, values = b"", b""
        for tag, numbers in sorted(tags.items()):
            kind = 7 if isinstance(numbers, bytes) else 4 if tag in (273, 279, 324, 325) else 3
            packed = numbers if kind == 7 else struct.pack(f"<{len(numbers)}" + " HI"[kind - 2], *numbers)
            field = packed.ljust(4, b"\0")
            if len(packed) > 4:
                field = struct.pack("<I", link + 4 + len(values))
                values += packed + bytes(len(packed) % 2)
            entries += struct.pack("<HHI", tag, kind, len(numbers)) + field
        file += struct.pack("<H", len(tags)) + entries + bytes(4) + values
    return file


def tags_of(samples, photometric, bits=8, compression=1, **more):
    return {256: [48], 257: [48], 258: [bits] * samples, 259: [compression], 262: [photometric],
            277: [samples], 278: [48], **{int(tag[1:]): value for tag, value in more.items()}}


def write_sources(folder):
    """Writes small images, and returns their names with the options for building them."""
    noise = random.Random(3)
    some = bytes(noise.randrange(256) for _ in range(48 * 48 * 4))
    wide = b"".join(b"\0" + bytes(noise.randrange(256) for _ in range(900)) for _ in range(300))
    gamma = (b"gAMA", struct.pack(">I", 100000))
    icc = profile()
    iccp = (b"iCCP", b"swap\0\0" + zlib.compress(icc))
    lines = b"".join(b"\0" + some[96 * y:96 * y + 96] for y in range(48))
    passes = interlaced_rows(48, 48, lambda x, y: struct.pack(">H", 701 * x + 503 * y))
    squares = {322: [48], 323: [48]}
    colors = [257 * ((7 * i + i // 256) % 256) for i in range(768)]
    deep = zlib.compress(struct.pack("<2304H", *(13 * i for i in range(2304))))
    files = {
        "gray.png": chunked_png(48, 48, 16, 0, lines, [gamma]),
        "passes.png": chunked_png(48, 48, 16, 0, passes, interlaced=1),
        "swap.png": chunked_png(300, 300, 8, 2, wide, [iccp]),
        "mask.tif": tiff((tags_of(3, 2, **{f"t{tag}": value for tag, value in squares.items()}),
                          some[:6912]), (tags_of(1, 4, t254=[4]), some[:2304])),
        "palette.tif": tiff((tags_of(1, 3, t320=colors), some[:2304])),
        "deep.tif": tiff((tags_of(1, 1, bits=16, compression=8), deep)),
        "inks.tif": tiff((tags_of(4, 5), some)),
        "swap.tif": tiff((tags_of(3, 2, t34675=icc), some[:6912])),
        "ycbcr.tif": tiff((tags_of(3, 6, t530=[1, 1]), some[:6912])),
        "beside.tif": tiff((tags_of(3, 2), some[:6912])),
        "beside.tif.ovr": tiff((tags_of(3, 2), some[:6912])),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / "plan.png").write_bytes(png(300, 200, seed=2))
    builds = {
        "plan.png": ["plan.png"], "plan.png, small": ["plan.png", "--png-level", "small"],
        "gray.png": ["gray.png"], "passes.png": ["passes.png", "--rescale", "0,40000"],
        "swap.png, JPEG": ["swap.png", "--format", "jpeg", "--quality", "95", "--zoom", "17"],
        "swap.png, small JPEG": ["swap.png", "--format", "jpeg", "--jpeg-level", "small", "--zoom", "17"],
        "plan.png, WebP": ["plan.png", "--format", "webp"],
        "plan.png, lossless": ["plan.png", "--format", "webp", "--lossless"],
    }
    builds.update({name: [name] for name in files if name.endswith(".tif")})
    builds.update({name: [name] for name in inputs.pictures(folder) if name.endswith(".jpg")})
    return builds


# Runs


def cases(bench):
    """Commands by name. Commands that check a tileset have no output."""
    builds = write_sources(bench.folder)
    found = {}
    for name, options in builds.items():
        zoom = [] if "--zoom" in options else ["--zoom", "15"]
        found[name] = [bench.program, *options, *inputs.AT, *zoom, "--jobs", "1", "-o", "out"]
    for form in ("png", "jpeg", "webp"):
        name = form + ".pmtiles"
        bench.succeed([bench.program, "plan.png", *inputs.AT, "--zoom", "15", "--format", form, "-o", name])
        found["verify " + name] = [bench.program, "verify", name]
    split = [bench.program, "split", "plan.png", *inputs.AT, "--zoom", "15-18", "--shards", "4"]
    bench.succeed([*split, "-o", "shards"])
    for index in "0123":
        bench.succeed([bench.program, "shard", "shards", index])
    found["merge"] = [bench.program, "merge", "shards", "-o", "out", "--jobs", "1"]
    return found


def memory_of_codecs(bench, most):
    return refused(bench, "memory", code_of_codecs(bench.program), most)


def memory_of_libraries(bench, most):
    # libtiff 4.5 itself reads from allocations that it does not get.
    return refused(bench, "memory", ",".join(LIBRARIES), most, WITHOUT_MEANS)


def reads_of_codecs(bench, most):
    return refused(bench, "read", code_of_codecs(bench.program), most)


def refused(bench, kind, callers, most, tolerated=frozenset()):
    """Refuses every call of a kind in turn, up to a maximum per run; some more statuses may be tolerated."""
    found = cases(bench)
    tally = inputs.each_apart(
        bench, list(found),
        lambda apart, name: refuse(apart, name, found[name], kind, callers, most, tolerated))
    # Some commands make none of these calls.
    if tally.faults < len(found):
        raise Lost(f"only {tally.faults} calls are counted")
    return tally


def refuse(bench, name, command, kind, callers, most, tolerated):
    tally = Tally()
    output = bench.path("out")
    counter = bench.path("calls")
    environment = {"LD_PRELOAD": bench.shim, "FAULT_KIND": kind, "FAULT_CALLERS": callers}
    counter.write_text("")
    Scene.remove(output)
    status, said = bench.run(command, {**environment, "FAULT_COUNT": str(counter)})
    if status != 0:
        raise Lost(f"{name}, undisturbed: {said}")
    whole = contents(output) if output.exists() else {}
    total = int(counter.read_text().split()[-1])
    for number in sorted(bench.random.sample(range(1, total + 1), min(total, most))):
        codes = [errno.ENOMEM] if kind == "memory" else list(REFUSALS)
        code = codes[number % len(codes)]
        Scene.remove(output)
        status, said = bench.run(
            command, {**environment, "FAULT_AT": str(number), "FAULT_ERRNO": str(code)},
            statuses=STATUSES | tolerated)
        tally.count(status)
        made = contents(output) if output.exists() else {}
        place = f"{name}, {kind} {number} of {total}, {errno.errorcode[code]}: "
        if status not in REFUSALS[code] | tolerated:
            raise Lost(f"{place}status {status}: {said}")
        if status == 0 and made != whole:
            raise Lost(f"{place}the output is another, with status 0: {said}")
        if any(whole.get(key) != data for key, data in made.items()):
            raise Lost(f"{place}a file is not what an undisturbed run makes: {said}")
    return tally
