// swift-tools-version: 6.2
import PackageDescription

// A separate package that uses tilewright's library. Outside this repository, the dependency is a URL:
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
