#if canImport(MapKit)
    import CoreGraphics
    import Foundation
    import ImageIO
    public import MapKit

    /// The tiles of an archive for MapKit.
    ///
    ///     mapView.addOverlay(TileOverlay(archive, enlargedTo: 22), level: .aboveLabels)
    open class TileOverlay: MKTileOverlay {
        /// The tiles.
        public let archive: TileArchive

        /// Shows tiles, which are enlarged up to a zoom.
        public init(_ archive: TileArchive, enlargedTo end: Int) {
            self.archive = archive
            super.init(urlTemplate: nil)
            tileSize = CGSize(width: archive.tileSize, height: archive.tileSize)
            // On dense displays, the map asks for tiles of the next zoom or the one after it.
            (minimumZ, maximumZ) = (archive.zooms.lowerBound, end + 2)
            canReplaceMapContent = false
        }

        /// The renderer, for the map's delegate. After an update, its `reloadData()` shows new tiles.
        public func makeRenderer() -> MKTileOverlayRenderer { MKTileOverlayRenderer(tileOverlay: self) }

        /// The area of the tiles: the map asks for no others.
        override open var boundingMapRect: MKMapRect { archive.bounds.mapRect }

        override open func loadTile(
            at path: MKTileOverlayPath, result: @escaping @Sendable (Data?, (any Error)?) -> Void
        ) {
            Task { [archive, maximumZ] in
                do { result(try await archive.file(path, enlargedTo: maximumZ), nil) } catch {
                    result(nil, error)
                }
            }
        }
    }

    extension TileArchive {
        /// A PNG of one transparent pixel: MapKit has no answer for "never".
        private static let transparent = Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII="
        )

        @concurrent fileprivate func file(_ path: MKTileOverlayPath, enlargedTo end: Int) async throws
            -> Data?
        {
            if path.z > zooms.upperBound {
                let picture = try await picture(zoom: path.z, column: path.x, row: path.y, enlargedTo: end)
                return picture.flatMap(Self.png) ?? Self.transparent
            }
            let tile = try await tile(zoom: path.z, column: path.x, row: path.y)
            return if case .picture(let file) = tile { file } else { Self.transparent }
        }

        private static func png(_ picture: CGImage) -> Data? {
            let file = NSMutableData()
            let target = CGImageDestinationCreateWithData(
                file as CFMutableData, "public.png" as CFString, 1, nil)
            guard let target else { return nil }
            CGImageDestinationAddImage(target, picture, nil)
            return CGImageDestinationFinalize(target) ? Data(referencing: file) : nil
        }
    }

    extension TileBounds {
        /// The rectangle on the map.
        public var mapRect: MKMapRect {
            let northWest = MKMapPoint(CLLocationCoordinate2D(latitude: north, longitude: west))
            let southWest = MKMapPoint(CLLocationCoordinate2D(latitude: south, longitude: west))
            return MKMapRect(
                x: northWest.x, y: northWest.y, width: (east - west) / 360 * MKMapSize.world.width,
                height: southWest.y - northWest.y)
        }
    }
#endif
