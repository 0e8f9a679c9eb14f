import Platform
import Foundation
import Georeferencing
import TestSupport
import Testing
@testable import TilewrightKit
import Tiling

/// The positions of the pages of one file.
struct PagePlacementTests {
    private let site: Site

    init() throws { site = try Site() }

    /// Three pages of 30 x 20 gray pixels.
    private func writeScan() throws {
        var file = TIFFBuilder(width: 30, height: 20, data: [UInt8](repeating: 90, count: 600))
        file.others = [file.fields, file.fields]
        try site.write(file.bytes, to: "scan.tif")
    }

    private func page(_ number: Int?) -> ImageRequest {
        var request = ImageRequest(site.path("scan.tif"))
        request.page = number
        return request
    }

    private func points(west: Double) -> [UInt8] {
        let rows = [
            "mapX,mapY,pixelX,pixelY,enable", "\(west),48.002,0,0,1", "\(west + 0.003),48.002,30,0,1",
            "\(west),48,0,-20,1",
        ]
        return Array(rows.joined(separator: "\n").utf8)
    }

    @Test("files next to the image apply to all pages, unless a page has its own points")
    func points() throws {
        try writeScan()
        try site.write(points(west: 2), to: "scan.tif.points")
        try site.write(points(west: 3), to: "scan.tif.page2.points")
        for (number, west) in [(nil, 2.0), (1, 2), (2, 3), (3, 2)] {
            let corner = try PlacedImage(page(number)).corners[0]
            #expect(abs(corner.x - west) < 1e-9, "page \(number ?? 1)")
        }
        #expect(
            try BuildInputs([page(2)], others: []).paths.map(\.fileName) == [
                "scan.tif", "scan.tif.page2.points",
            ])
        #expect(
            try BuildInputs([page(3)], others: []).paths.map(\.fileName) == ["scan.tif", "scan.tif.points"])
    }

    @Test("page 1 is the same image as no page, and other pages are other images")
    func identity() throws {
        try writeScan()
        try site.write(points(west: 2), to: "scan.tif.points")
        let fields = try [nil, 1, 2, 3].map { number in
            try JobFingerprint(TilesetPlan(images: [PlacedImage(page(number))], request: PyramidRequest()))
                .fields
        }
        #expect(fields[0] == fields[1])
        #expect(!fields[0].contains { $0.hasPrefix("page") })
        #expect(fields[2].contains("page 2") && fields[3].contains("page 3"))
    }

    /// Pages with their own positions in tags, and one in the file next to the image.
    private static let script = """
        import numpy as np
        from osgeo import gdal, osr
        gdal.UseExceptions()
        system = osr.SpatialReference()
        system.ImportFromEPSG(32631)
        for number in range(3):
            image = gdal.GetDriverByName('MEM').Create('', 30, 20, 1)
            if number != 1:
                image.SetGeoTransform([500000 + 1000 * number, 2, 0, 5000000, 0, -2])
                image.SetProjection(system.ExportToWkt())
            image.GetRasterBand(1).WriteArray(np.full((20, 30), 90))
            options = ['APPEND_SUBDATASET=YES'] if number else []
            gdal.GetDriverByName('GTiff').CreateCopy('scan.tif', image, options=options)
        # What GDAL notes of a page goes into the file beside it, where version 3.6 does not find it again.
        image = gdal.Open('GTIFF_DIR:2:scan.tif')
        image.SetGeoTransform([507000, 2, 0, 5000000, 0, -2])
        image.SetProjection(system.ExportToWkt())
        image = None
        for number in (1, 3):
            print(gdal.Open(f'GTIFF_DIR:{number}:scan.tif').GetGeoTransform()[0])
        """

    @Test("pages have the positions that GDAL gives them", .needsPython("numpy", "osgeo.gdal"))
    func sameAsGDAL() throws {
        let outcome = try Python.run(
            Self.script, with: ["numpy", "osgeo.gdal"], in: URL(filePath: site.path("")))
        try #require(outcome.status == 0, "\(outcome.errors)")
        let wests = outcome.output.split(separator: "\n").compactMap { Double($0) }
        try #require(wests == [500_000, 502_000])
        for (number, west) in [(1, wests[0]), (2, 507_000), (3, wests[1])] {
            let placed = try PlacedImage(page(number))
            guard case .affine(let transform) = placed.placement.fileGeoreference.pixelToCRS else {
                Issue.record("page \(number) is not affine")
                continue
            }
            #expect(transform.c == west, "page \(number)")
        }
    }
}
