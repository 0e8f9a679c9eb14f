import CCodec
import Raster

/// The value of a PNG or JPEG file that stands for no data: a pixel is transparent all of whose
/// samples have it, as they stand in the file.
struct NodataLevel {
    /// The value, where 1 is the largest of a sample.
    private let share: Double

    /// The value that something beside the file names; nil where it names none that a sample can
    /// have, or where bands are chosen, which are taken as they stand.
    ///
    /// - Parameter largest: the largest value of a sample in the file, which is white; nil where
    ///   samples are no values.
    init?(_ options: ReadOptions, largest: Double?) {
        guard let nodata = options.nodata, nodata == nodata.rounded(), options.bands == nil,
            let largest, 0...largest ~= nodata
        else { return nil }
        share = nodata / largest
    }

    /// The colour of such pixels among others that are not converted.
    var color: NodataColor {
        let level = UInt8((share * 255).rounded())
        return NodataColor(red: level, green: level, blue: level, tolerance: 0)
    }

    /// Makes RGBA of pixels that were converted, with those transparent that had the value before.
    ///
    /// - Parameters:
    ///   - result: the pixels of `size` bytes each behind as much room as the result needs beyond
    ///     them, where the result comes to lie.
    ///   - pixels: the same before they were converted.
    func widen(
        _ result: UnsafeMutableRawPointer, count: Int, of size: Int,
        from pixels: UnsafeRawPointer, in form: cc_pixel_form
    ) {
        let bytes = result.assumingMemoryBound(to: UInt8.self)
        let first = bytes + count * (4 - size)
        let (green, blue) = size == 1 ? (0, 0) : (1, 2)
        for index in 0..<count {
            // What is written ends before the pixel that is read next begins.
            let (source, place) = (first + index * size, bytes + index * 4)
            let alpha = size == 4 ? source[3] : 255
            (place[0], place[1], place[2]) = (source[0], source[green], source[blue])
            place[3] = matches(pixels, at: index, in: form) ? 0 : alpha
        }
    }

    private func matches(_ pixels: UnsafeRawPointer, at index: Int, in form: cc_pixel_form) -> Bool {
        let first = index * Int(form.samples)
        func sample(_ place: Int) -> Int {
            form.bits == 16
                ? Int(pixels.load(fromByteOffset: (first + place) * 2, as: UInt16.self))
                : Int(pixels.load(fromByteOffset: first + place, as: UInt8.self))
        }
        let level = Int((share * (form.bits == 16 ? 65535 : 255)).rounded())
        if form.space == CC_SPACE_CMYK {
            // Whoever wrote the value saw light, made of the inks without their profile.
            let paper = 255 - sample(3)
            return (0..<3).allSatisfy { ((255 - sample($0)) * paper + 127) / 255 == level }
        }
        return (0..<(form.samples == 1 ? 1 : 3)).allSatisfy { sample($0) == level }
    }
}
