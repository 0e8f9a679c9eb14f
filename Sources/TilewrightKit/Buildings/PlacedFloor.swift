import Platform

/// A floor whose images were looked at.
struct PlacedFloor {
    /// What was asked for.
    let request: FloorRequest
    /// Its images, or what is wrong with them.
    let images: Result<PlacedImages, Failure>

    /// Looks at the images.
    ///
    /// - Parameter fits: those of other floors, which may have the same points.
    init(_ request: FloorRequest, resources: BuildResources, fits: SharedFits) {
        self.request = request
        images = Result.ofFloor {
            try PlacedImages(request.build.images, resources: resources, fits: fits)
        }
    }
}

extension Result where Failure == Platform.Failure {
    /// What a step towards a floor gives, or what went wrong with it.
    static func ofFloor(_ body: () throws -> Success) -> Self {
        do { return .success(try body()) } catch let failure as Platform.Failure {
            return .failure(failure)
        } catch {
            return .failure(Platform.Failure(.inputOutput, "\(error)"))
        }
    }
}
