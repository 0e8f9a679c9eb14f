import ArgumentParser
import Diagnostics
import Raster
import Tiling

/// What of an image counts.
struct ImageOptions: ParsableArguments {

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Leaves out a sheet's margin and title block.", valueName: "COL,ROW,WIDTH,HEIGHT"),
        transform: { try PixelWindow(parsingCrop: $0) })
    var crop: PixelWindow?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "A colour, in sRGB, that becomes transparent before any resampling.",
            valueName: "R,G,B[,TOLERANCE]"),
        transform: { try NodataColor(parsing: $0) })
    var nodata: NodataColor?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Bands to take, counted from 1: one for gray, or three, and one more for alpha.",
            valueName: "N[,N,N[,N]]"),
        transform: { try BandNumbers(parsing: $0) })
    var bands: BandNumbers?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Sample values that become black and white. (default: a type's of up to 8 bits, the data's of more)",
            valueName: "MIN,MAX"),
        transform: { try SampleRange(parsing: $0) })
    var rescale: SampleRange?

    @Flag(help: "Take the file's numbers as sRGB, whatever colours it says that they are.")
    var keepColors = false
}

/// The argument of `--bands`.
struct BandNumbers: Hashable {
    /// Counted from 1: one, two, three or four of them.
    var numbers: [Int]

    /// Reads numbers with commas between them.
    init(parsing text: String) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        numbers = parts.compactMap { Int($0.trimmed) }
        guard numbers.count == parts.count, 1...4 ~= numbers.count,
            numbers.allSatisfy({ 1...65535 ~= $0 })
        else {
            throw Failure(
                .usage, "the bands '\(text)' are not one to four numbers from 1 on",
                remedy: "3,2,1 takes the third band as red; 1 makes gray, and 1,2,3,4 ends in alpha"
            )
        }
    }
}

/// The argument of `--rescale`.
struct SampleRange: Hashable {
    /// Not empty.
    var range: ClosedRange<Double>

    /// Reads `MIN,MAX`.
    init(parsing text: String) throws {
        let numbers = try NumberList.parse(text, names: ["MIN", "MAX"])
        guard numbers[0] < numbers[1] else {
            throw Failure(
                .usage, "the range '\(text)' is empty: MIN is not below MAX",
                remedy: "give the value of black first, as 200,3000")
        }
        range = numbers[0]...numbers[1]
    }
}

extension PixelWindow {
    /// Reads `COL,ROW,WIDTH,HEIGHT` in whole pixels.
    init(parsingCrop text: String) throws {
        let names = ["COL", "ROW", "WIDTH", "HEIGHT"]
        let numbers = try NumberList.parse(text, names: names).map { Int(exactly: $0) ?? -1 }
        guard numbers[0] >= 0, numbers[1] >= 0, numbers[2] > 0, numbers[3] > 0,
            numbers.allSatisfy({ $0 < 1 << 31 })
        else {
            throw Failure(
                .usage, "the crop '\(text)' is no window of whole pixels",
                remedy: "give COL,ROW,WIDTH,HEIGHT, as 120,80,3000,2000")
        }
        self.init(
            columns: numbers[0]..<numbers[0] + numbers[2],
            rows: numbers[1]..<numbers[1] + numbers[3])
    }
}

extension NodataColor {
    /// Reads `R,G,B` or `R,G,B,TOLERANCE`, each 0 to 255.
    init(parsing text: String) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Int($0.trimmed) ?? -1 }
        guard 3...4 ~= parts.count, parts.allSatisfy({ 0...255 ~= $0 }) else {
            throw Failure(
                .usage, "the nodata colour '\(text)' is not R,G,B or R,G,B,TOLERANCE",
                remedy: "white paper is 255,255,255, and with scanner noise 255,255,255,8")
        }
        self.init(
            red: UInt8(parts[0]), green: UInt8(parts[1]), blue: UInt8(parts[2]),
            tolerance: parts.count == 4 ? parts[3] : 0)
    }
}
