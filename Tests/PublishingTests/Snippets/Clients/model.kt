// The public names of the Google Maps SDK for Android that snippets use, after its reference:
// https://developers.google.com/android/reference/com/google/android/gms/maps/model/package-summary.

@file:Suppress("unused", "UNUSED_PARAMETER")

package com.google.android.gms.maps.model

class LatLng(latitude: Double, longitude: Double)

class LatLngBounds(southwest: LatLng, northeast: LatLng)

class CameraPosition {
    class Builder {
        fun target(location: LatLng) = this
        fun zoom(zoom: Float) = this
        fun bearing(bearing: Float) = this
        fun tilt(tilt: Float) = this
        fun build() = CameraPosition()
    }
}

class Tile(width: Int, height: Int, data: ByteArray?)

interface TileProvider {
    fun getTile(x: Int, y: Int, zoom: Int): Tile?

    companion object {
        @JvmField
        val NO_TILE = Tile(-1, -1, null)
    }
}

class TileOverlay {
    fun clearTileCache() {}
    fun remove() {}
}

class TileOverlayOptions {
    fun tileProvider(provider: TileProvider) = this
    fun transparency(transparency: Float) = this
    fun zIndex(zIndex: Float) = this
}
