// What the tests of the JavaScript module need: a plan and its tiles, and a web server that can fail.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, normalize, resolve } from "node:path";
import * as zlib from "node:zlib";

const program = process.env.TILEWRIGHT ?? ".build/debug/tilewright";

export const run = (folder, ...args) =>
  execFileSync(program.includes("/") ? resolve(program) : program, args,
    { cwd: folder, stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 });

/** A colourful plan, so that the files of its tiles have different lengths. */
export function writePlan(path, width, height, seed = 0) {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0, at = 0; y < height; y++) {
    at++;
    for (let x = 0; x < width; x++) {
      const isWall = (Math.floor(x / 50) + Math.floor(y / 50) + seed) % 3 === 0;
      rows[at++] = isWall ? 255 : (x * 7 ^ y * 13) & 255;
      rows[at++] = (x >> 3) + seed * 40 & 255;
      rows[at++] = y >> 3 & 255;
    }
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]), part = Buffer.alloc(body.length + 8);
    part.writeUInt32BE(data.length);
    body.copy(part, 4);
    part.writeUInt32BE(checksum(body), body.length + 4);
    return part;
  };
  const start = Buffer.from("89504e470d0a1a0a", "hex");
  const data = zlib.deflateSync(rows, { level: 1 });
  const parts = [chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))];
  writeFileSync(path, Buffer.concat([start, ...parts]));
}

// Node has crc32 since 20.15.
function checksum(bytes) {
  if (zlib.crc32) return zlib.crc32(bytes);
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum >>> 1 ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-web-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A server of a folder. `requests` lists what was asked for: path and range. `answer(request, response)` may
 * answer itself; then it returns true. `files` has what was read from the disk, and can replace it.
 */
export class RangeServer {
  requests = [];
  files = new Map();
  answer = () => false;
  hasRanges = true;
  hasStamps = true;

  static async of(folder) {
    const server = new RangeServer();
    server.http = createServer((request, response) => server.#serve(folder, request, response));
    // Otherwise a connection may end just when the client uses it again.
    server.http.keepAliveTimeout = 120_000;
    await new Promise((done) => { server.http.listen(0, "127.0.0.1", done); });
    server.address = `http://127.0.0.1:${server.http.address().port}`;
    return server;
  }

  close() {
    this.http.closeAllConnections();
    this.http.close();
  }

  bytes(folder, path) {
    if (!this.files.has(path)) this.files.set(path, readFileSync(join(folder, normalize(path))));
    return this.files.get(path);
  }

  #serve(folder, request, response) {
    const path = decodeURIComponent(new URL(request.url, "http://a").pathname), range = request.headers.range;
    this.requests.push(range ? `${path} ${range}` : path);
    response.setHeader("Access-Control-Allow-Origin", "*");
    if (this.answer(request, response, path)) return;
    let bytes;
    try {
      bytes = this.bytes(folder, path);
    } catch {
      response.writeHead(404).end("not found");
      return;
    }
    const type = { html: "text/html", js: "text/javascript", mjs: "text/javascript", json: "application/json",
      png: "image/png", css: "text/css" }[path.split(".").pop()];
    if (type) response.setHeader("Content-Type", type);
    const stamp = `"${bytes.length}-${checksum(bytes.subarray(0, 1 << 16))}"`;
    if (this.hasStamps) response.setHeader("ETag", stamp);
    const match = this.hasRanges && /^bytes=(\d+)-(\d+)$/.exec(range ?? "");
    if (!match) {
      response.end(bytes);
      return;
    }
    const [first, last] = [Number(match[1]), Math.min(Number(match[2]), bytes.length - 1)];
    if (first > last) {
      response.writeHead(416, { "Content-Range": `bytes */${bytes.length}` }).end();
      return;
    }
    response.writeHead(206, { "Content-Range": `bytes ${first}-${last}/${bytes.length}` });
    response.end(bytes.subarray(first, last + 1));
  }
}
