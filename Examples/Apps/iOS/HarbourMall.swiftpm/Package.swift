// swift-tools-version: 6.2
import AppleProductTypes
import PackageDescription

let package = Package(
    name: "HarbourMall",
    platforms: [.iOS(.v16)],
    products: [
        .iOSApplication(
            name: "HarbourMall",
            targets: ["HarbourMall"],
            // Google can restrict an API key to this identifier.
            bundleIdentifier: "org.example.harbourmall",
            displayVersion: "1.0",
            bundleVersion: "1",
            appIcon: .placeholder(icon: .map),
            accentColor: .presetColor(.blue),
            supportedDeviceFamilies: [.phone, .pad],
            supportedInterfaceOrientations: [
                .portrait, .landscapeLeft, .landscapeRight,
                .portraitUpsideDown(.when(deviceFamilies: [.pad])),
            ])
    ],
    dependencies: [
        // In your own app, instead of the path: url: "https://…/tilewright", from: "…".
        .package(name: "tilewright", path: "../../../.."),
        // Version 10 is the last one for iOS 16.
        .package(url: "https://github.com/googlemaps/ios-maps-sdk", from: "10.0.0"),
    ],
    targets: [
        .executableTarget(
            name: "HarbourMall",
            dependencies: [
                .product(name: "TilewrightTiles", package: "tilewright"),
                .product(name: "GoogleMaps", package: "ios-maps-sdk"),
            ],
            path: ".",
            // A copy keeps the folder: the code reads floors/building.json in the app's bundle.
            resources: [.copy("floors")])
    ]
)
