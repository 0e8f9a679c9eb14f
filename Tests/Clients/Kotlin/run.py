#!/usr/bin/env python3
"""Runs the Kotlin file for apps, and the code that 'snippet' prints for Android, on a JVM with stand-ins for Android.

  run.py JARS PROGRAM SCRATCH [PART]

Only the checks whose names contain PART run, if there is one. Data in SCRATCH from an earlier run is used again.

JARS has kotlin-jupyter-kernel-*-all.jar, which contains the compiler, and kotlin-stdlib-*.jar, as the package
kotlin-jupyter-kernel of PyPI installs them. PROGRAM is tilewright; what it writes is the expected result. Debian's
libandroid-json-org-java and libxerial-sqlite-jdbc-java provide Android's JSON and SQLite.
"""

import glob
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import zlib

import server

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "../../.."))
PUBLISHING = os.path.join(ROOT, "Sources/Publishing")
LIBRARIES = ["/usr/share/java/json-android.jar", "/usr/share/java/sqlite-jdbc.jar"]
NATIVE = "/usr/lib/x86_64-linux-gnu/jni"


def run(*words, **options):
    result = subprocess.run(words, capture_output=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(words)[:300]}\nfailed: {result.stderr.decode()[-4000:]}{result.stdout.decode()[-4000:]}")
    return result.stdout


# --- Data

def write_noise(path, size):
    """A PNG file in which no two places are the same."""
    chance = random.Random(1)
    rows = b"".join(
        b"\0" + b"".join(bytes([x * 255 // size, y * 255 // size, chance.randrange(256)]) for x in range(size))
        for y in range(size))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def make_data(program, folder):
    """Tilesets and buildings in every container, in `folder`."""
    os.makedirs(folder)
    for file in glob.glob(os.path.join(ROOT, "Examples/*")):
        if file.endswith((".png", ".pgw", ".prj", ".points")):
            shutil.copy(file, folder)
    with open(os.path.join(ROOT, "Examples/building.yaml")) as file:
        manifest = file.read()
    archives = manifest.replace("output: tiles", 'output: "archives/{floor}.pmtiles"')
    archives = re.sub("(?m)^template:.*\n", "", archives)
    for name, text in [("building.yaml", manifest), ("archives.yaml", archives)]:
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
        run(program, name, cwd=folder)
    # Enough tiles for leaf directories.
    write_noise(os.path.join(folder, "noise.png"), 900)
    run(program, "noise.png", "--bounds", "9.7,48.9,10.1,49.03", "-z", "10-17", "--resampling", "nearest",
        "--png-level", "fast", "-o", "big.pmtiles", cwd=folder)
    with open(os.path.join(folder, "big.pmtiles"), "rb") as file:
        if struct.unpack_from("<Q", file.read(127), 48)[0] == 0:
            sys.exit("big.pmtiles has no leaf directories")
    for source, target in [("big.pmtiles", "big"), ("big.pmtiles", "big.mbtiles"), ("archives/0.pmtiles", "0.mbtiles")]:
        run(program, "convert", source, target, cwd=folder)
    for target, options in [("south", ["--scheme", "tms"]), ("keys", ["--template", "{quadkey}.{ext}"])]:
        run(program, "convert", "archives/0.pmtiles", target, *options, cwd=folder)
    run(program, "noise.png", "--bounds", "9.7,48.9,10.1,49.03", "-z", "10-13", "--tile-size", "512",
        "--format", "jpeg", "-o", "large.pmtiles", cwd=folder)


def choose(program, folder):
    """Writes chosen.txt: 500 tiles of `big`. Of some, the file is compared with what 'tile' writes."""
    files = sorted(glob.glob(os.path.join(folder, "big/*/*/*.png")))
    chosen = random.Random(2).sample(files, 500)
    for number, file in enumerate(chosen):
        address = os.path.relpath(file, os.path.join(folder, "big"))[:-len(".png")]
        with open(file, "rb") as opened:
            if number % 10 == 0 and run(program, "tile", "big.pmtiles", address, cwd=folder) != opened.read():
                sys.exit(f"'tile' and the folder differ: {address}")
        chosen[number] = address.replace("/", " ")
    with open(os.path.join(folder, "chosen.txt"), "w") as file:
        file.write("\n".join(chosen) + "\n")


# --- The program under test

def write_snippets(program, data, folder, size_limits):
    """What the program prints for tilesets and buildings in the app and on servers, and for a camera."""
    def snippet(*words):
        return run(program, "snippet", *words, "--for", "android-kotlin", cwd=data).decode()

    for name, text in [
        ("tileset", snippet("archives/0.pmtiles", "--local", "archives/0.pmtiles", "--type-name", "PlanTiles")),
        ("folder", snippet("tiles", "--floor", "0", "--url", "https://a.org/t", "--type-name", "FolderTiles")),
        ("building", snippet("building.yaml", "--local", "tiles", "--type-name", "ExampleBuilding")),
        ("camera", run(program, "camera", "archives/0.pmtiles", "--for", "android-kotlin", cwd=data).decode()),
    ]:
        if text.count("\n") > size_limits[name]:
            sys.exit(f"the code for a {name} has {text.count(chr(10))} lines, more than {size_limits[name]}")
        with open(os.path.join(folder, name + ".kt"), "w") as file:
            file.write(text)


def compile_all(jars, program, data, scratch):
    """Compiles library, snippets, stand-ins and checks; returns the class path."""
    compiler = [path for name in ["kotlin-jupyter-kernel-*-all", "kotlin-stdlib-*", "kotlin-reflect-*",
                                  "kotlin-script-runtime-*", "annotations-*"]
                for path in glob.glob(os.path.join(jars, name + ".jar"))]
    standard = glob.glob(os.path.join(jars, "kotlin-stdlib-*.jar"))
    classes = os.path.join(scratch, "classes")
    code = os.path.join(scratch, "code")
    os.makedirs(code, exist_ok=True)
    write_snippets(program, data, code, {"tileset": 80, "folder": 80, "building": 120, "camera": 80})
    library = os.path.join(PUBLISHING, "Clients/TilewrightTiles.kt")
    with open(library) as file:
        lines = file.read().split("\n")
    if len(lines) - 1 > 300 or max(map(len, lines)) > 110:
        print(f"TilewrightTiles.kt has {len(lines) - 1} lines, the longest of {max(map(len, lines))} columns")
    sources = [library, code, os.path.join(HERE, "Stubs"), os.path.join(HERE, "Checks.kt")]
    run("java", "-Xmx1500m", "-cp", ":".join(compiler), "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
        "-no-stdlib", "-no-reflect", "-Werror", "-cp", ":".join(standard + LIBRARIES), "-d", classes, *sources)
    return ":".join([classes] + standard + LIBRARIES)


def make_certificate(folder):
    """A certificate of localhost, and a store in which Java trusts it."""
    pem, store = os.path.join(folder, "server.pem"), os.path.join(folder, "trusted.p12")
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-addext",
        "subjectAltName=DNS:localhost", "-days", "30", "-keyout", pem, "-out", pem + ".crt")
    with open(pem, "a") as file, open(pem + ".crt") as certificate:
        file.write(certificate.read())
    if os.path.exists(store):
        os.remove(store)
    run("keytool", "-importcert", "-noprompt", "-alias", "server", "-file", pem + ".crt", "-keystore", store,
        "-storepass", "changeit")
    return pem, store


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    jars, program, scratch = map(os.path.abspath, sys.argv[1:4])
    data = os.path.join(scratch, "data")
    if not os.path.exists(os.path.join(data, "chosen.txt")):
        shutil.rmtree(data, ignore_errors=True)
        make_data(program, data)
        choose(program, data)
    path = compile_all(jars, program, data, scratch)
    pem, store = make_certificate(scratch)
    work = os.path.join(scratch, "made")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    http, https = server.start(scratch, pem)
    result = subprocess.run(
        ["java", "-Xmx1g", "-Djava.awt.headless=true", f"-Djavax.net.ssl.trustStore={store}",
         "-Djavax.net.ssl.trustStorePassword=changeit", f"-Djava.library.path={NATIVE}",
         "-cp", path, "ChecksKt", data, work, http, https, *sys.argv[4:]])
    sys.exit(result.returncode)


main()
