// __TITLE__ for the Google Maps SDK for Android. Written by tilewright.
// __NOTE__
// __IF_TILES__
// Needs TilewrightTiles.kt next to it: tilewright snippet --for android-kotlin --library
// __END_TILES__

// __IF_TILES__
import android.content.Context
import com.google.android.gms.maps.CameraUpdateFactory
// __END_TILES__
import com.google.android.gms.maps.GoogleMap
import com.google.android.gms.maps.model.*
// __IF_TREES__
import org.json.JSONObject
// __END_TREES__

// __IF_CAMERA__
/** The first camera of the map, and its limits. */
object __NAME__ {
    /**
     * The camera: `map.moveCamera(CameraUpdateFactory.newCameraPosition(MapCamera.position))`. The SDK allows a
     * tilt of 67.5 degrees from zoom 15.5 on, and less below.
     */
    val position: CameraPosition = CameraPosition.Builder()
        .target(LatLng(__CAMERA_LATITUDE__, __CAMERA_LONGITUDE__))
        .zoom(__CAMERA_ZOOM__f)
        .bearing(__CAMERA_BEARING__f)
        .tilt(__CAMERA_TILT__f)
        .build()
// __END_CAMERA__
// __IF_TILES__
/**
 * Tiles over the map. Where there is no tile, the map shows through.
 *
 *     val tiles = __NAME__(context) { fault -> Log.w("tiles", fault) }
 *     tiles.addTo(map)
 *     tiles.showAll(map)
 *     tiles.limitCamera(map)
 */
class __NAME__(context: Context, onFault: (String) -> Unit) : TileProvider {
    /** From zoom __MAX_ZOOM__ up to __ENLARGE_TO__ tiles are enlarged; beyond that nothing is drawn. */
    // __IF_ARCHIVES__
    private val archive = TileArchive(context, __OPEN__, __ENLARGE_TO__, onFault = onFault)
    // __END_ARCHIVES__
    // __IF_TREES__
    private val archive = TileArchive(
        context, __OPEN__, __ENLARGE_TO__, JSONObject(
            """{"minzoom": __MIN_ZOOM__, "maxzoom": __MAX_ZOOM__, "tileSize": __TILE_SIZE__,
            "bounds": [__WEST__, __SOUTH__, __EAST_UNWRAPPED__, __NORTH__], "limits": [
            __LIMITS__
            ]}"""), onFault)
    // __END_TREES__
    private var overlay: TileOverlay? = null

    fun addTo(map: GoogleMap) {
        // Without Google's map, and without its own floors of buildings:
        // map.mapType = GoogleMap.MAP_TYPE_NONE
        // map.isIndoorEnabled = false
        overlay = map.addTileOverlay(TileOverlayOptions().tileProvider(this).transparency(0f).zIndex(100f))
    }

    fun remove() {
        overlay?.remove()
        overlay = null
    }

    /** Shows new tiles after an update. */
    fun update() {
        archive.reopen()
        overlay?.clearTileCache()
    }

    /** Sets the camera that shows all tiles on a phone held upright. */
    fun showAll(map: GoogleMap) {
        val target = LatLng(__CAMERA_LATITUDE__, __CAMERA_LONGITUDE__)
        map.moveCamera(CameraUpdateFactory.newLatLngZoom(target, __CAMERA_ZOOM__f))
    }

    /** The map calls this on its own threads. It draws a tile at 256 dp, whatever its pixels. */
    override fun getTile(x: Int, y: Int, zoom: Int): Tile? = try {
        val size = archive.facts.tileSize
        archive.tile(zoom, x, y)?.let { Tile(size, size, it) } ?: TileProvider.NO_TILE
    } catch (error: TileError) {
        // Not now: the map asks again.
        null
    }
    // __END_TILES__
    // __IF_CAMERA_BOUNDS__

    /** The area for the target: `CameraUpdateFactory.newLatLngBounds(bounds, 0)` shows all of it. */
    val bounds = LatLngBounds(LatLng(__CAMERA_SOUTH__, __CAMERA_WEST__), LatLng(__CAMERA_NORTH__, __CAMERA_EAST__))
    // __END_CAMERA_BOUNDS__
    // __IF_CAMERA_LIMITS__

    /** Limits the camera. Leave it out if the map shows more. */
    fun limitCamera(map: GoogleMap) {
        map.setMinZoomPreference(__CAMERA_MIN_ZOOM__f)
        map.setMaxZoomPreference(__CAMERA_MAX_ZOOM__f)
        // __IF_CAMERA_BOUNDS__
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        map.setLatLngBoundsForCameraTarget(bounds)
        // __END_CAMERA_BOUNDS__
    }
    // __END_CAMERA_LIMITS__
}
