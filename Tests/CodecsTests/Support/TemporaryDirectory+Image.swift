import Codecs
import Foundation
import Raster
import TestSupport

extension TemporaryDirectory {
    /// Opens an image as the file `image` inside, whatever was there before.
    func openImage(_ file: Data, _ options: ReadOptions = ReadOptions()) throws -> any RasterSource {
        try file.write(to: url.appending(path: "image"))
        return try ImageFile.open(path: path("image"), options: options)
    }
}
