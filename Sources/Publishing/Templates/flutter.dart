// __TITLE__ for flutter_map 8. Written by tilewright, which does not compile or run it.
// __NOTE__
// __IF_LOCAL__
// List the folders in pubspec.yaml, one for each zoom and column, or give the tiles flat names before you build.
// __END_LOCAL__

import 'package:flutter_map/flutter_map.dart';
import 'package:latlong2/latlong.dart';

/// The area of the tiles, for the camera: `initialCameraFit: CameraFit.bounds(bounds: bounds__NAME__)`.
final bounds__NAME__ = LatLngBounds(
  const LatLng(__SOUTH__, __WEST__),
  const LatLng(__NORTH__, __EAST_UNWRAPPED__),
);

/// The tiles, for the `children` of a FlutterMap. Limit its camera with `minZoom: __MIN_ZOOM__` and
/// `maxZoom: __ENLARGE_TO__` in MapOptions.
final __VALUE__ = TileLayer(
  urlTemplate: __ADDRESS__,
  // __IF_LOCAL__
  tileProvider: AssetTileProvider(),
  // __END_LOCAL__
  tms: __TMS__,
  // A tile is 256 points wide on every display, whatever the pixels of its file.
  tileDimension: 256,
  minZoom: __MIN_ZOOM__,
  minNativeZoom: __MIN_ZOOM__,
  // The last zoom with tiles; above it, up to maxZoom, tiles are enlarged.
  maxNativeZoom: __MAX_ZOOM__,
  maxZoom: __ENLARGE_TO__,
  // No others are requested.
  tileBounds: bounds__NAME__,
  errorTileCallback: (tile, error, stack) => print('__VALUE__: $error'),
);
