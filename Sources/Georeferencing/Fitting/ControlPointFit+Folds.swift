import Platform
import Tiling

extension ControlPointFit {
    /// Refuses a transform that turns over within a part of the image, or at a control point.
    func checkFolds(of transform: CurvedTransform, in part: CurvedTransform.Part) throws {
        let points = residuals.map(\.point)
        let stray = points.first { !transform.place(of: $0.pixel).isFinite }
        guard let fold = stray?.pixel ?? transform.fold(in: part) else { return }
        throw Failure(
            .badInput,
            "the \(model.rawValue) fit folds the image over itself near column "
                + "\(fold.x.text(decimals: 0)), row \(fold.y.text(decimals: 0))",
            remedy: wayOut(near: fold, points))
    }

    private func wayOut(near fold: Point, _ points: [ControlPoint]) -> String {
        if let suspect {
            return "the control point '\(suspect.point.name)' is probably wrong: without it the "
                + "others agree at least three times better; --transform affine shows the residuals"
        }
        let nearest = points.sorted { $0.pixel.distance(to: fold) < $1.pixel.distance(to: fold) }[0]
        return
            "check '\(nearest.name)', the control point nearest to it, and those beside it; "
            + "or add points there, leave that part out with --crop, or fit --transform affine"
    }
}

extension CurvedTransform.Part {
    /// The pixels of a window.
    init(_ window: PixelWindow) {
        columns = Double(window.columns.lowerBound)...Double(window.columns.upperBound)
        rows = Double(window.rows.lowerBound)...Double(window.rows.upperBound)
    }
}
