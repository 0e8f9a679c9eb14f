import Foundation
import Platform

/// Options of other programs that make tiles, and their equivalents in tilewright.
enum OptionAliases {
    /// The programs whose options are listed completely. The page of options shows these tables.
    static let programs = [gdal2tiles, gdalRasterTile, dzsave]

    /// The advice on an option that a command does not have, or whose value it refuses.
    ///
    /// - Parameters:
    ///   - option: the option as it was given, without its value.
    ///   - value: its value, or the word after the option.
    ///   - options: the options of the command.
    /// - Returns: what to write instead; nil if no program has the option, or the command does not have
    ///   what would be written.
    static func advice(on option: String, value: String?, forCommandWith options: [String]) -> String? {
        let found = programs.flatMap { program in
            program.options.filter { $0.names.contains(option) }.map { (program.name, $0) }
        }
        let ofValue = found.compactMap { name, alias in
            value.flatMap(alias.equivalent(ofValue:)).map { (name, $0) }
        }
        let ofOption = found.map { ($0, $1.equivalent) }.filter { !$1.isOption(option) }
        let answers = (ofValue.isEmpty ? ofOption : ofValue).filter { $1.isPossible(with: options) }
        let remedies = answers.compactMap { name, equivalent in equivalent.remedy.map { (name, $0) } }
        guard let first = remedies.first?.1 else { return adviceOnOthers(option, forCommandWith: options) }
        if remedies.allSatisfy({ $0.1 == first }) { return first }
        return remedies.map { "for \($0)'s: \($1)" }.joined(separator: "; ")
    }

    /// The advice on an option of gdalwarp, gdal_translate, tippecanoe and web servers.
    private static func adviceOnOthers(_ option: String, forCommandWith options: [String]) -> String? {
        // In commands that have --max-zoom, --zoom and --bearing are the camera's.
        let table = options.contains("--max-zoom") ? others.merging(cameraOthers) { $1 } : others
        return table[option].map { Equivalent.option($0) }
            .flatMap { $0.isPossible(with: options) ? $0.remedy : nil }
    }

    /// The advice that differs for commands with a camera.
    private static let cameraOthers = others.filter { $1 == zooms || $1 == bearing }.mapValues {
        $0 == zooms ? "--min-zoom MIN and --max-zoom MAX" : "--bearing DEGREES"
    }
    static let zooms = "--zoom MIN-MAX"
    private static let bearing = "--bearing DEGREES, with --anchor and --scale"

    private static let others = [
        "--bbox": "--bounds W,S,E,N", "--extent": "--bounds W,S,E,N", "--a_ullr": "--bounds W,S,E,N",
        "--s-srs": "--crs EPSG:CODE", "--srs": "--crs EPSG:CODE", "--a_srs": "--crs EPSG:CODE",
        "--input-crs": "--crs EPSG:CODE", "--epsg": "--crs EPSG:CODE",
        "--minzoom": zooms, "--maxzoom": zooms, "--minimum-zoom": zooms, "--maximum-zoom": zooms,
        "--zooms": zooms, "--threads": "--jobs N", "--parallel": "--jobs N", "--tms": "--scheme tms",
        "--overwrite": "--force for an output not made by tilewright; its own outputs are updated anyway",
        "--output-dir": "--output FOLDER", "--out": "--output OUTPUT", "--rotate": bearing,
        "--rotation": bearing, "--colors": "--palette N", "--dstnodata": "--background '#rrggbb'",
        "--port": "--listen 127.0.0.1:PORT", "--bind": "--listen HOST:PORT", "--host": "--listen HOST:PORT",
    ]

    /// The tables as JSON, for the page of options and for tests.
    static func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(programs), as: UTF8.self)
    }
}

/// A program that makes tiles, and all options that its help lists.
struct OtherProgram: Encodable, Sendable {
    let name: String
    /// The versions whose options are listed.
    let versions: String
    let options: [OptionAlias]
}

/// An option of another program, and its equivalent.
struct OptionAlias: Encodable, Sendable {
    /// A value of the option that has its own equivalent.
    struct Value: Encodable, Sendable {
        /// Words that mean the same.
        let names: [String]
        let equivalent: Equivalent
    }

    let names: [String]
    let equivalent: Equivalent
    let values: [Value]

    init(_ names: String..., is equivalent: Equivalent, values: [Value] = []) {
        self.init(names, is: equivalent, values: values)
    }

    init(_ names: [String], is equivalent: Equivalent, values: [Value] = []) {
        (self.names, self.equivalent, self.values) = (names, equivalent, values)
    }

    /// The equivalent of the option with a value that has its own; options of libvips may follow the value in
    /// brackets.
    func equivalent(ofValue value: String) -> Equivalent? {
        let word = value.prefix { $0 != "[" }.lowercased()
        return values.first { $0.names.contains { $0.lowercased() == word } }?.equivalent
    }
}

/// What replaces an option of another program, or a value.
enum Equivalent: Sendable, Equatable {
    /// The option exists and means the same.
    case same
    /// Options to write.
    case option(String)
    /// A command to run, and when.
    case command(String)
    /// The reason why nothing needs to be written.
    case unneeded(String)
    /// The reason why there is no equivalent, and the way out.
    case missing(String)

    /// The second line of an error; nil if the option is not an error.
    var remedy: String? {
        switch self {
        case .same: nil
        case .option(let text): "write \(text)"
        case .command(let text): "run \(text)"
        case .unneeded(let reason): "no option is needed: \(reason)"
        case .missing(let reason): "there is no equivalent: \(reason)"
        }
    }

    /// Whether it is the same option, only with other values.
    func isOption(_ name: String) -> Bool {
        if case .option(let text) = self { text.hasPrefix(name + " ") } else { false }
    }

    /// Whether a command has the options that the text names. Commands in the text have their own.
    func isPossible(with options: [String]) -> Bool {
        let text: String
        switch self {
        case .same, .command: return true
        case .option(let words), .unneeded(let words), .missing(let words): text = words
        }
        return text.split { !($0.isLetter || $0 == "-") }.map(String.init)
            .filter { $0.hasPrefix("--") }.allSatisfy(options.contains)
    }
}

extension Equivalent: Encodable {
    private enum CodingKeys: CodingKey { case kind, text }

    func encode(to encoder: any Encoder) throws {
        let (kind, text) =
            switch self {
            case .same: ("same", "")
            case .option(let text): ("option", text)
            case .command(let text): ("command", text)
            case .unneeded(let text): ("unneeded", text)
            case .missing(let text): ("missing", text)
            }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(text, forKey: .text)
    }
}
