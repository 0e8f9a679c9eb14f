// The public names of the Google Maps SDK for Android that snippets use, after its reference:
// https://developers.google.com/android/reference/com/google/android/gms/maps/package-summary.

@file:Suppress("unused", "UNUSED_PARAMETER")

package com.google.android.gms.maps

import com.google.android.gms.maps.model.CameraPosition
import com.google.android.gms.maps.model.LatLng
import com.google.android.gms.maps.model.LatLngBounds
import com.google.android.gms.maps.model.TileOverlay
import com.google.android.gms.maps.model.TileOverlayOptions

class CameraUpdate

object CameraUpdateFactory {
    @JvmStatic
    fun newCameraPosition(position: CameraPosition) = CameraUpdate()

    @JvmStatic
    fun newLatLngZoom(target: LatLng, zoom: Float) = CameraUpdate()
}

class GoogleMap {
    fun moveCamera(update: CameraUpdate) {}
    fun setLatLngBoundsForCameraTarget(bounds: LatLngBounds?) {}
    fun setMinZoomPreference(zoom: Float) {}
    fun addTileOverlay(options: TileOverlayOptions): TileOverlay? = null
    fun setMaxZoomPreference(zoom: Float) {}
}
