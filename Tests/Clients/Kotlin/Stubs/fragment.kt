package com.google.android.gms.maps

import androidx.fragment.app.Fragment

fun interface OnMapReadyCallback { fun onMapReady(map: GoogleMap) }

class SupportMapFragment : Fragment() {
    fun getMapAsync(callback: OnMapReadyCallback) = callback.onMapReady(GoogleMap())
}
