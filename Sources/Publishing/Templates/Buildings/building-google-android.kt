// __TITLE__: the floors of a building for the Google Maps SDK for Android. Written by tilewright.
// __NOTE__
//
// HttpResponseCache.install(File(context.cacheDir, "http"), 100L shl 20), once in the app, keeps tiles
// on the device.
// __IF_IMPORTS__

import android.graphics.Bitmap
import android.graphics.BitmapFactory
import android.graphics.Canvas
import android.graphics.Matrix
import android.graphics.Paint
import android.os.Handler
import android.os.Looper
import android.util.LruCache
import com.google.android.gms.maps.CameraUpdateFactory
import com.google.android.gms.maps.GoogleMap
import com.google.android.gms.maps.model.LatLng
import com.google.android.gms.maps.model.LatLngBounds
import com.google.android.gms.maps.model.Tile
import com.google.android.gms.maps.model.TileOverlay
import com.google.android.gms.maps.model.TileOverlayOptions
import com.google.android.gms.maps.model.TileProvider
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.util.Collections
import kotlin.concurrent.thread
import org.json.JSONArray
import org.json.JSONObject
// __END_IMPORTS__

/**
 * Shows one floor at a time, and switches between them.
 *
 *     __NAME__.load { result ->
 *         result.onSuccess { floors ->
 *             floors.addTo(map)
 *             floors.showAll()
 *             floors.limitCamera()
 *         }.onFailure { Log.e("floors", "no building", it) }
 *     }
 *
 * Call its methods on the main thread.
 */
class __NAME__ private constructor(index: Index) {
    /** A floor, with members of building.json. */
    class Floor(members: JSONObject) {
        /** The name by which [show] finds it. */
        val floor: String = members.getString("floor")

        /** The name for people. */
        val label: String = members.getString("label")

        /** The text of its button. */
        val shortName: String = members.getString("shortName")

        /** Its position in the order of floors: 0 for the ground floor. */
        val ordinal: Int = members.getInt("ordinal")
        val minzoom: Int = members.getInt("minzoom")
        val maxzoom: Int = members.getInt("maxzoom")

        /** Pixels along a tile's edge. */
        val tileSize: Int = members.getInt("tileSize")

        /** Whom to credit; may be empty. */
        val attribution: String = members.optString("attribution")

        /** The area of the floor, for the camera: `CameraUpdateFactory.newLatLngBounds(floor.bounds, 0)`. */
        val bounds: LatLngBounds = box(members)
        internal val isDefault = members.optBoolean("default")
        internal val description = members.toString()
        private val limits = members.getJSONArray("limits").map { (it as JSONArray).map { it as Int } }
        private val tiles = members.getString("tiles")
        private val scheme = members.getString("scheme")
        private val digest = members.getString("digest")

        /** The address of a tile, or null if there is none; `y` counts from the north. */
        internal fun address(x: Int, y: Int, zoom: Int): URL? {
            val exists = limits.any { (z, west, north, east, south) ->
                z == zoom && x in west..east && y in north..south
            }
            if (!exists) return null
            val row = if (scheme == "tms" || "{-y}" in tiles) (1 shl zoom) - 1 - y else y
            // One digit per zoom: 0 NW, 1 NE, 2 SW, 3 SE.
            val quadkey = (zoom - 1 downTo 0).joinToString("") {
                ((x shr it and 1) or (y shr it and 1 shl 1)).toString()
            }
            val path = tiles.replace("{z}", "$zoom").replace("{x}", "$x").replace("{y}", "$row")
                .replace("{-y}", "$row").replace("{quadkey}", quadkey)
            // The address contains the first digits of the digest: a cache keeps tiles until they change.
            val version = (if ("?" in path) "&v=" else "?v=") + digest.take(8)
            return URL(address, path + version)
        }
    }

    private class Index(members: JSONObject, val floors: List<Floor>) {
        val name: String = members.getString("name")
        val bounds = box(members)
        private val camera = members.getJSONObject("camera")
        val zoom = camera.getDouble("zoom")
        val target = camera.getJSONArray("target").let { LatLng(it.getDouble(1), it.getDouble(0)) }
    }

    private var index = index

    /** The name of the building. */
    val name get() = index.name

    /** The floors from the lowest. */
    val floors get() = index.floors

    /** The floor that is shown. */
    var floor = first(index)
        private set

    /** Called with the floor when another floor is shown, or when the floor changed. */
    var onChange: (Floor) -> Unit = {}

    /** Called with the error if a tile cannot be loaded; the map asks for it again. */
    var onTileError: (IOException) -> Unit = {}

    private var map: GoogleMap? = null
    private var tiles: Tiles? = null
    private var overlay: TileOverlay? = null

    /** Reads the index again and shows its changes. If that fails, everything stays as it is. */
    fun reload(done: (Result<Unit>) -> Unit) = read { result ->
        done(result.map { index ->
            val shown = floor.floor
            val floor = index.floors.find { it.floor == shown } ?: first(index)
            this.index = index
            if (floor.description != this.floor.description) change(floor)
        })
    }

    /** Shows this floor instead of the current one; [name] is the `floor` of one of the floors. */
    fun show(name: String) {
        val floor = requireNotNull(floors.find { it.floor == name }) { "there is no floor '$name'" }
        if (floor.description != this.floor.description) change(floor)
    }

    /** Adds the floor to a map. Beyond the floor's last zoom, up to [lastZoom], tiles are enlarged. */
    fun addTo(map: GoogleMap) {
        this.map = map
        lay()
    }

    /** Removes the floor from its map. */
    fun remove() {
        clear()
        map = null
    }

    /** Sets the camera that shows the building on a phone held upright. */
    fun showAll() {
        val zoom = minOf(index.zoom, lastZoom.toDouble())
        map?.moveCamera(CameraUpdateFactory.newLatLngZoom(index.target, zoom.toFloat()))
    }

    /**
     * Limits the camera to the zooms and the area of the building. Leave it out if the map shows more than
     * the building.
     */
    fun limitCamera() {
        val map = map ?: return
        map.setMinZoomPreference((floors.map { it.minzoom } + index.zoom.toInt()).reduce(::minOf).toFloat())
        map.setMaxZoomPreference(lastZoom.toFloat())
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        map.setLatLngBoundsForCameraTarget(index.bounds)
    }

    /** The zoom up to which tiles are enlarged. */
    private val lastZoom: Int
        get() {
            val last = floors.map { it.maxzoom }.reduce(::maxOf)
            return __LAST_ZOOM__
        }

    private fun change(floor: Floor) {
        this.floor = floor
        lay()
        onChange(floor)
    }

    private fun lay() {
        val map = map ?: return
        clear()
        val tiles = Tiles(floor, lastZoom) { error -> main.post { onTileError(error) } }
        this.tiles = tiles
        overlay = map.addTileOverlay(
            TileOverlayOptions().tileProvider(tiles).transparency(0f).zIndex(100f)
        )
    }

    private fun clear() {
        tiles?.cancel()
        overlay?.clearTileCache()
        overlay?.remove()
        tiles = null
        overlay = null
    }

    /** The tiles of a floor. The map requests them on its own threads. */
    private class Tiles(
        val floor: Floor,
        val lastZoom: Int,
        val report: (IOException) -> Unit
    ) : TileProvider {
        @Volatile
        private var isOver = false
        private val open = Collections.synchronizedSet(HashSet<HttpURLConnection>())

        /** Cached files of ancestors, whose parts are enlarged. */
        private val ancestors = LruCache<String, ByteArray>(16)

        override fun getTile(x: Int, y: Int, zoom: Int): Tile? {
            // Beyond the last zoom with tiles, an ancestor tile is enlarged.
            val steps = maxOf(0, zoom - floor.maxzoom)
            val address = floor.address(x shr steps, y shr steps, zoom - steps)
            // "Never": the map does not ask again.
            if (address == null || zoom > lastZoom) return TileProvider.NO_TILE
            return try {
                // A missing tile is transparent.
                val file = ancestors.get("$address") ?: read(address) ?: return TileProvider.NO_TILE
                if (steps > 0) ancestors.put("$address", file)
                // Pixels of a file; the map draws a tile at 256 dp. Files of 512 pixels are sharper on
                // dense displays.
                Tile(floor.tileSize, floor.tileSize, if (steps > 0) enlarged(file, x, y, steps) else file)
            } catch (error: IOException) {
                if (!isOver) report(error)
                // "Not now": the map asks again.
                null
            }
        }

        /** A tile's file; null if the server has none. */
        private fun read(address: URL): ByteArray? {
            val connection = address.openConnection() as HttpURLConnection
            // The address changes with the tiles, so that a copy on the device is valid.
            connection.setRequestProperty("Cache-Control", "max-stale=31536000")
            open.add(connection)
            try {
                if (isOver) throw IOException("$address: another floor is shown")
                return when (val status = connection.responseCode) {
                    200 -> connection.inputStream.use { it.readBytes() }
                    403, 404, 410 -> null
                    else -> throw IOException("$address: status $status")
                }
            } finally {
                open.remove(connection)
            }
        }

        __ENLARGING__

        /** Cancels unfinished requests; not on the main thread, which must not wait for a network. */
        fun cancel() {
            isOver = true
            thread { synchronized(open) { open.toList() }.forEach { it.disconnect() } }
        }
    }

    companion object {
        /** The address of the folder with the building's index and tiles. */
        val address = URL(__INDEX__)

        private val main = Handler(Looper.getMainLooper())

        /** Reads the building's index. */
        fun load(done: (Result<__NAME__>) -> Unit) = read { result -> done(result.map { __NAME__(it) }) }

        private fun read(done: (Result<Index>) -> Unit) {
            thread {
                val result = runCatching { index() }
                main.post { done(result) }
            }
        }

        private fun index(): Index {
            val connection = address.openConnection() as HttpURLConnection
            // The server says whether the copy on the device is still valid.
            connection.setRequestProperty("Cache-Control", "no-cache")
            val status = connection.responseCode
            if (status != 200) throw IOException("$address: status $status")
            val index = JSONObject(connection.inputStream.use { it.readBytes() }.toString(Charsets.UTF_8))
            val version = index.getInt("version")
            if (version != 1) throw IOException("$address: version $version needs newer code")
            val floors = index.getJSONArray("floors").map { Floor(it as JSONObject) }
            if (floors.isEmpty()) throw IOException("$address: there are no floors")
            return Index(index, floors)
        }

        /** The bounds of the building or a floor. */
        private fun box(members: JSONObject) = members.getJSONArray("bounds").let {
            LatLngBounds(LatLng(it.getDouble(1), it.getDouble(0)), LatLng(it.getDouble(3), it.getDouble(2)))
        }

        private fun first(index: Index) = index.floors.find { it.isDefault } ?: index.floors[0]

        private fun <T> JSONArray.map(transform: (Any) -> T) = (0 until length()).map { transform(get(it)) }
    }
}
