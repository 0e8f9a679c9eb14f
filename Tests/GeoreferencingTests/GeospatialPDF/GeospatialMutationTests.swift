import Platform
import Georeferencing
import TestSupport
import Testing
import Tiling

/// Values as damage and malice leave them: whatever they are, there is a position or a clause.
@Suite struct GeospatialMutationTests {
    private static let oddNumbers = [
        0, -0.0, 1, -1, 0.5, 90, 91, 180, -180, 360, 400, 1e-300, .leastNonzeroMagnitude, 1e9, -1e9, 1e18,
        1e300, -1e300,
        .greatestFiniteMagnitude, .nan, .infinity, -.infinity, .ulpOfOne,
    ]
    private static let oddTexts = [
        "", " ", "nan", "inf", "1e999", "-1e308", "0x10", "W", "N N", "1 2 3 4W", "99999999999999999999",
        "18",
        "\u{0}", "\"],[", "UT", "TC", "GEOGRAPHIC", "WGE", "NAS-", "-", "é", "USSF", "S",
        "PROJCS[", "EPSG:4326", "+proj=utm +zone=99", String(repeating: "9", count: 400),
    ]

    private static func mutate(_ list: [Double]?, _ random: inout SplitMix) -> [Double]? {
        guard var list, !list.isEmpty else { return Bool.random(using: &random) ? nil : [oddNumber(&random)] }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return nil
        case 1: list.removeLast()
        case 2: list.append(oddNumber(&random))
        case 3: list = list.map { _ in oddNumber(&random) }
        case 4:
            list[Int.random(in: list.indices, using: &random)] *= Double.random(in: -3...3, using: &random)
        default: list[Int.random(in: list.indices, using: &random)] = oddNumber(&random)
        }
        return list
    }

    private static func oddNumber(_ random: inout SplitMix) -> Double {
        oddNumbers.randomElement(using: &random) ?? 0
    }

    private static func mutate(_ entries: [String: String], _ random: inout SplitMix) -> [String: String] {
        var entries = entries
        let keys = entries.keys.sorted() + ["Zone", "Datum", "ProjectionType", "Units", "Datum.Ellipsoid"]
        guard let key = keys.randomElement(using: &random) else { return entries }
        entries[key] =
            Int.random(in: 0..<4, using: &random) == 0 ? nil : oddTexts.randomElement(using: &random)
        return entries
    }

    private static func mutate(_ part: GeospatialPart, _ random: inout SplitMix) -> GeospatialPart {
        var part = part
        switch part.form {
        case .measure(var measure):
            switch Int.random(in: 0..<6, using: &random) {
            case 0: measure.box = mutate(measure.box, &random)
            case 1: measure.bounds = mutate(measure.bounds, &random)
            case 2: measure.groundPoints = mutate(measure.groundPoints, &random)
            case 3: measure.boxPoints = mutate(measure.boxPoints, &random)
            case 4:
                measure.system.epsg =
                    [nil, 0, -1, .max, .min, 4326, 3857, 2154].randomElement(using: &random) ?? nil
            default: measure.system.wkt = oddTexts.randomElement(using: &random)
            }
            part.form = .measure(measure)
        case .lgiDict(var dictionary):
            switch Int.random(in: 0..<4, using: &random) {
            case 0: dictionary.matrix = mutate(dictionary.matrix, &random)
            case 1: dictionary.neatline = mutate(dictionary.neatline, &random)
            case 2:
                dictionary.matrix = nil
                dictionary.registration = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
                    mutate([1, 2, 3, 4], &random) ?? []
                }
            default: dictionary.projection = mutate(dictionary.projection, &random)
            }
            part.form = .lgiDict(dictionary)
        }
        return part
    }

    /// PROJ takes milliseconds for a system; most rounds bring theirs along.
    private static func system(_ round: Int) -> CRS? {
        round % 8 == 0 ? nil : [.wgs84, .webMercator][round % 2]
    }

    @Test("six thousand damaged parts never trap: they are refused in a clause or make a map", .long)
    func mutations() throws {
        var random = SplitMix(seed: 12)
        let samples = GeospatialSample.all
        var (maps, refusals) = (0, 0)
        for round in 0..<6000 {
            let sample = try #require(samples.isEmpty ? nil : samples[round % samples.count])
            var parts = [sample.part]
            if round % 7 == 0 { parts.append(samples[(round * 31) % samples.count].part) }
            for _ in 0..<Int.random(in: 1...3, using: &random) { parts[0] = Self.mutate(parts[0], &random) }
            var page = sample.pointsFromUnits()
            if round % 50 == 0 { page.a = Self.oddNumber(&random) }
            do {
                let found = try GeospatialPDF(parts, pointsFromUnits: page, crs: Self.system(round))
                guard let found else { continue }
                maps += 1
                #expect(found.georeference.pixelToCRS(Point(x: 100, y: 100)).isFinite)
                #expect(found.neatline?.allSatisfy(\.isFinite) ?? true)
                #expect(!found.warnings.contains { $0.contains("\n") })
            } catch let failure as Failure {
                refusals += 1
                #expect(!failure.message.isEmpty && !failure.message.contains("\n"), "\(failure)")
            }
        }
        #expect(maps > 1000 && refusals > 1000, "\(maps) maps, \(refusals) refusals")
    }
}
