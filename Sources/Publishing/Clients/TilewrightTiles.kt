// Reads map tiles made by tilewright: a folder, a PMTiles or MBTiles file, or a building with its floors.
// Written by tilewright. Copy it into your app as it is. It needs Android 5 (API 21) and no other library.

import android.content.Context
import android.database.*
import android.database.sqlite.SQLiteDatabase
import android.graphics.*
import android.graphics.Bitmap.CompressFormat.PNG
import android.net.Uri
import android.util.Log
import android.util.LruCache
import java.io.*
import java.net.*
import java.nio.*
import java.util.*
import java.util.zip.GZIPInputStream
import org.json.*

/** Reasons that do not go away by themselves. */
enum class TileFault { REFUSED, MISSING, UNSUPPORTED, NO_PICTURE, DAMAGED }

/** There is no answer now. Ask again later; if there is a [fault], it must be repaired first. */
class TileError(val fault: TileFault?, text: String, cause: Throwable? = null) : IOException(text, cause)

/** Facts about the tiles of an archive or a floor. Texts and lists are empty if they are not known. */
class TileFacts internal constructor(members: JSONObject) {
    val name: String = members.optString("name", members.optString("label"))
    val attribution: String = members.optString("attribution")
    /** A hash of all tiles. */
    val digest: String = members.optString("digest")
    /** Pixels along the edge of a tile. */
    val tileSize = members.optInt("tileSize", 256)
    val zooms = members.optInt("minzoom", 0)..members.optInt("maxzoom", MAX_ZOOM)
    /** West, south, east, north in degrees; the east is beyond 180 across the antimeridian. */
    val bounds = members.optString("bounds").trim('[', ']').split(",").mapNotNull(String::toDoubleOrNull)
    /** The tiles that exist: zoom, first column, first row, last column, last row; rows from the north. */
    val limits = members.list("limits") { List(5, (it as JSONArray)::getInt) } +
        members.list("tileMatrixSetLimits") { LIMITS.map((it as JSONObject)::getInt) }

    init { check(zooms.first >= 0 && zooms.last <= MAX_ZOOM && tileSize in 1..MAX_EDGE) { "wrong zooms" } }

    internal fun mayHave(zoom: Int, column: Int, row: Int) = zoom in zooms && minOf(column, row) >= 0 &&
        maxOf(column, row) < 1 shl zoom && (limits.isEmpty() || limits.any { (z, west, north, east, south) ->
            z == zoom && column in west..east && row in north..south
        })
}

/**
 * Tiles at an address: a .pmtiles or .mbtiles file, a folder, or the folder's tilejson.json. The address is
 * `https://...`, `asset:PATH`, or the path of a file. MBTiles are not read from the web.
 *
 * Calls block: make none on the main thread. Threads may share an archive. The first call opens it.
 *
 * @param enlargeTo tiles are enlarged up to this zoom; null for three more than the last zoom.
 * @param members of a floor in building.json; the address is then that of its tiles, with placeholders.
 * @param onFault is told once about each kind of fault, on the thread of the request.
 */
class TileArchive(
    context: Context, private val address: String, private val enlargeTo: Int? = null,
    private val members: JSONObject? = null, private val onFault: (String) -> Unit = ::log
) {
    private val app = context.applicationContext
    @Volatile private var archive = lazy { open(app, address, members) }
    private val told = Collections.synchronizedSet(HashSet<TileFault>())

    /** Throws a [TileError] if the archive cannot be opened. */
    val facts: TileFacts get() = use { it.facts }

    /**
     * The file of a tile, beyond the last zoom a PNG file with an enlarged part of one; null if there is no
     * such tile. Rows count from the north. Throws a [TileError] if there is no answer now.
     */
    fun tile(zoom: Int, column: Int, row: Int): ByteArray? = use { archive ->
        val last = archive.facts.zooms.last
        when {
            zoom <= last -> archive.picture(zoom, column, row)
            zoom <= minOf(enlargeTo ?: (last + 3), MAX_ZOOM) -> archive.enlarged(column, row, zoom - last)
            else -> null
        }
    }

    /** The next call opens the archive again: for folders, after an update. New files are noticed. */
    fun reopen() { archive = lazy { open(app, address, members) } }

    private fun <T> use(action: (OpenArchive) -> T): T = try {
        try { action(archive.value) } catch (error: Replaced) { reopen(); action(archive.value) }
    } catch (cause: Throwable) {
        // This frees what is kept of the archive.
        if (cause is OutOfMemoryError) reopen()
        val error = explained(address, cause)
        if (error.fault != null && told.add(error.fault)) onFault("${error.message}")
        throw error
    }
}

class Floor internal constructor(
    private val context: Context, index: String, private val members: JSONObject
) {
    val name: String = members.getString("floor")
    val label: String = members.getString("label")
    val shortName: String = members.getString("shortName")
    val ordinal = members.getInt("ordinal")
    val isDefault = members.optBoolean("default")
    val facts = TileFacts(members)
    private val file = members.optString("archive")
    private val address = if (file == "") tiles(index, members) else versioned(resolve(index, file), facts)

    /** The floor's tiles. The parameters are those of [TileArchive]. */
    fun archive(enlargeTo: Int? = null, onFault: (String) -> Unit = ::log) =
        TileArchive(context, address, enlargeTo, members, onFault)
}

/** A building as its building.json describes it. */
class Building private constructor(context: Context, index: String, val source: Source, members: JSONObject) {
    /** Where the description is from: its address, the copy of the last success, or the app. */
    enum class Source { FRESH, COPY, INSIDE }

    val name: String = members.getString("name")
    /** The floors from the lowest. */
    val floors = members.list("floors") { Floor(context, index, it as JSONObject) }.sortedBy { it.ordinal }
    val bounds = members.getJSONArray("bounds").run { List(4, ::getDouble) }
    /** Longitude, latitude and zoom that show everything on a phone. */
    val camera = members.getJSONObject("camera").run {
        List(2, getJSONArray("target")::getDouble) + getDouble("zoom")
    }

    init { check(members.getInt("version") == 1 && floors.isNotEmpty()) { "not a building of version 1" } }

    companion object {
        /** Reads building.json; if that fails, its last copy, else the one at [inside]; else throws. */
        fun open(
            context: Context, address: String, inside: String? = null, onFault: (String) -> Unit = ::log
        ): Building {
            val copies = context.getSharedPreferences("tilewright", Context.MODE_PRIVATE)
            fun building(source: Source, index: String, text: String) =
                Building(context.applicationContext, index, source, JSONObject(text))
            return try {
                val text = text(context, address)
                building(Source.FRESH, address, text).also {
                    if (isFar(address)) copies.edit().putString(address, text).apply()
                }
            } catch (cause: Throwable) {
                val error = explained(address, cause)
                if (error.fault != null) onFault("${error.message}")
                runCatching { building(Source.COPY, address, copies.getString(address, null)!!) }
                    .recoverCatching { building(Source.INSIDE, inside!!, text(context, inside)) }
                    .getOrElse { throw error }
            }
        }
    }
}

/** An open archive. `file` reads the file of a tile; null if there is none. */
private class OpenArchive(val facts: TileFacts, val file: (zoom: Int, column: Int, row: Int) -> ByteArray?) {
    private val ancestors = Cache<Pair<Int, Int>, Bitmap?>(8) { (column, row) ->
        val bytes = picture(facts.zooms.last, column, row)
        bytes?.let { BitmapFactory.decodeByteArray(it, 0, it.size) ?: error("a tile is damaged") }
    }

    fun picture(zoom: Int, column: Int, row: Int): ByteArray? {
        val bytes = if (facts.mayHave(zoom, column, row)) file(zoom, column, row) else null
        if (bytes == null || bytes.isEmpty()) return null
        val edges = BitmapFactory.Options().apply { inJustDecodeBounds = true }
        BitmapFactory.decodeByteArray(bytes, 0, bytes.size, edges)
        val isPicture = edges.outWidth in 1..MAX_EDGE && edges.outHeight in 1..MAX_EDGE
        return if (isPicture) bytes else fail(TileFault.NO_PICTURE, "a tile is not a picture")
    }

    /** The canvas draws the whole ancestor, so that pixels next to the part are used at its edges. */
    fun enlarged(column: Int, row: Int, steps: Int): ByteArray? {
        val picture = ancestors.value(Pair(column shr steps, row shr steps)) ?: return null
        val tile = Bitmap.createBitmap(picture.width, picture.height, Bitmap.Config.ARGB_8888)
        val count = 1 shl steps
        val whole = Rect(0, 0, count * tile.width, count * tile.height)
        whole.offset(-(column % count) * tile.width, -(row % count) * tile.height)
        Canvas(tile).drawBitmap(picture, null, whole, Paint(Paint.FILTER_BITMAP_FLAG))
        return ByteArrayOutputStream().also { tile.compress(PNG, 100, it) }.toByteArray()
    }
}

private fun open(context: Context, address: String, members: JSONObject?): OpenArchive {
    val path = if (isFar(address)) address.substringBefore('?') else address
    if (path.endsWith(".pmtiles")) return PMTiles(context, address).archive
    if (path.endsWith(".mbtiles")) return mbtiles(context, address)
    if (members != null) return folder(context, address, members)
    val query = address.drop(path.length)
    val document = if (path.endsWith(".json")) address else path.trimEnd('/') + "/tilejson.json" + query
    val tileJSON = JSONObject(text(context, document))
    return folder(context, tiles(document, tileJSON), tileJSON)
}

private fun folder(context: Context, tiles: String, members: JSONObject): OpenArchive {
    val facts = TileFacts(members)
    return OpenArchive(facts) { zoom, column, row ->
        val south = (1 shl zoom) - 1 - row
        val y = if (members.optString("scheme") == "tms") south else row
        val key = (zoom - 1 downTo 0).joinToString("") { "${(column shr it and 1) + 2 * (row shr it and 1)}" }
        val address = tiles.replace("{z}", "$zoom").replace("{x}", "$column").replace("{y}", "$y")
            .replace("{-y}", "$south").replace("{quadkey}", key)
        try { read(context, versioned(address, facts)).bytes } catch (error: FileNotFoundException) { null }
    }
}

private fun mbtiles(context: Context, address: String): OpenArchive {
    if (isFar(address)) fail(TileFault.UNSUPPORTED, "MBTiles cannot be read from the web: use PMTiles")
    val file = if (isAsset(address)) copied(context, address) else File(address)
    val mark = mark(file)
    fun <T> query(sql: String, row: (Cursor) -> T): List<T> {
        if (!file.exists()) throw FileNotFoundException("it does not exist")
        // Without a handler of errors, Android deletes a damaged file.
        return SQLiteDatabase.openDatabase(file.path, null, SQLiteDatabase.OPEN_READONLY) {}.use { database ->
            database.rawQuery(sql, null).use { List(it.count) { _ -> it.moveToNext(); row(it) } }
        }
    }
    val metadata = query("SELECT name, value FROM metadata") { it.getString(0) to it.getString(1) }
    return OpenArchive(TileFacts(JSONObject(metadata.toMap()))) { zoom, column, row ->
        if (mark(file) != mark) throw Replaced()
        val place = "zoom_level = $zoom AND tile_column = $column AND tile_row = ${(1 shl zoom) - 1 - row}"
        query("SELECT tile_data FROM tiles WHERE $place") { it.getBlob(0) }.firstOrNull()
    }
}

private class PMTiles(private val context: Context, private val address: String) {
    private val front = read(context, address, 0, 16384)
    private val header = ByteBuffer.wrap(front.bytes).order(ByteOrder.LITTLE_ENDIAN)
    private val leaves = Cache(16) { (from, size): Pair<Long, Long> -> directory(bytes(2, from, size)) }
    val archive: OpenArchive

    init {
        check(String(front.bytes, Charsets.ISO_8859_1).startsWith("PMTiles\u0003")) { "it is not PMTiles 3" }
        for (section in 0..3) bytes(section, 0, 0)
        // Android would unpack a compressed asset up to the part that is wanted, for each tile.
        if (isAsset(address)) runCatching { context.assets.openFd(assetPath(address)).close() }.onFailure {
            fail(TileFault.UNSUPPORTED, "compressed: use androidResources { noCompress += \"pmtiles\" }")
        }
        val root = directory(bytes(0))
        // Other programs may write something else than JSON.
        val text = bytes(1)
        val members = runCatching { JSONObject(String(unzipped(text))) }.getOrDefault(JSONObject())
            .put("minzoom", header[100].toInt()).put("maxzoom", header[101].toInt())
            .put("bounds", List(4) { header.getInt(102 + 4 * it) / 1e7 }.joinToString())
        archive = OpenArchive(TileFacts(members)) { z, x, y -> tile(tileID(z, x, y), root, 1) }
    }

    private fun tile(id: Long, directory: List<LongArray>, level: Int): ByteArray? {
        val (ids, runs, sizes, offsets) = directory
        // The last entry that does not begin after the tile.
        val entry = ids.binarySearch(id).let { if (it < 0) -it - 2 else it }
        if (entry < 0 || runs[entry] > 0 && id >= ids[entry] + runs[entry]) return null
        if (runs[entry] > 0) return bytes(3, offsets[entry], sizes[entry])
        check(level < 4) { "its directories are too deep" }
        return tile(id, leaves.value(offsets[entry] to sizes[entry]), level + 1)
    }

    /** Bytes of the root directory (0), the metadata (1), the leaf directories (2) or the tiles (3). */
    private fun bytes(section: Int, from: Long = 0, wanted: Long? = null): ByteArray {
        val (start, all) = List(2) { header.getLong(8 + 16 * section + 8 * it) }
        val size = wanted ?: all
        val isThere = start >= 0 && all in 0..front.total - start && from >= 0 && size in 0..all - from
        check(isThere && size <= MAX_FILE) { "it is damaged or cut short" }
        if (size == 0L) return ByteArray(0)
        val (first, end) = Pair(start + from, start + from + size)
        if (end <= front.bytes.size) return front.bytes.copyOfRange(first.toInt(), end.toInt())
        val part = read(context, address, first, size.toInt())
        if (part.mark != front.mark || part.bytes.size < size) throw Replaced()
        return part.bytes
    }

    private fun unzipped(bytes: ByteArray) = when (header[97].toInt()) {
        1 -> bytes
        2 -> runCatching { GZIPInputStream(bytes.inputStream()).bytes(MAX_DIRECTORY) }.getOrElse { error(it) }
        else -> error("its compression is unknown")
    }

    /** First tiles, run lengths, sizes and offsets of a directory's entries. */
    private fun directory(packed: ByteArray): List<LongArray> {
        val bytes = unzipped(packed)
        var at = 0
        // The lowest seven bits come first.
        fun number(left: Int = 10): Long {
            val byte = bytes[at++].toLong()
            return if (byte >= 0 || left == 0) byte else byte and 127 or (number(left - 1) shl 7)
        }
        val count = number()
        check(count in 0..bytes.size / 4) { "a directory is damaged" }
        val (ids, runs, sizes, offsets) = List(4) { LongArray(count.toInt()) { number() } }
        for (i in ids.indices) {
            if (i > 0) ids[i] += ids[i - 1]
            // 0 is the place behind the entry before; other places are one more than they are.
            offsets[i] = if (offsets[i] > 0) offsets[i] - 1 else offsets[i - 1] + sizes[i - 1]
        }
        return listOf(ids, runs, sizes, offsets)
    }
}

/** The number of a tile: along a Hilbert curve, after all tiles of lower zooms. */
private fun tileID(zoom: Int, column: Int, row: Int): Long {
    var (x, y) = Pair(column, row)
    var id = ((1L shl 2 * zoom) - 1) / 3
    for (bit in zoom - 1 downTo 0) {
        val (right, down) = Pair(x shr bit and 1, y shr bit and 1)
        id += (3 * right xor down).toLong() shl 2 * bit
        // The curve in a northern quarter is turned: in the west one way, in the east the other.
        if (down == 0) x = (y xor -right).also { y = x xor -right }
    }
    return id
}

/** The length of a whole file, bytes of it, and a mark that changes if the file is replaced. */
private class Part(val total: Long, val bytes: ByteArray, val mark: String = "")

/** A file, or a part of it that is shorter at the file's end. Throws a FileNotFoundException. */
private fun read(context: Context, address: String, first: Long = 0, count: Int? = null): Part {
    if (isFar(address)) return get(address, first, count)
    val file = File(address)
    val mark = mark(file)
    val stream = if (isAsset(address)) context.assets.open(assetPath(address)) else FileInputStream(file)
    // An asset is no file. A stream does not tell that it is longer than 2 GiB.
    val total = maxOf(file.length(), stream.available().toLong())
    return Part(total, stream.bytes(count ?: MAX_FILE, first), mark + mark(file))
}

private fun text(context: Context, address: String) = String(read(context, address).bytes)

private fun get(address: String, first: Long, count: Int?): Part {
    val connection = URL(address).openConnection() as HttpURLConnection
    connection.connectTimeout = 15_000
    connection.readTimeout = 15_000
    connection.setRequestProperty("Accept-Encoding", "identity")
    if (count != null) connection.setRequestProperty("Range", "bytes=$first-${first + count - 1}")
    // If the app caches answers: documents are asked for again, tiles have their version in the address.
    if (connection.url.path.endsWith(".json")) connection.setRequestProperty("Cache-Control", "no-cache")
    val status = connection.responseCode
    val range = connection.getHeaderField("Content-Range") ?: ""
    if (if (count == null) status == 200 else status == 206 && range.startsWith("bytes $first-")) {
        val bytes = connection.inputStream.bytes(count ?: MAX_FILE)
        if (bytes.size < connection.contentLength) throw IOException("the connection ended too early")
        val total = range.substringAfter('/').toLongOrNull() ?: 0
        return Part(total, bytes, "$total ${connection.getHeaderField("ETag")} ${connection.lastModified}")
    }
    connection.disconnect()
    // The system follows redirects, except from http to https.
    val target = connection.getHeaderField("Location") ?: ""
    val isUpgrade = status in 300..399 && connection.url.protocol == "http" && target.startsWith("https:")
    if (isUpgrade) return get(target, first, count)
    when (status) {
        204, 404, 410 -> throw FileNotFoundException("status $status")
        408, 429, in 500..599 -> throw IOException("status $status")
        416 -> throw Replaced()
        401, 403 -> fail(TileFault.REFUSED, "status $status")
        else -> fail(TileFault.UNSUPPORTED, "status $status instead of a file or a part of an archive")
    }
}

/** The address of a name in a document. It must stay in the document's folder. */
private fun resolve(base: String, name: String): String {
    val plain = Uri.decode(name)
    val isBelow = plain.split('/', '\\').none { it == "" || it == ".." } && ':' !in name.substringBefore('/')
    check(isBelow && plain.none { it < ' ' }) { "the name '$name' leads out of its folder" }
    val (document, path) = if (isFar(base)) Pair(base.substringBefore('?'), name) else Pair(base, plain)
    return document.take(maxOf(document.lastIndexOf('/'), document.indexOf("asset:") + 5) + 1) + path
}

/** The address of tiles, with placeholders. Only tiles may be on another server. */
private fun tiles(base: String, members: JSONObject): String {
    val tiles = members.optJSONArray("tiles")?.getString(0) ?: members.getString("tiles")
    val isFull = tiles.startsWith("https://") || isFar(tiles) && base.startsWith("http://")
    return if (isFull) tiles else resolve(base, tiles)
}

/** The address with the version of the tiles, so that no cache mixes old and new ones. */
private fun versioned(address: String, facts: TileFacts) = if (!isFar(address) || facts.digest == "") address
    else address + (if ('?' in address) "&v=" else "?v=") + Uri.encode(facts.digest.take(8))

/** An asset as a file, which SQLite needs: copied once for each version of the app, whose time it gets. */
@Synchronized private fun copied(context: Context, address: String): File {
    val name = "tilewright-${UUID.nameUUIDFromBytes(address.toByteArray())}"
    val file = File(context.noBackupFilesDir, name)
    val time = File(context.packageCodePath).lastModified()
    if (!file.exists() || file.lastModified() != time) try {
        FileOutputStream(file).use { copy ->
            context.assets.open(assetPath(address)).use { it.copyTo(copy) }
            copy.fd.sync()
        }
        file.setLastModified(time)
    } catch (error: IOException) {
        // A full disk does not stay full.
        file.delete()
        throw error
    }
    return file
}

/** At most so many bytes from a place on. */
private fun InputStream.bytes(most: Int, first: Long = 0): ByteArray = use {
    skip(first)
    val (bytes, buffer) = Pair(ByteArrayOutputStream(), ByteArray(16384))
    generateSequence { read(buffer, 0, minOf(buffer.size, most - bytes.size())) }.takeWhile { it > 0 }
        .forEach { bytes.write(buffer, 0, it) }
    bytes.toByteArray()
}

/** Makes each value once, also if threads ask for it at the same time. */
private class Cache<K : Any, V>(size: Int, val make: (K) -> V) : LruCache<K, Lazy<V>>(size) {
    override fun create(key: K) = lazy { make(key) }
    fun value(key: K): V = get(key)!!.value
}

private class Replaced : IllegalStateException("it was cut short, or changes while it is read")

private fun explained(address: String, error: Throwable): TileError {
    val text = error.message ?: "$error"
    val fault = when {
        error is TileError -> error.fault
        error is FileNotFoundException -> TileFault.MISSING
        error is SecurityException || text.contains("cleartext", ignoreCase = true) -> TileFault.REFUSED
        else -> if (error is IOException || error is OutOfMemoryError) null else TileFault.DAMAGED
    }
    return TileError(fault, "$address: $text", error)
}

private fun fail(fault: TileFault, text: String): Nothing = throw TileError(fault, text)
private fun log(text: String) { Log.w("tilewright", text) }
private fun isFar(address: String) = address.startsWith("https://") || address.startsWith("http://")
private fun isAsset(address: String) = address.startsWith("asset:")
private fun assetPath(address: String) = address.removePrefix("asset:")
private fun mark(file: File) = "${file.length()} ${file.lastModified()}"
private fun <T> JSONObject.list(name: String, transform: (Any) -> T) =
    optJSONArray(name)?.run { List(length()) { transform(get(it)) } }.orEmpty()

private const val MAX_ZOOM = 30
private const val MAX_EDGE = 4096
private const val MAX_DIRECTORY = 16 shl 20
private const val MAX_FILE = 64 shl 20
private val LIMITS = listOf("tileMatrix", "minTileCol", "minTileRow", "maxTileCol", "maxTileRow")
