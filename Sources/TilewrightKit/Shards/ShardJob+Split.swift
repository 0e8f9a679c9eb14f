import Platform
import Pyramid
import Tiling

extension ShardJob {
    /// Describes a job: hashes each file once.
    ///
    /// - Parameter lists: files that named the images.
    init(_ plan: TilesetPlan, cut: ShardCut, lists: [String]) throws {
        var known: [String: Source] = [:]
        func source(_ path: String) throws -> Source {
            if let source = known[path] { return source }
            let source = try Source(path, size: SourceCheck.size(of: path))
            known[path] = source
            return source
        }
        images = try zip(plan.images, plan.reductionFactors).map { image, factor in
            let paths = try BuildInputs([image.request], others: []).paths
            return try Image(image, reducedBy: factor, paths.map(source))
        }
        var pyramid = plan.request
        // What was left open depends on all images, and a worker has some of them.
        pyramid.zoom = ZoomRange(plan.zooms)
        pyramid.resampling = plan.resampling
        pyramid.overviewResampling = plan.overviewResampling
        self.pyramid = pyramid
        self.lists = lists
        testTile = try TestTile.hash(pyramid.encoding)
        testImage = try TestTile.hashOfJPEG()
        whole = try plan.pyramid.whole
        sources = try pyramid.files.map(source)
        fingerprint = try JobFingerprint(plan.onDemand) { try source($0).digest }.hash.hex
        self.cut = cut.zoom
        shards = cut.shards.map { part in
            Shard(tiles: part.tiles, images: plan.onDemand.images(touching: part.tiles), work: part.work)
        }
        let least = shards.indices.min { shards[$0].work < shards[$1].work }
        if plan.onDemand.isRedrawn, let least {
            shards[least].makesRest = true
            shards[least].images = Array(images.indices)
        }
    }
}

extension TilesOnDemand {
    /// The numbers of the images that some tiles and those below them need.
    fileprivate func images(touching tiles: [TileRange]) -> [Int] {
        if images.count == 1 || images.contains(where: { $0.drawn != nil }) { return Array(images.indices) }
        let touched = tiles.flatMap { limits in
            pyramid.confined(to: TileWindow(limits, downTo: ZoomRange.possible.upperBound))?.touchedLayers
                ?? []
        }
        return Set(touched).sorted()
    }
}
