import Platform
import Pyramid
import Tilesets
import Tiling

// What is looked at before a job from another machine is worked on.
extension ShardJob {
    /// Whether the numbers are those of a job; what is asked of images is looked at when they are placed.
    var isSound: Bool {
        guard (try? pyramid.check()) != nil, let lowest = pyramid.zoom.minimum,
            let highest = pyramid.zoom.maximum, lowest...highest ~= cut, highest...30 ~= whole.finest,
            !images.isEmpty, 1...JobSplit.mostShards ~= shards.count, isWindowSound
        else { return false }
        return shards.allSatisfy(isSound)
    }

    private var isWindowSound: Bool {
        let edge = TileMatrix(zoom: whole.finest, tileSize: pyramid.tileSize.rawValue).pixelsPerEdge
        return (-edge...2 * edge).contains(whole.window.columns) && (0...edge).contains(whole.window.rows)
            && !whole.window.isEmpty
    }

    private func isSound(_ shard: Shard) -> Bool {
        let edge = 1 << cut
        return shard.images.allSatisfy(images.indices.contains)
            && zip(shard.images, shard.images.dropFirst()).allSatisfy { $0 < $1 }
            && shard.tiles.allSatisfy {
                $0.zoom == cut && (-edge...2 * edge).contains($0.columns) && (0...edge).contains($0.rows)
            }
    }

    /// Refuses pieces that a shard does not make: tiles of others, pixels of other zooms than the cut, and colours
    /// that are not those of a survey.
    ///
    /// - Throws: `ShardReader.Fault.damaged`.
    func check(
        _ pieces: [ShardPiece], of index: Int, _ round: ShardIdentity.Round
    ) throws(ShardReader.Fault) {
        let shard = shards[index]
        var colors = 0
        for piece in pieces {
            let isRight: Bool
            switch piece.kind {
            case .tile: isRight = round == .shard && owns(piece.coordinate, shard)
            case .pixels: isRight = piece.coordinate.zoom == cut && owns(piece.coordinate, shard)
            case .colors:
                colors += 1
                isRight = round == .survey && colors == 1
            }
            if !isRight { throw .damaged }
        }
    }

    private func owns(_ tile: TileCoordinate, _ shard: Shard) -> Bool {
        guard let lowest = pyramid.zoom.minimum, let highest = pyramid.zoom.maximum,
            lowest...highest ~= tile.zoom
        else { return false }
        if tile.zoom < cut { return shard.makesRest }
        let (column, row) = (tile.column >> (tile.zoom - cut), tile.row >> (tile.zoom - cut))
        return shard.tiles.contains { limits in
            // Columns of limits go on counting beyond the antimeridian, at either end.
            limits.rows.contains(row) && (-1...1).contains { limits.columns.contains(column + $0 << cut) }
        }
    }
}

extension ClosedRange<Int> {
    fileprivate func contains(_ other: Range<Int>) -> Bool {
        contains(other.lowerBound) && contains(other.upperBound)
    }

    fileprivate func contains(_ other: ClosedRange<Int>) -> Bool {
        contains(other.lowerBound) && contains(other.upperBound)
    }
}
