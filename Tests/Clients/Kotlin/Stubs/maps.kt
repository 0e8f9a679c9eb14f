@file:Suppress("unused")

package com.google.android.gms.maps

import com.google.android.gms.maps.model.*

class CameraUpdate(val target: LatLng?, val zoom: Float)

object CameraUpdateFactory {
    @JvmStatic fun newCameraPosition(@Suppress("UNUSED_PARAMETER") position: CameraPosition) = CameraUpdate(null, 0f)
    @JvmStatic fun newLatLngZoom(target: LatLng, zoom: Float) = CameraUpdate(target, zoom)
}

class GoogleMap {
    val overlays = ArrayList<TileOverlay>()
    var camera: CameraUpdate? = null
    var lowest = 2f
    var highest = 21f
    var bounds: LatLngBounds? = null

    fun moveCamera(update: CameraUpdate) { camera = update }
    fun setMinZoomPreference(zoom: Float) { lowest = zoom }
    fun setMaxZoomPreference(zoom: Float) { highest = zoom }
    fun setLatLngBoundsForCameraTarget(bounds: LatLngBounds?) { this.bounds = bounds }
    fun addTileOverlay(options: TileOverlayOptions): TileOverlay? = TileOverlay(overlays, options).also { overlays.add(it) }
}
