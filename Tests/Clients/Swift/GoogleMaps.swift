// swift-format-ignore-file
// The public names of the Google Maps SDK for iOS, and of UIKit, that snippets use, after their
// references: https://developers.google.com/maps/documentation/ios-sdk/reference/swift.

@_exported import Foundation
import ImageIO
#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif

public final class UIImage: Sendable {
    /// For tests: the bytes of the file.
    public let data: Data
    public init?(data: Data) { self.data = data }
    public init(cgImage: CGImage) { data = Data(cgImage.text.utf8) }
    fileprivate init() { data = Data() }
}

public struct CLLocationCoordinate2D: Sendable {
    public let latitude: Double
    public let longitude: Double
    public init(latitude: Double, longitude: Double) {
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}

public final class GMSCoordinateBounds: Sendable {
    /// As for the first of two corners in the south-west.
    public let southWest: CLLocationCoordinate2D
    public let northEast: CLLocationCoordinate2D
    public init(coordinate: CLLocationCoordinate2D, coordinate other: CLLocationCoordinate2D) {
        (southWest, northEast) = (coordinate, other)
    }
}

public final class GMSCameraPosition: Sendable {
    public let target: CLLocationCoordinate2D
    public let zoom: Float
    public convenience init(latitude: Double, longitude: Double, zoom: Float) {
        self.init(latitude: latitude, longitude: longitude, zoom: zoom, bearing: 0, viewingAngle: 0)
    }
    public init(
        latitude: Double, longitude: Double, zoom: Float, bearing: Double, viewingAngle: Double
    ) {
        target = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        self.zoom = zoom
    }
}

public struct UITraitCollection: Sendable { public let displayScale: CGFloat }

@MainActor
open class UIView {
    public init() {}
    /// For tests: pixels per point.
    public static var displayScale: CGFloat = 2
    public var traitCollection: UITraitCollection { UITraitCollection(displayScale: Self.displayScale) }
}

@MainActor
public final class GMSServices {
    @discardableResult
    public static func provideAPIKey(_ key: String) -> Bool { true }
}

@MainActor
public final class GMSMapViewOptions { public init() {} }

public enum GMSMapViewType { case normal, none }

@MainActor
open class GMSMapView: UIView {
    public override init() {}
    public init(options: GMSMapViewOptions) {}
    open var mapType = GMSMapViewType.normal
    open var isIndoorEnabled = true
    open var camera = GMSCameraPosition(
        latitude: 0, longitude: 0, zoom: 0, bearing: 0, viewingAngle: 0)
    open var cameraTargetBounds: GMSCoordinateBounds?
    public private(set) var minZoom: Float = 2
    public private(set) var maxZoom: Float = 21
    open func setMinZoom(_ minZoom: Float, maxZoom: Float) {
        (self.minZoom, self.maxZoom) = (minZoom, maxZoom)
    }
}

public protocol GMSTileReceiver: AnyObject {
    func receiveTileWith(x: UInt, y: UInt, zoom: UInt, image: UIImage?)
}

open class GMSTileLayer {
    public init() {}
    open func requestTileFor(x: UInt, y: UInt, zoom: UInt, receiver: any GMSTileReceiver) {}
    open func clearTileCache() {}
    open weak var map: GMSMapView? {
        didSet {
            Self.shown.removeAll { $0 === self }
            if map != nil { Self.shown.append(self) }
        }
    }
    /// For tests: the layers that are on a map, the last one added last.
    nonisolated(unsafe) public static var shown: [GMSTileLayer] = []
    open var zIndex: Int32 = 0
    open var tileSize = 256
    open var opacity: Float = 1
    open var fadeIn = true
}

open class GMSSyncTileLayer: GMSTileLayer {
    open func tileFor(x: UInt, y: UInt, zoom: UInt) -> UIImage? { nil }
    open override func requestTileFor(x: UInt, y: UInt, zoom: UInt, receiver: any GMSTileReceiver) {
        receiver.receiveTileWith(x: x, y: y, zoom: zoom, image: tileFor(x: x, y: y, zoom: zoom))
    }
}

public typealias GMSTileURLConstructor = (UInt, UInt, UInt) -> URL?

open class GMSURLTileLayer: GMSTileLayer {
    private let constructor: GMSTileURLConstructor
    public init(urlConstructor: @escaping GMSTileURLConstructor) { constructor = urlConstructor }
    /// Of files on the disk, or on a server without errors.
    open override func requestTileFor(x: UInt, y: UInt, zoom: UInt, receiver: any GMSTileReceiver) {
        let image = constructor(x, y, zoom).map { url in
            (try? Data(contentsOf: url)).flatMap(UIImage.init(data:)) }
        receiver.receiveTileWith(x: x, y: y, zoom: zoom, image: image ?? kGMSTileLayerNoTile)
    }
}

extension GMSTileLayer {
    /// For tests: the zooms of the tiles that a map asks for. How the SDK rounds is not documented.
    @MainActor public func zooms(atCamera zoom: Double, in mapView: GMSMapView) -> Set<UInt> {
        let exact = zoom + log2(256 * Double(mapView.traitCollection.displayScale) / Double(tileSize))
        return Set([exact.rounded(.down), exact.rounded(), exact.rounded(.up)].map { UInt($0) })
    }
}

public let kGMSTileLayerNoTile = UIImage()
