# A formula of Homebrew. What stands between two @ is filled in by .packaging/formula.sh, for each release.
class Tilewright < Formula
  desc "Turn georeferenced images into pyramids of map tiles"
  homepage "@HOMEPAGE@"
  url "@HOMEPAGE@/releases/download/v@VERSION@/tilewright-@VERSION@-source.tar.gz"
  sha256 "@SHA256@"
  # Its own code; tilewright-render links poppler.
  license all_of: ["MIT", any_of: ["GPL-2.0-only", "GPL-3.0-only"]]
  head "@HOMEPAGE@.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on "expat"
  depends_on "fontconfig"
  depends_on "jpeg-turbo"
  depends_on "libdeflate"
  depends_on "libgeotiff"
  depends_on "libheif"
  depends_on "libmd"
  depends_on "libpng"
  depends_on "librsvg"
  depends_on "libtiff"
  depends_on "libyaml"
  depends_on "little-cms2"
  depends_on "poppler"
  depends_on "proj"
  depends_on "qpdf"
  depends_on "sqlite"
  depends_on "webp"
  depends_on "xxhash"
  depends_on "zstd"

  on_macos do
    # The first with Swift 6.2.
    depends_on xcode: ["26.0", :build]
    depends_on macos: :sequoia
  end

  on_linux do
    depends_on "swift" => :build
  end

  def install
    # Homebrew's build may not start a sandbox in its own.
    system "make", "packed-companions", "install", "PREFIX=#{prefix}", "SWIFT_FLAGS=--disable-sandbox"
  end

  test do
    # A PNG of two by two red pixels.
    (testpath/"plan.png").binwrite "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mM4IScHRAwQCgAfJgQRSo6N" \
                                   "IAAAAABJRU5ErkJggg==".unpack1("m")
    system bin/"tilewright", "build", "plan.png", "-o", "tiles", "--bounds", "11,48,11.001,48.001", "--zoom", "11"
    system bin/"tilewright", "verify", "tiles"
    assert_match version.to_s, shell_output("#{bin}/tilewright --version")
    assert_match "poppler", shell_output("#{bin}/tilewright-render --version")
  end
end
