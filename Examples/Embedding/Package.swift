// swift-tools-version: 6.2
import PackageDescription

// A package of its own that uses tilewright's library. Elsewhere the dependency is an address:
//     .package(url: "https://…/tilewright", from: "0.2.0")
let package = Package(
    name: "Embedding",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tilewright", path: "../..")],
    targets: [
        .executableTarget(
            name: "Embedding",
            dependencies: [.product(name: "TilewrightKit", package: "tilewright")])
    ]
)
