import Platform

/// Why one attempt failed, and whether another one may succeed.
struct Trouble: Error {
    /// A clause for the message.
    var reason: String
    var kind: Failure.Kind
    var remedy: String?
    /// Whether another attempt may succeed.
    var isTemporary = false
    /// How long the server asks to wait, in seconds.
    var pause: Double?
    /// The status of the answer, if that is the reason.
    var status: Int?

    /// What the server did makes no sense, but may have been an accident.
    static func lie(_ reason: String) -> Trouble {
        Trouble(reason: reason, kind: .badInput, isTemporary: true)
    }

    /// What the server has cannot be used.
    static func refusal(_ reason: String, remedy: String? = nil) -> Trouble {
        Trouble(reason: reason, kind: .badInput, remedy: remedy)
    }

    /// The file is of another version than before.
    static let changed = Trouble(
        reason: "it changed while it was read", kind: .badInput,
        remedy: "run the same command again when it does not change")

    /// The failure of an attempt.
    ///
    /// - Parameter attempt: such as `read 'https://host/plan.tif'`.
    func failure(_ attempt: String, repeats: Int) -> Failure {
        let times = repeats == 0 ? "" : ", even after \(repeats.counted("repeat"))"
        return Failure(kind, cannot: attempt, reason + times, remedy: remedy)
    }
}

extension Trouble {
    /// The trouble of an answer that is not a success.
    ///
    /// - Parameters:
    ///   - code: what S3 calls the error, such as `NoSuchKey`.
    ///   - isWriting: whether the request changes something.
    init(
        status: Int, code: String?, isBucket: Bool, isWriting: Bool, hasCredentials: Bool, retryAfter: Double?
    ) {
        let name = code.map { ", \($0)" } ?? ""
        self.init(reason: "the server answers \(status)\(name)", kind: .inputOutput)
        self.status = status
        switch status {
        case 408, 425, 429, 500, 502, 503, 504: (isTemporary, pause) = (true, retryAfter)
        case 404, 410:
            kind = isWriting ? .outputRefused : .missingInput
            reason = code == "NoSuchBucket" ? "there is no such bucket" : "not found (\(status))"
        case 401, 403:
            kind = isWriting ? .outputRefused : .missingInput
            reason = "the server refuses access (\(status)\(name))"
            if !isBucket {
                remedy =
                    "use an address that needs no login, such as a signed one, or download the file first"
            } else if hasCredentials {
                remedy = "check the credentials, their rights and the name of the bucket"
            } else {
                remedy = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
            }
        case 412: self = .changed
        case 300..<400:
            kind = .badInput
            remedy = isBucket ? "set AWS_REGION to the region of the bucket" : nil
        case 400..<500: kind = isWriting ? .outputRefused : .missingInput
        case 500..<600: isTemporary = status != 501 && status != 505
        default: kind = .badInput
        }
    }
}
