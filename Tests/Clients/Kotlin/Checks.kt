// The checks of TilewrightTiles.kt and of the printed code. run.py makes the data, starts the server and runs this:
//
//   ChecksKt DATA WORK HTTP HTTPS [PART OF A NAME]

import android.content.Context
import android.graphics.BitmapFactory
import android.os.Handler
import com.google.android.gms.maps.GoogleMap
import com.google.android.gms.maps.model.TileProvider
import java.io.ByteArrayInputStream
import java.io.File
import java.net.URL
import java.util.Collections
import java.util.Random
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import javax.imageio.ImageIO
import kotlin.math.*
import kotlin.system.exitProcess

lateinit var data: File
lateinit var work: File
lateinit var http: String
lateinit var https: String
var only = ""
var failures = 0

fun check(name: String, action: () -> Unit) {
    if (only !in name) return
    val start = System.nanoTime()
    val error = try { action(); null } catch (error: Throwable) { error }
    if (error != null) failures += 1
    println("${if (error == null) "passed" else "FAILED"} $name (${(System.nanoTime() - start) / 1_000_000} ms)")
    if (error != null) println("    $error${error.stackTrace.take(if (error is AssertionError) 0 else 5).joinToString("") { "\n    $it" }}")
}

fun expect(isRight: Boolean, message: () -> String) { if (!isRight) throw AssertionError(message()) }
fun <T> equal(found: T, wanted: T, about: String = "") = expect(found == wanted) { "$about: $found, not $wanted" }

/** A new folder for an app, with some of the data as its assets. */
fun app(vararg assets: String): Context {
    val folder = File.createTempFile("app", "", work).also { it.delete(); it.mkdirs() }
    for (name in assets) File(data, name).copyRecursively(File(folder, "assets/$name"))
    File(folder, "app.apk").writeText("1")
    return Context(folder)
}

/** The requests of a mode of the server since the last call. */
fun requests(mode: String) = URL("$http/requests/$mode").readText().toInt()

/** An answer as a word: the length of a picture, "never", "not now" or the name of a fault. */
fun word(action: () -> ByteArray?) = try {
    "${action()?.size ?: "never"}"
} catch (error: TileError) {
    error.fault?.name ?: "not now"
}

fun TileArchive.bytes(zoom: Int, column: Int, row: Int) = tile(zoom, column, row)!!

val chosen by lazy { File(data, "chosen.txt").readLines().map { line -> line.split(" ").map { it.toInt() } } }

fun sameAsTheProgram() {
    val app = app("big", "big.pmtiles", "big.mbtiles")
    val archives = listOf("$data/big", "$data/big/tilejson.json", "$data/big.pmtiles", "$data/big.mbtiles", "asset:big",
        "asset:big.pmtiles", "asset:big.mbtiles", "$http/plain/data/big", "$http/plain/data/big.pmtiles",
        "$http/redirect/data/big.pmtiles", "$http/to-https/data/big.pmtiles", "$https/plain/data/big.pmtiles?key=1")
    for (address in archives) check("500 tiles of $address") {
        val archive = TileArchive(app, address)
        for ((zoom, column, row) in chosen) {
            val wanted = File(data, "big/$zoom/$column/$row.png").readBytes()
            expect(archive.bytes(zoom, column, row).contentEquals(wanted)) { "$zoom/$column/$row differs" }
        }
        equal(archive.facts.zooms, 10..17)
        equal(archive.facts.tileSize, 256)
        equal(archive.facts.name, "noise")
        val bounds = listOf(9.7, 48.9, 10.1, 49.03)
        expect(archive.facts.bounds.zip(bounds).all { (a, b) -> abs(a - b) < 1e-6 }) { "${archive.facts.bounds}" }
        // Next to the tiles, on other zooms, and what is no address of a tile.
        for ((zoom, column, row) in listOf(listOf(10, 0, 0), listOf(17, 0, 0), listOf(9, 269, 175), listOf(-1, 0, 0),
            listOf(31, 0, 0), listOf(99, 5, 5), listOf(17, -1, 5), listOf(17, 5, 1 shl 17), listOf(30, -5, 5))) {
            equal(word { archive.tile(zoom, column, row) }, "never", "$zoom/$column/$row")
        }
    }
    for (name in listOf("south", "keys")) check("rows and quadkeys: $name") {
        for (place in listOf("$data/", "$http/versioned/data/")) {
            val address = "$place$name/tilejson-0.json"
            val archive = TileArchive(app, address)
            for (file in File(data, "tiles").listFiles()!!.filter { it.name.startsWith("L0_") }) {
                val (zoom, column, row) = file.nameWithoutExtension.split("_").drop(1).map { it.toInt() }
                expect(archive.bytes(zoom, column, row).contentEquals(file.readBytes())) { "$address ${file.name}" }
            }
        }
    }
}

fun farArchives() {
    check("one request a tile, two at the beginning, one a leaf directory; threads share them") {
        // A tile whose leaf directory is not among the first bytes, which are there already.
        val deep = chosen.first { (zoom, column, row) ->
            val archive = TileArchive(app(), "$http/plain/data/big.pmtiles")
            archive.facts
            requests("plain")
            archive.tile(zoom, column, row)
            requests("plain") == 2
        }
        for (mode in listOf("plain", "slow")) {
            requests(mode)
            val archive = TileArchive(app(), "$http/$mode/data/big.pmtiles")
            val pool = Executors.newFixedThreadPool(8)
            // Eight threads at once need the same leaf directory.
            val some = if (mode == "slow") List(8) { deep } else chosen
            for ((zoom, column, row) in some) pool.execute { archive.tile(zoom, column, row) }
            pool.shutdown()
            pool.awaitTermination(60, TimeUnit.SECONDS)
            val count = requests(mode)
            expect(count in some.size..some.size + (if (mode == "slow") 3 else 10)) { "$count requests for ${some.size} tiles" }
            val (zoom, column, row) = some[0]
            repeat(5) { archive.tile(zoom, column, row) }
            equal(requests(mode), 5, "requests when all directories are known")
        }
    }
    val tiles = app("tiles")
    val folder = File(work, "answers").also { it.mkdirs() }
    val cases = listOf("204" to "never", "404" to "never", "410" to "never", "empty" to "never", "401" to "REFUSED",
        "403" to "REFUSED", "429" to "not now", "500" to "not now", "503" to "not now", "html" to "NO_PICTURE",
        "short" to "not now", "redirect" to "picture", "to-https" to "picture")
    for ((mode, wanted) in cases) check("a tile of a folder: $mode") {
        // The document is fine, the tiles are not.
        val json = File(data, "big/tilejson.json").readText()
        File(folder, "tilejson.json").writeText(json.replace("{z}/", "$http/$mode/data/big/{z}/"))
        val faults = Collections.synchronizedList(ArrayList<String>())
        val archive = TileArchive(tiles, "$http/plain/made/answers", null) { faults.add(it) }
        requests(mode)
        for ((zoom, column, row) in chosen.take(3)) {
            val found = word { archive.tile(zoom, column, row) }
            equal(if (found.toIntOrNull() != null) "picture" else found, wanted)
        }
        equal(requests(mode), 3)
        equal(faults.size, if (wanted == wanted.uppercase()) 1 else 0, "$faults")
        equal(word { archive.tile(17, 0, 0) }, "never")
        equal(requests(mode), 0, "requests outside the limits")
    }
    val openings = listOf("204" to "MISSING", "404" to "MISSING", "410" to "MISSING", "401" to "REFUSED",
        "403" to "REFUSED", "408" to "MISSING", "429" to "not now", "500" to "not now")
    for (name in listOf("big.pmtiles", "big")) for ((mode, wanted) in openings.filter { it.first != "408" }) {
        check("opening $name: $mode") {
            val faults = ArrayList<String>()
            val archive = TileArchive(app(), "$http/$mode/data/$name", null) { faults.add(it) }
            repeat(2) { equal(word { archive.tile(10, 0, 0) }, wanted) }
            equal(faults.size, if (wanted == "not now") 0 else 1, "$faults")
        }
    }
    for ((address, wanted) in listOf("$http/whole/data/big.pmtiles" to "UNSUPPORTED",
        "$http/html/data/big.pmtiles" to "UNSUPPORTED", "$http/html/data/big" to "DAMAGED",
        "$http/plain/data/big.mbtiles" to "UNSUPPORTED", "$https/to-http/data/big.pmtiles" to "UNSUPPORTED",
        "$http/plain/data/noise.png.pmtiles" to "MISSING", "$data/none.pmtiles" to "MISSING", "$data/none" to "MISSING",
        "$data/none.mbtiles" to "MISSING", "asset:none.mbtiles" to "MISSING", "asset:none.pmtiles" to "MISSING",
        "http://127.0.0.1:9/a.pmtiles" to "not now", "http://name.invalid/a.pmtiles" to "not now")) {
        check("opening $address") { equal(word { TileArchive(app(), address) {}.tile(10, 0, 0) }, wanted) }
    }
    check("a compressed asset") {
        val app = app("archives/0.pmtiles")
        app.assets.compressed.add("archives/0.pmtiles")
        var fault = ""
        equal(word { TileArchive(app, "asset:archives/0.pmtiles", null) { fault = it }.tile(17, 0, 0) }, "UNSUPPORTED")
        expect("noCompress += \"pmtiles\"" in fault) { fault }
    }
    check("a server that stalls") {
        val archive = TileArchive(app(), "$http/stall/data/big.pmtiles")
        val start = System.nanoTime()
        equal(word { archive.tile(10, 0, 0) }, "not now")
        expect((System.nanoTime() - start) / 1_000_000_000 in 10..19) { "not after 15 s" }
    }
}

fun replacedArchives() {
    val file = File(work, "replaced")
    for (kind in listOf("pmtiles", "mbtiles")) for (place in listOf("$file.$kind", "$http/plain/made/${file.name}.$kind")) {
        if (kind == "mbtiles" && place.startsWith("http")) continue
        check("a $kind file that is replaced: $place") {
            val target = File("$file.$kind")
            File(data, "big.$kind").copyTo(target, true)
            val archive = TileArchive(app(), place)
            archive.bytes(17, chosen.first { it[0] == 17 }[1], chosen.first { it[0] == 17 }[2])
            val other = File(work, "other.$kind")
            File(data, if (kind == "pmtiles") "archives/0.pmtiles" else "0.mbtiles").copyTo(other, true)
            other.renameTo(target)
            val (zoom, column, row) = listOf(17, 66165, 45444)
            // The facts of the old archive exclude this tile; a tile of the old one shows that it is gone.
            val old = chosen.first { it[0] == 17 }
            equal(word { archive.tile(old[0], old[1], old[2]) }, "never")
            expect(archive.bytes(zoom, column, row).contentEquals(File(data, "tiles/L0_17_66165_45444.png").readBytes())) { "" }
        }
    }
    for (place in listOf("$file.pmtiles", "$http/plain/made/${file.name}.pmtiles")) {
        check("a file that is replaced by a longer one, whose tiles have other places: $place") {
            val target = File("$file.pmtiles")
            File(data, "archives/2.pmtiles").copyTo(target, true)
            val archive = TileArchive(app(), place)
            for (floor in listOf(2, 1)) {
                if (floor == 1) File(data, "archives/1.pmtiles").copyTo(target, true)
                val wanted = File(data, "tiles/L${floor}_20_529326_363553.png").readBytes()
                expect(archive.bytes(20, 529326, 363553).contentEquals(wanted)) { "floor $floor" }
            }
        }
    }
    check("an asset of MBTiles is copied once, and again after an update of the app") {
        val app = app("big.mbtiles")
        fun copies() = File(app.folder, "kept").walk().filter { it.isFile }.map { it.lastModified() }.toList()
        TileArchive(app, "asset:big.mbtiles").facts
        File(app.folder, "assets/big.mbtiles").delete()
        equal(TileArchive(app, "asset:big.mbtiles").facts.zooms, 10..17)
        val first = copies()
        equal(first.size, 1)
        File(data, "0.mbtiles").copyTo(File(app.folder, "assets/big.mbtiles"), true)
        File(app.folder, "app.apk").setLastModified(1_000_000)
        equal(TileArchive(app, "asset:big.mbtiles").facts.zooms, 17..21)
        equal(copies().size, 1)
        expect(copies() != first) { "$first" }
    }
}

fun damagedArchives() {
    val target = File(work, "damaged.pmtiles")
    val leaf = File(data, "big.pmtiles").readBytes()
    val small = File(data, "archives/0.pmtiles").readBytes()
    val chance = Random(3)
    val base = File(data, "0.mbtiles").readBytes()
    fun tryAll(bytes: ByteArray, name: String): Set<String> {
        target.resolveSibling(name).writeBytes(bytes)
        val archive = TileArchive(app(), "$work/$name") {}
        return (listOf(listOf(17, 66165, 45444), listOf(21, 1058652, 727106), listOf(24, 8469220, 5816850)) + chosen.take(3))
            .map { (zoom, column, row) -> word { archive.tile(zoom, column, row) } }.toSet()
    }
    check("PMTiles cut short") {
        for (length in (0..200).toList() + (200..<small.size step 9973) + (small.size - 1)) {
            equal(tryAll(small.copyOf(length), "damaged.pmtiles"), setOf("DAMAGED"), "cut at $length")
        }
    }
    check("PMTiles with random bytes") {
        for (attempt in 0 until 1500) {
            val bytes = (if (attempt % 50 == 0) leaf else small).copyOf()
            repeat(1 + chance.nextInt(4)) {
                // Header and directories above all.
                bytes[chance.nextInt(if (chance.nextInt(4) == 0) bytes.size else minOf(700, bytes.size))] = chance.nextInt().toByte()
            }
            tryAll(bytes, "damaged.pmtiles")
        }
    }
    check("MBTiles cut short or with random bytes; the file is not deleted") {
        for (attempt in 0 until 200) {
            var bytes = base.copyOf()
            if (attempt % 2 == 0) bytes = bytes.copyOf(chance.nextInt(bytes.size))
            else repeat(20) { bytes[chance.nextInt(if (it < 10) 4096 else bytes.size)] = chance.nextInt().toByte() }
            tryAll(bytes, "damaged.mbtiles")
            expect(File(work, "damaged.mbtiles").exists()) { "deleted" }
        }
    }
    check("metadata of PMTiles that is not JSON") {
        val bytes = small.copyOf()
        val start = java.nio.ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN).getLong(24).toInt()
        for (i in 0 until 20) bytes[start + i] = 7
        expect(tryAll(bytes, "damaged.pmtiles").any { it.toIntOrNull() != null }) { "no picture" }
    }
    for (text in listOf("", "[", "null", "[".repeat(200_000), "{\"minzoom\":-5}", "{\"maxzoom\":31}", "{\"tileSize\":-1}",
        "{\"limits\":[[1,2]]}", "{\"tiles\":[]}", "{\"minzoom\":\"x\"}", "{\"bounds\":[null]}")) {
        check("tilejson.json: ${text.take(40)}") {
            File(work, "broken").mkdirs()
            File(work, "broken/tilejson.json").writeText(text)
            equal(word { TileArchive(app(), "$work/broken") {}.tile(0, 0, 0) }, "DAMAGED")
        }
    }
}

fun buildings() {
    val file = File(work, "building/building.json").also { it.parentFile.mkdirs() }
    val text = File(data, "archives/building.json").readText()
    val address = "$http/plain/made/building/building.json"
    check("building.json: fresh, the copy, inside, none") {
        val app = app("tiles")
        val inside = "asset:tiles/building.json"
        fun open(inside: String? = null) = Building.open(app, address, inside) {}
        file.delete()
        expect(runCatching { open() }.exceptionOrNull().let { it is TileError && it.fault == TileFault.MISSING }) { "" }
        equal(open(inside).source, Building.Source.INSIDE)
        equal(open(inside).floors[0].archive().bytes(17, 66165, 45444).size.toLong(), File(data, "tiles/L0_17_66165_45444.png").length())
        file.writeText(text)
        equal(open(inside).source, Building.Source.FRESH)
        for (bad in listOf("", "{", text.replace("\"version\": 1", "\"version\": 2"), text.replace(Regex("\"floors\".*", RegexOption.DOT_MATCHES_ALL), "\"floors\": []}"))) {
            file.writeText(bad)
            equal(open(inside).source, Building.Source.COPY)
        }
        file.delete()
        equal(open().source, Building.Source.COPY)
        file.writeText(text.replace("\"version\"", "\"unknown\": {}, \"version\""))
        equal(open().source, Building.Source.FRESH)
        // Not even a copy that something has damaged is trusted.
        File(app.folder, "kept").walk().filter { it.isFile }.forEach { it.writeText("{") }
        file.delete()
        equal(open(inside).source, Building.Source.INSIDE)
    }
    check("floors and their tiles") {
        val app = app("tiles", "archives")
        for (place in listOf("$data/", "asset:", "$http/versioned/data/")) for (name in listOf("tiles", "archives")) {
            val building = Building.open(app, "$place$name/building.json")
            equal(building.name, "Example building")
            equal(building.floors.map { "${it.name} ${it.label} ${it.shortName} ${it.ordinal} ${it.isDefault}" },
                listOf("0 Ground floor 0 0 true", "1 First floor 1 1 false", "2 Second floor 2 2 false"))
            equal(building.bounds, listOf(1.7293364, 48.2166666, 1.7306636, 48.217353))
            equal(building.camera, listOf(1.73, 48.2170097, 18.08))
            requests("versioned")
            for (floor in building.floors) {
                equal(floor.facts.zooms, 17..21)
                equal(floor.facts.limits[0], listOf(17, 66165, 45444, 66166, 45444))
                val tile = File(data, "tiles/L${floor.name}_20_529326_363553.png").readBytes()
                expect(floor.archive().bytes(20, 529326, 363553).contentEquals(tile)) { "floor ${floor.name}" }
            }
            if (place.startsWith("http")) equal(requests("versioned"), if (name == "tiles") 3 else 6)
        }
    }
    val names = listOf("../secret.pmtiles", "/etc/a.pmtiles", "a/../../b.pmtiles", "%2e%2e/b.pmtiles", "%2fetc/b.pmtiles",
        "file:///etc/b.pmtiles", "https://other.org/b.pmtiles", "..%5cb.pmtiles", "a%0d%0ab.pmtiles", "asset:b.pmtiles", "//other.org/b.pmtiles")
    for (name in names) check("a name that leads elsewhere: $name") {
        for ((member, old) in listOf("archive" to text, "tiles" to File(data, "tiles/building.json").readText())) {
            if (member == "tiles" && name.startsWith("https:")) continue
            file.writeText(old.replace(Regex("\"$member\": \"[^\"]*\""), "\"$member\": \"$name\""))
            for (place in listOf(address, file.path)) {
                val error = runCatching { Building.open(app(), place) {} }.exceptionOrNull()
                expect(error is TileError && error.fault == TileFault.DAMAGED) { "$error" }
            }
        }
    }
    check("tiles at a full address") {
        val old = File(data, "tiles/building.json").readText()
        file.writeText(old.replace("\"tiles\": \"", "\"tiles\": \"$https/plain/data/tiles/"))
        val wanted = File(data, "tiles/L0_17_66165_45444.png").readBytes()
        expect(Building.open(app(), address).floors[0].archive().bytes(17, 66165, 45444).contentEquals(wanted)) { "" }
    }
}

/** The value of a channel between the pixels of a picture, with alpha multiplied in as filters do. */
fun between(image: java.awt.image.BufferedImage, x: Double, y: Double, shift: Int): Double {
    val (left, top) = Pair(floor(x - 0.5), floor(y - 0.5))
    fun pixel(dx: Int, dy: Int): Double {
        val argb = image.getRGB((left.toInt() + dx).coerceIn(0, image.width - 1), (top.toInt() + dy).coerceIn(0, image.height - 1))
        return (argb shr shift and 255) * (if (shift == 24) 1.0 else (argb ushr 24) / 255.0)
    }
    val (u, v) = Pair(x - 0.5 - left, y - 0.5 - top)
    return (pixel(0, 0) * (1 - u) + pixel(1, 0) * u) * (1 - v) + (pixel(0, 1) * (1 - u) + pixel(1, 1) * u) * v
}

fun enlarging() {
    for ((name, z, column, row) in listOf(listOf("archives/0.pmtiles", 21, 1058653, 727106), listOf("large.pmtiles", 13, 4321, 2814))) {
        check("enlarging of $name, against a filter of our own") {
            val (zoom, x, y) = Triple(z as Int, column as Int, row as Int)
            val archive = TileArchive(app(), "$data/$name")
            val ancestor = ImageIO.read(ByteArrayInputStream(archive.bytes(zoom, x, y)))
            val size = ancestor.width
            equal(archive.facts.tileSize, size)
            BitmapFactory.count.set(0)
            for (steps in 1..3) for (part in listOf(0 to 0, 1 to 0, (1 shl steps) - 1 to (1 shl steps) - 1)) {
                val tile = archive.bytes(zoom + steps, (x shl steps) + part.first, (y shl steps) + part.second)
                val image = ImageIO.read(ByteArrayInputStream(tile))
                equal(listOf(image.width, image.height), listOf(size, size))
                var worst = 0.0
                for (py in 0 until size) for (px in 0 until size) for (shift in listOf(24, 16, 8, 0)) {
                    val scale = 1.0 / (1 shl steps)
                    val wanted = between(ancestor, (part.first * size + px + 0.5) * scale, (part.second * size + py + 0.5) * scale, shift)
                    worst = maxOf(worst, abs(between(image, px + 0.5, py + 0.5, shift) - wanted))
                }
                expect(worst <= 6) { "steps $steps, part $part: pixels differ by $worst" }
            }
            equal(BitmapFactory.count.get(), 1, "pictures decoded")
            equal(word { archive.tile(zoom + 4, x shl 4, y shl 4) }, "never")
            equal(word { TileArchive(app(), "$data/$name", zoom).tile(zoom + 1, x * 2, y * 2) }, "never")
        }
    }
}

fun snippets() {
    check("a tileset: at every zoom that the camera may have, the plan is seen, and nothing else is asked for") {
        val tiles = PlanTiles(app("archives")) { throw AssertionError(it) }
        val map = GoogleMap()
        tiles.addTo(map)
        tiles.showAll(map)
        tiles.limitCamera(map)
        val provider = map.overlays.single().options.provider!!
        // A tile is 256 dp at any scale: the scale of the display does not change the zoom of the tiles.
        for (scale in 1..3) for (camera in (map.lowest * 4).toInt()..(map.highest * 4).toInt()) {
            for (zoom in listOf(floor(camera / 4.0), round(camera / 4.0), ceil(camera / 4.0)).map { it.toInt() }.toSet()) {
                val world = 2.0.pow(zoom)
                val (x, y) = Pair((1.73 + 180) / 360 * world, (1 - asinh(tan(Math.toRadians(48.217))) / PI) / 2 * world)
                equal(provider.getTile(x.toInt(), y.toInt(), zoom)?.width, 256, "scale $scale, camera ${camera / 4.0}, zoom $zoom")
            }
        }
        expect(map.camera!!.zoom in map.lowest..map.highest) { "${map.camera!!.zoom}" }
        expect(provider.getTile(0, 0, 17) === TileProvider.NO_TILE) { "outside" }
        expect(provider.getTile(0, 0, 3) === TileProvider.NO_TILE) { "below" }
        tiles.update()
        equal(map.overlays.single().clears, 1)
        tiles.remove()
        equal(map.overlays.size, 0)
    }
    check("files of 512 pixels are tiles of the same zoom") {
        val archive = TileArchive(app(), "$data/large.pmtiles")
        val picture = ImageIO.read(ByteArrayInputStream(archive.bytes(13, 4321, 2814)))
        equal(listOf(picture.width, archive.facts.tileSize), listOf(512, 512))
    }
    check("a building: picker, and a change of floor without a flash") {
        val app = app("tiles")
        val loaded = ArrayList<ExampleBuilding>()
        ExampleBuilding.load(app, null, { throw AssertionError(it) }) { loaded.add(it.getOrThrow()) }
        while (loaded.isEmpty()) { Thread.sleep(10); Handler.pass(1) }
        val building = loaded.single()
        val map = GoogleMap()
        building.addTo(map)
        building.showAll(map)
        building.limitCamera(map)
        equal(listOf(map.lowest, map.camera!!.zoom, map.highest), listOf(17f, 18.08f, 24f))
        equal(map.bounds!!.northeast.longitude, 1.7306636)
        val picker = building.picker(app)
        equal(picker.buttons.map { "${it.text} ${it.contentDescription}" }, listOf("2 Second floor", "1 First floor", "0 Ground floor"))
        expect(picker.buttons.all { it.minimumWidth == 96 && it.minimumHeight == 96 }) { "48 dp" }
        equal(picker.checked, 1)
        val changes = ArrayList<String>()
        building.onChange = { changes.add(it.name) }
        val old = map.overlays.single()
        picker.check(picker.buttons[1].id)
        equal(building.floor.name, "1")
        val next = map.overlays[1]
        expect(map.overlays[0] === old && !next.options.fades) { "the old floor went, or the new one fades in" }
        Handler.pass(1000)
        equal(map.overlays.size, 2, "before a tile is there")
        val wanted = File(data, "tiles/L1_20_529326_363553.png").readBytes()
        expect(next.options.provider!!.getTile(529326, 363553, 20)!!.data!!.contentEquals(wanted)) { "another floor" }
        equal(map.overlays.size, 2, "at once")
        Handler.pass(300)
        equal(map.overlays, listOf(next))
        building.show("2")
        building.show("0")
        equal(picker.checked, 1)
        // A late tile of floor 2, which is not shown any more, does not remove the floor that is seen.
        map.overlays[1].options.provider!!.getTile(529326, 363553, 20)
        Handler.pass(500)
        equal(map.overlays.size, 3)
        Handler.pass(2000)
        equal(map.overlays.size, 1)
        equal(changes, listOf("1", "2", "0"))
        building.remove()
        Handler.pass(3000)
        equal(map.overlays.size, 0)
    }
}

fun main(arguments: Array<String>) {
    data = File(arguments[0])
    work = File(arguments[1])
    http = arguments[2]
    https = arguments[3]
    only = arguments.getOrElse(4) { "" }
    sameAsTheProgram()
    farArchives()
    replacedArchives()
    damagedArchives()
    buildings()
    enlarging()
    snippets()
    println(if (failures == 0) "all passed" else "$failures FAILED")
    exitProcess(if (failures == 0) 0 else 1)
}
