import Platform
import TilewrightKit

extension PlanReport {
    /// The report for people.
    var lines: [String] {
        sourceLines + (cutline?.lines ?? []) + ["", kernelLine, tileHeading] + tileTable + [
            "", estimate.line,
        ]
    }

    /// The sample values that become black and white, if they are not the type's range. All images with such
    /// a range share it.
    var rangeText: String? {
        image?.rangeText ?? images?.lazy.compactMap(\.image.rangeText).first
    }

    private var sourceLines: [String] {
        if let image, let position { return image.lines + position.lines }
        guard let images, let bounds else { return [] }
        let box = bounds.map { $0.text(decimals: 6) }.joined(separator: ", ")
        let more = images.count - Self.mostListed
        return ["images     \(images.count), each over the ones before it"]
            + images.prefix(Self.mostListed).map(\.line)
            + (more > 0 ? ["           and \(more) more"] : []) + ["bounds     \(box)"]
            + (rangeText.map { ["           \($0)"] } ?? [])
    }

    /// The largest number of images that are listed; --json lists all.
    private static let mostListed = 20

    /// The errors of the control points of each image that has control points.
    var fitLines: [String] {
        if let fit = position?.fit { return [fit.line] }
        return (images ?? []).compactMap { source in
            source.position.fit.map { "\(source.image.name): \($0.line)" }
        }
    }

    private var kernelLine: String {
        if overviews == "drawn" { return "zooms      each is drawn from the page" }
        return resampling == overviewResampling
            ? "kernel     \(resampling)"
            : "kernels    \(resampling) at the maximum zoom, \(overviewResampling) below it"
    }

    private var tileHeading: String {
        "tiles      \(tileSize) px; columns count from the west, rows from the north"
    }

    private var tileTable: [String] {
        let head = ["zoom", "columns", "rows", "tiles"] + (estimate.zoomBytes.isEmpty ? [] : ["about"])
        return ([head] + zooms.map(\.cells)).map { cells in
            zip(cells, [6, 20, 20, 10, 12]).map { $0.aligned(right: $1) }.joined()
        }
    }
}

extension PlanReport.Zoom {
    /// The zoom's row of a table; rows count from the north.
    var cells: [String] {
        let columns = limits.map { "\($0.columns[0])-\($0.columns[1])" }.joined(separator: ", ")
        let rows = limits.prefix(1).map { "\($0.rows[0])-\($0.rows[1])" }.joined()
        return ["\(zoom)", columns, rows, "\(tiles)"] + (bytes.map { [$0.byteText] } ?? [])
    }
}

extension PlanReport.Cutline {
    fileprivate var lines: [String] {
        let box = bounds.map { $0.text(decimals: 6) }.joined(separator: ", ")
        return ["cutline    '\(path)', \(polygons) polygon\(polygons == 1 ? "" : "s"), bounds \(box)"]
    }
}

extension PlanReport.Image {
    /// The image's name in a list.
    fileprivate var name: String { page.map { $0 == 1 ? path : "\(path), page \($0)" } ?? path }

    /// The sample values that become black and white, if they are not the type's range.
    fileprivate var rangeText: String? {
        sampleRange.map {
            "sample values from \($0[0].shortText) to \($0[1].shortText) become 0 to 255; values "
                + "outside are clipped"
        }
    }

    /// The image in lines for people.
    var lines: [String] {
        let turned = orientation == 1 ? "" : ", as stored; orientation tag \(orientation)"
        let reduced =
            "           read at 1/\(reduction) of its width and height, which is enough for these tiles"
        let size = drawing.map { "\(width) x \(height) pixels, drawn at \($0.resolution.shortText) dpi" }
        return [
            "image      \(path): \(summary)",
            "           " + (size ?? "\(width) x \(height) pixels, \(bands.counted("band"))\(turned)"),
        ] + (page == 1 ? ["           --page N chooses another page"] : [])
            + (drawing?.lines ?? [])
            + (colors.map { [$0.line] } ?? []) + (rangeText.map { ["           \($0)"] } ?? [])
            + (reduction == 1 ? [] : [reduced])
    }
}

extension PlanReport.Drawing {
    /// The levels of a colour `#rrggbb`, in the form of options.
    private static func levels(_ color: String) -> String {
        let value = Int(color.dropFirst(), radix: 16) ?? 0
        return [16, 8, 0].map { "\(value >> $0 & 255)" }.joined(separator: ",")
    }

    /// The page's layers and paper, in lines for people.
    fileprivate var lines: [String] {
        let shown = layers.filter(\.isShown).map { "'\($0.name)'" }
        let hidden = layers.filter { !$0.isShown }.map { layer in
            let state = layer.state.flatMap { $0 == "shown" ? nil : " (\($0))" }
            return "'\(layer.name)'\(state ?? "")"
        }
        let parts = [
            shown.isEmpty ? nil : shown.listed("and"),
            hidden.isEmpty ? nil : "not shown: \(hidden.listed("and"))",
        ].compactMap(\.self)
        let paper = sheetColor.map {
            ["paper      the page has the background \($0); --paper \(Self.levels($0)) makes it transparent"]
        }
        let layouts = layouts.map { names in
            let others = names.filter { $0 != layout }.map { "'\($0)'" }
            let choice = others.isEmpty ? "" : "; --layout NAME chooses \(others.listed("or"))"
            return ["layouts    '\(layout ?? "")' is shown\(choice)"]
        }
        return (layouts ?? []) + (layers.isEmpty ? [] : ["layers     \(parts.joined(separator: "; "))"])
            + (paper ?? [])
    }
}

extension PlanReport.Colors {
    /// The colours in a line for people.
    fileprivate var line: String {
        let words =
            switch treatment {
            case "converted": ", converted to sRGB"
            case "kept": ", read as sRGB"
            default: ", which is sRGB"
            }
        return "colours    " + profile + words
    }
}

extension PlanReport.Source {
    /// The image in a line for people.
    fileprivate var line: String {
        "           \(image.name): \(image.width) x \(image.height) pixels of "
            + "\(position.cellSize.lengthText), zoom \(position.nativeZoom.text(decimals: 2)), "
            + position.crs
    }
}

extension PlanReport.Position {
    /// The position in lines for people.
    fileprivate var lines: [String] {
        let names = ["top left", "top right", "bottom right", "bottom left"]
        let corners = zip(names, corners).map { name, corner in
            "           " + name.aligned(left: 14)
                + (corner.map {
                    $0[0].text(decimals: 8).aligned(right: 14) + ", " + $0[1].text(decimals: 8)
                } ?? "  is not on the Earth")
        }
        let fitted = fit.map { ["           \($0.line)"] } ?? []
        return ["position   \(source), \(crs)"] + fitted + ["corners    (longitude, latitude)"] + corners + [
            "pixel      \(cellSize.lengthText) on the ground; native zoom "
                + nativeZoom.text(decimals: 2)
        ]
    }
}

extension BuildEstimate {
    /// The estimate in a line for people.
    fileprivate var line: String {
        let spilled = scratch > 0 ? " and a scratch file of \(scratch.byteText)" : ""
        let time = seconds < 1 ? "less than a second" : "about \(seconds.text(decimals: 0)) s"
        let most = "in all     at most \(tiles.counted("tile"))"
        // Without sampled tiles, an estimate of bytes would be a guess.
        if zoomBytes.isEmpty { return "\(most); \(memory.byteText) of memory\(spilled)" }
        return "\(most), about \(bytes.byteText) (\(spread[0].byteText) to \(spread[1].byteText)); "
            + "\(memory.byteText) of memory\(spilled), \(time)"
    }
}

extension Double {
    /// A length in metres as text, in a suitable unit.
    fileprivate var lengthText: String {
        switch self {
        case ..<0.01: "\((self * 1000).text(decimals: 2)) mm"
        case ..<1: "\((self * 100).text(decimals: 2)) cm"
        case ..<1000: "\(text(decimals: 2)) m"
        default: "\((self / 1000).text(decimals: 2)) km"
        }
    }
}
