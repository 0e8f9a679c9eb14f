// swift-format-ignore-file
// The public names of the Google Maps SDK for iOS, and of UIKit, that snippets use, after their
// references: https://developers.google.com/maps/documentation/ios-sdk/reference/swift.

@_exported import Foundation
#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif

public final class UIImage: Sendable {
    /// For tests: the bytes of the file.
    public let data: Data
    public init?(data: Data) { self.data = data }
    fileprivate init() { data = Data() }
}

public struct CLLocationCoordinate2D: Sendable {
    public init(latitude: Double, longitude: Double) {}
}

public final class GMSCoordinateBounds: Sendable {
    public init(coordinate: CLLocationCoordinate2D, coordinate other: CLLocationCoordinate2D) {}
}

public final class GMSCameraPosition: Sendable {
    public init(
        latitude: Double, longitude: Double, zoom: Float, bearing: Double, viewingAngle: Double
    ) {}
}

@MainActor
open class GMSMapView {
    public init() {}
    open var camera = GMSCameraPosition(
        latitude: 0, longitude: 0, zoom: 0, bearing: 0, viewingAngle: 0)
    open var cameraTargetBounds: GMSCoordinateBounds?
    open func setMinZoom(_ minZoom: Float, maxZoom: Float) {}
}

public protocol GMSTileReceiver: AnyObject {
    func receiveTileWith(x: UInt, y: UInt, zoom: UInt, image: UIImage?)
}

open class GMSTileLayer {
    public init() {}
    open func requestTileFor(x: UInt, y: UInt, zoom: UInt, receiver: any GMSTileReceiver) {}
    open func clearTileCache() {}
    open weak var map: GMSMapView? {
        didSet { Self.shown = map == nil ? nil : self }
    }
    /// The layer that is on a map, for tests.
    nonisolated(unsafe) public static weak var shown: GMSTileLayer?
    open var zIndex: Int32 = 0
    open var tileSize = 256
    open var opacity: Float = 1
    open var fadeIn = true
}

public let kGMSTileLayerNoTile = UIImage()
