internal import CPublishing
public import Tiling
import Platform

/// Code, ready to use, that sets the camera of a client's map, and its limits.
public struct ClientCamera: Sendable {
    /// The view, with the camera.
    let view: CameraView
    /// The limits of the camera in the code.
    let limits: CameraLimits
    /// The client with the map.
    let client: SnippetClient

    /// Describes the code.
    ///
    /// - Parameters:
    ///   - view: the view; its camera is the one that the code sets.
    ///   - limits: the limits of the camera in the code; default limits are left out.
    ///   - client: the client with the map.
    public init(_ view: CameraView, limits: CameraLimits, for client: SnippetClient) {
        (self.view, self.limits, self.client) = (view, limits, client)
    }

    /// The code, with a final line feed.
    public var text: String {
        let values: SourceTemplate.Values = [
            "TITLE": ["A camera"], "NAME": ["MapCamera"], "NOTE": notes, "CAMERA": ["1"], "IMPORTS": ["1"],
        ]
        return SourceTemplate(client.templates.map).filled(values.merging(self.values) { $1 })
    }

    /// The values of the placeholders, whose names begin with `CAMERA_`.
    fileprivate var values: SourceTemplate.Values {
        let (camera, box) = (view.camera, bounds ?? BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0))
        // Android treats 180 degrees east as 180 west, and a full turn as none.
        let end = box.width >= 360 && client == .androidKotlin ? 179.9999999 : 180
        let numbers: [String: Double?] = [
            "LATITUDE": camera.target.y, "LONGITUDE": camera.target.x, "LONGITUDE_UNWRAPPED": longitude,
            "ZOOM": zoom(camera.zoom), "BEARING": camera.bearing, "TILT": camera.tilt,
            "ROTATION": -camera.bearing * .pi / 180,
            // MapLibre's default limit is 60 degrees.
            "MAX_PITCH": camera.tilt > 60 ? camera.tilt.rounded(.up) : nil,
            "MIN_ZOOM": zooms.map { zoom($0.lowerBound) }, "MAX_ZOOM": zooms.map { zoom($0.upperBound) },
            "WEST": box.minX, "SOUTH": box.minY, "NORTH": box.maxY, "EAST_UNWRAPPED": box.maxX,
            "EAST": box.maxX > 180 ? box.maxX - 360 : min(box.maxX, end), "SPAN": box.width,
        ]
        let blocks: SourceTemplate.Values = [
            "SIZE": ["\(view.size.width) x \(view.size.height)"], "BOUNDS": bounds == nil ? [] : ["1"],
            "LIMITS": zooms == nil && bounds == nil ? [] : ["1"],
        ]
        let values = numbers.mapValues { $0.map { [number($0)] } ?? [] }.merging(blocks) { $1 }
        return Dictionary(uniqueKeysWithValues: values.map { ("CAMERA_" + $0, $1) })
    }

    /// A number as a literal. Nine decimals of a degree are 0.1 mm.
    private func number(_ number: Double) -> String {
        client.language.number(number.text(upTo: 9))
    }
}

extension SnippetClient {
    /// The values of the placeholders for the camera that shows all of an area, and its limits.
    ///
    /// - Parameter zooms: the zooms at which tiles can be seen.
    func overviewValues(of box: BoundingBox, zooms: ClosedRange<Int>) -> SourceTemplate.Values {
        let camera = CameraView.overview(of: box).camera
        let limits = Double(zooms.lowerBound)...Double(zooms.upperBound)
        // Below the first zoom with tiles, there would be nothing to see.
        let zoom = min(max(camera.zoom, limits.lowerBound), limits.upperBound)
        let code = ClientCamera(
            CameraView(CameraPosition(target: camera.target, zoom: zoom)),
            limits: CameraLimits(targetBounds: box, zooms: limits), for: self)
        return code.values.merging(["OVERVIEW": ["1"]]) { $1 }
    }
}

extension ClientCamera {
    /// A zoom in the client's scale: MapLibre's world has 512 points at zoom 0.
    private func zoom(_ zoom: Double) -> Double {
        [.maplibre, .maplibreStyle].contains(client) ? zoom - 1 : zoom
    }

    /// The zooms that the code allows; nil for the client's default.
    private var zooms: ClosedRange<Double>? {
        if limits.zooms != CameraPosition.zooms { return limits.zooms }
        // MapLibre's own highest zoom is 22, which is 23 here.
        return client == .maplibre && view.camera.zoom > 23 ? limits.zooms : nil
    }

    /// The bounds in the code: degrees, in one piece; nil if there are none or the client cannot have them.
    private var bounds: BoundingBox? {
        guard let box = limits.targetBounds?.unwrapped else { return nil }
        switch client {
        // Two corners can describe two boxes, and Google's SDK for iOS uses the smaller one.
        case .iosSwift, .iosObjC: return box.width < 180 ? box : nil
        case .androidKotlin, .mapkitSwift, .openlayers, .maplibreStyle, .flutterMap, .reactNativeMaps:
            return box
        case .googleJS: return box.union(seen)
        case .leaflet, .maplibre:
            // Bounds around the world would prevent the view from showing more than one copy of it.
            let all = box.union(seen)
            return all.width < 360 ? all : nil
        }
    }

    /// The visible area in degrees, and what is visible without tilt, with which MapLibre calculates.
    private var seen: BoundingBox {
        let camera = CameraPosition(target: view.camera.target, zoom: view.camera.zoom)
        return view.bounds.union(CameraView(camera, size: view.size).bounds)
    }

    /// The target's longitude on the copy of the world that the bounds are on.
    private var longitude: Double {
        let longitude = view.camera.target.x
        guard let west = bounds?.minX else { return longitude }
        return longitude < west ? longitude + 360 : longitude
    }

    /// Notes about the parts of the camera that the client does not support.
    private var notes: [String] {
        let camera = view.camera
        let (bearing, tilt) = (camera.bearing.text(upTo: 2), camera.tilt.text(upTo: 2))
        let isTurned = camera.bearing != 0
        let isTilted = camera.tilt != 0
        switch client {
        case .leaflet where isTurned || isTilted:
            return [
                "Leaflet looks straight down, with north up: the bearing of \(bearing) degrees and the",
                "tilt of \(tilt) degrees are ignored.",
            ]
        case .openlayers where isTilted:
            return ["OpenLayers looks straight down: the tilt of \(tilt) degrees is ignored."]
        case .googleJS where isTurned || isTilted:
            return ["Heading and tilt need a vector map: a raster map ignores them."]
        case .iosSwift where areBoundsLost, .iosObjC where areBoundsLost:
            return [
                "The bounds of the target are left out: two corners cannot describe bounds of half the world",
                "or more.",
            ]
        default: return []
        }
    }

    private var areBoundsLost: Bool { limits.targetBounds != nil && bounds == nil }
}
