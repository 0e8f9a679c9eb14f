// Files that are part of the program: its pages, and the code of clients. They are in their own languages, so
// that editors and other programs support them; the compiler puts their bytes into the program.
#pragma once

#include <stdint.h>

/// The text of a file, in UTF-8, with a zero at its end.
struct __attribute__((swift_attr("@Sendable"))) EmbeddedFile {
    const uint8_t *start;
};

extern const struct EmbeddedFile place_js, viewer_js, tilewright_tiles_js, page_css, page_html, place_css,
    place_html, words_js, viewer_css, viewer_html, words_json, google_android_kt, google_ios_m,
    google_ios_swift, google_js, leaflet_js, mapkit_swift, maplibre_js, openlayers_js, snippet_page_html,
    building_google_android_kt, building_google_ios_m, building_google_ios_swift, building_google_js,
    building_leaflet_js, building_mapkit_swift, building_maplibre_js, building_openlayers_js, building_swift,
    layer_google_ios_swift, distance_swift, flutter_dart, maplibre_style_json, react_native_jsx,
    tilewright_tiles_kt, target_maplibre_js, archive_js, archive_swift, building_js, camera_google_ios_m,
    layer_google_js, layer_leaflet_js, leaflet_license_txt, load_openlayers_js, guide_js, guide_css,
    guide_header_html, guide_pages_js, guide_pages_html, guide_build_js, guide_build_html, guide_share_js,
    guide_share_html;
