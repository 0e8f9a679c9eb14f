import Platform

extension WorldFile {
    /// The names under which programs leave a world file beside an image, the usual one first:
    /// `plan.pgw`, `plan.pngw`, `plan.pgwx` of ArcGIS, `plan.wld` and `plan.png.wld` for `plan.png`, each ending in
    /// lower and in upper case.
    package static func candidates(beside image: String) -> [String] {
        let (stem, fileExtension) = image.splitExtension
        var endings: [String] = []
        if let first = fileExtension.first, let last = fileExtension.last {
            endings = ["\(first)\(last)w", "\(fileExtension)w", "\(first)\(last)wx"]
        }
        let names = (endings + ["wld"]).map { (stem, $0) } + [(image, "wld")]
        return names.flatMap { ["\($0).\($1.lowercased())", "\($0).\($1.uppercased())"] }
    }

    /// The world file beside an image, or nil if there is none.
    ///
    /// - Throws: `.missingInput` if it is no regular file.
    package static func find(beside image: String) throws -> String? {
        try InputFile.first(of: candidates(beside: image))
    }

    /// The `.prj` file that belongs to a world file or an image, or nil if there is none.
    ///
    /// - Throws: `.missingInput` if it is no regular file.
    package static func findProjection(beside path: String) throws -> String? {
        let stem = path.splitExtension.stem
        return try InputFile.first(of: ["\(stem).prj", "\(stem).PRJ"])
    }
}

extension Georeference {
    /// Where a world file places an image.
    ///
    /// - Parameters:
    ///   - path: the world file.
    ///   - crs: the system of its numbers; without it, the `.prj` file beside it names it.
    /// - Throws: a `Failure` of kind `badInput` if nobody names the system: it is never guessed.
    package static func worldFile(at path: String, crs: CRS?) throws -> Georeference {
        let worldFile = try WorldFile(contentsOf: path)
        return Georeference(
            crs: try crs ?? projection(of: path), pixelToCRS: .affine(worldFile.pixelToCRS))
    }

    private static func projection(of path: String) throws -> CRS {
        guard let projection = try WorldFile.findProjection(beside: path) else {
            throw Failure(
                .badInput,
                cannot: "use the world file '\(path)'",
                "it does not say in which coordinate reference system its numbers are",
                remedy:
                    "add --crs EPSG:3857 if they are Web Mercator metres, --crs EPSG:4326 if they "
                    + "are degrees, or put a .prj file beside it")
        }
        return try CRS(contentsOf: projection)
    }
}

extension CRS {
    /// Reads a `.prj` file.
    package init(contentsOf path: String) throws {
        do {
            try self.init(InputFile.text(of: path), failure: .badInput)
        } catch let failure as Failure where failure.kind == .badInput {
            throw failure.inAttempt("use '\(path)'")
        }
    }
}
