/// XML 1.0 that is to be written, in UTF-8.
enum XMLText {
    /// The first line of a file.
    static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    /// A text as it stands between tags or in an attribute's quotes. Characters that XML cannot hold
    /// are left out.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", " "...: result.unicodeScalars.append(scalar)
            default: continue
            }
        }
        return result
    }
}
