// Outlines are drawn by hand around the part of the plan that is kept. Their corners are pixels of the
// plan, even if they were set on the map, so that the outlines move with the plan. An outline inside
// another is a hole.

const CUT_COLOR = "#c2185b";
let chosenCorner = null, lastCorner = 0;

const openCut = () => state.cuts.find((cut) => cut.isOpen);
const findCut = (corner) => state.cuts.find((cut) => cut.corners.some(({ id }) => id === corner));
const cutRings = () => ringsOf(state);

function newCorner() {
  const known = state.cuts.flatMap((cut) => cut.corners.map((corner) => corner.id));
  lastCorner = Math.max(lastCorner, ...known) + 1;
  return lastCorner;
}

// A corner on a pane, as a pixel of the plan.
const pixelOn = (side, value) =>
  side === sides.plan ? value : solution.placement?.toPixel(value) ?? NOWHERE;

function setCorner(side, value) {
  const pixel = pixelOn(side, value);
  if (!isFinitePoint(pixel)) return speak(phrase("place.layFirst"));
  let cut = openCut();
  if (!cut) {
    cut = { id: 1 + Math.max(0, ...state.cuts.map((other) => other.id)), corners: [], isOpen: true };
    state.cuts.push(cut);
  }
  chosenCorner = newCorner();
  cut.corners.push({ id: chosenCorner, ...pixel });
  commit();
  speak(phrase("place.corners", { count: cut.corners.length }));
}

function closeCut() {
  openCut().isOpen = false;
  chosenCorner = null;
  commit();
}

function removeCorner(id) {
  const cut = findCut(id);
  if (!cut) return;
  cut.corners = cut.corners.filter((corner) => corner.id !== id);
  // Two corners do not enclose an area.
  if (!cut.corners.length || !cut.isOpen && cut.corners.length < 3) return removeCut(cut.id);
  chosenCorner = cut.isOpen ? cut.corners.at(-1).id : null;
  commit();
  speak(phrase("place.removed"));
}

function removeCut(id) {
  state.cuts = state.cuts.filter((cut) => cut.id !== id);
  chosenCorner = null;
  commit();
  speak(phrase("place.removed"));
}

// Marks: corners, and between them marks that become corners when they are dragged.

class Corner extends Mark {
  draw({ color, isBetween, isChosen }) {
    this.button.classList.add("corner");
    const radius = isBetween ? 4.5 : isChosen ? 8 : 6.5, fill = isBetween || isChosen ? "#fff" : `${color}66`;
    this.button.innerHTML = `<svg viewBox="0 0 44 44" opacity="${isBetween ? 0.8 : 1}">
      <circle cx="22" cy="22" r="${radius}" fill="none" stroke="#fff" stroke-width="5.5"/>
      <circle cx="22" cy="22" r="${radius}" fill="${fill}" stroke="${color}" stroke-width="2.5"/></svg>`;
  }
}

// A pixel of the plan as a value of a pane, and as a point of its box. On the map, only of a plan that is
// placed.
const cornerValue = (side, pixel) => side === sides.plan ? pixel : solution.placement.toPlace(pixel);
const viewOf = (side, pixel) => side.toView(cornerValue(side, pixel));

function showCorners(shown) {
  for (const side of Object.values(sides)) {
    if (side === sides.map && !solution.placement) continue;
    state.cuts.forEach((cut, index) => {
      cut.corners.forEach((corner, at) => showCorner(side, cut, index, at, shown));
      if (!cut.isOpen) cut.corners.forEach((_, at) => showBetween(side, cut, at, shown));
    });
  }
}

function showCorner(side, cut, index, at, shown) {
  const { id } = cut.corners[at], closes = cut.isOpen && at === 0 && cut.corners.length > 2;
  const move = (value) => {
    const pixel = pixelOn(side, value), corner = findCut(id)?.corners.find((one) => one.id === id);
    if (corner && isFinitePoint(pixel)) Object.assign(corner, pixel);
  };
  const actions = {
    move, drop: (kind) => commit(kind && `${kind} corner ${id}`), choose: () => chooseCorner(id),
    remove: () => removeCorner(id), press: closes ? closeCut : null,
  };
  const name = phrase("place.corner", { corner: at + 1, outline: index + 1 });
  const description = !closes ? name
    : phrase("page.pair", { first: name, second: phrase("place.closeOutline") });
  showMark(side, `corner${id}`, cornerValue(side, cut.corners[at]), actions,
    { color: CUT_COLOR, description, label: "", isChosen: id === chosenCorner || closes }, shown, Corner);
}

// Each pair of neighbours has a number for a new corner between them, so that a dragged mark keeps its
// identity when it becomes a corner.
const betweens = new Map();

function showBetween(side, cut, at, shown) {
  const start = cut.corners[at], end = cut.corners[(at + 1) % cut.corners.length];
  const [from, to] = [viewOf(side, start), viewOf(side, end)];
  if (!(length(minus(to, from)) > 64)) return;
  const pair = `${start.id} ${end.id}`;
  if (!betweens.has(pair)) betweens.set(pair, newCorner());
  const id = betweens.get(pair), middle = times(plus(start, end), 0.5);
  const insert = (pixel) => {
    cut.corners.splice(at + 1, 0, { id, ...pixel });
    betweens.delete(pair);
    chosenCorner = id;
  };
  const actions = {
    move: (value) => { if (!findCut(id)) insert(pixelOn(side, value)); },
    drop: (kind) => commit(kind && `${kind} corner ${id}`),
    press: () => {
      insert(middle);
      commit();
    },
  };
  showMark(side, `corner${id}`, cornerValue(side, middle), actions,
    { color: CUT_COLOR, description: phrase("place.between"), label: "", isBetween: true }, shown, Corner);
}

function chooseCorner(id) {
  if (chosenCorner === id) return;
  chosenCorner = id;
  showMarks();
  showCutButtons();
}

// The appearance of outlines

// The parts that are cut away are dark, on both panes.
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

// The current line ends at the pointer.
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

function showCut() {
  element("cut-hint").textContent = phrase(
    openCut() ? "place.cutGoOn" : state.cuts.length ? "place.cutDone" : "place.cutBegin");
  element("cut-problem").textContent = cutProblem();
  const depths = depthsOf(cutRings()), list = element("cut-list");
  list.replaceChildren();
  let closed = 0;
  state.cuts.forEach((cut, index) => {
    const isHole = !cut.isOpen && depths[closed++] % 2 === 1, row = part("li");
    const kind = cut.isOpen ? phrase("place.notClosed") : isHole ? phrase("place.hole") : "";
    row.innerHTML = `<div class="head"><span class="dot" aria-hidden="true">${index + 1}</span>
      <span class="miss"></span><button type="button" class="remove">✕</button></div>`;
    row.querySelector(".dot").style.background = CUT_COLOR;
    const corners = phrase("place.corners", { count: cut.corners.length });
    row.querySelector(".miss").textContent = kind
      ? phrase("page.both", { first: corners, second: kind }) : corners;
    const remove = row.querySelector("button");
    remove.setAttribute("aria-label", phrase("place.remove", { name: index + 1 }));
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

// The file next to the plan, as the command line names it.
const cutlineName = () => `${stem()}.cutline.geojson`;
const folderOf = (path) => path.slice(0, path.length - plan.name.length);
const cutlinePath = () => folderOf(plan.path) + cutlineName();

const cutOptions = () => cutRings().length ? ["--cutline", shellWord(cutlinePath())] : [];

function showSavedCut(canSave) {
  const rings = cutRings(), hasCut = rings.length > 0, isUsable = canSave && !rings.some(crossesItself);
  element("save-cut").hidden = element("move-cut").hidden = !hasCut;
  for (const id of ["download-cut", "copy-cut"]) element(id).disabled = !isUsable;
  element("save-cut-problem").textContent = cutProblem();
  element("move-line").textContent = `mv ~/Downloads/${shellWord(cutlineName())} ${shellWord(cutlinePath())}`;
}

// Returns the number of outlines that a file has.
function openCutline(text) {
  if (!solution.placement) throw new Error(phrase("place.layFirst"));
  const rings = readCutline(text).map((ring) => ring.map((place) => solution.placement.toPixel(place)));
  if (!rings.flat().every(isFinitePoint)) throw new Error(phrase("place.fileTooFar"));
  state.cuts = [];
  for (const [index, ring] of rings.entries()) {
    state.cuts.push({ id: index + 1, corners: [], isOpen: false });
    for (const pixel of ring) state.cuts[index].corners.push({ id: newCorner(), ...pixel });
  }
  return rings.length;
}
