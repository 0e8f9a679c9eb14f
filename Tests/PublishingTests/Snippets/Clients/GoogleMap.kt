// The public names of the Google Maps SDK for Android that snippets use, after its reference:
// https://developers.google.com/android/reference/com/google/android/gms/maps/package-summary.

@file:Suppress("unused", "UNUSED_PARAMETER")

package com.google.android.gms.maps

import com.google.android.gms.maps.model.TileOverlay
import com.google.android.gms.maps.model.TileOverlayOptions

class GoogleMap {
    fun addTileOverlay(options: TileOverlayOptions): TileOverlay? = null
    fun setMaxZoomPreference(zoom: Float) {}
}
