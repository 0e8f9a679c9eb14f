package org.example.harbourmall

import HarbourMallFloors
import android.os.Bundle
import android.util.Log
import android.view.Gravity
import android.widget.FrameLayout.LayoutParams
import android.widget.Toast
import androidx.fragment.app.FragmentActivity
import com.google.android.gms.maps.GoogleMap
import com.google.android.gms.maps.SupportMapFragment

/** Shows a building on a map. `make` writes the other Kotlin files, and the floors into the assets. */
class MainActivity : FragmentActivity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        // Android restores the map if it has stopped the app in the background.
        val old = supportFragmentManager.findFragmentById(android.R.id.content) as? SupportMapFragment
        val fragment = old ?: SupportMapFragment().also {
            supportFragmentManager.beginTransaction().add(android.R.id.content, it).commit()
        }
        fragment.getMapAsync(::showFloors)
    }

    private fun showFloors(map: GoogleMap) {
        // If Google's map or its own floor plans are in the way:
        // map.mapType = GoogleMap.MAP_TYPE_NONE
        // map.isIndoorEnabled = false
        HarbourMallFloors.load(this, onFault = { Log.w(TAG, it) }) { result ->
            result.onSuccess { show(it, map) }.onFailure {
                Log.w(TAG, "The floors cannot be read", it)
                Toast.makeText(this, it.message, Toast.LENGTH_LONG).show()
            }
        }
    }

    private fun show(floors: HarbourMallFloors, map: GoogleMap) {
        floors.addTo(map)
        floors.showAll(map)
        // Leave this out if your map shows more than the building.
        floors.limitCamera(map)
        val place = LayoutParams(LayoutParams.WRAP_CONTENT, LayoutParams.WRAP_CONTENT)
        place.gravity = Gravity.END or Gravity.CENTER_VERTICAL
        addContentView(floors.picker(this), place)
    }

    private companion object { const val TAG = "HarbourMall" }
}
