import Platform
package import Tiling

/// The projection of a projected CRS alone: from longitudes and latitudes of its own geographic system, on its own
/// datum and in its own unit, to coordinates. Nothing is shifted to another datum.
package struct CRSProjection {
    private enum Method {
        case webMercator
        case proj(String)
    }

    private let method: Method

    /// Prepares the projection.
    package init(_ crs: CRS) {
        method = crs == .webMercator ? .webMercator : .proj(crs.projDefinition)
    }

    /// Longitudes and latitudes of the geographic system below to coordinates, in place; a point that has none
    /// becomes (nan, nan). Reads PROJ's database if the definition is a code.
    ///
    /// - Throws: a `Failure` of kind `badInput` if PROJ knows no geographic system below.
    package func coordinates(ofBase points: inout [Point]) throws {
        switch method {
        case .webMercator: points.apply(WebMercator.metres)
        case .proj(let definition):
            let crs = try PROJCRS(definition, failure: .badInput)
            guard crs.project(&points) else {
                throw Failure(
                    .badInput, cannot: "project longitudes and latitudes into '\(crs.name.shortened)'", nil)
            }
        }
    }
}
