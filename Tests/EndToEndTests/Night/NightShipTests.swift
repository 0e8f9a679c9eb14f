import Foundation
import TestSupport
import Testing

/// `Examples/Night/ship.sh` and `receive.sh`: nights of a server and its devices.
@Suite(.needs("flock", "curl", "sha256sum"))
struct NightShipTests {
    private let night: NightFolder

    init() throws { night = try NightFolder("ship.sh", "receive.sh") }

    private func ship(_ ending: String, mark: Int, name: String = "Plan", keep: Int = 7) throws {
        try night.draw("plan", mark: mark)
        let build = "tilewright plans/plan.png -q -o site.\(ending) --name '\(name)'"
        let outcome = try night.run("\(build) && KEEP=\(keep) ./ship.sh site.\(ending) www")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func receive(_ device: String) throws -> Tool.Outcome {
        try night.run("./receive.sh \(device) \(night.workshop.file("www").absoluteString)")
    }

    /// The same while whole archives cannot be fetched.
    private func receiveByPatch(_ device: String) throws -> Tool.Outcome {
        let wholes = try night.names("whole-", in: "www")
        try #require(night.run("mkdir hidden && mv www/whole-* hidden").status == 0)
        let outcome = try receive(device)
        try #require(night.run("mv hidden/* www && rmdir hidden").status == 0)
        #expect(try night.names("whole-", in: "www") == wholes)
        return outcome
    }

    /// Expects the device to have the tiles and labels of the server, and nothing left beside them.
    private func expectNewest(_ device: String, _ ending: String) throws {
        let convert = "tilewright convert -q --force"
        let compare =
            "\(convert) \(device) a.pmtiles && \(convert) site.\(ending) b.pmtiles && cmp a.pmtiles b.pmtiles"
        let outcome = try night.run(compare)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(try night.names("\(device).received").isEmpty)
    }

    @Test("Devices get patches, or the whole archive if there is none", arguments: ["mbtiles", "pmtiles"])
    func nights(ending: String) throws {
        let devices = ["one.\(ending)", "two.\(ending)"]
        try ship(ending, mark: 20)
        for device in devices {
            let outcome = try receive(device)
            #expect(outcome.status == 0, "\(outcome.errors)")
            try expectNewest(device, ending)
        }
        try ship(ending, mark: 60)
        #expect(try receiveByPatch(devices[0]).status == 0)
        try expectNewest(devices[0], ending)
        // A night without news publishes nothing, and a device with the newest version fetches nothing.
        let before = try FileIdentities(of: night.workshop.file("www"))
        try ship(ending, mark: 60)
        #expect(
            try FileIdentities(of: night.workshop.file("www")).identities.filter { $0.key != ".lock" }
                == before.identities.filter { $0.key != ".lock" })
        #expect(try receiveByPatch(devices[0]).status == 0)

        // Only the name changes: the tiles are the same. One device is two nights behind.
        try ship(ending, mark: 60, name: "New")
        for device in devices {
            let outcome = try receiveByPatch(device)
            #expect(outcome.status == 0, "\(outcome.errors)")
            try expectNewest(device, ending)
        }
        // The plan is again as it was two nights ago.
        try ship(ending, mark: 20)
        #expect(try receiveByPatch(devices[0]).status == 0)
        try expectNewest(devices[0], ending)

        // Another one has changed the file: it gets the whole.
        try #require(night.run("tilewright plans/plan.png -q --force --zoom 17 -o \(devices[0])").status == 0)
        #expect(try receiveByPatch(devices[0]).status == 1)
        #expect(try receive(devices[0]).status == 0)
        try expectNewest(devices[0], ending)
        try night.workshop.write("cut off".utf8, to: devices[1])
        #expect(try receive(devices[1]).status == 0)
        try expectNewest(devices[1], ending)
    }

    @Test("Old versions go, and a patch that is larger than the archive is not offered")
    func keeping() throws {
        for mark in [20, 60, 100, 140] { try ship("pmtiles", mark: mark, keep: 2) }
        #expect(try night.names("whole-", in: "www").count == 3)
        #expect(try night.names("patch-", in: "www").count == 2)
        let build = "tilewright plans/plan.png -q --force -o site.pmtiles --zoom 15"
        #expect(try night.run("\(build) && KEEP=2 ./ship.sh site.pmtiles www").status == 0)
        #expect(try night.text("www/list").split(separator: "\n").map { $0.prefix(6) } == ["whole "])
        #expect(try night.names("patch-", in: "www").isEmpty)
    }

    @Test("A device whose network is cut off keeps its version, and goes on from there")
    func network() throws {
        try ship("mbtiles", mark: 20)
        let curl = try #require(Tool.path("curl"))
        // Half a file, and only of those that are long.
        let cut = """
            for word; do :; done
            case $word in *whole-*|*patch-*)
                while [ $# -gt 1 ]; do [ "$1" != -o ] || out=$2; shift; done
                size=$('\(curl)' -fsS "$word" | wc -c)
                '\(curl)' -fsS "$word" | head -c $((size / 2)) > "$out"; exit 18 ;;
            *) exec '\(curl)' "$@" ;;
            esac
            """
        try night.install("curl", cut)
        let first = try receive("device.mbtiles")
        #expect(first.status == 1 && first.errors.contains("did not arrive"), "\(first.errors)")
        #expect(!night.workshop.has("device.mbtiles"))
        // The rest alone is fetched now.
        let note = #"case "$*" in *whole-*) wc -c device.mbtiles.received/whole-* > had ;; esac"#
        try night.install("curl", "\(note); exec '\(curl)' \"$@\"")
        #expect(try receive("device.mbtiles").status == 0)
        #expect(try !night.text("had").hasPrefix("0 "))
        try expectNewest("device.mbtiles", "mbtiles")

        try ship("mbtiles", mark: 60)
        let before = try Data(contentsOf: night.workshop.file("device.mbtiles"))
        try night.install("curl", cut)
        #expect(try receive("device.mbtiles").status == 1)
        #expect(try Data(contentsOf: night.workshop.file("device.mbtiles")) == before)
        try FileManager.default.removeItem(at: night.workshop.file("bin"))
        #expect(try receiveByPatch("device.mbtiles").status == 0)
        try expectNewest("device.mbtiles", "mbtiles")
        try night.workshop.write("<html>Log in</html>\n".utf8, to: "www/list")
        #expect(try receive("device.mbtiles").status == 65)
    }

    @Test("Servers and devices that are killed at any moment go on", arguments: ["mbtiles", "pmtiles"])
    func kills(ending: String) throws {
        let device = "device.\(ending)"
        try ship(ending, mark: 20)
        #expect(try receive(device).status == 0)
        var random = SplitMix(seed: 3)
        for mark in 1...(TestRun.isComplete ? 30 : 4) {
            try night.draw("plan", mark: 20 + 4 * mark)
            try #require(night.run("tilewright plans/plan.png -q -o site.\(ending)").status == 0)
            let address = night.workshop.file("www").absoluteString
            for command in ["./ship.sh site.\(ending) www", "./receive.sh \(device) \(address)"] {
                let run = try night.start(command)
                usleep(UInt32(random.next() % 400_000))
                _ = run.end(with: SIGKILL)
                // The device always has a whole archive. What a kill has left may hold the lock for a moment.
                #expect(try night.run("tilewright verify -q \(device)").status == 0)
                var status: Int32 = 75
                while status == 75 { status = try night.run(command).status }
                #expect(status == 0)
            }
            try expectNewest(device, ending)
        }
    }
}
