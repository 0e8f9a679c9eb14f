package import Tiling
package import Platform

// The values of a camera's options as people write them.

extension Point {
    /// Reads `LON,LAT`.
    package init(parsingPlace text: String) throws(Failure) {
        let numbers = try NumberList.parse(text, names: ["LON", "LAT"])
        self.init(x: numbers[0], y: numbers[1])
    }
}

extension ViewInsets {
    /// Reads `P`, or `T,R,B,L`: clockwise from the top.
    package init(parsing text: String) throws(Failure) {
        try self.init(NumberList.parse(text, counts: [1, 4], form: "P or T,R,B,L"))
        guard isValid else {
            throw Failure(
                .usage, "the padding '\(text)' is negative",
                remedy: "give points that stay free: one number, or top,right,bottom,left")
        }
    }

    /// Takes one number for all edges, or one for each.
    fileprivate init(_ numbers: [Double]) {
        self =
            numbers.count == 1
            ? ViewInsets(all: numbers[0])
            : ViewInsets(top: numbers[0], right: numbers[1], bottom: numbers[2], left: numbers[3])
    }
}

extension ViewSize {
    /// Reads `WIDTHxHEIGHT`, or `WIDTHxHEIGHT@SCALE`, in points and pixels per point.
    package init(parsing text: String) throws(Failure) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let edges = parts[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let scale = parts.count == 1 ? 1 : Double(parts[1]) ?? 0
        guard parts.count <= 2, edges.count == 2,
            let size = ViewSize(width: edges[0], height: edges[1], scale: scale)
        else {
            throw Failure(
                .usage, "the size '\(text)' is not WIDTHxHEIGHT@SCALE",
                remedy: "give whole points, and 1 to 4 pixels per point: 390x844@2, or 1024x768")
        }
        self = size
    }

    /// The size as it is read.
    package var text: String {
        "\(width)x\(height)" + (scale == 1 ? "" : "@\(scale.shortText)")
    }
}

extension CameraUpdate {
    /// Reads `zoomIn`, `zoomOut`, `zoomTo:Z`, `zoomBy:D`, `zoomBy:D@X,Y`, `target:LON,LAT[,Z]`,
    /// `scrollBy:X,Y` or `fit:W,S,E,N[,PADDING]`.
    package init(parsing text: String) throws(Failure) {
        let colon = text.firstIndex(of: ":")
        let values = colon.map { String(text[text.index(after: $0)...]) }
        switch (String(text[..<(colon ?? text.endIndex)]), values) {
        case ("zoomIn", nil): self = .zoomIn
        case ("zoomOut", nil): self = .zoomOut
        case ("zoomTo", let values?):
            self = .zoomTo(try NumberList.parse(values, names: ["Z"])[0])
        case ("zoomBy", let values?): self = try .zoomBy(parsing: values)
        case ("target", let values?):
            let numbers = try NumberList.parse(values, counts: [2, 3], form: "LON,LAT or LON,LAT,Z")
            self = .target(
                Point(x: numbers[0], y: numbers[1]), zoom: numbers.count == 3 ? numbers[2] : nil)
        case ("scrollBy", let values?):
            let numbers = try NumberList.parse(values, names: ["X", "Y"])
            self = .scrollBy(x: numbers[0], y: numbers[1])
        case ("fit", let values?): self = try .fit(parsing: values)
        default:
            throw Failure(
                .usage, "'\(text)' is not an update of the camera",
                remedy: "there are zoomIn, zoomOut, zoomTo:Z, zoomBy:D, zoomBy:D@X,Y, target:LON,LAT, "
                    + "target:LON,LAT,Z, scrollBy:X,Y and fit:W,S,E,N[,PADDING]")
        }
    }

    /// Reads `D` or `D@X,Y`.
    private static func zoomBy(parsing text: String) throws(Failure) -> CameraUpdate {
        guard let mark = text.firstIndex(of: "@") else {
            return .zoomBy(try NumberList.parse(text, names: ["D"])[0])
        }
        let zooms = try NumberList.parse(String(text[..<mark]), names: ["D"])[0]
        let point = try NumberList.parse(String(text[text.index(after: mark)...]), names: ["X", "Y"])
        return .zoomBy(zooms, at: Point(x: point[0], y: point[1]))
    }

    /// Reads `W,S,E,N` and, if there are more numbers, a padding of one or of four.
    private static func fit(parsing text: String) throws(Failure) -> CameraUpdate {
        let numbers = try NumberList.parse(
            text, counts: [4, 5, 8], form: "W,S,E,N, W,S,E,N,P or W,S,E,N,T,R,B,L")
        let bounds = BoundingBox(minX: numbers[0], minY: numbers[1], maxX: numbers[2], maxY: numbers[3])
        return .fit(bounds, padding: numbers.count == 4 ? nil : ViewInsets(Array(numbers[4...])))
    }
}
