// It holds the target, in the middle of the view; what is seen may lie beyond.
const middle = (west + east) / 2, reach = (east - west) / 2;
map.transformCameraUpdate = ({ center }) => {
  // Longitudes go on counting around the world.
  const offset = ((center.lng - middle) % 360 + 540) % 360 - 180;
  const lng = center.lng - offset + Math.min(Math.max(offset, -reach), reach);
  return { center: new maplibregl.LngLat(lng, Math.min(Math.max(center.lat, south), north)) };
};
