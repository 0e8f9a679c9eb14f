// The names of the Google Maps SDK for Android that snippets use, after its reference:
// https://developers.google.com/android/reference/com/google/android/gms/maps/model/package-summary.

@file:Suppress("unused")

package com.google.android.gms.maps.model

data class LatLng(val latitude: Double, val longitude: Double)

data class LatLngBounds(val southwest: LatLng, val northeast: LatLng)

class CameraPosition {
    class Builder {
        fun target(@Suppress("UNUSED_PARAMETER") target: LatLng) = this
        fun zoom(@Suppress("UNUSED_PARAMETER") zoom: Float) = this
        fun bearing(@Suppress("UNUSED_PARAMETER") bearing: Float) = this
        fun tilt(@Suppress("UNUSED_PARAMETER") tilt: Float) = this
        fun build() = CameraPosition()
    }
}

class Tile(val width: Int, val height: Int, val data: ByteArray?)

interface TileProvider {
    fun getTile(x: Int, y: Int, zoom: Int): Tile?

    companion object { @JvmField val NO_TILE = Tile(-1, -1, null) }
}

class TileOverlay(val map: MutableList<TileOverlay>, val options: TileOverlayOptions) {
    var clears = 0

    fun clearTileCache() { clears += 1 }
    fun remove() { map.remove(this) }
}

class TileOverlayOptions {
    var provider: TileProvider? = null
    var fades = true

    fun tileProvider(provider: TileProvider) = apply { this.provider = provider }
    fun transparency(@Suppress("UNUSED_PARAMETER") transparency: Float) = this
    fun zIndex(@Suppress("UNUSED_PARAMETER") zIndex: Float) = this
    fun fadeIn(fades: Boolean) = apply { this.fades = fades }
}
