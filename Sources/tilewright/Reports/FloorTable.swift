import Diagnostics
import TilewrightKit

/// The floors of a building, as they would be built: a line each.
struct FloorTable {
    private let plans: [FloorPlan]

    init(_ plans: [FloorPlan]) { self.plans = plans }

    /// The table, and what all of it would take.
    var text: String {
        let head = ["floor", "label", "ordinal", "image", "zooms", "tiles", "off by"]
        let rows = [head] + plans.map(\.cells)
        let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                // Numbers are compared by their last digits.
                column == 2 || column > 3
                    ? cell.0.aligned(right: cell.1) : cell.0.aligned(left: cell.1)
            }.joined(separator: "  ").trimmedAtEnd
        }
        return lines.joined(separator: "\n")
    }
}

extension FloorPlan {
    fileprivate var cells: [String] {
        let names = [
            name.building.map { "\($0) \(name.floor)" } ?? name.floor, request.label ?? "",
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
        case .failure(let failure): return names + [failure.message.printable, "", "", ""]
        }
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        var text = Substring(self)
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
