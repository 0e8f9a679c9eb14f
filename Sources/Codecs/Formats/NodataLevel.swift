import CCodec
import Raster

/// The value of a PNG or JPEG file that stands for no data: a pixel is transparent if all its samples
/// have this value in the file.
struct NodataLevel {
    /// The value as a share of a sample's largest value.
    private let share: Double

    /// Takes the nodata value of the options; nil if they have none that a sample can have, or if bands
    /// are chosen, since those are taken as they are.
    ///
    /// - Parameter largest: the largest value of a sample in the file, which is white; nil if samples
    ///   are not values but palette indices.
    init?(_ options: ReadOptions, largest: Double?) {
        guard let nodata = options.nodata, nodata == nodata.rounded(), options.bands == nil,
            let largest, 0...largest ~= nodata
        else { return nil }
        share = nodata / largest
    }

    /// The colour of nodata pixels if pixels are not converted.
    var color: ColorKey {
        let level = UInt8((share * 255).rounded())
        return ColorKey(red: level, green: level, blue: level, tolerance: 0)
    }

    /// Widens converted pixels to RGBA, and makes those transparent that had the nodata value before.
    ///
    /// - Parameters:
    ///   - result: room for `count` RGBA pixels. The converted pixels, of `size` bytes each, lie at its
    ///     end.
    ///   - pixels: the same pixels before the conversion.
    func widen(
        _ result: UnsafeMutableRawPointer, count: Int, of size: Int,
        from pixels: UnsafeRawPointer, in form: cc_pixel_form
    ) {
        let bytes = result.assumingMemoryBound(to: UInt8.self)
        let first = bytes + count * (4 - size)
        let (green, blue) = size == 1 ? (0, 0) : (1, 2)
        for index in 0..<count {
            // The bytes written here end before the next pixel to be read.
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
            // The value was chosen from RGB, which was made of the inks without their profile.
            let paper = 255 - sample(3)
            return (0..<3).allSatisfy { ((255 - sample($0)) * paper + 127) / 255 == level }
        }
        return (0..<(form.samples == 1 ? 1 : 3)).allSatisfy { sample($0) == level }
    }
}
