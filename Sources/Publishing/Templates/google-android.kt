// __TITLE__: map tiles for the Google Maps SDK for Android. Written by tilewright.
// __NOTE__

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

/** Tiles that lie over the map where they exist, and nothing elsewhere. */
object __NAME__ : TileProvider {
    private class Limits(val zoom: Int, val columns: IntRange, val rows: IntRange)

    /** The tiles that exist, per zoom: columns from the west, rows from the north. */
    private val limits = listOf(
        __LIMITS__
    )

    /** Where the tiles lie, for the camera: `CameraUpdateFactory.newLatLngBounds(bounds, 0)`. */
    val bounds = LatLngBounds(LatLng(__SOUTH__, __WEST__), LatLng(__NORTH__, __EAST__))

    /**
     * Lays the tiles over a map. Keep what it returns: `clearTileCache()` of it shows new tiles
     * after an update, `remove()` takes them off.
     *
     * Beyond zoom __MAX_ZOOM__ nothing is drawn: `map.setMaxZoomPreference(__MAX_ZOOM__f)` keeps it
     * in view.
     */
    fun addTo(map: GoogleMap): TileOverlay? = map.addTileOverlay(
        TileOverlayOptions().tileProvider(this).transparency(0f).zIndex(100f)
    )

    /** Called on threads of the map's own. */
    override fun getTile(x: Int, y: Int, zoom: Int): Tile? {
        // "Never": the map does not ask again.
        if (limits.none { it.zoom == zoom && x in it.columns && y in it.rows }) {
            return TileProvider.NO_TILE
        }
        return try {
            val connection = URL(address(x, y, zoom)).openConnection() as HttpURLConnection
            when (connection.responseCode) {
                // __SIZE_NOTE__
                200 -> Tile(__TILE_SIZE__, __TILE_SIZE__, connection.inputStream.use { it.readBytes() })
                // A tile that is missing was transparent.
                403, 404, 410 -> TileProvider.NO_TILE
                else -> null
            }
        } catch (error: IOException) {
            // "Not now": the map asks again.
            null
        }
    }

    private fun address(x: Int, y: Int, zoom: Int): String = __URL__
    __QUADKEY__
}
