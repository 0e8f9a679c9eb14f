// swift-format-ignore-file
// The public names of the Google Maps SDK for iOS, and of UIKit, that snippets use, after their
// references: https://developers.google.com/maps/documentation/ios-sdk/reference/swift.

@_exported import Foundation
#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif

public final class UIImage: Sendable {
    public init?(data: Data) {}
    fileprivate init() {}
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
    open weak var map: GMSMapView?
    open var zIndex: Int32 = 0
    open var tileSize = 256
    open var opacity: Float = 1
    open var fadeIn = true
}

public let kGMSTileLayerNoTile = UIImage()
