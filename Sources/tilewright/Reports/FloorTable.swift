import Platform
import TilewrightKit

/// The floors of a building, as they would be built: a line each.
struct FloorTable {
    private let plans: [FloorPlan]

    init(_ plans: [FloorPlan]) { self.plans = plans }

    /// The table.
    var lines: [String] {
        let head = ["floor", "label", "ordinal", "image", "zooms", "tiles", "off by"]
        let rows = [head] + plans.map(\.cells)
        return TextTable.lines(rows, left: [0, 1, 3])
    }
}

extension FloorPlan {
    fileprivate var cells: [String] {
        let names = [
            name.building.map { "\($0) \(name.floor)" } ?? name.floor,
            request.label ?? "",
            "\(request.ordinal)",
        ]
        switch plan {
        case .success(let plan):
            let image = plan.images[0]
            let more = plan.images.count > 1 ? " and \(plan.images.count - 1) more" : ""
            let rms = plan.images.compactMap { $0.fit?.rmsMetres }.max()
            return names + [
                "\(image.fileInfo.width) x \(image.fileInfo.height)\(more)",
                "\(plan.zooms.lowerBound)-\(plan.zooms.upperBound)", "\(plan.tileCount)",
                rms.map { "\($0.text(decimals: 2)) m" } ?? "",
            ]
        case .failure(let failure): return names + [failure.message, "", "", ""]
        }
    }
}
