// swift-format-ignore-file
// The public names of MapKit that snippets use, after its reference:
// https://developer.apple.com/documentation/mapkit.

@_exported import Foundation
#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif

public struct CLLocationCoordinate2D: Sendable {
    public var latitude: Double
    public var longitude: Double
    public init(latitude: Double, longitude: Double) {
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}

public struct MKMapPoint: Sendable {
    public var x: Double
    public var y: Double
    public init(_ coordinate: CLLocationCoordinate2D) { (x, y) = (0, 0) }
}

public struct MKMapSize: Sendable {
    public var width: Double
    public static let world = MKMapSize(width: 268_435_456)
}

public struct MKMapRect: Sendable {
    public init(x: Double, y: Double, width: Double, height: Double) {}
}

public struct UIEdgeInsets: Sendable {
    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {}
}

public struct MKTileOverlayPath: Sendable {
    public init(x: Int, y: Int, z: Int, contentScaleFactor: CGFloat) {
        (self.x, self.y, self.z, self.contentScaleFactor) = (x, y, z, contentScaleFactor)
    }
    public var x: Int
    public var y: Int
    public var z: Int
    public var contentScaleFactor: CGFloat
}

public protocol MKOverlay {}

public enum MKOverlayLevel: Int { case aboveRoads, aboveLabels }

open class MKTileOverlay: MKOverlay {
    public init(urlTemplate: String?) {}
    open var tileSize = CGSize(width: 256, height: 256)
    open var minimumZ = 0
    open var maximumZ = 21
    open var canReplaceMapContent = false
    open var isGeometryFlipped = false
    open var boundingMapRect: MKMapRect { MKMapRect(x: 0, y: 0, width: 0, height: 0) }
    open func url(forTilePath path: MKTileOverlayPath) -> URL { URL(fileURLWithPath: "") }
    open func loadTile(
        at path: MKTileOverlayPath, result: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        // For tests: of files on the disk.
        do { result(try Data(contentsOf: url(forTilePath: path)), nil) } catch { result(nil, error) }
    }
}

open class MKTileOverlayRenderer {
    public init(tileOverlay: MKTileOverlay) {}
    open var alpha: CGFloat = 1
    open func reloadData() {}
}

public final class MKMapCamera {
    public init(
        lookingAtCenter centerCoordinate: CLLocationCoordinate2D, fromDistance distance: Double,
        pitch: CGFloat, heading: Double
    ) {}
}

@MainActor
open class MKMapView {
    public init() {}
    public struct CameraBoundary {
        public init?(mapRect: MKMapRect) {}
    }
    public struct CameraZoomRange {
        public init?(
            minCenterCoordinateDistance: Double, maxCenterCoordinateDistance: Double
        ) {}
    }
    open var bounds: CGRect { .zero }
    open var camera = MKMapCamera(
        lookingAtCenter: CLLocationCoordinate2D(latitude: 0, longitude: 0), fromDistance: 0,
        pitch: 0, heading: 0)
    open var cameraBoundary: CameraBoundary?
    open var cameraZoomRange: CameraZoomRange!
    open func setVisibleMapRect(
        _ mapRect: MKMapRect, edgePadding insets: UIEdgeInsets, animated animate: Bool
    ) {}
    open func addOverlay(_ overlay: any MKOverlay, level: MKOverlayLevel) {}
    open func removeOverlay(_ overlay: any MKOverlay) {}
}
