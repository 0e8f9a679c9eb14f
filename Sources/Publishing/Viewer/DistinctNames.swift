/// Names of things that lie in folders, made different from each other: links to a page name things by them.
struct DistinctNames {
    /// The names in the order of the things: `Mall`, or `Mall (old)` and `Mall (new)`.
    let all: [String]

    /// Takes names and folders. What both are the same of is numbered.
    init(_ things: [(name: String, folder: String)]) {
        let placed = things.map { thing in
            let isAlone = things.count { $0.name == thing.name } == 1
            return isAlone || thing.folder.isEmpty ? thing.name : "\(thing.name) (\(thing.folder))"
        }
        var taken: Set<String> = []
        all = placed.map { name in
            let numbered = (2...).lazy.map { "\(name) #\($0)" }
            let free = taken.contains(name) ? numbered.first { !taken.contains($0) } ?? name : name
            taken.insert(free)
            return free
        }
    }
}
