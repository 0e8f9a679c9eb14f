import CDocuments
import RenderProtocol

/// What the program says to a person.
enum Notice {
    static var text: String {
        """
        tilewright-render draws pages of PDF and SVG documents for tilewright, which starts it and speaks to \
        it through pipes.
        It does nothing by itself.
        Protocol \(Frame.version); \(String(cString: cd_libraries()))
        """
    }
}
