import Foundation
import TestSupport
import Testing

/// `Examples/Night/purge.sh`, with caches that fail.
@Suite(.needs("flock"))
struct NightPurgeTests {
    /// Notes each address and the number of the night in which it was purged.
    private static let note = #"echo "$1 $(cat night)" >> purged"#

    private let night: NightFolder

    init() throws { night = try NightFolder("purge.sh") }

    private func setPending(_ addresses: [String]) throws {
        let lines = addresses.map { "changed \($0)\n" }.joined()
        let old = night.workshop.has("pending") ? try night.text("pending") : ""
        try night.workshop.write((old + lines).utf8, to: "pending")
    }

    @Test("What fails stays in the queue, and only that")
    func queue() throws {
        try night.install("forget", #"case $2 in *b*) exit 1 ;; esac; echo "$@" >> purged"#)
        try setPending(["https://e.org/a.png", "https://e.org/b.png", "https://e.org/it's.json"])
        let first = try night.run("./purge.sh", "PURGE=forget -x")
        #expect(first.status == 1 && first.errors.contains("1 addresses are left"), "\(first.errors)")
        #expect(try night.text("purged") == "-x https://e.org/a.png\n-x https://e.org/it's.json\n")
        #expect(try night.text("purge-queue") == "https://e.org/b.png\n" && !night.workshop.has("pending"))
        try night.install("forget", #"echo "$@" >> purged"#)
        try setPending(["https://e.org/a.png"])
        #expect(try night.run("./purge.sh", "PURGE=forget").status == 0)
        #expect(try night.text("purged").hasSuffix("\nhttps://e.org/b.png\nhttps://e.org/a.png\n"))
        #expect(try night.text("purge-queue").isEmpty)
        #expect(try night.names("purge-queue") == ["purge-queue", "purge-queue.lock"])
    }

    @Test("What a killed purge has taken is purged together with what is pending since")
    func taken() throws {
        try night.install("forget", #"echo "$@" >> purged"#)
        try night.workshop.write("changed a\n".utf8, to: "purge-queue.taken")
        try setPending(["b", "a"])
        #expect(try night.run("./purge.sh", "PURGE=forget").status == 0)
        #expect(try night.text("purged") == "a\nb\n" && !night.workshop.has("pending"))
    }

    @Test("A cache that does not answer is not asked for every address")
    func noAnswer() throws {
        try night.install("forget", "echo >> asked; exit 1")
        let addresses = (0..<100).map { "https://e.org/\($0).png" }
        try setPending(addresses)
        #expect(try night.run("./purge.sh", "PURGE=forget").status == 1)
        #expect(try night.text("asked").count == 20)
        #expect(try night.text("purge-queue").split(separator: "\n").map(String.init) == addresses)
    }

    @Test("A second purge at the same time leaves everything to the first")
    func together() throws {
        try night.install("forget", "touch begun; until [ -e go ]; do sleep 0.01; done; echo $1 >> purged")
        try setPending(["a"])
        let first = try night.start("./purge.sh", "PURGE=forget")
        while first.isRunning, !night.workshop.has("begun") { usleep(2000) }
        try setPending(["b"])
        #expect(try night.run("./purge.sh", "PURGE=forget").status == 75)
        #expect(try night.text("pending") == "changed b\n")
        try night.workshop.write([], to: "go")
        #expect(first.wait() == 0)
        #expect(try night.text("purged") == "a\n")
    }

    @Test("Purges that fail at random, and are killed at any moment, forget no address")
    func kills() throws {
        try night.install(
            "forget",
            """
            case $(od -An -N1 -tu1 /dev/urandom) in
            *0|*1) exit 1 ;;
            *2) kill -9 $PPID; exit 1 ;;
            *3) \(Self.note); kill -9 $PPID ;;
            *) \(Self.note) ;;
            esac
            """)
        var random = SplitMix(seed: 5)
        var due: [String: Int] = [:]
        var kills = 0
        for number in 1...(TestRun.isComplete ? 100 : 15) {
            // In one step: a purge command whose purge.sh was killed may still read it.
            try Data("\(number)".utf8).write(to: night.workshop.file("night"), options: .atomic)
            let addresses = (0..<8).map { _ in "https://e.org/\(random.next() % 40).png" }
            try setPending(addresses)
            for address in addresses { due[address] = number }
            let run = try night.start("./purge.sh", "PURGE=forget")
            if random.next() % 2 == 0 {
                usleep(UInt32(random.next() % 60_000))
                if run.end(with: SIGKILL) == -SIGKILL { kills += 1 }
            } else if run.wait() == -SIGKILL {
                kills += 1
            }
        }
        #expect(kills > 0)
        try night.install("forget", Self.note)
        var status: Int32 = 75
        // What a kill has left may still hold the lock for a moment.
        while status == 75 { status = try night.run("./purge.sh", "PURGE=forget").status }
        #expect(status == 0)
        var done: [String: Int] = [:]
        for line in try night.text("purged").split(separator: "\n") {
            let words = line.split(separator: " ")
            let number = try #require(Int(words[1]))
            // A purge command whose purge.sh was killed may be late, and write of an early night last.
            done[String(words[0])] = max(number, done[String(words[0])] ?? 0)
        }
        for (address, number) in due { #expect(done[address] ?? 0 >= number, "\(address)") }
    }
}
