// The parsers in Swift. They are all in one program, whose name chooses the parser. A trap, such as an index
// out of range, is a finding; a `Failure` is the expected result for a damaged file.

import Platform
import Georeferencing
import Palettes
import Publishing
import RenderProtocol
import Tiling
import WebRequests
import YAML

@testable import Tilesets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Parses the bytes of a file; it may throw any `Failure`.
private typealias Parser = @Sendable ([UInt8]) throws -> Void

/// The parsers by name. A name is also the name of the program and of the folder with seeds.
private let parsers: [String: Parser] = [
    "worldfile": { try probe(WorldFile(parsing: text($0), path: "a.pgw")) },
    "points": {
        _ = try QGISPoints(parsing: text($0), path: "a.points", crs: nil, width: 100, height: 100)
    },
    "kml": { try probe(KMLFile(contentsOf: file(of: $0))) },
    "kmz": { try probeKMZ(file(of: $0)) },
    "auxxml": { try probe(PAMFile(parsing: $0, path: "a.png.aux.xml")) },
    "prj": { try probe(CRS(contentsOf: file(of: $0))) },
    "geojson": { try probe(Cutline(file: file(of: $0))) },
    "geokeys": { try probe(GeoTIFFTags(fuzzed: $0)) },
    "pmtiles": { try probe(PMTilesReader(file(of: $0), budget: budget)) },
    "mbtiles": { try probe(MBTilesReader(file(of: $0), budget: budget)) },
    "manifest": { probeManifest($0) },
    "index": { try probeIndex($0) },
    "shard": { try probeShard($0) },
    "colors": { try probeColors($0) },
    "yaml": { try probe(YAMLNode(parsing: $0)) },
    "statement": { try probe(TilesetStatement(fuzzed: $0)) },
    "request": { probeRequest(text($0)) },
    "frames": { probeFrames($0) },
]

private let parser = parsers[name(of: CommandLine.arguments[0])]

/// Called by libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
func feed(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    guard let parser else {
        fatalError("name the program as one of \(parsers.keys.sorted())")
    }
    do {
        try parser(Array(UnsafeBufferPointer(start: bytes, count: size)))
    } catch let failure as Failure {
        precondition(!failure.message.isEmpty && !failure.message.contains("\n"))
    } catch {
        fatalError("\(error) is no Failure")
    }
    return 0
}

// The work of a build with each of them.

private func probe(_ node: YAMLNode) throws {
    precondition(node.mark.line > 0 && node.mark.column > 0)
    switch node.content {
    case .scalar(let text, isPlain: _): precondition(!text.utf8.contains(0))
    case .sequence(let items): for item in items { try probe(item) }
    case .mapping(let pairs):
        precondition(Set(pairs.map(\.key)).count == pairs.count)
        for pair in pairs { try probe(pair.value) }
    }
}

private func probe(_ worldFile: WorldFile) throws {
    let again = try WorldFile(parsing: worldFile.text, path: "b.pgw")
    precondition(again.pixelToCRS.determinant.isFinite)
}

private func probe(_ file: KMLFile) throws {
    _ = try file.overlay(for: "image.png").georeference(width: 100, height: 100)
}

/// Reads it as `--kml`, as outlines, and as an image.
private func probeKMZ(_ path: String) throws {
    do {
        if let outlines = try KMLShapes(ifIn: path) { precondition(!outlines.shapes.isEmpty) }
    } catch let failure as Failure { precondition(!failure.message.isEmpty) }
    if try KMZFile.isKMZ(path) {
        let file = try KMZFile(contentsOf: path)
        for number in 1...min(file.overlays.count, 3) {
            do {
                let (_, copy) = try file.copyImage(number, into: "/tmp")
                let bytes = try InputFile.bytes(of: copy.path, atMost: 1 << 31)
                precondition(!bytes.isEmpty)
            } catch let failure as Failure { precondition(!failure.message.isEmpty) }
            _ = try? file.position(number).georeference(width: 100, height: 100)
        }
    }
    try probe(KMLFile(contentsOf: path))
}

private func probe(_ file: PAMFile) throws {
    _ = file.nodataValues
    let grid = PixelUnits(width: 100, height: 80, pixelsPerUnit: Point(x: 300, y: 300))
    let form = try file.eastFirstForm(on: grid)
    let crs = try file.crs()
    if let form, let crs {
        _ = try StoredPosition(source: "a", form: form, crs: crs).summary
    }
}

private func probe(_ cutline: Cutline) throws {
    let box = BoundingBox(minX: -180, minY: -85, maxX: 180, maxY: 85)
    precondition(cutline.box(within: box).map { $0.width <= 360 } ?? true)
    let world = BoundingBox(minX: -2e7, minY: -2e7, maxX: 2e7, maxY: 2e7)
    for ring in cutline.rings(seenIn: world, cellSize: 1e4).joined() {
        precondition(ring.allSatisfy(\.isFinite))
    }
}

private func probe(_ tags: GeoTIFFTags) throws {
    let form = try tags.positionForm()
    let crs = try CRS(geoTIFF: tags)
    if let form, let crs {
        _ = try StoredPosition(source: "a", form: form, crs: crs).summary
    }
}

private func probe(_ crs: CRS) throws {
    _ = (crs.name, crs.isGeographic)
    var points = [Point(x: 500_000, y: 5_000_000), Point(x: 11, y: 48)]
    let conversion = try CRSConversion(crs)
    conversion.lonLat(of: &points)
    conversion.coordinates(ofLonLat: &points)
    _ = try crs.esriWKT()
}

/// Few tiles, since a damaged archive can claim billions.
private let budget = ReadingBudget(tiles: 1000)

/// Reads the whole archive like `verify`, `convert`, `info`, `tile`, and a build that replaces it.
private func probe(_ archive: some ArchiveReader) throws {
    let inspector = TileInspector(metadata) { _ in (.png, 256, 256) }
    ignoringFailures {
        let verification = try TilesetVerification(
            of: archive, floor: nil, inspector: inspector, budget: budget)
        let sum = try verification.run(
            progress: { _ in }, report: { precondition(!$0.problem.contains("\n")) })
        precondition(sum.tileCount <= budget.tiles)
    }
    try probe(archive.statement(), limits: archive.limits)
    var tiles: Set<TileCoordinate> = []
    ignoringFailures { try archive.forEachTile { tiles.insert($0.coordinate) } }
    precondition(tiles.allSatisfy(\.isInWorld) && tiles.count <= budget.tiles)
    for tile in tiles.prefix(10) { ignoringFailures { _ = try archive.tile(at: tile) } }
    ignoringFailures {
        let survey = try archive.survey()
        precondition(survey.contentBytes <= max(survey.bytes, 0) && survey.limits.count <= 62)
    }
    ignoringFailures { _ = try archive.anyStatement() }
    do {
        _ = try archive.claims()
        var ledger = TileLedger()
        try archive.readTiles(into: &ledger)
        precondition(ledger.addresses.count <= budget.tiles)
        if let addresses = try archive.intactAddresses() {
            precondition(addresses.allSatisfy { $0.coordinate.isInWorld })
        }
    } catch {
        // For any error, the archive counts as damaged.
    }
}

/// Runs `body`, which may fail with a `Failure`.
private func ignoringFailures(_ body: () throws -> Void) {
    do { try body() } catch let failure as Failure { precondition(!failure.message.contains("\n")) } catch {
        fatalError("\(error) is no Failure")
    }
}

private let metadata = TilesetMetadata(
    name: "", description: "", attribution: "", floor: nil, format: .png, tileSize: 256, scheme: .xyz,
    template: "", baseURL: nil, bounds: BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1), limits: [],
    contents: nil)

/// The list of a tileset's files, without the hash at its end. A list that was read must survive writing and
/// reading.
private func probeManifest(_ bytes: [UInt8]) {
    let signed = bytes + ContentHash(of: bytes).bytesInMemory
    for floor in [nil, "1"] {
        guard let manifest = try? TilesetManifest(decoding: signed, floor: floor) else { continue }
        precondition(manifest.sideFiles.allSatisfy(\.isName))
        for section in manifest.sections {
            for record in section.records.sorted {
                precondition(record.coordinate.isInWorld)
                let path = section.names.path(of: record.coordinate)
                precondition(!path.hasPrefix("/") && !path.split(separator: "/").contains(".."))
                _ = section.names.coordinate(ofPath: path)
            }
        }
        guard let again = try? TilesetManifest(decoding: manifest.encoded, floor: floor) else {
            fatalError("a list that was written cannot be read")
        }
        precondition(again == manifest)
    }
}

/// The index of a building, and of a campus.
private func probeIndex(_ bytes: [UInt8]) throws {
    ignoringFailures {
        let campus = try CampusIndex.summary(of: bytes, path: "a/campus.json")
        precondition(campus?.indexes.allSatisfy { ContainedPath($0.text) == $0 } ?? true)
    }
    guard let index = try BuildingIndex(parsing: bytes, path: "a/building.json") else { return }
    precondition(BuildingIndex.isOurs(bytes))
    for floor in index.floors {
        precondition(TileNames.isFloor(floor.floor))
        for limits in floor.limits {
            precondition(max(limits.columns.upperBound, limits.rows.upperBound) < 1 << limits.zoom)
        }
    }
    let again = try BuildingIndex(parsing: index.bytes, path: "a/building.json")
    precondition(again?.floors.map(\.floor) == index.floors.map(\.floor))
}

/// A shard: the count of records, the records, and the pieces. This function writes the rest of the file.
private func probeShard(_ bytes: [UInt8]) throws {
    // Several processes may share the folder.
    let identity = ShardIdentity(digest: ContentHash(of: "a job"), index: Int(getpid()))
    let count = min(Int(bytes.first ?? 0), bytes.count / ShardLayout.recordSize)
    let list = Array(bytes.dropFirst().prefix(count * ShardLayout.recordSize))
    let pieces = Array(bytes.dropFirst(1 + list.count))
    let head = ShardLayout.head(identity)
    let end = head.count + pieces.count
    let path = file(of: head + pieces + list + ShardLayout.tail(head, list: list, at: end))
    guard let folder = try Directory.open(path.parentDirectory) else { fatalError("there is no '\(path)'") }
    _ = try folder.moveFile(path.fileName, to: folder, as: identity.fileName)
    defer { _ = try? folder.removeFile(identity.fileName) }
    do {
        let reader = try ShardReader(identity, in: folder, budget: budget)
        for piece in reader.pieces {
            precondition(piece.coordinate.isInWorld && piece.offset + piece.size <= end)
            _ = try? reader.bytes(of: piece)
        }
    } catch is ShardReader.Fault {}
    // A hash is never right by chance, so pieces are also unpacked without a check.
    _ = try unpacked.withUnsafeMutableBufferPointer { try PackedPixels.unpack(pieces, into: $0) }
}

/// Pixels of a tile that was kept.
nonisolated(unsafe) private var unpacked = [Int16](repeating: 0, count: 4 * 16 * 16)

/// The colours that a survey has counted.
private func probeColors(_ bytes: [UInt8]) throws {
    let census = ColorCensus()
    guard census.merge(bytes) else { return }
    _ = census.merge(census.bytes)
    _ = try census.palette(size: 16)
}

/// Converts a statement as `convert` does, and compares it as `verify` does.
private func probe(
    _ statement: TilesetStatement,
    limits: () throws -> [TileRange] = {
        [TileRange(zoom: 3, columns: 2...4, rows: 1...1)]
    }
) throws {
    let check = try StatementCheck(statement, floor: nil, path: "a")
    let metadata = try TilesetMetadata(reading: statement, limits: limits, path: "a")
    let documents = TilesetDocuments(metadata)
    let (found, digest) = (check.stated.limits ?? metadata.limits, metadata.contents?.digest)
    let count = metadata.contents?.tileCount ?? 1
    let other = try StatementCheck(.rows(documents.rows), floor: nil, path: "b")
    let faults =
        check.faults(limits: found, tileCount: count, digest: digest)
        + check.contradictions(of: other) + other.contradictions(of: check)
    precondition(faults.allSatisfy { !$0.problem.contains("\n") })
}

/// A request to the server: its target, `Host`, `Range` and `If-None-Match`, one per line.
private func probeRequest(_ text: String) {
    let parts = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
    let lines: [Substring] = parts + ["", "", ""]
    if let path = RequestPath(target: lines[0]) { probe(path) }
    if let authority = Authority(lines[1]) { probe(authority) }
    for size in [0, 1, 1000, Int.max] {
        guard case .part(let range) = ByteRange(lines[2], size: size) else { continue }
        precondition(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size)
    }
    let tag = EntityTag("0123456789abcdef")
    if tag.isNamed(in: lines[3]) {
        precondition(lines[3].contains("*") || lines[3].contains(tag.text))
    }
    if tag.isRange(lines[3]) { precondition(tag.isNamed(in: lines[3])) }
}

/// Decodes the bytes of a frame like both sides of a renderer's pipe.
private func probeFrames(_ bytes: [UInt8]) {
    if let request = DrawRequest(bytes) {
        precondition(request.window.width * request.window.height <= DrawRequest.mostPixels)
        precondition(DrawRequest(request.frame.payload) == request)
    }
    for pixels in [1, 4] {
        guard let drawn = PagePixels(bytes, pixels: pixels) else { continue }
        precondition(drawn.payload.count <= PagePixels.headerSize + pixels * PagePixels.bytesPerPixel)
    }
    probe(OpenRequest.self, in: bytes)
    probe(PageDescription.self, in: bytes)
    probe(RendererGreeting.self, in: bytes)
    probe(RendererFailure.self, in: bytes)
}

private func probe<Value: Codable & Equatable>(_ type: Value.Type, in bytes: [UInt8]) {
    guard let value = try? Frame(.page, bytes).decoded(as: type) else { return }
    guard let again = try? Frame(.page, describing: value) else { fatalError("\(value) has no JSON") }
    precondition((try? again.decoded(as: type)) == value)
}

private func probe(_ path: RequestPath) {
    for segment in path.segments {
        precondition(!["", ".", ".."].contains(segment))
        precondition(!segment.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f })
        precondition(!segment.utf8.contains { "/\\".utf8.contains($0) })
    }
    // Names are decoded once: encoded, they are the same names.
    let target = "/" + path.segments.map(encoded).joined(separator: "/")
    if target.utf8.count <= RequestPath.longestTarget {
        precondition(RequestPath(target: target[...]) == path)
    }
    guard let tile = RequestedTile(path) else { return }
    let coordinate = tile.coordinate
    precondition(coordinate.isInWorld)
    let address = "\(coordinate.zoom)/\(coordinate.column)/\(coordinate.row).\(tile.fileExtension)"
    precondition("\(tile.name)/\(address)" == path.segments.joined(separator: "/"))
}

/// The text with each byte in percent encoding.
private func encoded(_ text: String) -> String {
    text.utf8.map { ($0 < 16 ? "%0" : "%") + String($0, radix: 16) }.joined()
}

private func probe(_ authority: Authority) {
    precondition(Authority(authority.description) == authority)
    precondition(!authority.host.isEmpty && authority.host == authority.host.lowercased())
    let own = HostRule(listeningOn: "127.0.0.1", port: 8080, allowed: [])
    if own.admits(authority) {
        precondition(["localhost", "127.0.0.1", "[::1]"].contains(authority.host) && authority.port == 8080)
    }
    let open = HostRule(
        listeningOn: "::", port: 80, allowed: [Authority(host: "plans.example", port: nil)])
    if open.admits(authority) {
        let isOwn = authority.isAddress || authority.host == "localhost"
        precondition(isOwn && authority.port ?? 80 == 80 || authority.host == "plans.example")
    }
}

extension ContentHash {
    /// The hash's bytes at the end of a list of files.
    fileprivate var bytesInMemory: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}

extension TilesetStatement {
    /// The first byte is the kind, the rest its text: an object of JSON, or rows of a name, a tab and
    /// a value.
    fileprivate init(fuzzed bytes: [UInt8]) {
        let rest = Array(bytes.dropFirst())
        switch bytes.first {
        case UInt8(ascii: "t"): self = .tileJSON(rest)
        case UInt8(ascii: "m"): self = .metadataJSON(rest)
        case UInt8(ascii: "p"):
            let bounds = BoundingBox(minX: 2, minY: 48, maxX: 3, maxY: 49)
            self = .pmtiles(json: rest, bounds: bounds, format: .png)
        default:
            let lines = text(rest).split(separator: "\n")
            self = .rows(
                lines.map { line in
                    let parts = line.split(
                        separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
                    return MetadataRow(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
                })
        }
    }
}

extension GeoTIFFTags {
    /// Five counts of a byte each, then the tags' numbers in the same order, and text: see `make_seeds.py`.
    fileprivate init(fuzzed bytes: [UInt8]) {
        self.init()
        var rest = bytes.dropFirst(5)
        let counts = bytes.prefix(5).map(Int.init) + [0, 0, 0, 0, 0]
        func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
            let size = MemoryLayout<Number>.size
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size).reversed().reduce(0) { $0 << 8 | Number($1) }
        }
        func doubles(_ count: Int) -> [Double] {
            (0..<count).map { _ in Double(bitPattern: number(UInt64.self)) }
        }
        pixelScale = doubles(counts[0])
        tiepoints = doubles(counts[1])
        transformation = doubles(counts[2])
        doubleParameters = doubles(counts[3])
        keyDirectory = (0..<counts[4]).map { _ in number(UInt16.self) }
        asciiParameters = text(Array(rest))
    }
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// Writes bytes to this process's own file, and returns its path.
private func file(of bytes: [UInt8]) -> String {
    guard let file = fopen(path, "wb"), fwrite(bytes, 1, bytes.count, file) == bytes.count,
        fclose(file) == 0
    else { fatalError("cannot write '\(path)'") }
    return path
}

/// In memory if the system has a file system for this.
private let path =
    (access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") + "/tilewright-fuzz-\(getpid())"

/// The last part of a path.
private func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? ""
}
