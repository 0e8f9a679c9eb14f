package import Georeferencing
import Platform

/// What `--transform` says.
package enum TransformChoice: Hashable, Sendable {
    /// One model.
    case one(TransformModel)
    /// All models, side by side.
    case all

    /// Reads the name of a model, or `all`; nil for anything else.
    package init?(parsing text: String) {
        if text == "all" {
            self = .all
        } else if let model = TransformModel(rawValue: text) {
            self = .one(model)
        } else {
            return nil
        }
    }

    /// What can be written.
    package static var names: [String] { TransformModel.allCases.map(\.rawValue) + ["all"] }

    /// How it is written.
    package var name: String {
        switch self {
        case .one(let model): model.rawValue
        case .all: "all"
        }
    }

    /// The model.
    ///
    /// - Throws: `.usage` if it is all of them.
    func model() throws(Failure) -> TransformModel {
        switch self {
        case .one(let model): return model
        case .all:
            throw Failure(
                .usage, "--transform all only compares fits, and places no image",
                remedy: "'tilewright fit --transform all' says which model to take")
        }
    }
}
