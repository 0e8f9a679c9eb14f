// __TITLE__ for the Google Maps SDK for Android. Written by tilewright.
// __NOTE__
// __IF_TILES__

import android.graphics.Bitmap
import android.graphics.BitmapFactory
import android.graphics.Canvas
import android.graphics.Matrix
import android.graphics.Paint
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

/**
 * Tiles over the map. Where there is no tile, the map shows through.
 *
 *     __NAME__.addTo(map)
 *     __NAME__.showAll(map)
 *     __NAME__.limitCamera(map)
 */
object __NAME__ : TileProvider {
    private class Limits(val zoom: Int, val columns: IntRange, val rows: IntRange)

    /** The tiles that exist, per zoom: columns from the west, rows from the north. */
    private val limits = listOf(
        __LIMITS__
    )

    /** The area of the tiles, for the camera: `CameraUpdateFactory.newLatLngBounds(bounds, 0)`. */
    val bounds = LatLngBounds(LatLng(__SOUTH__, __WEST__), LatLng(__NORTH__, __CAMERA_EAST__))

    /** Cached files of ancestors, whose parts are enlarged. */
    private val ancestors = LruCache<String, ByteArray>(16)

    /**
     * Adds the tiles to a map. Keep the returned overlay: after an update, its `clearTileCache()` shows new
     * tiles; `remove()` removes it.
     *
     * From zoom __MAX_ZOOM__ up to __ENLARGE_TO__ tiles are enlarged; beyond that nothing is drawn.
     */
    fun addTo(map: GoogleMap): TileOverlay? = map.addTileOverlay(
        TileOverlayOptions().tileProvider(this).transparency(0f).zIndex(100f)
    )

    /** Sets the camera that shows all tiles on a phone held upright. */
    fun showAll(map: GoogleMap) {
        val target = LatLng(__CAMERA_LATITUDE__, __CAMERA_LONGITUDE__)
        map.moveCamera(CameraUpdateFactory.newLatLngZoom(target, __CAMERA_ZOOM__f))
    }

    /**
     * Limits the camera to the zooms and the area of the tiles. Leave it out if the map shows more than
     * these tiles.
     */
    fun limitCamera(map: GoogleMap) {
        map.setMinZoomPreference(__CAMERA_MIN_ZOOM__f)
        map.setMaxZoomPreference(__CAMERA_MAX_ZOOM__f)
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        map.setLatLngBoundsForCameraTarget(bounds)
    }

    /** The map calls this on its own threads. */
    override fun getTile(x: Int, y: Int, zoom: Int): Tile? {
        // Beyond the last zoom with tiles, an ancestor tile is enlarged.
        val steps = maxOf(0, zoom - __MAX_ZOOM__)
        val (column, row, level) = Triple(x shr steps, y shr steps, zoom - steps)
        val exists = limits.any { it.zoom == level && column in it.columns && row in it.rows }
        // "Never": the map does not ask again.
        if (!exists || zoom > __ENLARGE_TO__) return TileProvider.NO_TILE
        return try {
            val address = address(column, row, level)
            // A missing tile is transparent.
            val file = ancestors.get(address) ?: read(address) ?: return TileProvider.NO_TILE
            if (steps > 0) ancestors.put(address, file)
            // __SIZE_NOTE__
            Tile(__TILE_SIZE__, __TILE_SIZE__, if (steps > 0) enlarged(file, x, y, steps) else file)
        } catch (error: IOException) {
            // "Not now": the map asks again.
            null
        }
    }

    /** A tile's file; null if the server has none. */
    private fun read(address: String): ByteArray? {
        val connection = URL(address).openConnection() as HttpURLConnection
        return when (val status = connection.responseCode) {
            200 -> connection.inputStream.use { it.readBytes() }
            403, 404, 410 -> null
            else -> throw IOException("$address: status $status")
        }
    }

    __ENLARGING__

    private fun address(x: Int, y: Int, zoom: Int): String = __URL__
    __QUADKEY__
}
// __END_TILES__
// __IF_CAMERA__

import com.google.android.gms.maps.CameraUpdateFactory
import com.google.android.gms.maps.GoogleMap
import com.google.android.gms.maps.model.CameraPosition
import com.google.android.gms.maps.model.LatLng
// __IF_BOUNDS__
import com.google.android.gms.maps.model.LatLngBounds
// __END_BOUNDS__

/** The first camera of the map, and its limits. */
object MapCamera {
    /** The camera. The SDK allows a tilt of 67.5 degrees from zoom 15.5 on, and less below. */
    val position: CameraPosition = CameraPosition.Builder()
        .target(LatLng(__LATITUDE__, __LONGITUDE__))
        .zoom(__ZOOM__f)
        .bearing(__BEARING__f)
        .tilt(__TILT__f)
        .build()

    /** Sets the camera of a map, and its limits. */
    fun applyTo(map: GoogleMap) {
        // __IF_ZOOMS__
        map.setMinZoomPreference(__MIN_ZOOM__f)
        map.setMaxZoomPreference(__MAX_ZOOM__f)
        // __END_ZOOMS__
        // __IF_BOUNDS__
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        map.setLatLngBoundsForCameraTarget(
            LatLngBounds(LatLng(__SOUTH__, __WEST__), LatLng(__NORTH__, __EAST__))
        )
        // __END_BOUNDS__
        map.moveCamera(CameraUpdateFactory.newCameraPosition(position))
    }
}
// __END_CAMERA__
