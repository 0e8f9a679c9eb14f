// A camera for Leaflet 1. Written by tilewright.
// __NOTE__

// `map` is your L.Map. With a zoomSnap of 1, the default, the map would round the zoom.
map.options.zoomSnap = 0;
// __IF_ZOOMS__
map.setMinZoom(__MIN_ZOOM__);
map.setMaxZoom(__MAX_ZOOM__);
// __END_ZOOMS__
map.setView([__LATITUDE__, __LONGITUDE_UNWRAPPED__], __ZOOM__, { animate: false });
// __IF_BOUNDS__
// These bounds limit the whole view, while Google's SDKs for apps limit the target. So they contain the
// target's bounds, and what the camera sees in a view of __WIDTH__ x __HEIGHT__ points.
map.setMaxBounds([[__SOUTH__, __WEST__], [__NORTH__, __EAST_UNWRAPPED__]]);
// __END_BOUNDS__
