import RenderProtocol
import Testing

/// Pictures, sheets and positions, as the objects of a PDF tell them.
@Suite struct ObjectsTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func page(
        _ contents: String, images: [(Int, Int)] = [], page: String = ""
    ) throws -> PageDescription {
        var pdf = PDFBuilder(contents)
        pdf.objects = images.map { PDFBuilder.image($0.0, $0.1) { column, row in UInt8(column ^ row & 255) } }
        pdf.resources = "/XObject<</I 5 0 R/J 6 0 R>>"
        pdf.page = page
        return try desk.open(pdf).page
    }

    @Test("a page with only a picture has the picture's size")
    func picture() throws {
        let contents = "q 200 0 0 100 0 0 cm /I Do Q"
        #expect(
            try page(contents, images: [(100, 50)]).picture == .init(columns: 100, rows: 50, resolution: 36))
        #expect(
            try page(contents, images: [(100, 50)], page: "/Rotate 90").picture
                == .init(columns: 50, rows: 100, resolution: 36))
        // With what somebody recognised in it, clipped to the page, and drawn upside down.
        let others = "0 0 200 100 re W n q 200 0 0 -100 0 100 cm /I Do Q BT 3 Tr /F 9 Tf (text) Tj ET"
        #expect(
            try page(others, images: [(100, 50)]).picture == .init(columns: 100, rows: 50, resolution: 36))
    }

    @Test("strips of a scan are one picture")
    func strips() throws {
        let contents = "q 200 0 0 60 0 40 cm /I Do Q q 200 0 0 40 0 0 cm /J Do Q"
        #expect(
            try page(contents, images: [(100, 30), (100, 20)]).picture
                == .init(columns: 100, rows: 50, resolution: 36))
        // Of another resolution; over one another.
        #expect(try page(contents, images: [(100, 30), (50, 20)]).picture == nil)
        let twice = "q 200 0 0 100 0 0 cm /I Do Q q 200 0 0 100 0 0 cm /J Do Q"
        #expect(try page(twice, images: [(100, 50), (100, 50)]).picture == nil)
    }

    @Test(
        "a page with more than a picture is not a picture",
        arguments: [
            "q 190 0 0 100 0 0 cm /I Do Q", "q 200 0 0 100 0 0 cm /I Do Q 0 0 m 9 9 l S",
            "q 200 0 0 100 0 0 cm /I Do Q BT /F 9 Tf (text) Tj ET",
            "0 0 50 100 re W n q 200 0 0 100 0 0 cm /I Do Q",
            "q 180 20 -20 90 20 0 cm /I Do Q", "/OC /L BDC q 200 0 0 100 0 0 cm /I Do Q EMC", "",
        ])
    func more(contents: String) throws {
        #expect(try page(contents, images: [(100, 50)]).picture == nil)
    }

    @Test(
        "a page that is filled first is reported with its colour",
        arguments: [
            ("1 g 0 0 200 100 re f 0 0 m 9 9 l S", [255, 255, 255]),
            ("q 2 0 0 1 -1 -1 cm 0.2 0.4 0.6 rg 0 0 101 102 re f Q", [51, 102, 153]),
            ("0 0 0 0 k 0 0 200 100 re f*", [255, 255, 255]),
            ("0 0 200 100 re f", [0, 0, 0]),
            // As matplotlib and LibreOffice write it.
            ("1 g 0 0 m 200 0 l 200 100 l 0 100 l h f", [255, 255, 255]),
            (
                "q 0 0.03 199.98 99.97 re W* n 1 g 0 100 m 199.98 100 l 199.98 0.03 l 0 0.03 l 0 100 l h f*",
                [255, 255, 255]
            ),
        ])
    func sheet(contents: String, color: [Int]) throws {
        #expect(try page(contents).sheetColor == color)
    }

    @Test(
        "a fill of a part of the page, or a later fill, is not the paper",
        arguments: [
            "1 g 0 0 199 100 re f", "0 0 m 9 9 l S 1 g 0 0 200 100 re f",
            "0 0 9 9 re W n 1 g 0 0 200 100 re f",
            "1 g 0 0 m 200 0 l 200 100 l f", "0.1 0.2 0.3 0.4 k 0 0 200 100 re f",
        ])
    func noSheet(contents: String) throws {
        #expect(try page(contents).sheetColor == nil)
    }

    @Test("viewports with measures are reported unchanged")
    func measures() throws {
        let found = try page(
            "",
            page: """
                /VP[<</BBox[10 10 190 90]/Name(Map)/Measure<</Subtype/GEO/Bounds[0 0 0 1 1 1 1 0]
                /GPTS[47 8 48 8 48 9 47 9]/LPTS[0 0 0 1 1 1 1 0]/GCS<</Type/PROJCS/EPSG 32632/WKT(PROJCS[])>>>>>>
                <</BBox[0 0 1 1]/Measure<</Subtype/RL>>>> 7 <</BBox[0 0 1 (x)]/Measure<</Subtype/GEO>>>>]
                """
        ).viewports
        try #require(found.count == 2)
        var expected = GeospatialViewport(.measure)
        expected.name = "Map"
        expected.box = [10, 10, 190, 90]
        expected.bounds = [0, 0, 0, 1, 1, 1, 1, 0]
        expected.groundPoints = [47, 8, 48, 8, 48, 9, 47, 9]
        expected.boxPoints = [0, 0, 0, 1, 1, 1, 1, 0]
        (expected.systemType, expected.epsg, expected.wkt) = ("PROJCS", 32632, "PROJCS[]")
        #expect(found[0] == expected)
        #expect(found[1] == GeospatialViewport(.measure))
    }

    @Test("dictionaries of older maps are reported unchanged, one or several")
    func dictionaries() throws {
        let matrix = """
            <</Type/LGIDict/CTM[(1.5)(0)(0)(1.5)(100)(200)]/Neatline[(0)(0)(9)(0)(9)(9)]
            /Projection<</ProjectionType/UT/Zone 32/Datum<</Ellipsoid(WE)/ToWGS84<</dx (-1.5)>>>>>>>>
            """
        var first = GeospatialViewport(.lgi)
        first.matrix = [1.5, 0, 0, 1.5, 100, 200]
        first.neatline = [0, 0, 9, 0, 9, 9]
        first.projection = [
            "ProjectionType": "UT", "Zone": "32", "Datum.Ellipsoid": "WE", "Datum.ToWGS84.dx": "-1.5",
        ]
        var second = GeospatialViewport(.lgi)
        second.registration = [[1, 2, 3, 4], [5, 6, 7, 8]]
        let registration = "<</Registration[[(1)(2)(3)(4)][5 6 7 8]]>>"
        #expect(try page("", page: "/LGIDict \(matrix)").viewports == [first])
        #expect(try page("", page: "/LGIDict[\(matrix)\(registration)]").viewports == [first, second])
    }
}
