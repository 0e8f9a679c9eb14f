// __TITLE__: the floors of a building for the Google Maps SDK for Android. Written by tilewright.
// __NOTE__
// __IF_IMPORTS__
// Needs TilewrightTiles.kt, which is printed by: tilewright snippet --for android-kotlin --library

import android.content.Context
import android.graphics.Color
import android.os.*
import android.view.Gravity
import android.widget.*
import com.google.android.gms.maps.CameraUpdateFactory
import com.google.android.gms.maps.GoogleMap
import com.google.android.gms.maps.model.*
// __END_IMPORTS__

/**
 * Shows one floor at a time. Call its methods on the main thread, where `onFault` and `done` are called, too.
 *
 *     __NAME__.load(context, onFault = { Log.w("floors", it) }) { result ->
 *         val floors = result.getOrElse { return@load }
 *         floors.addTo(map)
 *         layout.addView(floors.picker(context))
 *     }
 */
class __NAME__ private constructor(val building: Building, private val onFault: (String) -> Unit) {
    val floors = building.floors
    var floor = floors.find { it.isDefault } ?: floors[0]
        private set
    /** Called when another floor is shown. */
    var onChange: (Floor) -> Unit = {}
    private val firstZoom = floors.maxOf { it.facts.zooms.first }
    // Tiles are enlarged up to lastZoom.
    private val last = floors.maxOf { it.facts.zooms.last }
    private val lastZoom = __LAST_ZOOM__
    private var map: GoogleMap? = null
    private var picker: RadioGroup? = null
    private val overlays = ArrayList<TileOverlay>()

    /** Shows the floor with this `name`. */
    fun show(name: String) {
        val next = floors.first { it.name == name }
        if (next === floor) return
        floor = next
        picker?.check(floors.indexOf(next) + 1)
        map?.let(::addTo)
        onChange(next)
    }

    /** Adds the floor. Nothing flashes: the floor before goes when a tile is there, or after two seconds. */
    fun addTo(map: GoogleMap) {
        this.map = map
        // map.mapType = GoogleMap.MAP_TYPE_NONE // without Google's map
        // map.isIndoorEnabled = false // without Google's own floors
        var overlay: TileOverlay? = null
        val removal = Runnable { if (overlay === overlays.lastOrNull()) keep(1) }
        val tiles = Tiles(floor.archive(lastZoom, onFault)) { main.postDelayed(removal, 200) }
        val options = TileOverlayOptions().tileProvider(tiles).transparency(0f).zIndex(100f).fadeIn(false)
        overlay = map.addTileOverlay(options)?.also { overlays += it }
        main.postDelayed(removal, 2000)
    }

    private fun keep(count: Int) { while (overlays.size > count) overlays.removeAt(0).remove() }

    /** Removes the floor with its cached tiles. To show an update: `remove`, `load`, `addTo`. */
    fun remove() = keep(0).also { map = null }

    /** Buttons, the uppermost floor at the top, to be laid over the map. */
    fun picker(context: Context) = RadioGroup(context).also { group ->
        val fit = FrameLayout.LayoutParams.WRAP_CONTENT
        group.layoutParams = FrameLayout.LayoutParams(fit, fit, Gravity.CENTER_VERTICAL or Gravity.END)
        group.setBackgroundColor(Color.WHITE)
        val size = (48 * context.resources.displayMetrics.density).toInt()
        for ((index, floor) in floors.withIndex().reversed()) group.addView(RadioButton(context).apply {
            id = index + 1
            text = floor.shortName
            contentDescription = floor.label
            setTextColor(Color.BLACK)
            minimumWidth = size
            minimumHeight = size
        })
        group.check(floors.indexOf(floor) + 1)
        group.setOnCheckedChangeListener { _, id -> show(floors[id - 1].name) }
        picker = group
    }

    /** Sets the camera that shows the building on a phone held upright. */
    fun showAll(map: GoogleMap) {
        val (longitude, latitude, zoom) = building.camera
        val shown = zoom.toFloat().coerceIn(firstZoom.toFloat(), lastZoom.toFloat())
        map.moveCamera(CameraUpdateFactory.newLatLngZoom(LatLng(latitude, longitude), shown))
    }

    /** Keeps the middle of the view on the building. Leave it out if the map shows more. */
    fun limitCamera(map: GoogleMap) {
        val (west, south, east, north) = building.bounds
        map.setMinZoomPreference(firstZoom.toFloat())
        map.setMaxZoomPreference(lastZoom.toFloat())
        map.setLatLngBoundsForCameraTarget(LatLngBounds(LatLng(south, west), LatLng(north, east)))
    }

    /** The map asks on its own threads. It draws a tile at 256 dp, whatever its pixels. */
    private class Tiles(val archive: TileArchive, val onPicture: () -> Unit) : TileProvider {
        override fun getTile(x: Int, y: Int, zoom: Int): Tile? = try {
            val size = archive.facts.tileSize
            archive.tile(zoom, x, y)?.let { Tile(size, size, it).also { onPicture() } } ?: TileProvider.NO_TILE
        } catch (error: TileError) {
            null // Not now: the map asks again.
        }
    }

    companion object {
        private val main = Handler(Looper.getMainLooper())
        /** Reads the building. `inside` is the address of a building.json in the app, to fall back on. */
        fun load(
            context: Context, inside: String? = null, onFault: (String) -> Unit,
            done: (Result<__NAME__>) -> Unit
        ) = Thread {
            val report: (String) -> Unit = { text -> main.post { onFault(text) } }
            val result = runCatching { __NAME__(Building.open(context, __OPEN__, inside, report), report) }
            main.post { done(result) }
        }.start()
    }
}
