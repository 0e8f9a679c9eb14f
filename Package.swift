// swift-tools-version: 6.2
import PackageDescription

// The manifest defines the architecture. A target may import only the dependencies in its list. Each C
// library has one importer, except libdeflate and the libraries that are loaded on demand. Targets are
// listed by layer, the lowest first.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let strictC: [CSetting] = [
    .treatAllWarnings(as: .error),
    .enableWarning("all"),
    .enableWarning("extra"),
]

let strictCXX: [CXXSetting] = [
    .treatAllWarnings(as: .error),
    .enableWarning("all"),
    .enableWarning("extra"),
]

// Debug builds optimise the targets that compute pixels: otherwise the example and the tests would be slow.
// SwiftPM permits such flags only in the root package, not in the checkout of a dependency.
let isDependency = Context.packageDirectory.contains("/checkouts/")
let fast = strict + (isDependency ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))])
let fastC = strictC + (isDependency ? [] : [.unsafeFlags(["-O2"], .when(configuration: .debug))])

// On Linux, CLoader loads these libraries when they are first called. So pkg-config's flags, which
// would link the libraries, are left out.
#if os(Linux)
    let pkgConfigOfGeodesy: String? = nil
    let pkgConfigOfHEIF: String? = nil
#else
    let pkgConfigOfGeodesy: String? = "proj libgeotiff"
    let pkgConfigOfHEIF: String? = "libheif"
#endif

// The document renderer needs many libraries, of which poppler is under the GPL. So it is built only on
// request, such as by `make companions`. All other targets build and run without these libraries.
let buildsRenderer = Context.environment["TILEWRIGHT_RENDER"] == "1"

// The server needs swift-nio, which takes longer to compile than the program. So it, too, is built only on
// request.
let buildsServer = Context.environment["TILEWRIGHT_SERVE"] == "1"

let package = Package(
    name: "tilewright",
    platforms: [.macOS(.v15), .iOS(.v16)],
    products: [
        .executable(name: "tilewright", targets: ["tilewright"]),
        .library(name: "TilewrightKit", targets: ["TilewrightKit"]),
        .library(name: "TilewrightTiles", targets: ["TilewrightTiles"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
    ],
    targets: [
        // 0: C libraries as modules, and our own C core
        .systemLibrary(
            name: "CImageLibraries", path: "Sources/SystemLibraries/CImageLibraries",
            pkgConfig: "libpng libjpeg libtiff-4 libwebp lcms2",
            providers: [
                .apt(["libpng-dev", "libjpeg62-turbo-dev", "libtiff-dev", "libwebp-dev", "liblcms2-dev"]),
                .brew(["libpng", "jpeg-turbo", "libtiff", "webp", "little-cms2"]),
            ]),
        .systemLibrary(
            name: "CHEIF", path: "Sources/SystemLibraries/CHEIF", pkgConfig: pkgConfigOfHEIF,
            providers: [.apt(["libheif-dev"]), .brew(["libheif"])]),
        .systemLibrary(
            name: "CDeflate", path: "Sources/SystemLibraries/CDeflate", pkgConfig: "libdeflate",
            providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
        .systemLibrary(
            name: "CGeodesy", path: "Sources/SystemLibraries/CGeodesy", pkgConfig: pkgConfigOfGeodesy,
            providers: [
                .apt(["libproj-dev", "libgeotiff-dev"]), .brew(["proj", "libgeotiff"]),
            ]),
        .systemLibrary(
            name: "CExpat", path: "Sources/SystemLibraries/CExpat", pkgConfig: "expat",
            providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
        .systemLibrary(
            name: "CStorage", path: "Sources/SystemLibraries/CStorage",
            pkgConfig: "sqlite3 libxxhash libzstd libmd",
            providers: [
                .apt(["libsqlite3-dev", "libxxhash-dev", "libzstd-dev", "libmd-dev"]),
                .brew(["sqlite", "xxhash", "zstd", "libmd"]),
            ]),
        .systemLibrary(
            name: "CYAML", path: "Sources/SystemLibraries/CYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .target(name: "CKernels", cSettings: fastC),
        .target(name: "CArguments", cSettings: strictC),
        // Pages and client code are files in their own languages, compiled into the program.
        .target(name: "CPublishing", path: "Sources/Publishing/Embedded", cSettings: strictC),
        .target(
            name: "CLoader", dependencies: ["CGeodesy", "CHEIF"],
            path: "Sources/SystemLibraries/CLoader", cSettings: strictC),

        // 1: wrapper of the codec libraries; files and directories; geometry of tiles and views; YAML trees
        .target(
            name: "CCodec",
            dependencies: ["CImageLibraries", "CHEIF", "CLoader", "CDeflate"],
            cSettings: fastC, cxxSettings: strictCXX),
        // Loads libcurl when it is first needed; only its headers are used here.
        .target(name: "CTransfer", cSettings: strictC),
        .target(name: "Platform", swiftSettings: strict),
        .target(name: "Tiling", dependencies: ["Platform"], swiftSettings: fast),
        .target(name: "YAML", dependencies: ["Platform", "CYAML"], swiftSettings: strict),

        // 2: positions of images; storage of tilesets; messages to the document renderer
        .target(
            name: "Georeferencing",
            dependencies: [
                "Platform", "Tiling", "CGeodesy", "CLoader", "CExpat", "CDeflate",
            ],
            swiftSettings: strict),
        .target(
            name: "Tilesets",
            dependencies: ["Platform", "Tiling", "CDeflate", "CStorage"],
            swiftSettings: strict),
        // The messages between the program and the document renderer.
        .target(
            name: "RenderProtocol", dependencies: ["Platform", "Tiling"], swiftSettings: strict),

        // Files on web servers and objects in buckets; nothing of images or tiles.
        .target(name: "Stores", dependencies: ["Platform", "CTransfer"], swiftSettings: strict),

        // 3: pixels, and the protocols of codecs; no georeferencing
        .target(
            name: "Raster", dependencies: ["Platform", "Tiling"],
            swiftSettings: fast),

        // 4: image files; rendering; palettes
        .target(
            name: "Codecs",
            dependencies: ["Platform", "Tiling", "Raster", "CCodec"],
            swiftSettings: fast),
        .target(
            name: "Rendering",
            dependencies: ["Platform", "Tiling", "Georeferencing", "Raster", "CKernels"],
            swiftSettings: fast),
        .target(
            name: "Palettes", dependencies: ["Platform", "Tiling", "Raster"],
            swiftSettings: fast),

        // 6: documents, pages and client code
        .target(
            name: "Publishing",
            dependencies: ["Platform", "Tiling", "Tilesets", "CPublishing"],
            exclude: ["Clients", "Embedded", "Pages", "Templates"], swiftSettings: strict),

        // 7: pictures of fits
        .target(
            name: "Plotting", dependencies: ["Platform", "Tiling", "Georeferencing", "Publishing"],
            swiftSettings: strict),

        // 8: the library for Swift programs
        .target(
            name: "TilewrightKit",
            dependencies: [
                "Platform", "Stores", "Tiling", "RenderProtocol", "Georeferencing", "Tilesets", "Raster",
                "Codecs", "Rendering", "Palettes", "Publishing", "Plotting", "YAML",
            ],
            // A schema for editors.
            exclude: ["Manifests/building.schema.json"],
            swiftSettings: strict),

        // What apps embed: it depends on nothing of all this, only on libraries that every system has.
        .systemLibrary(
            name: "CTileArchives", path: "Sources/SystemLibraries/CTileArchives",
            providers: [.apt(["libsqlite3-dev", "zlib1g-dev"])]),
        .target(name: "TilewrightTiles", dependencies: ["CTileArchives"], swiftSettings: strict),

        // 8: parser of HTTP requests, which are untrusted
        .target(name: "WebRequests", dependencies: ["Tiling"], swiftSettings: strict),

        // 9: code that the program and its companions share; the command; the server
        .target(
            name: "CommandSupport",
            dependencies: [
                "CArguments", "Platform", "Tiling", "Georeferencing", "Raster", "Codecs", "Rendering",
                "TilewrightKit", "WebRequests",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "tilewright",
            dependencies: [
                "CommandSupport", "Platform", "Tiling", "Georeferencing", "Tilesets", "Raster", "Codecs",
                "Rendering", "Publishing", "TilewrightKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            // Schemas for scripts.
            exclude: ["Reports/progress.schema.json", "Reports/report.schema.json"],
            swiftSettings: strict),

        // Tests
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(
            name: "PlatformTests", dependencies: ["Platform", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "StoresTests", dependencies: ["Platform", "Stores", "TestSupport"],
            exclude: ["Support"], swiftSettings: strict),
        .testTarget(
            name: "TilingTests", dependencies: ["Platform", "Tiling", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "RasterTests", dependencies: ["Platform", "Tiling", "Raster", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "YAMLTests", dependencies: ["Platform", "YAML"], swiftSettings: strict),
        .testTarget(
            name: "RenderProtocolTests",
            dependencies: ["Platform", "Tiling", "RenderProtocol", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "GeoreferencingTests",
            dependencies: ["Platform", "Tiling", "Georeferencing", "TestSupport"],
            exclude: ["Support/geospatial_pdfs.json", "Support/geospatial_pdfs.py"],
            swiftSettings: strict),
        .testTarget(
            name: "TilesetsTests",
            dependencies: ["Platform", "Tiling", "Tilesets", "TestSupport", "CStorage"],
            swiftSettings: strict),
        .testTarget(
            name: "CodecsTests",
            dependencies: ["Platform", "Tiling", "Raster", "Codecs", "TestSupport", "CDeflate"],
            exclude: ["Support/tiff_samples.py"],
            swiftSettings: strict),
        .testTarget(
            name: "PalettesTests",
            dependencies: ["Platform", "Tiling", "Raster", "Palettes", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "RenderingTests",
            dependencies: [
                "Platform", "Tiling", "Georeferencing", "Raster", "Rendering", "CKernels", "TestSupport",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "tilewright-benchmarks",
            dependencies: [
                "CKernels", "Tiling", "Georeferencing", "Tilesets", "Raster", "Codecs", "Rendering",
            ],
            path: "Tests/Benchmarks",
            exclude: [
                "benchmarks.mk", "build_times.py", "compare.py", "draw_plan.py", "encoders.py", "far.py",
                "history.py", "history_chart.py", "instructions.json",
                "instructions.py", "make_aerial.py", "plant.py", "random_jobs.py", "same_bytes.py",
                "serve.py",
                "test_history.py",
            ],
            swiftSettings: strict,
            // Rounding calls libm, which would otherwise be linked only with Foundation.
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        .testTarget(
            name: "PublishingTests",
            dependencies: ["Platform", "Tiling", "Tilesets", "Publishing", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "PlottingTests",
            dependencies: ["Tiling", "Georeferencing", "Plotting"],
            swiftSettings: strict),
        .testTarget(
            name: "TilewrightKitTests",
            dependencies: [
                "Platform", "Tiling", "Georeferencing", "Tilesets", "Raster", "Codecs", "Rendering",
                "TilewrightKit", "TestSupport",
            ],
            exclude: ["Sheets/draw_sheets.py", "Sheets/plan_parts.py", "Sheets/sheet_parts.py"],
            swiftSettings: strict),
        .testTarget(
            name: "WebRequestsTests", dependencies: ["Tiling", "WebRequests"], swiftSettings: strict),
        .testTarget(
            name: "CommandSupportTests", dependencies: ["CommandSupport"], swiftSettings: strict),
        .testTarget(
            name: "TilewrightTilesTests", dependencies: ["TilewrightTiles", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            // The tests run the program, so it must be built first.
            name: "EndToEndTests",
            dependencies: [
                "Platform", "Tilesets", "Raster", "Codecs", "TestSupport", "TilewrightTiles", "tilewright",
            ],
            exclude: [
                "Support/Buckets/bucket_server.py", "Support/CAD", "Support/Completions", "Support/Documents",
                "Support/Far/range_server.py", "Support/Far/sparse_tiff.py", "Support/Floors",
                "Support/Guide",
                "Support/Placing", "Support/Received", "Support/browser.py", "Support/martin_rules.py",
                "Support/Serving/guide_people.py", "Support/Serving/guide_server.py",
                "Support/Serving/guide_visit.py", "Support/Serving/open_guide.py",
                "Support/Serving/place_served.py", "Support/Serving/three_floors.py",
                "Support/Viewer/see_language.py", "Support/Viewer/share_page.py",
                "Support/Viewer/view_campus.py", "Support/Viewer/view_served.py",
            ],
            swiftSettings: strict),
    ]
)

if buildsServer {
    package.dependencies.append(.package(url: "https://github.com/apple/swift-nio", from: "2.101.0"))
    package.products.append(.executable(name: "tilewright-serve", targets: ["tilewright-serve"]))
    package.targets.append(
        .executableTarget(
            name: "tilewright-serve",
            dependencies: [
                "CommandSupport", "Platform", "Tiling", "Tilesets", "Publishing", "TilewrightKit",
                "WebRequests", .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict))
}

if buildsRenderer {
    package.products.append(.executable(name: "tilewright-render", targets: ["tilewright-render"]))
    package.targets += [
        .systemLibrary(
            name: "CDocumentLibraries", path: "Sources/SystemLibraries/CDocumentLibraries",
            pkgConfig: "poppler-glib librsvg-2.0 fontconfig libqpdf",
            providers: [
                .apt(["libpoppler-glib-dev", "librsvg2-dev", "libfontconfig-dev", "libqpdf-dev"]),
                .brew(["poppler", "librsvg", "fontconfig", "qpdf"]),
            ]),
        // What a process that reads documents may do. tilewright-cad, in Python, loads the same code.
        .target(name: "CConfinement", cSettings: strictC),
        // The wrapper of the libraries that read and draw documents.
        .target(
            name: "CDocuments", dependencies: ["CDocumentLibraries"],
            // For dlsym(RTLD_NEXT), which finds the next library's function of the same name.
            cSettings: strictC + [.define("_GNU_SOURCE")],
            // Leaves out qpdf's old PointerHolder. Without a setting, qpdf warns about it.
            cxxSettings: strictCXX + [.define("POINTERHOLDER_TRANSITION", to: "4")]),
        .executableTarget(
            name: "tilewright-render",
            dependencies: [
                "CArguments", "CConfinement", "Platform", "Tiling", "RenderProtocol", "CDocuments",
            ],
            swiftSettings: strict),
        .testTarget(
            // The tests start the renderer, so it must be built first.
            name: "RendererTests",
            dependencies: [
                "Codecs", "Platform", "Raster", "RenderProtocol", "Tiling", "TestSupport",
                "tilewright-render",
            ],
            swiftSettings: strict),
    ]
    // End-to-end tests run the renderer together with the program.
    package.targets.first { $0.name == "EndToEndTests" }?.dependencies.append("tilewright-render")
}
