// Files that are part of the program: its pages, and the code of clients. They stay in their own languages,
// so that editors and other programs know them; the compiler puts their bytes into the program.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The bytes of a file.
struct __attribute__((swift_attr("@Sendable"))) EmbeddedFile {
    const uint8_t *start;
    size_t count;
};

// clang-format off
#define EMBEDDED_FILES(FILE) \
    FILE(below_js) FILE(floors_js) FILE(manifest_js) FILE(switching_js) FILE(archive_js) \
    FILE(background_js) FILE(comparison_js) FILE(grid_js) FILE(layers_js) FILE(link_js) FILE(links_css) \
    FILE(links_html) FILE(pixel_js) FILE(readout_js) FILE(shown_js) FILE(switch_js) FILE(tileset_js) \
    FILE(viewer_css) FILE(viewer_html) FILE(viewer_js) FILE(ar_json) FILE(de_json) FILE(en_json) \
    FILE(es_json) FILE(fa_json) FILE(fr_json) FILE(hi_json) FILE(ja_json) FILE(pt_json) FILE(zh_json) \
    FILE(cutline_js) FILE(cutting_js) FILE(faults_js) FILE(fit_js) FILE(head_html) FILE(known_js) \
    FILE(laying_js) FILE(marks_js) FILE(outlines_js) FILE(page_css) FILE(page_js) FILE(pairs_js) \
    FILE(panes_js) FILE(place_css) FILE(place_html) FILE(place_js) FILE(points_js) FILE(saving_js) \
    FILE(sending_js) FILE(state_js) FILE(words_js) FILE(building_buttons_js) \
    FILE(building_google_android_kt) FILE(building_google_ios_m) FILE(building_google_ios_swift) \
    FILE(building_google_js) FILE(building_index_js) FILE(building_index_swift) FILE(building_leaflet_js) \
    FILE(building_mapkit_swift) FILE(building_maplibre_js) FILE(building_members_swift) \
    FILE(building_openlayers_js) FILE(distance_swift) FILE(enlarging_js) FILE(enlarging_kt) \
    FILE(enlarging_m) FILE(enlarging_swift) FILE(target_maplibre_js) FILE(view_maplibre_js) \
    FILE(camera_google_android_kt) FILE(camera_google_ios_m) FILE(camera_google_ios_swift) \
    FILE(camera_google_js) FILE(camera_leaflet_js) FILE(camera_mapkit_swift) FILE(camera_maplibre_js) \
    FILE(camera_openlayers_js) FILE(google_android_kt) FILE(google_ios_m) FILE(google_ios_swift) \
    FILE(google_js) FILE(leaflet_js) FILE(mapkit_swift) FILE(maplibre_pmtiles_js) FILE(maplibre_js) \
    FILE(openlayers_js)
// clang-format on

#define DECLARE_EMBEDDED_FILE(name) extern const struct EmbeddedFile name;
EMBEDDED_FILES(DECLARE_EMBEDDED_FILE)
#undef DECLARE_EMBEDDED_FILE
