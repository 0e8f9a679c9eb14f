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
    element("name-help").hidden = !otherFloors().length || !state.points.length;
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
    element(name).hidden = !isShown;
  }
  element("desk").className = [step, isSetting() && "pair", isListed && "many"].filter(Boolean).join(" ");
  element("panel").scrollTop = 0;
  magnifier.hide();
  for (const { box } of Object.values(sides)) box.setAttribute("aria-describedby", `${step}-keys`);
  map.invalidateSize({ animate: false, pan: true });
  pane.draw();
  render();
  if (step === "points" && !isInView()) showPlan();
  remember();
}

const corners = () => cornersOfPart(size.part).map((pixel) => solution.placement.toPlace(pixel))
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
const lookUp = (text) => part("a", {
  href: `https://www.openstreetmap.org/search?query=${encodeURIComponent(text)}`, target: "_blank",
  rel: "noopener noreferrer", textContent: phrase("place.lookUp"),
});

function goToPlace(text) {
  const place = readPlace(text, LANGUAGE), note = element("go-note");
  note.hidden = !text.trim() || Boolean(place) && !place.isBare && !place.isTurned && !place.problem;
  if (!place) return note.replaceChildren(lookUp(text.trim()), phrase("place.lookUpHelp"));
  if (place.problem) return note.replaceChildren(phrase(place.problem, place));
  note.replaceChildren(`${phrase("place.thisIs", { longitude: place.x, latitude: place.y })} `);
  const offer = (words, x, y) => note.append(button(words, () => {
    element("go").value = `${x}, ${y}`;
    goToPlace(element("go").value);
  }));
  if (place.isTurned) offer(phrase("place.goOther", { longitude: -place.x }), -place.x, place.y);
  else if (Math.abs(place.x) <= 90) offer(phrase("place.swap"), place.y, place.x);
  map.setView([place.y, place.x], place.zoom ?? Math.max(map.getZoom(), 18), { animate: false });
}

// Keys

function keyOnSide(side, event) {
  if (event.target !== side.box || event.altKey || event.metaKey) return;
  const way = arrow(event), { key, ctrlKey } = event, [little, much] = side.turns;
  const keys = {
    "+": () => side.zoom(1), "=": () => side.zoom(1), "-": () => side.zoom(-1), Enter: () => setAtCross(side),
    "[": () => side.turnBy(-little), "]": () => side.turnBy(little), "{": () => side.turnBy(-much),
    "}": () => side.turnBy(much), "<": () => side.scaleBy?.(1 / 1.01), ">": () => side.scaleBy?.(1.01),
  };
  if (way) side.arrow(times(way, ctrlKey ? 100 : 1), ctrlKey);
  else if (keys[key]) keys[key]();
  else return;
  event.preventDefault();
}

// Whether a click sets something, and both sides are shown.
const isSetting = () => settings.step === "points" || settings.step === "cut";

// Sets half of a point or a corner of an outline at a point of a side, depending on the step.
function setAt(side, at) {
  if (settings.step === "points") setPoint(side, side.fromView(at));
  if (settings.step === "cut") setCorner(side, side.fromView(at));
}

function setAtCross(side) {
  const { clientWidth, clientHeight } = side.marks;
  setAt(side, { x: clientWidth / 2, y: clientHeight / 2 });
}

const isField = (target) =>
  target.matches?.("input:not([type=checkbox], [type=radio], [type=range]), select");

function keyAnywhere(event) {
  const key = event.key.toLowerCase(), isCommand = event.ctrlKey || event.metaKey;
  if (isField(event.target)) return;
  if (isCommand && key === "z") travel(event.shiftKey ? 1 : -1);
  else if (isCommand && key === "y") travel(1);
  else if (!isCommand && (key === "b" || event.target.id === "blink" && /^( |enter)$/.test(key))) blink(true);
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

// What keys, tools and marks do on the map. Its values are places, those of the plan's pane are pixels.
const mapActions = {
  half: "place", toView: (place) => viewOfPlace(map, place),
  fromView: (at) => {
    // As Leaflet does, but without rounding.
    const point = L.point(at.x, at.y).subtract(map._getMapPanePos()).add(map.getPixelOrigin());
    const { lng, lat } = map.unproject(point);
    return { x: lng, y: lat };
  },
  centre: ({ x, y }) => map.panTo([y, x], { animate: false }),
  arrow: arrowOnMap, turns: [0.1, 5],
  turnBy: (degrees) => { if (canLay()) setBearing(state.rough.bearing + degrees, "turn"); },
  scaleBy: (factor) => {
    if (canLay() && !state.kept) setScale(state.rough.scale * factor, false, "scale");
  },
  zoom: (step) => map.zoomIn(step / 2), fit: showPlan, pixelAt: (place) => metresPerPixel(place),
};

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
  planLayer = new PlanLayer(floor.shown, size, "plan").addTo(map);
  sides.map = newSide("map", box, mapActions);
  // Before the library sees them.
  box.addEventListener("pointerdown", pressPlan, true);
  box.addEventListener("pointermove", dragPlan, true);
  for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, releasePlan, true);
  map.on("move zoom resize", showMarks);
  map.on("moveend", remember);
  new ResizeObserver(() => map.invalidateSize({ animate: false })).observe(box);
}

function setUpPane() {
  pane = new PlanPane(element("plan-box"), floor.shown, size, settings.turn);
  sides.plan = newSide("plan", pane.box, {
    half: "pixel", toView: (pixel) => pane.toPane(pixel), fromView: (at) => pane.toPixel(at),
    centre: (pixel) => pane.centre(pixel), arrow: ({ x, y }) => pane.panBy(x, y),
    turns: [1, 15], turnBy: (degrees) => pane.turnBy(degrees),
    zoom: (step) => pane.zoomBy(Math.SQRT2 ** step), fit: () => pane.fit(), pixelAt: () => 1 / pane.zoom,
  });
  pane.taps = sides.plan.taps;
}

// A side with its marks, tools and keys. `half` is its half of a point.
function newSide(name, box, actions) {
  const side = {
    name, box, marks: part("div", { className: "marks" }), lines: part("canvas"), ...actions,
    local: (event) => placeIn(box, event), taps: onTap(box, (at) => setAt(side, at)),
  };
  // The Tab key also reaches marks that are out of sight.
  side.bringIntoView = (value) => {
    const { x, y } = side.toView(value), { clientWidth, clientHeight } = side.marks;
    if (x < 0 || y < 0 || x > clientWidth || y > clientHeight) side.centre(value);
  };
  side.marks.append(side.lines);
  box.after(side.marks);
  box.addEventListener("keydown", (event) => keyOnSide(side, event));
  const tools = {
    in: () => side.zoom(1), out: () => side.zoom(-1), fit: () => side.fit(), set: () => setAtCross(side),
  };
  for (const [tool, run] of Object.entries(tools)) element(`${name}-${tool}`).addEventListener("click", run);
  followWithin(side);
  return side;
}

// The magnifier and the line of an open outline follow the pointer on a side.
function followWithin(side) {
  const { box, name } = side, section = box.parentNode;
  box.addEventListener("pointermove", (event) => {
    const isWanted = settings.magnify && isSetting();
    if (!isWanted || event.buttons || event.pointerType === "touch") return;
    magnifier.show({ x: event.clientX, y: event.clientY }, paintSide(name));
  });
  box.addEventListener("pointerdown", () => magnifier.hide());
  section.addEventListener("pointerleave", () => magnifier.hide());
  for (const type of ["pointermove", "pointerleave"]) {
    section.addEventListener(type, (event) => followCut(side, event));
  }
}

// Fields that are settings of the same name, and what a change does.
function setUpFields() {
  const fields = {
    hold: null, loose: null, magnify: null, ink: showInk, opacity: showOpacity,
    basemap: setBasemap, address: setBasemap,
  };
  for (const [name, show] of Object.entries(fields)) {
    const field = element(name), value = field.type === "checkbox" ? "checked" : "value";
    field[value] = settings[name];
    field.addEventListener(field.type === "range" ? "input" : "change", () => {
      settings[name] = field[value];
      show?.();
      remember();
    });
  }
  const numbers = {
    bearing: setBearing, scale: (value) => setScale(value, false),
    ratio: (value) => setScale(scaleOfRatio(value), true),
  };
  for (const [name, set] of Object.entries(numbers)) {
    element(name).addEventListener("change", () => set(element(name).valueAsNumber));
  }
  element("lock").addEventListener("change", () => setLock(element("lock").checked));
  element("ratios").append(...USUAL_RATIOS.map((ratio) =>
    button(`1:${ratio}`, () => setScale(scaleOfRatio(ratio), true))));
  element("address-form").addEventListener("submit", setBasemap);
  element("go-form").addEventListener("submit", () => goToPlace(element("go").value));
  element("open").addEventListener("change", async () => {
    const file = element("open").files[0];
    if (file) await openFile(file, /\.kml$/i.test(file.name) ? "outline" : "saved");
    element("open").value = "";
  });
}

function setUpButtons() {
  const click = (id, run) => element(id).addEventListener("click", run);
  for (const step of STEPS) {
    const tab = element(`step-${step}`);
    // The guide has numbers of its own, and saves always.
    if (isGuided) tab.textContent = step === "save" ? phrase("open.done") : tab.textContent.replace(/^\d+ /, "");
    click(`step-${step}`, () => goTo(step));
    element(`step-${step}`).addEventListener("keydown", keyOnSteps);
  }
  for (const step of STEPS.slice(1)) {
    const name = element(`step-${step}`).textContent.replace(/^\d+ /, "");
    element(`to-${step}`).textContent = phrase("place.next", { step: name });
    click(`to-${step}`, () => goTo(step));
  }
  // The plan is hidden as long as the button is pressed.
  element("blink").addEventListener("pointerdown", ({ pointerId }) => {
    element("blink").setPointerCapture(pointerId);
    blink(true);
  });
  element("blink").addEventListener("lostpointercapture", () => blink(false));
  click("undo", () => travel(-1));
  click("redo", () => travel(1));
  click("plan-left", () => pane.turnBy(-15));
  click("plan-right", () => pane.turnBy(15));
  click("lay", layHere);
  click("cut-close", closeCut);
  click("cut-corner", () => removeCorner(chosenCorner));
  click("send", () => savePoints(send));
  click("download", () => savePoints(download));
  click("copy", () => savePoints((_, text) => copy(text, element("copy"))));
  click("download-cut", () => download(cutlineName(), cutlineText(placedCuts())));
  click("copy-cut", () => copy(cutlineText(placedCuts()), element("copy-cut")));
  for (const code of document.querySelectorAll(".row > code")) code.after(newCopyButton(code));
  click("world-file", () => download(worldName(), worldFileText(solution.placement.transform.numbers)));
  click("projection", () => download(`${stem()}.prj`, projectionText(solution.placement.plane)));
  click("reset", () => {
    setState(originOf(plan));
    commit();
    goTo("rough");
    speak(phrase("place.begunAnew"));
  });
}

function pasteText(event) {
  const text = event.clipboardData.getData("text");
  if (isField(event.target) || !/mapX|"(Multi)?Polygon"|<kml/i.test(text)) return;
  event.preventDefault();
  const name = "KML";
  if (/^\s*</.test(text)) openOutline(name, text);
  else openText(text);
}

// Opens a file of outlines or of points.
function openText(text) {
  const isCutline = /^\s*\{/.test(text);
  try {
    const count = isCutline ? openCutline(text) : openPoints(text);
    notice("");
    commit();
    goTo(isCutline ? "cut" : "points");
    showPlan();
    speak(phrase("place.opened", { count }));
  } catch (error) {
    notice(error.message);
  }
}

function showInk() {
  floor.shown.setInkOnly(settings.ink);
  planLayer.draw();
  pane.draw();
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
  const bounds = underLayers.map(({ overlay }) => overlay.getBounds()).find((box) => box.isValid());
  const below = otherFloors().find(placementOf);
  if (solution.placement) return showPlan();
  if (bounds) map.fitBounds(bounds, { animate: false, padding: [20, 20] });
  if (below || near || bounds) beginPlan();
  if (below) showPlan();
}

async function start() {
  const old = kept();
  setUpFloors(old ?? {});
  Object.assign(settings, old?.settings);
  const first = firstFloor(old?.floor);
  if (!await load(first)) return tell(unreadable(first));
  take(first);
  if (isGuided) setUpSent();
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
  setUpFields();
  setUpButtons();
  showSending();
  if (isGuided) setUpGuide();
  setUpFloorList();
  setUpLayers();
  document.addEventListener("paste", pasteText);
  addEventListener("keydown", keyAnywhere);
  for (const end of ["keyup", "blur"]) addEventListener(end, () => blink(false));
  addEventListener("pagehide", keep);
  addEventListener("online", () => base?.redraw());
  tellNews();
  setBasemap();
  buildLayers();
  commit();
  goTo(settings.step);
  showOpacity();
  showFirstView();
  showBelow();
}

document.title = phrase("place.heading", { name: document.querySelector("h1").textContent });
if (!isWithoutLibrary(isGuided ? "open" : "place")) start();
