// These bounds limit the target in the middle of the view; the rest of the view may be outside.
const middle = (west + east) / 2, reach = (east - west) / 2;
map.transformCameraUpdate = ({ center }) => {
  // Longitudes continue to count around the world.
  const offset = ((center.lng - middle) % 360 + 540) % 360 - 180;
  const lng = center.lng - offset + Math.min(Math.max(offset, -reach), reach);
  return { center: new maplibregl.LngLat(lng, Math.min(Math.max(center.lat, south), north)) };
};
