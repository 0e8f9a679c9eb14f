// The page of 'place' as a whole: its steps, its keys, and how it begins.

function render(isQuick) {
  solution = solve(isQuick);
  // Steps that draw outlines or set points need the whole plan.
  const isCut = settings.step === "compare" || settings.step === "save";
  planLayer.setPlacement(solution.placement, isCut ? oriented(cutRings()) : []);
  showMarks();
  showSize();
  element("undo").disabled = position.at < 1;
  element("redo").disabled = position.at + 1 >= position.entries.length;
  if (settings.step === "rough") showRough();
  if (settings.step === "points") {
    element("hint").textContent = hint();
    element("verdict").textContent = verdict();
    showList();
    element("models").hidden = solution.points.length < 2;
    showKnown();
    element("name-help").hidden = !otherFloors().length;
    if (!isQuick) showModels();
  }
  if (settings.step === "cut" && !isQuick) showCut();
  if (settings.step === "save" && !isQuick) showSave();
  moveSharing();
}

function goTo(step) {
  settings.step = step;
  for (const name of STEPS) {
    const tab = element(`step-${name}`), isShown = name === step;
    tab.setAttribute("aria-selected", isShown);
    tab.tabIndex = isShown ? 0 : -1;
    element(name).classList.toggle("shown", isShown);
  }
  element("desk").className = [step, isSetting() && "pair", isListed && "many"].filter(Boolean).join(" ");
  element("panel").scrollTop = 0;
  magnifier.hide();
  map.invalidateSize({ animate: false, pan: true });
  pane.draw();
  render();
  if (step === "points" && !isInView()) showPlan();
  remember();
}

const corners = () => CORNERS.map((pixel) => solution.placement.toPlace(pixel))
  .filter(isFinitePoint).map(({ x, y }) => [y, x]);

const isInView = () => !solution.placement || state.points.length > 0
  || map.getBounds().contains(L.latLngBounds(corners()));

function showPlan() {
  const places = solution.placement ? corners() : [];
  if (places.length) {
    // Tools are along the upper and the lower edge.
    const top = Math.max(60, document.querySelector("#map-pane > .tools").offsetHeight + 16);
    map.fitBounds(places, { animate: false, paddingTopLeft: [24, top], paddingBottomRight: [24, 60] });
  }
}

// The page does not send names to a service; the user can look them up.
function lookUp(text) {
  const link = part("a", {
    href: `https://www.openstreetmap.org/search?query=${encodeURIComponent(text)}`, target: "_blank",
    rel: "noopener noreferrer", textContent: phrase("place.lookUp"),
  });
  return [phrase("place.lookUpBefore"), link, phrase("place.lookUpAfter")];
}

function goToPlace(text) {
  const place = readPlace(text), note = element("go-note");
  note.hidden = !text.trim() || Boolean(place) && !place.isBare;
  if (!place) return note.replaceChildren(...lookUp(text.trim()));
  note.replaceChildren(`${phrase("place.thisIs", { longitude: place.x, latitude: place.y })} `);
  if (Math.abs(place.x) <= 90) {
    note.append(button(phrase("place.swap"), () => {
      element("go").value = `${place.y}, ${place.x}`;
      goToPlace(element("go").value);
    }));
  }
  map.setView([place.y, place.x], place.zoom ?? Math.max(map.getZoom(), 18), { animate: false });
}

// Keys

function keyOnMap(event) {
  if (event.target !== map.getContainer() || event.altKey || event.metaKey) return;
  const way = arrow(event), canLay = settings.step === "rough" && state.rough && !solution.isByPoints;
  const turns = { "[": -0.1, "]": 0.1, "{": -5, "}": 5 }, scales = { "<": 1 / 1.01, ">": 1.01 };
  if (way && canLay && !event.ctrlKey) nudge(way);
  else if (way) map.panBy(L.point(way.x, way.y).multiplyBy(event.ctrlKey ? 100 : 1), { animate: false });
  else if (event.key === "+" || event.key === "=") map.zoomIn();
  else if (event.key === "-") map.zoomOut();
  else if (canLay && turns[event.key]) {
    state.rough.bearing = (state.rough.bearing + turns[event.key] + 360) % 360;
    commit("turn");
  } else if (canLay && scales[event.key] && !settings.lock) {
    state.rough.scale *= scales[event.key];
    commit("scale");
  } else if (event.key === "Enter" && isSetting()) setAtCross("map");
  else return;
  event.preventDefault();
}

function keyOnPlan(event) {
  if (event.target !== pane.box || event.altKey || event.metaKey) return;
  const way = arrow(event), far = event.ctrlKey ? 100 : 1;
  const turns = { "[": -1, "]": 1, "{": -15, "}": 15 };
  if (way) pane.panBy(way.x * far, way.y * far);
  else if (event.key === "+" || event.key === "=") pane.zoomBy(Math.SQRT2);
  else if (event.key === "-") pane.zoomBy(Math.SQRT1_2);
  else if (turns[event.key]) pane.turnBy(turns[event.key]);
  else if (event.key === "Enter") setAtCross("plan");
  else return;
  event.preventDefault();
}

// Whether a click sets something, and both sides are shown.
const isSetting = () => settings.step === "points" || settings.step === "cut";

// Sets half of a point or a corner of an outline, depending on the step.
function setHere(name, value) {
  if (settings.step === "cut") setCorner(sides[name], value);
  else setPoint(name === "plan" ? "pixel" : "place", value);
}

function setAtCross(name) {
  const { clientWidth, clientHeight } = sides[name].marks;
  setHere(name, sides[name].fromView({ x: clientWidth / 2, y: clientHeight / 2 }));
}

const isField = (target) =>
  target.matches?.("input:not([type=checkbox], [type=radio], [type=range]), select");

function keyAnywhere(event) {
  const key = event.key.toLowerCase(), isCommand = event.ctrlKey || event.metaKey;
  if (isField(event.target)) return;
  if (isCommand && key === "z") travel(event.shiftKey ? 1 : -1);
  else if (isCommand && key === "y") travel(1);
  else if (!isCommand && key === "b") blink(true);
  else return;
  event.preventDefault();
}

function keyOnSteps(event) {
  const right = IS_RIGHT_TO_LEFT ? -1 : 1, move = { ArrowRight: right, ArrowLeft: -right }[event.key];
  if (!move) return;
  const next = STEPS[(STEPS.indexOf(settings.step) + move + STEPS.length) % STEPS.length];
  goTo(next);
  element(`step-${next}`).focus();
}

// Setting up

const MAX_ZOOM = 25;

function setUpMap() {
  PlanLayer = definePlanLayer();
  map = L.map("map", {
    maxZoom: MAX_ZOOM, zoomControl: false, keyboard: false, doubleClickZoom: false, boxZoom: false,
    zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: false, zoomSnap: 0.25,
    zoomDelta: 0.5, worldCopyJump: false, preferCanvas: true, renderer: L.canvas({ padding: 0.5 }),
  });
  creditLibrary(map);
  L.control.scale({ imperial: false, position: "bottomright" }).addTo(map);
  for (const name of ["below", "plan"]) map.createPane(name);
  map.setView([20, 0], 2);
  const box = map.getContainer();
  box.tabIndex = 0;
  planLayer = new PlanLayer(floor.shown, size).addTo(map);
  sides.map = newSide("map", element("map-pane"), box, {
    toView: (place) => {
      const at = map.project([place.y, place.x]).subtract(map.getPixelOrigin()).add(map._getMapPanePos());
      return { x: at.x, y: at.y };
    },
    fromView: (at) => {
      // As Leaflet does, but without rounding.
      const point = L.point(at.x, at.y).subtract(map._getMapPanePos()).add(map.getPixelOrigin());
      const { lng, lat } = map.unproject(point);
      return { x: lng, y: lat };
    },
    centre: (place) => map.panTo([place.y, place.x], { animate: false }),
    pixelAt: (place) => metresPerPixel(place),
  });
  box.addEventListener("pointerdown", pressPlan, true);
  box.addEventListener("pointermove", dragPlan, true);
  for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, releasePlan, true);
  box.addEventListener("pointerdown", pressMap);
  addEventListener("pointermove", wanderOnMap);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, releaseMap);
  box.addEventListener("keydown", keyOnMap);
  map.on("move zoom resize", showMarks);
  map.on("moveend", remember);
  new ResizeObserver(() => map.invalidateSize({ animate: false })).observe(box);
}

function setUpPane() {
  pane = new PlanPane(element("plan-box"), floor.shown, size, settings.turn);
  sides.plan = newSide("plan", element("plan-pane"), pane.box, {
    toView: (pixel) => pane.toPane(pixel), fromView: (at) => pane.toPixel(at),
    centre: (pixel) => pane.centre(pixel), pixelAt: () => 1 / pane.zoom,
  });
  pane.changed = showMarks;
  pane.clicked = (pixel) => setHere("plan", pixel);
  pane.box.addEventListener("keydown", keyOnPlan);
}

function newSide(name, section, box, mapping) {
  const side = {
    name, marks: part("div", { className: "marks" }), lines: part("canvas"), ...mapping,
    local: (event) => placeIn(box, event),
  };
  // The Tab key also reaches marks that are out of sight.
  side.bringIntoView = (value) => {
    const { x, y } = side.toView(value), { clientWidth, clientHeight } = side.marks;
    if (x < 0 || y < 0 || x > clientWidth || y > clientHeight) side.centre(value);
  };
  side.marks.append(side.lines);
  box.after(side.marks);
  const follow = (event) => {
    const isWanted = settings.magnify && isSetting();
    if (!isWanted || event.buttons || event.pointerType === "touch") return;
    magnifier.show({ x: event.clientX, y: event.clientY }, paintSide(name));
  };
  box.addEventListener("pointermove", follow);
  box.addEventListener("pointerdown", () => magnifier.hide());
  section.addEventListener("pointerleave", () => magnifier.hide());
  for (const type of ["pointermove", "pointerleave"]) {
    section.addEventListener(type, (event) => followCut(side, event));
  }
  return side;
}

function setUpControls() {
  const on = (id, type, run) => element(id).addEventListener(type, run);
  const click = (id, run) => on(id, "click", run);
  for (const step of STEPS) {
    click(`step-${step}`, () => goTo(step));
    on(`step-${step}`, "keydown", keyOnSteps);
  }
  for (const step of STEPS.slice(1)) click(`to-${step}`, () => goTo(step));
  click("undo", () => travel(-1));
  click("redo", () => travel(1));
  click("plan-in", () => pane.zoomBy(Math.SQRT2));
  click("plan-out", () => pane.zoomBy(Math.SQRT1_2));
  click("plan-left", () => pane.turnBy(-15));
  click("plan-right", () => pane.turnBy(15));
  click("plan-fit", () => pane.fit());
  click("plan-set", () => setAtCross("plan"));
  click("map-in", () => map.zoomIn());
  click("map-out", () => map.zoomOut());
  click("map-fit", showPlan);
  click("map-set", () => setAtCross("map"));
  on("go-form", "submit", (event) => {
    event.preventDefault();
    goToPlace(element("go").value);
  });
  click("lay", layHere);
  for (const name of ["bearing", "scale"]) {
    on(name, "change", () => typeRough(name, element(name).valueAsNumber));
  }
  for (const name of ["lock", "hold", "loose", "magnify"]) {
    element(name).checked = settings[name];
    on(name, "change", () => {
      settings[name] = element(name).checked;
      remember();
    });
  }
  element("opacity").value = settings.opacity;
  on("opacity", "input", () => {
    settings.opacity = element("opacity").valueAsNumber;
    showOpacity();
    remember();
  });
  element("ink").checked = settings.ink;
  on("ink", "change", () => setInk(element("ink").checked));
  element("basemap").value = settings.basemap;
  on("basemap", "change", () => {
    settings.basemap = element("basemap").value;
    setBasemap();
    remember();
  });
  element("address").value = settings.address;
  on("address-form", "submit", (event) => {
    event.preventDefault();
    settings.address = element("address").value.trim();
    setBasemap();
    remember();
  });
  on("blink", "pointerdown", () => blink(true));
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) on("blink", end, () => blink(false));
  on("blink", "keydown", (event) => { if (event.key === " " || event.key === "Enter") blink(true); });
  on("blink", "keyup", () => blink(false));
  showSending();
  click("send", () => savePoints(send));
  click("download", () => savePoints(download));
  click("copy", () => savePoints((_, text) => copy(text, element("copy"))));
  click("cut-close", closeCut);
  click("cut-corner", () => removeCorner(chosenCorner));
  click("download-cut", () => download(cutlineName(), cutlineText(placedCuts())));
  click("copy-cut", () => copy(cutlineText(placedCuts()), element("copy-cut")));
  for (const code of document.querySelectorAll(".row > code")) code.after(newCopyButton(code));
  click("world-file", () =>
    download(`${stem()}.${worldEnding()}`, worldFileText(solution.placement.transform.numbers)));
  click("projection", () => download(`${stem()}.prj`, projectionText(solution.placement.plane)));
  on("open", "change", async () => {
    const file = element("open").files[0];
    if (file) openText(await file.text());
    element("open").value = "";
  });
  click("reset", () => {
    setState(originOf(plan));
    commit();
    goTo("rough");
    speak(phrase("place.begunAnew"));
  });
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text");
    if (isField(event.target) || !/mapX|"(Multi)?Polygon"/i.test(text)) return;
    event.preventDefault();
    openText(text);
  });
  addEventListener("keydown", keyAnywhere);
  addEventListener("keyup", (event) => { if (event.key.toLowerCase() === "b") blink(false); });
  addEventListener("blur", () => blink(false));
  addEventListener("pagehide", keep);
}

const openText = (text) => (/^\s*\{/.test(text) ? openCutline : openPoints)(text);

function setInk(isInk) {
  settings.ink = isInk;
  floor.shown.setInkOnly(isInk);
  planLayer.draw();
  pane.draw();
  remember();
}

// The first view of the map: the last view, otherwise the plan, otherwise the place from the command.
function showFirstView() {
  if (settings.view) {
    const [zoom, lat, lng] = settings.view;
    map.setView([lat, lng], zoom, { animate: false });
    if (otherFloors().some(placementOf)) beginPlan();
    return;
  }
  if (near) map.setView([near[1], near[0]], 18, { animate: false });
  const bounds = overlays.map((overlay) => overlay.getBounds()).find((box) => box.isValid());
  const below = otherFloors().find(placementOf);
  if (solution.placement) return showPlan();
  if (bounds) map.fitBounds(bounds, { animate: false, padding: [20, 20] });
  if (below || near || bounds) beginPlan();
  if (below) showPlan();
}

// Words that cannot be in the template.
function nameThings() {
  element("address").labels[0].textContent = phrase("place.addressLabel", { pattern: "{z}, {x}, {y}" });
  document.title = phrase("place.heading", { name: document.querySelector("h1").textContent });
}

async function start() {
  const old = kept();
  setUpFloors(old ?? {});
  Object.assign(settings, old?.settings);
  const first = firstFloor(old?.floor);
  if (!await load(first)) return tell(unreadable(first));
  take(first);
  if (position.hasNews) settings.view = null;
  if (settings.layers.length !== layers.length) settings.layers = layers.map(() => true);
  floor.shown.setInkOnly(settings.ink);
  settings.step = floor.seen?.step ?? (old?.settings?.step || (state.points.length ? "points" : "rough"));
  settings.turn = floor.seen?.turn ?? old?.settings?.turn ?? plan.turn;
  magnifier = new Magnifier(element("magnifier"));
  buildBasemaps();
  solution = solve();
  setUpMap();
  setUpPane();
  buildModels();
  setUpControls();
  setUpFloorList();
  tellNews();
  setBasemap();
  buildLayers();
  commit();
  goTo(settings.step);
  showOpacity();
  showFirstView();
  showBelow();
}

nameThings();
if (!isWithoutLibrary("place")) start();
