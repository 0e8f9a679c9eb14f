import Foundation
import TestSupport
import Testing

/// What files say of where an image lies, and which of them counts.
struct StoredPositionTests {
    private let workshop: Workshop

    init() throws {
        workshop = try Workshop()
    }

    private func write(_ text: String, to name: String) throws {
        try workshop.write(Array(text.utf8), to: name)
    }

    /// A world file in degrees with the image's upper left corner at 2,48.
    private func writeWorldFile() throws {
        try write("1e-5\n0\n0\n-1e-5\n2.000005\n47.999995\n", to: "plan.pgw")
    }

    private func info(_ options: [String] = []) throws -> (corner: Place, text: String) {
        let json = try Program.succeed(["info", "plan.png", "--json"] + options, in: workshop.url)
        let text = try Program.succeed(["info", "plan.png"] + options, in: workshop.url)
        return (try Report(json.output).corners[0], text.output)
    }

    private func corner(_ options: [String] = []) throws -> String {
        let corner = try info(options).corner
        return "\(Int(corner.longitude.rounded())),\(Int(corner.latitude.rounded()))"
    }

    @Test("Options come first, then .aux.xml, then .points, then the world file", .long)
    func precedence() throws {
        try writeWorldFile()
        try write("EPSG:4326", to: "plan.prj")
        #expect(try corner() == "2,48")
        try write(
            "mapX,mapY,sourceX,sourceY,enable\n3,48,0,0,1\n3.003,48,300,0,1\n3,47.998,0,-200,1\n",
            to: "plan.png.points")
        #expect(try corner() == "3,48")
        try write(
            "<PAMDataset><SRS>EPSG:4326</SRS><GeoTransform>4,1e-5,0,48,0,-1e-5</GeoTransform></PAMDataset>",
            to: "plan.png.aux.xml")
        #expect(try corner() == "4,48")
        #expect(try info().text.contains("position   'plan.png.aux.xml', WGS 84\n"))
        #expect(try corner(["--bounds", "5,47,5.1,48"]) == "5,48")
        #expect(try corner(["--world-file", "plan.pgw"]) == "2,48")
    }

    @Test("Only files that disagree cause a warning, and options overrule all files")
    func disagreement() throws {
        func warnings(_ options: [String] = []) throws -> String {
            try Program.succeed(
                ["plan.png", "-o", "out", "--dry-run"] + options, in: workshop.url
            ).errors
        }
        let points = "mapX,mapY,sourceX,sourceY,enable\n"
        try writeWorldFile()
        try write("EPSG:4326", to: "plan.prj")
        try write(
            points + "2,48,0,0,1\n2.003,48,300,0,1\n2,47.998,0,-200,1\n", to: "plan.points")
        #expect(try warnings() == "")
        // Two pixels too far east.
        try write(
            points + "2.00002,48,0,0,1\n2.00302,48,300,0,1\n2.00002,47.998,0,-200,1\n",
            to: "plan.points")
        #expect(
            try warnings()
                == "warning: control points of 'plan.points' and world file 'plan.pgw' put corners of "
                + "'plan.png' up to 2.0 pixels apart; the first one is used: remove the wrong one\n")
        #expect(try warnings(["--world-file", "plan.pgw"]) == "")
        // Four points that agree to three pixels only leave room for more.
        try write(
            points + "2,48,0,0,1\n2.003,48,300,0,1\n2,47.998,0,-200,1\n2.00306,47.998,300,-200,1\n",
            to: "plan.points")
        #expect(try warnings() == "")
    }

    @Test("Control points next to the image cause a warning: the image may be another version")
    func strayPoints() throws {
        try write(
            "mapX,mapY,sourceX,sourceY,enable\n2,48,0,0,1\n2.004,48,400,0,1\n2,47.998,0,-200,1\n",
            to: "plan.points")
        let outcome = try Program.succeed(
            ["plan.png", "-o", "out", "--dry-run"], in: workshop.url)
        #expect(outcome.errors.hasPrefix("warning: 1 of 3 control points is outside 'plan.png'"))
    }

    @Test("A world file without a CRS gets that of .aux.xml")
    func systemOfOthers() throws {
        try writeWorldFile()
        let outcome = try workshop.run(["info", "plan.png"])
        #expect(outcome.status == 65)
        try write("<PAMDataset><SRS>EPSG:4326</SRS></PAMDataset>", to: "plan.png.aux.xml")
        #expect(try corner() == "2,48")
        #expect(try corner(["--crs", "EPSG:3857"]) == "0,0")
        // With a .prj of its own, that counts.
        try write("EPSG:3857", to: "plan.prj")
        #expect(try corner() == "0,0")
    }

    @Test("--crs replaces the CRS of .aux.xml, and a .prj is used if .aux.xml has none", .long)
    func systemOfAuxiliaryFile() throws {
        let transform = "<GeoTransform>500000,1,0,5300000,0,-1</GeoTransform>"
        try write("<PAMDataset>\(transform)</PAMDataset>", to: "plan.png.aux.xml")
        let outcome = try workshop.run(["info", "plan.png"])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("--crs"))
        try write("EPSG:32631", to: "plan.prj")
        #expect(try corner() == "3,48")
        #expect(try corner(["--crs", "EPSG:32632"]) == "9,48")
        try write(
            "<PAMDataset><SRS>EPSG:32633</SRS>\(transform)</PAMDataset>", to: "plan.png.aux.xml")
        #expect(try corner() == "15,48")
        #expect(try corner(["--crs", "EPSG:32632"]) == "9,48")
    }

    @Test("Control points of .aux.xml are fitted; if all are met exactly, they are a transform")
    func controlPoints() throws {
        func points(_ last: String) -> String {
            """
            <PAMDataset><GCPList Projection="EPSG:4326"><GCP Pixel="0" Line="0" X="2" Y="48"/>
            <GCP Pixel="300" Line="0" X="2.003" Y="48"/><GCP Pixel="300" Line="200" X="2.003" Y="47.998"/>
            <GCP Pixel="0" Line="200" X="\(last)" Y="47.998"/></GCPList></PAMDataset>
            """
        }
        try write(points("2.0001"), to: "plan.png.aux.xml")
        let fit = try Program.succeed(["fit", "plan.png"], in: workshop.url)
        #expect(fit.output.contains("affine transform, 4 control points"))
        #expect(try info().text.contains("4 control points of 'plan.png.aux.xml'"))
        try write(points("2"), to: "plan.png.aux.xml")
        #expect(try info().text.contains("position   'plan.png.aux.xml', WGS 84\n"))
        let similarity = try Program.succeed(
            ["fit", "plan.png", "--transform", "similarity"], in: workshop.url)
        #expect(similarity.output.contains("similarity transform, 4 control points"))
    }

    @Test("Nodata of .aux.xml is transparent, unless --nodata names a colour")
    func nodata() throws {
        var plan = Picture(width: 300, height: 200, colour: (9, 9, 9, 255))
        for row in 0..<200 { for column in 0..<150 { plan[column, row] = (255, 255, 255, 255) } }
        try plan.write(to: workshop.path("plan.png"))
        func isWestTransparent(_ options: [String] = []) throws -> Bool {
            let tiles = try workshop.build(
                ["--zoom", "17", "--resampling", "nearest"] + options, to: UUID().uuidString)
            let mosaic = try Mosaic(of: tiles, zoom: 17)
            let (x, y) = Place(longitude: 2.0005, latitude: 48.001).pixel(zoom: 17)
            return mosaic.picture[Int(x) - mosaic.origin.column, Int(y) - mosaic.origin.row].alpha
                == 0
        }
        #expect(try !isWestTransparent())
        let bands = (1...3).map {
            "<PAMRasterBand band=\"\($0)\"><NoDataValue>2.55E+02</NoDataValue></PAMRasterBand>"
        }
        try write("<PAMDataset>\(bands.joined())</PAMDataset>", to: "plan.png.aux.xml")
        #expect(try isWestTransparent())
        #expect(try !isWestTransparent(["--nodata", "9,9,9"]))
    }

    @Test("A ground overlay places the image; --crs or another position with it is an error")
    func groundOverlay() throws {
        try write(
            """
            <kml><GroundOverlay><Icon><href>plan.png</href></Icon><LatLonBox><north>48.002</north>
            <south>48</south><east>2.003</east><west>2</west></LatLonBox></GroundOverlay></kml>
            """, to: "overlay.kml")
        try workshop.build(to: "bounds")
        try Program.succeed(
            ["plan.png", "--kml", "overlay.kml", "-o", "kml"], in: workshop.url)
        #expect(
            try Snapshot(of: workshop.file("kml")).tiles
                == Snapshot(of: workshop.file("bounds")).tiles)
        #expect(
            try info(["--kml", "overlay.kml"]).text.contains("ground overlay of 'overlay.kml'"))
        for options in [
            ["--crs", "EPSG:3857"], ["--bounds", "2,48,3,49"], ["--transform", "affine"],
        ] {
            let outcome = try workshop.run(["info", "plan.png", "--kml", "overlay.kml"] + options)
            #expect(outcome.status == 64)
        }
    }
}
