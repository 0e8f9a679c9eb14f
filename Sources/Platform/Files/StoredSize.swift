#if canImport(Glibc)
    import Glibc
    // Glibc's header shows them to GNU programs only.
    private let (seekData, seekHole): (Int32, Int32) = (3, 4)
#else
    import Darwin
    private let (seekData, seekHole) = (SEEK_DATA, SEEK_HOLE)
#endif

extension FileDescriptor {
    /// Parts between holes that are looked at. Copies that leave out zeros have some thousands.
    private static let mostParts = 100_000

    /// Bytes of a file that somebody wrote: without its holes, which take no room on the disk, and can make a file of
    /// any length of a few bytes. All of them if the file system knows no holes; lseek(2), which moves the place where the
    /// next read begins.
    ///
    /// - Parameter size: the length of the file.
    package func storedSize(of size: Int) -> Int {
        withNumber { number in
            var (stored, start) = (0, 0)
            for _ in 0..<Self.mostParts {
                let data = Int(lseek(number, off_t(start), seekData))
                if data < 0 { return start == 0 && errno != ENXIO ? size : stored }
                let hole = Int(lseek(number, off_t(data), seekHole))
                if hole < 0 { return size }
                stored += hole - data
                start = hole
            }
            return stored
        }
    }
}
