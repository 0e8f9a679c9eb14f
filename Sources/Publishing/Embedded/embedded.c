// #embed is part of C23; this clang supports it in all modes, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

#include "embedded.h"

#define FILE(name) static const uint8_t bytes_of_##name[] = {
#define END(name) \
    }             \
    ;             \
    const struct EmbeddedFile name = {bytes_of_##name, sizeof bytes_of_##name};

// clang-format off
// The scripts of a page in the order in which they run.
FILE(place_js)
#embed "../Pages/page.js" suffix(,)
#embed "../Pages/fit.js" suffix(,)
#embed "../Pages/faults.js" suffix(,)
#embed "../Pages/points.js" suffix(,)
#embed "../Pages/panes.js" suffix(,)
#embed "../Pages/floors.js" suffix(,)
#embed "../Pages/state.js" suffix(,)
#embed "../Pages/marks.js" suffix(,)
#embed "../Pages/pairs.js" suffix(,)
#embed "../Pages/cutting.js" suffix(,)
#embed "../Pages/laying.js" suffix(,)
#embed "../Pages/under.js" suffix(,)
#embed "../Pages/saving.js" suffix(,)
#embed "../Pages/place.js" suffix(,)
END(place_js)
FILE(viewer_js)
#embed "../Pages/page.js" suffix(,)
#embed "../Pages/Viewer/tileset.js" suffix(,)
#embed "../Pages/Viewer/grid.js" suffix(,)
#embed "../Pages/Viewer/shown.js" suffix(,)
#embed "../Pages/Viewer/switch.js" suffix(,)
#embed "../Pages/Viewer/comparison.js" suffix(,)
#embed "../Pages/Viewer/readout.js" suffix(,)
#embed "../Pages/Viewer/viewer.js" suffix(,)
END(viewer_js)

FILE(page_css)
#embed "../Pages/page.css"
END(page_css)
FILE(page_html)
#embed "../Pages/page.html"
END(page_html)
FILE(place_css)
#embed "../Pages/place.css"
END(place_css)
FILE(place_html)
#embed "../Pages/place.html"
END(place_html)
FILE(words_js)
#embed "../Pages/words.js"
END(words_js)
FILE(viewer_css)
#embed "../Pages/Viewer/viewer.css"
END(viewer_css)
FILE(viewer_html)
#embed "../Pages/Viewer/viewer.html"
END(viewer_html)
FILE(ar_json)
#embed "../Pages/Words/ar.json"
END(ar_json)
FILE(de_json)
#embed "../Pages/Words/de.json"
END(de_json)
FILE(en_json)
#embed "../Pages/Words/en.json"
END(en_json)
FILE(es_json)
#embed "../Pages/Words/es.json"
END(es_json)
FILE(fa_json)
#embed "../Pages/Words/fa.json"
END(fa_json)
FILE(fr_json)
#embed "../Pages/Words/fr.json"
END(fr_json)
FILE(hi_json)
#embed "../Pages/Words/hi.json"
END(hi_json)
FILE(ja_json)
#embed "../Pages/Words/ja.json"
END(ja_json)
FILE(pt_json)
#embed "../Pages/Words/pt.json"
END(pt_json)
FILE(zh_json)
#embed "../Pages/Words/zh.json"
END(zh_json)
FILE(camera_google_android_kt)
#embed "../Templates/camera-google-android.kt"
END(camera_google_android_kt)
FILE(camera_google_ios_m)
#embed "../Templates/camera-google-ios.m"
END(camera_google_ios_m)
FILE(camera_google_ios_swift)
#embed "../Templates/camera-google-ios.swift"
END(camera_google_ios_swift)
FILE(camera_google_js)
#embed "../Templates/camera-google.js"
END(camera_google_js)
FILE(camera_leaflet_js)
#embed "../Templates/camera-leaflet.js"
END(camera_leaflet_js)
FILE(camera_mapkit_swift)
#embed "../Templates/camera-mapkit.swift"
END(camera_mapkit_swift)
FILE(camera_maplibre_js)
#embed "../Templates/camera-maplibre.js"
END(camera_maplibre_js)
FILE(camera_openlayers_js)
#embed "../Templates/camera-openlayers.js"
END(camera_openlayers_js)
FILE(google_android_kt)
#embed "../Templates/google-android.kt"
END(google_android_kt)
FILE(google_ios_m)
#embed "../Templates/google-ios.m"
END(google_ios_m)
FILE(google_ios_swift)
#embed "../Templates/google-ios.swift"
END(google_ios_swift)
FILE(google_js)
#embed "../Templates/google.js"
END(google_js)
FILE(leaflet_js)
#embed "../Templates/leaflet.js"
END(leaflet_js)
FILE(mapkit_swift)
#embed "../Templates/mapkit.swift"
END(mapkit_swift)
FILE(maplibre_js)
#embed "../Templates/maplibre.js"
END(maplibre_js)
FILE(openlayers_js)
#embed "../Templates/openlayers.js"
END(openlayers_js)
FILE(building_buttons_js)
#embed "../Templates/Buildings/building-buttons.js"
END(building_buttons_js)
FILE(building_google_android_kt)
#embed "../Templates/Buildings/building-google-android.kt"
END(building_google_android_kt)
FILE(building_google_ios_m)
#embed "../Templates/Buildings/building-google-ios.m"
END(building_google_ios_m)
FILE(building_google_ios_swift)
#embed "../Templates/Buildings/building-google-ios.swift"
END(building_google_ios_swift)
FILE(building_google_js)
#embed "../Templates/Buildings/building-google.js"
END(building_google_js)
FILE(building_index_js)
#embed "../Templates/Buildings/building-index.js"
END(building_index_js)
FILE(building_index_swift)
#embed "../Templates/Buildings/building-index.swift"
END(building_index_swift)
FILE(building_leaflet_js)
#embed "../Templates/Buildings/building-leaflet.js"
END(building_leaflet_js)
FILE(building_mapkit_swift)
#embed "../Templates/Buildings/building-mapkit.swift"
END(building_mapkit_swift)
FILE(building_maplibre_js)
#embed "../Templates/Buildings/building-maplibre.js"
END(building_maplibre_js)
FILE(building_members_swift)
#embed "../Templates/Buildings/building-members.swift"
END(building_members_swift)
FILE(building_openlayers_js)
#embed "../Templates/Buildings/building-openlayers.js"
END(building_openlayers_js)
FILE(enlarging_js)
#embed "../Templates/Parts/enlarging.js"
END(enlarging_js)
FILE(enlarging_kt)
#embed "../Templates/Parts/enlarging.kt"
END(enlarging_kt)
FILE(enlarging_m)
#embed "../Templates/Parts/enlarging.m"
END(enlarging_m)
FILE(members_swift)
#embed "../Templates/Parts/members.swift"
END(members_swift)
FILE(target_maplibre_js)
#embed "../Templates/Parts/target-maplibre.js"
END(target_maplibre_js)
