import Platform
import Georeferencing
import Testing
import Tiling

@Suite struct QGISPointsTests {
    private func read(_ text: String, crs: CRS? = nil) throws -> [ControlPoint] {
        try QGISPoints(parsing: text, path: "plan.points", crs: crs, width: 1000, height: 800)
            .points
    }

    @Test("points that a page saved have names and the size of the image that they were set on")
    func savedByPage() throws {
        let text = """
            #CRS: \(wgs84)
            mapX,mapY,sourceX,sourceY,enable,dX,dY,residual,name,imageSize
            8.54,47.38,100.5,-200.25,1,0,0,0.026,north door,1000x800
            8.55,47.37,900,-700,1,0,0,0,2,1000x800
            """
        let file = try QGISPoints(parsing: text, path: "plan.points", crs: nil, width: 1000, height: 800)
        #expect(file.points.map(\.name) == ["north door", "2"])
        #expect(file.imageSize == "1000x800")
        #expect(abs(file.points[0].lonLat.x - 8.54) < 1e-12 && abs(file.points[0].lonLat.y - 47.38) < 1e-12)
        let plain = "mapX,mapY,sourceX,sourceY\n8.54,47.38,100.5,-200.25\n8.55,47.37,900,-700"
        let other = try QGISPoints(parsing: plain, path: "plan.points", crs: nil, width: 1000, height: 800)
        #expect(other.imageSize == nil && other.points.map(\.name) == ["line 2", "line 3"])
    }

    @Test(
        "every version of the file is read",
        arguments: [
            """
            #CRS: EPSG:4326
            mapX,mapY,sourceX,sourceY,enable,dX,dY,residual
            8.54,47.38,100.5,-200.25,1,0,0,0
            8.55,47.37,900,-700,0,0.1,-0.2,0.3

            """,
            "#CRS: \(wgs84)\r\nmapX,mapY,sourceX,sourceY,enable,dX,dY,residual\r\n"
                + "8.54,47.38,100.5,-200.25,1,0,0,0\r\n8.55,47.37,900,-700,0,0,0,0\r\n",
            """
            mapX,mapY,pixelX,pixelY,enable,dX,dY,residual
            8.54,47.38,100.5,-200.25,1,0,0,0
            8.55,47.37,900,-700,0,0,0,0
            """,
            "mapX,mapY,pixelX,pixelY,enable\n8.54,47.38,100.5,-200.25,1\n8.55,47.37,900,-700,0",
            "8.54,47.38,100.5,-200.25,1\n8.55,47.37,900,-700,0\n",
            "mapX,mapY,pixelX,pixelY,enable,dX,dY,residual,pointType\n"
                + "8.54,47.38,100.5,-200.25,1,0,0,0,Control\n8.55,47.37,900,-700,0,0,0,0,Check\n",
            "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual,weight,remark\n"
                + "8.54,47.38,100.5,-200.25,1,0,0,0,1.5,\"a, b\"\n8.55,47.37,900,-700,0,0,0,0,1,\n",
            "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual,pointType,CRS\n"
                + "8.54,47.38,100.5,-200.25,1,0,0,0,Control,EPSG:4326\n"
                + "8.55,47.37,900,-700,0,0,0,0,Check,\(wgs84)\n",
            "mapX\tmapY\tpixelX\tpixelY\tenable\n"
                + "8.54\t47.38\t100.5\t-200.25\t1\n8.55\t47.37\t900\t-700\t0\n",
            "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual,CRS\n"
                + "8.54,47.38,100.5,-200.25,1,0,0,0,EPSG:4326\n"
                + "8.55,47.37,900,-700,0,0,0,0,\(wgs84)\n",
            "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual\n"
                + "8.54,47.38,100.5,-200.25,1,0,0,0,\"EPSG:4326\"\n8.55,47.37,900,-700,0,0,0,0,\n",
        ])
    func variants(text: String) throws {
        let points = try read(text)
        #expect(points.map(\.pixel) == [Point(x: 100.5, y: 200.25), Point(x: 900, y: 700)])
        #expect(points.map(\.lonLat) == [Point(x: 8.54, y: 47.38), Point(x: 8.55, y: 47.37)])
        #expect(points.map(\.isEnabled) == [true, false])
    }

    @Test("points of another system become longitudes and latitudes")
    func otherSystem() throws {
        let text =
            "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual\n"
            + "465275.4,5247425.1,100,-200,1,0,0,0\n"
        // cs2cs EPSG:32632 EPSG:4326
        let place = Point(x: 8.539984517, y: 47.379360978)
        for points in [
            try read("#CRS: EPSG:32632\n" + text), try read(text, crs: CRS("EPSG:32632")),
        ] {
            #expect(points[0].lonLat.distance(to: place) < 1e-8)
        }
    }

    @Test("a point is named by its line")
    func names() throws {
        let points = try read("#CRS: EPSG:4326\n\n8.54,47.38,1,-2,1\n8.55,47.37,3,-4,1\n")
        #expect(points.map(\.name) == ["line 3", "line 4"])
    }

    @Test("other comments are ignored, and rows may lack columns")
    func remarks() throws {
        let text = """
            # made by hand
            mapX,mapY,sourceX,sourceY,enable
            8.54,47.38,100,-200
            8.55,47.37,900,-700,0
            """
        #expect(try read(text).map(\.isEnabled) == [true, false])
        let narrow = "mapX,mapY,sourceX,sourceY\n8.54,47.38,100,-200\n"
        #expect(try read(narrow).map(\.isEnabled) == [true])
    }

    @Test("if all points are disabled, they are not checked")
    func disabled() throws {
        // Their sources would be no pixels.
        #expect(try read("8.54,47.38,465275,5247425,0\n").map(\.isEnabled) == [false])
    }

    @Test(
        "impossible points are refused with the file's name and the way out",
        arguments: [
            ("8.54,47.38,465275,5247425,1\n8.55,47.37,466275,5246425,1", "pixels"),
            ("8.54,47.38,100,200,1\n8.55,47.37,300,400,1", "pixels"),
            ("465275,5247425,100,-200,1\n466275,5246425,300,-400,1", "line 1 is at"),
            ("8.54,47.38,100", "line 1 has 3 values"), ("8.54,47.38,x,-200,1", "'x'"),
            ("8.54,47.38,nan,-200,1", "'nan'"), ("#CRS: EPSG:1\n8.54,47.38,100,-200,1", "EPSG:1"),
        ])
    func refused(text: String, reason: String) {
        let failure = #expect(throws: Failure.self) { try read(text) }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.hasPrefix("cannot use the control points 'plan.points': ") == true)
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    }
}

/// WGS 84 as QGIS writes it, with latitude first by its own account.
private let wgs84 = """
    GEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563,\
    LENGTHUNIT["metre",1]]],PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]],\
    CS[ellipsoidal,2],AXIS["geodetic latitude (Lat)",north,ORDER[1],\
    ANGLEUNIT["degree",0.0174532925199433]],AXIS["geodetic longitude (Lon)",east,ORDER[2],\
    ANGLEUNIT["degree",0.0174532925199433]],ID["EPSG",4326]]
    """
