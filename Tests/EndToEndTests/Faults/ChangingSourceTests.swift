import Foundation
import Synchronization
import TestSupport
import Testing

/// A source that somebody writes while it is read.
struct ChangingSourceTests {
    /// What somebody does to `plan.png`, or beside it.
    enum Change: CaseIterable {
        case touchesImage, growsImage, replacesImage, touchesWorldFile

        func apply(in workshop: Workshop) throws {
            switch self {
            case .touchesImage:
                try touch(workshop.path("plan.png"))
            case .growsImage:
                let file = try FileHandle(forWritingTo: workshop.file("plan.png"))
                try file.seekToEnd()
                try file.write(contentsOf: Data([0]))
            case .replacesImage:
                try workshop.plan.write(to: workshop.path("next.png"))
                _ = rename(workshop.path("next.png"), workshop.path("plan.png"))
            case .touchesWorldFile:
                try touch(workshop.path("plan.pgw"))
            }
        }

        private func touch(_ path: String) throws {
            try FileManager.default.setAttributes([.modificationDate: Date.now], ofItemAtPath: path)
        }
    }

    @Test(
        "Tiles of a file that changes while it is read are not published",
        arguments: Change.allCases.some(1))
    func changingSource(change: Change) throws {
        let workshop = try Workshop()
        try workshop.write("0.00001\n0\n0\n-0.00001\n2\n48\n".utf8, to: "plan.pgw")
        let isOver = Atomic(false)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isOver.load(ordering: .relaxed) { try? change.apply(in: workshop) }
            done.signal()
        }
        let options = ["--bounds", Workshop.bounds, "--zoom", "17-20"]
        let outcome = try workshop.run(["plan.png", "-o", "out"] + options)
        isOver.store(true, ordering: .relaxed)
        done.wait()
        #expect(outcome.status == 74, "\(outcome.errors)")
        #expect(outcome.errors.contains("it changed while it was read"), "\(outcome.errors)")
        #expect(!workshop.has("out"))
        try workshop.build(["--zoom", "17-20"])
    }

    @Test("A run with nothing to do ignores simultaneous changes")
    func archive() throws {
        let workshop = try Workshop()
        for output in ["a.pmtiles", "a.mbtiles"] {
            let whole = try Data(contentsOf: workshop.build(to: output))
            let isOver = Atomic(false)
            Thread.detachNewThread {
                while !isOver.load(ordering: .relaxed) {
                    try? Change.touchesImage.apply(in: workshop)
                }
            }
            let outcome = try workshop.run([
                "plan.png", "--bounds", Workshop.bounds, "--zoom", "17-19", "-o", output,
            ])
            isOver.store(true, ordering: .relaxed)
            #expect(outcome.status == 74)
            #expect(try Data(contentsOf: workshop.file(output)) == whole)
            #expect(!workshop.has(output + ".tilewright-partial"))
        }
    }
}
