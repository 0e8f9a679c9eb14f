// What is compared, and what is saved.

// Comparing

function setBasemap() {
  base?.remove();
  const address = settings.basemap === "own" ? settings.address : settings.basemap;
  element("address-form").hidden = settings.basemap !== "own";
  const options = { maxZoom: MAX_ZOOM, zIndex: 1 };
  if (!address) base = null;
  else if (address === "osm") base = openStreetMap(options).addTo(map);
  else base = backgroundMap(address, { ...options, maxNativeZoom: 22 }).addTo(map);
  noteMissing(base, element("no-map"));
}

function buildBasemaps() {
  const own = basemap ? [[basemap, phrase("place.mapGiven")]] : [];
  const choices = [...own, ["osm", "OpenStreetMap"], ["", phrase("place.none")],
    ["own", phrase("place.anotherAddress")]];
  for (const [value, name] of choices) element("basemap").append(new Option(name, value));
  const isOffered = choices.some(([value]) => value === settings.basemap);
  // What the command was given goes before what was chosen on an earlier page.
  if (!isOffered || basemap && settings.given !== basemap) settings.basemap = basemap ?? "osm";
  settings.given = basemap;
}

const overlays = [];

function buildLayers() {
  layers.forEach((layer, index) => {
    const [west, south, east, north] = layer.bounds ?? [];
    overlays[index] = layer.picture
      ? L.imageOverlay(layer.picture, [[south, west], [north, east]], { zIndex: index })
      : L.geoJSON(JSON.parse(element(`lines-${index}`).textContent), {
        interactive: false, style: { color: "#d0249a", weight: 2, fill: false },
        pointToLayer: (_, place) => L.circleMarker(place, { radius: 4, color: "#d0249a" }),
      });
    const label = document.createElement("label"), input = document.createElement("input");
    label.className = "check";
    Object.assign(input, { type: "checkbox", checked: settings.layers[index] ?? true });
    const show = () => {
      settings.layers[index] = input.checked;
      if (input.checked) overlays[index].addTo(map);
      else overlays[index].remove();
      remember();
    };
    input.addEventListener("change", show);
    label.append(input, " ", named(layer.name));
    element("layers").append(label);
    show();
  });
  element("layers").hidden = !layers.length;
}

function blink(isOn) {
  isBlinking = isOn;
  showOpacity();
}

const showOpacity = () => planLayer.setOpacity(isBlinking ? 0 : settings.opacity / 100);

// Saving

// What is saved: the points, or the pins of a plan that was only laid.
function savedPoints() {
  if (solution.isByPoints) {
    return { points: state.points.filter(isComplete), residuals: null, isPins: false };
  }
  if (!solution.placement) return { points: [], isPins: false };
  const points = state.pins.map((pixel, index) => ({
    pixel, place: solution.placement.toPlace(pixel), name: index ? "pin B" : "pin A", enabled: true,
  }));
  return { points, isPins: true };
}

function savedText() {
  const { points } = savedPoints();
  const residuals = points.map((point) => solution.fit?.residuals?.[solution.points.indexOf(point)]);
  return pointsText(points, size, residuals);
}

function positionOptions() {
  const options = [];
  if (solution.isByPoints) {
    for (const { pixel, place } of solution.points) {
      const numbers = [pixelText(pixel.x), pixelText(pixel.y), degreesText(place.x), degreesText(place.y)];
      options.push("--gcp", numbers.join(","));
    }
  } else if (solution.placement) {
    const { lon, lat, scale, bearing } = solution.placement;
    options.push("--anchor", [size.width / 2, size.height / 2, degreesText(lon), degreesText(lat)].join(","),
      "--scale", String(Number(scale.toPrecision(10))), "--bearing", String(Number(bearing.toFixed(6))));
  }
  // Numbers of this page count pixels as they are stored, as files of points do.
  if (plan.isTagged && options.length) options.push("--orient", "no");
  return options;
}

function showSave() {
  const { points, isPins } = savedPoints(), fit = solution.fit;
  const canSave = points.length > 1 && !fit?.error;
  for (const id of ["send", "download", "copy"]) element(id).disabled = !canSave;
  element("save-hint").textContent = !canSave
    ? phrase("place.nothingToSave") : isPins ? phrase("place.savedAsPins")
      : sentences(phrase("place.pointsToSave", { count: points.length }), verdict());
  showSavedCut(canSave);
  const isAffine = canSave && solution.placement?.transform instanceof AffineFit;
  element("world").hidden = !isAffine;
  element("no-world").hidden = isAffine || !canSave;
  if (isBuilding) return showManifest();
  const image = [shellWord(plan.path), ...plan.page ? ["--page", plan.page] : []].join(" ");
  const model = solution.isByPoints && solution.model !== standardModel(solution.points.length)
    ? ["--transform", solution.model] : [];
  element("take-line").textContent = `tilewright place ${image} --take `
    + `~/Downloads/${shellWord(pointsName())}`;
  const rest = [...model, ...cutOptions(), "-o", "tiles"];
  element("build-line").textContent = ["tilewright", image, ...rest].join(" ");
  element("gcp-line").textContent = ["tilewright", image, ...positionOptions(), ...rest].join(" ");
}

// Gives the points to what saves or copies them.
function savePoints(give) {
  give(isBuilding ? pointsOf(floor).download : pointsName(), savedText());
  position.saved = position.text;
  showFloors();
  remember();
}

function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  speak(phrase("place.savedFile", { file: name }));
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  speak(phrase("place.copied"));
  const words = button.textContent;
  button.textContent = phrase("place.copiedMark");
  setTimeout(() => { button.textContent = words; }, 1500);
}

// What tells files of a later page from those of the first one.
const pageMark = () => plan.page ? `.page${plan.page}` : "";
const pointsName = () => `${plan.name}${pageMark()}.points`;
const stem = () => plan.name.replace(/(.)\.[^.]*$/, "$1") + pageMark();
const worldEnding = () => {
  const ending = /.\.([^.]+)$/.exec(plan.name)?.[1] ?? "";
  return ending ? `${ending[0]}${ending.at(-1)}w` : "wld";
};
