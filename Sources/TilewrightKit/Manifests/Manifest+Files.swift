import Platform

extension Manifest {
    /// Refuses a place for a picture, or another file that is made of one floor, if a file is there that the
    /// manifest reads for any floor, or if it lies in what the manifest builds.
    ///
    /// - Throws: `.usage`.
    public func checkIsOutside(_ path: String) throws {
        for building in buildings {
            let images = building.floors.flatMap(\.build.images)
            let others = building.manifests + building.floors.flatMap(\.build.pyramid.files)
            try OutputPicture.check(path, isNoneOf: images, others: others)
            if let output = building.outputs.first(where: { OutputFile.isInside(path, $0) }) {
                throw OutputPicture.refusal(path, "that is a part of what is built in '\(output)'")
            }
        }
    }
}
