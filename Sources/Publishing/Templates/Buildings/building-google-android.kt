// __TITLE__: the floors of a building for the Google Maps SDK for Android. Written by tilewright.
// __NOTE__
//
// HttpResponseCache.install(File(context.cacheDir, "http"), 100L shl 20), once in the app, keeps tiles
// on the device.
// __IF_IMPORTS__

import android.os.Handler
import android.os.Looper
import com.google.android.gms.maps.GoogleMap
import com.google.android.gms.maps.model.LatLng
import com.google.android.gms.maps.model.LatLngBounds
import com.google.android.gms.maps.model.Tile
import com.google.android.gms.maps.model.TileOverlay
import com.google.android.gms.maps.model.TileOverlayOptions
import com.google.android.gms.maps.model.TileProvider
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
 *         result.onSuccess { it.addTo(map) }.onFailure { Log.e("floors", "no building", it) }
 *     }
 *
 * All of it is called on the main thread.
 */
class __NAME__ private constructor(index: Index) {
    /** What is known of a floor: members of building.json. */
    class Floor(members: JSONObject) {
        /** The name by which [show] finds it. */
        val floor: String = members.getString("floor")

        /** What people read. */
        val label: String = members.getString("label")

        /** What a button says. */
        val shortName: String = members.getString("shortName")

        /** Its place among the floors: 0 for the ground floor. */
        val ordinal: Int = members.getInt("ordinal")
        val minzoom: Int = members.getInt("minzoom")
        val maxzoom: Int = members.getInt("maxzoom")

        /** Pixels along a tile's edge. */
        val tileSize: Int = members.getInt("tileSize")

        /** Whom to credit; may be empty. */
        val attribution: String = members.optString("attribution")

        /** Where it lies, for the camera: `CameraUpdateFactory.newLatLngBounds(floor.bounds, 0)`. */
        val bounds: LatLngBounds = members.getJSONArray("bounds").let {
            LatLngBounds(LatLng(it.getDouble(1), it.getDouble(0)), LatLng(it.getDouble(3), it.getDouble(2)))
        }
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
            // A digit per zoom: 0 NW, 1 NE, 2 SW, 3 SE.
            val quadkey = (zoom - 1 downTo 0).joinToString("") {
                ((x shr it and 1) or (y shr it and 1 shl 1)).toString()
            }
            val path = tiles.replace("{z}", "$zoom").replace("{x}", "$x").replace("{y}", "$row")
                .replace("{-y}", "$row").replace("{quadkey}", quadkey)
            // With the first digits of the digest: a cache keeps tiles as long as they are good.
            val version = (if ("?" in path) "&v=" else "?v=") + digest.take(8)
            return URL(address, path + version)
        }
    }

    private class Index(val name: String, val floors: List<Floor>)

    /** What the building is called. */
    var name = index.name
        private set

    /** The floors from the lowest. */
    var floors = index.floors
        private set

    /** The one of them that is shown. */
    var floor = first(index)
        private set

    /** Called with the floor when another one is shown, or something of it changed. */
    var onChange: (Floor) -> Unit = {}

    /** Called with what kept a tile from coming; the map asks for it again. */
    var onTileError: (IOException) -> Unit = {}

    private var map: GoogleMap? = null
    private var tiles: Tiles? = null
    private var overlay: TileOverlay? = null

    /** Reads the index again and shows what is new. If that fails, all stays as it is. */
    fun reload(done: (Result<Unit>) -> Unit) = read { result ->
        done(result.map { index ->
            val shown = floor.floor
            val floor = index.floors.find { it.floor == shown } ?: first(index)
            name = index.name
            floors = index.floors
            if (floor.description != this.floor.description) change(floor)
        })
    }

    /** Shows a floor in the place of the one before; [name] is the `floor` of one of the floors. */
    fun show(name: String) {
        val floor = requireNotNull(floors.find { it.floor == name }) { "there is no floor '$name'" }
        if (floor.description != this.floor.description) change(floor)
    }

    /**
     * Lays the floor over a map.
     *
     * Beyond the floor's last zoom nothing is drawn: `map.setMaxZoomPreference` keeps it in view.
     */
    fun addTo(map: GoogleMap) {
        this.map = map
        lay()
    }

    /** Takes the floor off its map. */
    fun remove() {
        clear()
        map = null
    }

    private fun change(floor: Floor) {
        this.floor = floor
        lay()
        onChange(floor)
    }

    private fun lay() {
        val map = map ?: return
        clear()
        val tiles = Tiles(floor) { error -> main.post { onTileError(error) } }
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

    /** The tiles of a floor. The map asks for them on threads of its own. */
    private class Tiles(val floor: Floor, val report: (IOException) -> Unit) : TileProvider {
        @Volatile
        private var isOver = false
        private val open = Collections.synchronizedSet(HashSet<HttpURLConnection>())

        override fun getTile(x: Int, y: Int, zoom: Int): Tile? {
            // "Never": the map does not ask again.
            val address = floor.address(x, y, zoom) ?: return TileProvider.NO_TILE
            val connection = address.openConnection() as HttpURLConnection
            // The address changes with the tiles, so that a copy on the device is good.
            connection.setRequestProperty("Cache-Control", "max-stale=31536000")
            open.add(connection)
            return try {
                if (isOver) null else tile(connection)
            } catch (error: IOException) {
                if (!isOver) report(error)
                // "Not now": the map asks again.
                null
            } finally {
                open.remove(connection)
            }
        }

        private fun tile(connection: HttpURLConnection): Tile? = when (val status = connection.responseCode) {
            // Pixels of a file; the map draws a tile at 256 dp. Files of 512 pixels are sharper on
            // dense displays.
            200 -> Tile(floor.tileSize, floor.tileSize, connection.inputStream.use { it.readBytes() })
            // A tile that is missing was transparent.
            403, 404, 410 -> TileProvider.NO_TILE
            else -> throw IOException("${connection.url}: status $status")
        }

        /** Cancels what has not come; not on the main thread, where nothing may wait for a network. */
        fun cancel() {
            isOver = true
            thread { synchronized(open) { open.toList() }.forEach { it.disconnect() } }
        }
    }

    companion object {
        /** Where the building's index is. Below it are the tiles. */
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
            // The server says whether the copy on the device is still good.
            connection.setRequestProperty("Cache-Control", "no-cache")
            val status = connection.responseCode
            if (status != 200) throw IOException("$address: status $status")
            val index = JSONObject(connection.inputStream.use { it.readBytes() }.toString(Charsets.UTF_8))
            val version = index.getInt("version")
            if (version != 1) throw IOException("$address: version $version needs newer code")
            val floors = index.getJSONArray("floors").map { Floor(it as JSONObject) }
            if (floors.isEmpty()) throw IOException("$address: there are no floors")
            return Index(index.getString("name"), floors)
        }

        private fun first(index: Index) = index.floors.find { it.isDefault } ?: index.floors[0]

        private fun <T> JSONArray.map(transform: (Any) -> T) = (0 until length()).map { transform(get(it)) }
    }
}
