// A camera for the Google Maps SDK for Android. Written by tilewright.
// __NOTE__

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
