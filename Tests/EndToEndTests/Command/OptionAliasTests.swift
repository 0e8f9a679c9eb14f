import Foundation
import TestSupport
import Testing

/// The tables of other programs' options: they are complete, and each line is what the program says.
struct OptionAliasTests {
    @Test("The tables list the options that the programs' helps list, and no others", arguments: Help.all)
    private func isComplete(_ help: Help) throws {
        let names = try Table.listed(for: help.program).options.flatMap(\.names)
        #expect(names.count == Set(names).count)
        let installed = try help.installed()
        let source = installed == nil ? "as recorded" : "as recorded, and as installed"
        #expect(Set(names) == Set(help.names.flatMap(\.value)).union(installed ?? []), "\(source)")
    }

    @Test("Each option of another program works, or an error says what to write", arguments: Help.all)
    private func saysWhatToWrite(_ help: Help) throws {
        let workshop = try Workshop()
        let known = try Declarations.read()["build"] ?? []
        let table = try Table.listed(for: help.program)
        for line in table.options.flatMap({ $0.commandLines(ifKnown: known) }).some(25) {
            let outcome = try run(line.words, in: workshop)
            let said = outcome.errors.split(separator: "\n")
            if let text = line.remedy {
                #expect(outcome.status == 64 && said.count == 2, "\(line) \(outcome.errors)")
                let option = line.words[0].prefix { $0 != "=" }
                #expect(said.first?.contains("'\(option)") ?? false, "\(line) \(outcome.errors)")
                #expect(!text.isEmpty && said.last?.contains(text) ?? false, "\(line) \(outcome.errors)")
            } else {
                #expect(outcome.status == 0, "\(line) \(outcome.errors)")
            }
        }
        // These options exist with another meaning, and were tried with what other programs write.
        let others = table.options.flatMap { option in
            option.names.filter { known.contains($0) && !option.equivalent.isSame(as: $0) }
        }
        #expect(Set(others).isSubset(of: ["--kml", "-j", "--layout"]))
    }

    private func run(_ words: [String], in workshop: Workshop) throws -> Tool.Outcome {
        try workshop.run(["plan.png", "--bounds", Workshop.bounds, "--dry-run"] + words)
    }

    @Test("The options and commands that the tables name exist")
    func namesExist() throws {
        let declared = try Declarations.read()
        for program in try Table.read() {
            let told = program.options.flatMap { [$0.equivalent] + $0.values.map(\.equivalent) }
            for text in told.map(\.text) {
                let commands = text.matches(of: /'tilewright ([a-z]+)/).map { String($0.1) }
                #expect(commands.allSatisfy { declared[$0] != nil }, "\(text)")
                let options = Set((commands + ["build"]).flatMap { declared[$0] ?? [] })
                let named = text.matches(of: /--[a-z-]+/).map { String($0.0) }
                #expect(Set(named).isSubset(of: options.union(["--help"])), "\(text)")
            }
        }
    }

    @Test(
        "Values that the tables tell to write are accepted",
        arguments: [
            "--resampling", "--overview-resampling", "--tile-size", "--scheme", "--doc-kml", "--template",
        ])
    func valuesAreAccepted(_ option: String) throws {
        let workshop = try Workshop()
        let texts = try Table.read().flatMap(\.options).flatMap(\.values).map(\.equivalent.text)
        let values = texts.compactMap { text in
            text.firstRange(of: "\(option) ").map { range in
                text[range.upperBound...].prefix { $0 != " " && $0 != "," }.trimmingPrefix("'")
            }
        }
        for value in Set(values) {
            let word = value.hasSuffix("'") ? value.dropLast() : value
            let outcome = try run([option, String(word)], in: workshop)
            #expect(outcome.status == 0, "\(option) \(word): \(outcome.errors)")
        }
    }
}

/// The tables, as the program says them.
private struct Table: Decodable {
    struct Equivalent: Decodable {
        var kind: String
        var text: String

        /// Whether the option means the same, apart from some values.
        func isSame(as name: String) -> Bool { kind == "same" || text.hasPrefix("\(name) ") }
    }

    struct Value: Decodable {
        var names: [String]
        var equivalent: Equivalent
    }

    struct Option: Decodable {
        var names: [String]
        var equivalent: Equivalent
        var values: [Value]

        /// The ends of command lines with this option: alone, with values, and with values joined to it.
        ///
        /// - Parameter known: the options of the command, which refuses the others.
        func commandLines(ifKnown known: Set<String>) -> [(words: [String], remedy: String?)] {
            names.flatMap { name in
                let alone =
                    equivalent.isSame(as: name)
                    ? ([name] + (Self.samples[name].map { [$0] } ?? []), nil) : ([name], equivalent.text)
                let separate = values.flatMap { value in
                    value.names.map { ([name, $0], value.equivalent.text as String?) }
                }
                let joint = name.hasPrefix("--") ? "=" : known.contains(name) ? nil : ""
                let joined = joint.map { joint in separate.map { (["\($0[0])\(joint)\($0[1])"], $1) } } ?? []
                return [alone] + separate + joined
            }
        }

        /// Values for options that mean the same in another program, as its users write them.
        private static let samples = [
            "-z": "15-16", "--zoom": "15-", "--resampling": "cubic", "--overview-resampling": "lanczos",
            "-o": "out", "--output": "out", "--format": "JPEG", "--tile-size": "512",
            "--url": "https://tiles.example.org/plan", "--background": "#ffffff", "--progress": "none",
        ]
    }

    var name: String
    var options: [Option]

    static func read() throws -> [Table] {
        let said = try Program.succeed(["--experimental-dump-aliases"]).output
        return try JSONDecoder().decode([Table].self, from: Data(said.utf8))
    }

    static func listed(for program: String) throws -> Table {
        try #require(try read().first { $0.name == program })
    }
}

/// The options of the program's commands.
private enum Declarations {
    private struct Dump: Decodable {
        var command: Command
    }

    private struct Command: Decodable {
        var commandName: String
        var subcommands: [Command]?
        var arguments: [Argument]?
    }

    private struct Argument: Decodable {
        var names: [Name]?
    }

    private struct Name: Decodable {
        var kind: String
        var name: String
    }

    /// The options by the name of their command.
    static func read() throws -> [String: Set<String>] {
        let said = try Program.succeed(["--experimental-dump-help"]).output
        let commands = try JSONDecoder().decode(Dump.self, from: Data(said.utf8)).command.subcommands ?? []
        return Dictionary(
            uniqueKeysWithValues: commands.map { command in
                let names = (command.arguments ?? []).flatMap { $0.names ?? [] }
                return (
                    command.commandName, Set(names.map { ($0.kind == "short" ? "-" : "--") + $0.name })
                )
            })
    }
}

/// What the help of another program lists.
private struct Help: CustomTestStringConvertible {
    var program: String
    /// The options by the versions that they were taken from.
    var names: [String: [String]]
    /// The command that prints the help, if the program is installed.
    var command: [String]
    /// The options in a help.
    var options: @Sendable (_ help: String) -> [String]

    var testDescription: String { program }

    /// The options of the program that is installed here; nil if there is none.
    func installed() throws -> [String]? {
        guard Tool.path(command[0]) != nil else { return nil }
        let outcome = try Tool.run(command[0], Array(command.dropFirst()))
        let found = options(outcome.output + outcome.errors)
        return found.isEmpty ? nil : found
    }

    static let all = [
        Help(
            program: "gdal2tiles.py",
            names: [
                "3.6.2": words(
                    """
                    --version -h --help -p --profile -r --resampling -s --s_srs -z --zoom -e --resume -a --srcnodata
                    -d --tmscompatible --xyz -v --verbose -x --exclude -q --quiet --processes --mpi --tilesize
                    --tiledriver -k --force-kml -n --no-kml -u --url -w --webviewer -t --title -c --copyright
                    -g --googlekey -b --bingkey --mapml-template --webp-quality --webp-lossless
                    """),
                "3.13.3": words(
                    """
                    --legacy --excluded-values --excluded-values-pct-threshold --nodata-values-pct-threshold
                    --jpeg-quality
                    """),
            ],
            command: ["gdal2tiles.py", "--help"], options: dashed),
        Help(
            program: "gdal raster tile",
            names: [
                "3.12.4": words(
                    """
                    -h --help --json-usage --config -q --quiet --if --input-format --oo --open-option -i --input
                    --dataset -f --of --format --output-format --co --creation-option -o --output --tiling-scheme
                    --min-zoom --max-zoom --min-x --max-x --min-y --max-y --no-intersection-ok -r --resampling
                    --overview-resampling --convention --tile-size --add-alpha --no-alpha --dst-nodata --skip-blank
                    --metadata --copy-src-metadata --aux-xml --kml --resume -j --num-threads --parallel-method
                    --excluded-values --excluded-values-pct-threshold --nodata-values-pct-threshold --webviewer
                    --url --title --copyright --mapml-template
                    """),
                "3.11.4": words("--progress"),
            ],
            command: ["gdal", "raster", "tile", "--help"], options: dashed),
        Help(
            program: "vips dzsave",
            names: [
                "8.14.1": words(
                    """
                    --basename --layout --suffix --overlap --tile-size --centre --depth --angle --container
                    --compression --region-shrink --skip-blanks --no-strip --id --strip --background --page-height
                    """),
                "8.18.7": words("--imagename --Q --keep --profile"),
            ],
            command: ["vips", "dzsave"],
            options: { help in
                let all = help.components(separatedBy: "optional arguments:").last ?? ""
                return all.split(separator: "\n").compactMap { line in
                    line.firstMatch(of: #/^ {3}(\w[\w-]*) +- /#).map { "--\($0.1)" }
                }
            }),
    ]

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// The options at the beginnings of lines: `  -r RESAMPLING, --resampling=RESAMPLING`.
    @Sendable private static func dashed(_ help: String) -> [String] {
        help.split(separator: "\n").filter { $0.drop { $0 == " " }.hasPrefix("-") }.flatMap { line in
            let head = String(line.drop { $0 == " " }).components(separatedBy: "  ")[0]
            return head.components(separatedBy: ", ").filter { $0.hasPrefix("-") }.map { name in
                String(name.prefix { $0 != " " && $0 != "=" })
            }
        }
    }
}
