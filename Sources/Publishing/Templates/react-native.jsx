// __TITLE__ for react-native-maps. Written by tilewright, which does not compile or run it.
// __NOTE__

import React from "react";
import { UrlTile } from "react-native-maps";

// The area of the tiles, for the camera: map.fitToCoordinates(bounds__NAME__).
export const bounds__NAME__ = [
  { latitude: __SOUTH__, longitude: __WEST__ },
  { latitude: __NORTH__, longitude: __EAST__ },
];

// A child of MapView. Limit its camera with minZoomLevel={__MIN_ZOOM__} and maxZoomLevel={__ENLARGE_TO__}.
// Without the base map: mapType="none"; without Google's own floors: showsIndoors={false}.
export function __NAME__() {
  return (
    <UrlTile
      urlTemplate={__ADDRESS__}
      flipY={__TMS__}
      // In pixels of a display with __SCALE__ per point: then tiles have the camera's zoom.
      tileSize={__PIXELS__}
      minimumZ={__MIN_ZOOM__}
      // The last zoom with tiles; above it, up to maximumZ, tiles are enlarged.
      maximumNativeZ={__MAX_ZOOM__}
      maximumZ={__ENLARGE_TO__}
      opacity={1}
      zIndex={100}
    />
  );
}
