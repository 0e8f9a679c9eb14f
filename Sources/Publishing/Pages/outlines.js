// The outlines of what stays of a plan: how they look, the panel about them, and their file.

// What is cut away is dark, on both sides.
function drawCuts() {
  for (const side of Object.values(sides)) {
    const { clientWidth: width, clientHeight: height } = side.marks;
    side.lines.hidden = settings.step !== "cut" || !width || !height;
    if (side.lines.hidden) continue;
    const context = contextOf(side.lines, width, height);
    if (side === sides.map && !solution.placement) continue;
    const seen = (rings) => rings.map((ring) => ring.map((pixel) => viewOf(side, pixel)));
    const rings = seen(oriented(cutRings()));
    if (rings.length) shade(context, seen([CORNERS])[0], rings);
    const open = openCut();
    const line = open ? seen([open.corners])[0] : [];
    if (line.length && side.pointer) line.push(side.pointer);
    for (const [style, thickness] of [["#fff", 5], [CUT_COLOR, 2.5]]) {
      Object.assign(context, { strokeStyle: style, lineWidth: thickness, lineJoin: "round" });
      traceRings(context, rings);
      context.stroke();
      context.beginPath();
      for (const { x, y } of line) context.lineTo(x, y);
      context.stroke();
    }
  }
}

function shade(context, plan, rings) {
  context.fillStyle = "rgb(16 20 26 / .62)";
  traceRings(context, [plan]);
  context.fill();
  context.globalCompositeOperation = "destination-out";
  context.fillStyle = "#000";
  traceRings(context, rings);
  context.fill();
  context.globalCompositeOperation = "source-over";
}

// The line that is being drawn ends at the pointer.
function followCut(side, event) {
  const isWanted = settings.step === "cut" && openCut() && event.pointerType !== "touch";
  side.pointer = isWanted && event.type === "pointermove" ? side.local(event) : null;
  if (settings.step === "cut") drawCuts();
}

// The panel

function cutProblem() {
  const rings = cutRings(), number = (ring) => 1 + state.cuts.findIndex((cut) => cut.corners === ring);
  const knot = rings.find(crossesItself);
  if (knot) return phrase("place.outlineCrosses", { outline: number(knot) });
  for (const [index, ring] of rings.entries()) {
    const other = rings.slice(index + 1).find((next) => areCrossing(ring, next));
    if (other) return phrase("place.outlinesCross", { first: number(ring), second: number(other) });
  }
  return "";
}

const isCutSound = () => !cutRings().some(crossesItself);

function cutHint() {
  const open = openCut();
  if (open) {
    return phrase(open.corners.length < 3 ? "place.cutGoOn" : "place.cutGoOnOrClose");
  }
  return phrase(state.cuts.length ? "place.cutDone" : "place.cutBegin");
}

function showCut() {
  element("cut-hint").textContent = cutHint();
  element("cut-problem").textContent = cutProblem();
  const depths = depthsOf(cutRings()), list = element("cut-list");
  list.replaceChildren();
  let closed = 0;
  state.cuts.forEach((cut, index) => {
    const isHole = !cut.isOpen && depths[closed++] % 2 === 1, row = document.createElement("li");
    row.innerHTML = `<div class="head"><span class="dot" aria-hidden="true">${index + 1}</span>
      <span class="miss"></span><button type="button" class="remove">✕</button></div>`;
    row.querySelector(".dot").style.background = CUT_COLOR;
    const kind = cut.isOpen ? "place.cornersOpen" : isHole ? "place.cornersHole" : "place.corners";
    row.querySelector(".miss").textContent = phrase(kind, { count: cut.corners.length });
    const remove = row.querySelector("button");
    remove.setAttribute("aria-label", phrase("place.removeOutline", { outline: index + 1 }));
    remove.addEventListener("click", () => removeCut(cut.id));
    list.append(row);
  });
  showCutButtons();
}

function showCutButtons() {
  element("cut-close").hidden = !openCut();
  element("cut-close").disabled = !(openCut()?.corners.length > 2);
  element("cut-corner").hidden = !findCut(chosenCorner);
}

// The file

const placedCuts = () => cutRings().map((ring) => ring.map((pixel) => solution.placement.toPlace(pixel)));

// The file beside the plan, as the command line names it.
const cutlineName = () => `${stem()}.cutline.geojson`;
const cutlinePath = () => plan.path.slice(0, plan.path.length - plan.name.length) + cutlineName();

const cutOptions = () => cutRings().length ? ["--cutline", shellWord(cutlinePath())] : [];

function showSavedCut(canSave) {
  const hasCut = cutRings().length > 0, isUsable = canSave && isCutSound();
  element("save-cut").hidden = element("move-cut").hidden = !hasCut;
  for (const id of ["download-cut", "copy-cut"]) element(id).disabled = !isUsable;
  element("save-cut-problem").textContent = cutProblem();
  element("move-line").textContent = `mv ~/Downloads/${shellWord(cutlineName())} ${shellWord(cutlinePath())}`;
}

function openCutline(text) {
  try {
    if (!solution.placement) throw new Error(phrase("place.layFirst"));
    const rings = readCutline(text).map((ring) => ring.map((place) => solution.placement.toPixel(place)));
    if (!rings.flat().every(isFinitePoint)) throw new Error(phrase("place.fileTooFar"));
    state.cuts = [];
    rings.forEach((ring, index) => {
      const cut = { id: index + 1, corners: [], isOpen: false };
      state.cuts.push(cut);
      for (const pixel of ring) cut.corners.push({ id: newCorner(), ...pixel });
    });
    notice(null);
    commit();
    goTo("cut");
    speak(phrase("place.outlinesOpened", { count: rings.length }));
  } catch (error) {
    notice(phrase("place.outlinesUnusable", { reason: error.message }));
  }
}
