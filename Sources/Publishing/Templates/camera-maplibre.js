// A camera for MapLibre GL JS. Written by tilewright.
// __NOTE__

// `map` is your maplibregl.Map. Its zooms are for a world 512 points wide: they are one less than those of
// Google's maps and of the tiles' addresses.
// __IF_ZOOMS__
map.setMaxZoom(__MAX_ZOOM__);
map.setMinZoom(__MIN_ZOOM__);
// __END_ZOOMS__
// __IF_PITCH__
// By default, MapLibre allows up to 60 degrees.
map.setMaxPitch(__MAX_PITCH__);
// __END_PITCH__
map.jumpTo({
  center: [__LONGITUDE_UNWRAPPED__, __LATITUDE__],
  zoom: __ZOOM__,
  bearing: __BEARING__,
  pitch: __TILT__,
});
// __IF_BOUNDS__
// These bounds limit the whole view, while Google's SDKs for apps limit the target. So they contain the
// target's bounds, and what the camera sees in a view of __WIDTH__ x __HEIGHT__ points.
map.setMaxBounds([[__WEST__, __SOUTH__], [__EAST_UNWRAPPED__, __NORTH__]]);
// __END_BOUNDS__
