// Files that are part of the program: its pages, and the code of clients. They are in their own languages, so
// that editors and other programs support them; the compiler puts their bytes into the program.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The bytes of a file.
struct __attribute__((swift_attr("@Sendable"))) EmbeddedFile {
    const uint8_t *start;
    size_t count;
};

extern const struct EmbeddedFile place_js, viewer_js, page_css, page_html, place_css, place_html, words_js,
    viewer_css, viewer_html, ar_json, de_json, en_json, es_json, fa_json, fr_json, hi_json, ja_json, pt_json,
    zh_json, camera_google_android_kt, camera_google_ios_m, camera_google_ios_swift, camera_google_js,
    camera_leaflet_js, camera_mapkit_swift, camera_maplibre_js, camera_openlayers_js, google_android_kt,
    google_ios_m, google_ios_swift, google_js, leaflet_js, mapkit_swift, maplibre_js, openlayers_js,
    building_buttons_js, building_google_android_kt, building_google_ios_m, building_google_ios_swift,
    building_google_js, building_index_js, building_index_swift, building_leaflet_js, building_mapkit_swift,
    building_maplibre_js, building_members_swift, building_openlayers_js, enlarging_js, enlarging_kt,
    enlarging_m, members_swift, target_maplibre_js;
