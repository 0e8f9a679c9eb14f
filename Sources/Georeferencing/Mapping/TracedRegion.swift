import Tiling

/// The part of a box in which a condition holds, as rings around it.
///
/// The condition is tested on a lattice, then on a finer lattice wherever results differ, and then along the
/// lines of the finer lattice until the place of change is known to 2^-`halvings` of a cell. A part or a gap
/// smaller than a cell of the first lattice may be missed.
struct TracedRegion {
    /// The rings, without a repeated end; holes are rings, too. Points along the edges of the box are exactly
    /// on them.
    let rings: [[Point]]

    /// Whether the condition holds everywhere in the box.
    let isWhole: Bool

    /// Cells along an edge of the first lattice.
    private static let coarseCells = 128
    /// Cells of the second lattice along an edge of a cell of the first. That makes 512 cells across the box:
    /// if it has some ten thousand pixels, chords of a smooth boundary deviate by hundredths of a pixel.
    private static let refinement = 4
    /// Halvings of a cell to find a place of change: if the lattice covers the world, 2^-16 of a cell is 1.2
    /// m.
    private static let halvings = 16

    /// Traces all parts.
    ///
    /// - Parameter holds: returns for each of many points whether the condition holds there.
    init(in box: BoundingBox, holds: ([Point]) -> [Bool]) {
        let lattice = RegionLattice(
            box: box, coarse: Self.coarseCells, refinement: Self.refinement, holds: holds)
        isWhole = lattice.isWhole
        var crossings = lattice.crossings()
        crossings.settle(halvings: Self.halvings, holds: holds)
        let cell = max(box.width, box.height) / Double(Self.coarseCells * Self.refinement)
        rings = crossings.rings.map { $0.withCorners(within: Self.cornerReach * cell, cell: cell) }
    }

    /// The largest distance, in cells, between an added corner and the crossings before and after it.
    private static let cornerReach = 3.0
}

/// The results of the condition at the nodes of a lattice.
private struct RegionLattice {
    private let box: BoundingBox
    /// Cells along an edge.
    private let cells: Int
    /// By node, row by row, with an extra node on all sides: beyond the box, the condition does not hold.
    private var answers: [Bool]

    /// Nodes of a row of `answers`.
    private var stride: Int { cells + 3 }

    init(box: BoundingBox, coarse: Int, refinement: Int, holds: ([Point]) -> [Bool]) {
        self.box = box
        cells = coarse * refinement
        answers = Array(repeating: false, count: (cells + 3) * (cells + 3))
        let lines = Swift.stride(from: 0, through: cells, by: refinement)
        ask(lines.flatMap { row in lines.map { Node(column: $0, row: row) } }, holds)
        let coarseLines = lines.dropLast()
        let open = coarseLines.flatMap { row in
            coarseLines.flatMap { column in refine(Node(column: column, row: row), refinement) }
        }
        ask(open, holds)
    }

    /// Whether the condition holds at all nodes.
    var isWhole: Bool {
        (0...cells).allSatisfy { row in
            let first = index(Node(column: 0, row: row))
            return answers[first...first + cells].allSatisfy { $0 }
        }
    }

    private func index(_ node: Node) -> Int { (node.row + 1) * stride + node.column + 1 }

    /// Fills a coarse cell if all nodes of it and its neighbours agree; otherwise returns its new nodes.
    private mutating func refine(_ corner: Node, _ size: Int) -> [Node] {
        func around(_ place: Int) -> StrideThrough<Int> {
            Swift.stride(from: max(0, place - size), through: min(cells, place + 2 * size), by: size)
        }
        let answer = answers[index(corner)]
        let agrees = around(corner.row).allSatisfy { row in
            around(corner.column).allSatisfy { answers[index(Node(column: $0, row: row))] == answer }
        }
        var open: [Node] = []
        for row in corner.row...corner.row + size {
            for column in corner.column...corner.column + size where row % size != 0 || column % size != 0 {
                let node = Node(column: column, row: row)
                if agrees { answers[index(node)] = answer } else { open.append(node) }
            }
        }
        return open
    }

    private mutating func ask(_ nodes: [Node], _ holds: ([Point]) -> [Bool]) {
        for (node, answer) in zip(nodes, holds(nodes.map(point))) { answers[index(node)] = answer }
    }

    /// The position of a node; nodes beyond the box are on its edge.
    private func point(_ node: Node) -> Point {
        func place(_ index: Int, from low: Double, to high: Double) -> Double {
            if index <= 0 { return low }
            return index >= cells ? high : low + (high - low) * Double(index) / Double(cells)
        }
        return Point(
            x: place(node.column, from: box.minX, to: box.maxX),
            y: place(node.row, from: box.minY, to: box.maxY))
    }

    /// Marching squares: in each cell whose nodes differ, the lines that separate them.
    func crossings() -> RegionCrossings {
        var crossings = RegionCrossings()
        for row in -1...cells {
            for column in -1...cells {
                let first = index(Node(column: column, row: row))
                let (one, two) = (answers[first], answers[first + 1])
                let (three, four) = (answers[first + stride], answers[first + stride + 1])
                if one == two, two == three, three == four { continue }
                part(Node(column: column, row: row), inside: [one, two, four, three], &crossings)
            }
        }
        return crossings
    }

    /// Adds the lines of a cell.
    ///
    /// - Parameter inside: the results of its corners, in order around the cell, starting with the given one.
    private func part(_ corner: Node, inside: [Bool], _ crossings: inout RegionCrossings) {
        let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map {
            Node(column: corner.column + $0.0, row: corner.row + $0.1)
        }
        // Going around the cell, a line begins where an edge leaves the region and ends where the next edge
        // re-enters it: lines go around outer nodes.
        var (starts, ends): ([Int], [Int]) = ([], [])
        for edge in 0..<4 where inside[edge] != inside[(edge + 1) % 4] {
            let (from, to) = (corners[edge], corners[(edge + 1) % 4])
            let (inner, outer) = inside[edge] ? (from, to) : (to, from)
            let crossing = crossings.index(of: number(ofEdge: from, to)) { (point(inner), point(outer)) }
            if inside[edge] { starts.append(crossing) } else { ends.append(crossing) }
        }
        if starts.count == 2, !inside[0] { ends.append(ends.removeFirst()) }
        for (start, end) in zip(starts, ends) { crossings.join(start, end) }
    }

    /// A number for the edge between two neighbouring nodes.
    private func number(ofEdge from: Node, _ to: Node) -> Int {
        let first = Node(column: min(from.column, to.column), row: min(from.row, to.row))
        return 2 * index(first) + (from.row == to.row ? 0 : 1)
    }
}

/// A node of a lattice.
private struct Node {
    var column: Int
    var row: Int
}

/// The places between two nodes at which a region ends, and their successors.
private struct RegionCrossings {
    private var indices: [Int: Int] = [:]
    /// The ends of each edge: inside the region, and outside.
    private var ends: [(inner: Point, outer: Point)] = []
    private var next: [Int] = []

    /// The crossing of an edge of the lattice.
    mutating func index(of edge: Int, _ ends: () -> (Point, Point)) -> Int {
        if let index = indices[edge] { return index }
        indices[edge] = self.ends.count
        self.ends.append(ends())
        next.append(-1)
        return self.ends.count - 1
    }

    mutating func join(_ from: Int, _ to: Int) { next[from] = to }

    /// Locates all crossings at the same time, by bisection.
    mutating func settle(halvings: Int, holds: ([Point]) -> [Bool]) {
        let open = ends.indices.filter { ends[$0].inner != ends[$0].outer }
        for _ in 0..<halvings {
            let answers = holds(open.map { middle($0) })
            for (index, isInside) in zip(open, answers) {
                if isInside { ends[index].inner = middle(index) } else { ends[index].outer = middle(index) }
            }
        }
    }

    private func middle(_ index: Int) -> Point {
        (ends[index].inner + ends[index].outer) * 0.5
    }

    /// The crossings as rings.
    var rings: [[Point]] {
        var rings: [[Point]] = []
        var isDone = Array(repeating: false, count: ends.count)
        for start in ends.indices where !isDone[start] {
            var ring: [Point] = []
            var index = start
            while index >= 0, !isDone[index] {
                isDone[index] = true
                ring.append(middle(index))
                index = next[index]
            }
            let corners = ring.withoutMiddles
            if corners.count > 2 { rings.append(corners) }
        }
        return rings
    }
}

extension [Point] {
    /// A ring without repeated points, and without the middle one of three points on a horizontal or vertical
    /// line, which occur along a box.
    fileprivate var withoutMiddles: [Point] {
        let ring = indices.filter { self[$0] != self[($0 + 1) % count] }.map { self[$0] }
        return ring.indices.filter { index in
            let (before, here, after) = (
                ring[(index + ring.count - 1) % ring.count], ring[index], ring[(index + 1) % ring.count]
            )
            return !(before.x == here.x && here.x == after.x)
                && !(before.y == here.y && here.y == after.y)
        }.map { ring[$0] }
    }

    /// Adds corners between neighbours: where the line through the first and a point before it meets the line
    /// through the second and a point after it, if both neighbours are near and the angle is large enough.
    fileprivate func withCorners(within reach: Double, cell: Double) -> [Point] {
        guard count > 4 else { return self }
        // Two places on one lattice line may be too close together for a direction.
        func point(from index: Int, by step: Int) -> Point {
            let near = self[index]
            return (1...4).lazy.map { self[(index + step * $0 + 4 * count) % count] }
                .first { $0.distance(to: near) >= cell / 2 } ?? self[(index + step + count) % count]
        }
        return indices.flatMap { index in
            let next = (index + 1) % count
            let (start, end) = (self[index], self[next])
            let (along, back) = (start - point(from: index, by: -1), end - point(from: next, by: 1))
            let turn = along.cross(back)
            guard abs(turn) > Self.cornerSine * along.length * back.length else { return [start] }
            let (first, second) = (
                (end - start).cross(back) / turn, (end - start).cross(along) / turn
            )
            guard first > 0, second > 0, first * along.length < reach, second * back.length < reach
            else { return [start] }
            return [start, start + along * first]
        }
    }

    /// The sine of the smallest angle of a corner, some 15 degrees: smooth edges turn by less from cell to
    /// cell.
    private static var cornerSine: Double { 0.25 }
}
