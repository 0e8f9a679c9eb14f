// The page of 'place' as a step of the guide: its server keeps what the user does and gives the pictures, and there
// are no commands to type.

// The draft is that of the server; what only this browser shows is kept here.
function keptInGuide() {
  const draft = valueOf(element("draft")?.textContent ?? ""), local = valueOf(guide.kept(KEY) ?? "");
  if (!draft && !local) return null;
  return { ...checkedDraft(draft), ...local };
}

// Others may have written the draft: what is not as the page writes it is left out, and so are the settings, which
// name addresses of maps.
function checkedDraft(draft) {
  const checked = (values, isRight) =>
    Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value && isRight(value)));
  const { positions, separate, seen, floor } = draft ?? {};
  return {
    positions: checked(positions, (one) => isState(one.state)), separate: Array.isArray(separate) ? separate : [],
    seen: checked(seen, ({ step, turn }) => STEPS.includes(step) && Number.isFinite(turn)), floor,
  };
}

function isState(state) {
  const areFinite = (value, ...names) => names.every((name) => Number.isFinite(value?.[name]));
  const isXY = (value) => areFinite(value, "x", "y"), isOpen = (value) => value == null || isXY(value);
  const { rough, pins, points, cuts, model, kept, setOn } = state ?? {};
  return [pins, points, cuts].every(Array.isArray) && pins.length === 2 && pins.every(isXY)
    && points.every((one) => areFinite(one, "id") && typeof one.name === "string" && isOpen(one.pixel)
      && isOpen(one.place))
    && cuts.every((cut) => areFinite(cut, "id") && Array.isArray(cut.corners) && cut.corners.every(isXY))
    && (rough == null || areFinite(rough, "lon", "lat", "scale", "bearing"))
    && (model == null || Object.hasOwn(MODELS, model)) && (kept == null || Number.isFinite(kept))
    && (setOn == null || areFinite(setOn, "width", "height"));
}

// Whether the program's points are those that the draft was saved as. Otherwise another program has changed them.
function isDraftOf({ points, pins }, saved, plan) {
  if (!saved) return !plan.points.length;
  const isSame = (given, own) => length(minus(xy(given.pixel), own.pixel ?? own)) < 0.01
    && (!own.place || length(minus(xy(given.place), own.place)) < 1e-7);
  return [points.filter(isComplete), pins].some((list) =>
    list.length === plan.points.length && list.every((own, index) => isSame(plan.points[index], own)));
}

const keepInGuide = ({ settings, floor, seen, below }) =>
  guide.keep(KEY, JSON.stringify({ settings, floor, seen, below }));

// Saving: a position and its floor are sent if they differ from what was sent last.

const unsent = [];
let sending = null;
const positionSaver = isGuided ? new Saver("/position", nextPosition, showSavedPosition, dropPosition) : null;

function setUpSent() {
  for (const one of plannedFloors()) {
    one.sentAs = positionName(one);
    one.position.sent = one.position.text;
  }
}

const isUnsent = () => position.text !== position.sent || positionName(floor) !== floor.sentAs;

// Puts the floor's position into the queue, before another floor is chosen.
function queuePosition() {
  if (!solution || !isUnsent()) return;
  const old = unsent.findIndex((one) => one.body.floor === floor.floor && one !== sending);
  if (old >= 0) unsent.splice(old, 1);
  unsent.push({ one: floor, position, text: position.text, body: positionBody() });
  position.sent = position.text;
  floor.sentAs = positionName(floor);
}

function positionBody() {
  const isPlaced = position.text !== position.begun && (position.isPlaced || position.sent !== position.text);
  const isEnough = solution.isByOne || savedPoints().length > 1;
  const text = isPlaced && isEnough && !solution.fit?.error ? savedText() : null;
  // Outlines that cross would cut away something else.
  if (!cutProblem()) position.cutline = text && cutRings().length ? cutlineText(placedCuts()) : null;
  const was = position.saved;
  position.saved = text ? position.text : null;
  const draft = JSON.stringify({ ...keptContent(), settings: undefined });
  position.saved = was;
  return {
    floor: floor.floor, isOwn: isBuilding && !pointsOf(floor).isAtTop, text,
    transform: state.kept ? "rigid" : solution.isByPoints ? solution.model : "similarity",
    cutline: position.cutline ?? null, draft,
  };
}

function nextPosition() {
  queuePosition();
  sending = unsent[0] ?? null;
  return sending?.body ?? null;
}

function takeSent() {
  const sent = sending;
  sending = null;
  unsent.splice(unsent.indexOf(sent), 1);
  if (unsent.length) positionSaver.soon();
  return sent;
}

async function showSavedPosition(value) {
  const sent = takeSent();
  sent.position.saved = sent.body.text ? sent.text : null;
  guide.say(phrase("place.saved"));
  showFloors();
  if (sent.one === floor) showNotes((value?.lines ?? []).map(inEnglish), false);
  const { status, value: facts } = await guide.ask("/state.json");
  if (status === 200 && facts) showOpenFloors(facts);
}

// The server refuses the position: it is sent again when it changes.
function dropPosition({ text }) {
  const sent = takeSent();
  if (sent.one === floor) showNotes([inEnglish(text)], true);
}

function showNotes(lines, isWrong) {
  const box = element("sent");
  box.hidden = !lines.length;
  box.className = isWrong ? "wrong" : "help";
  box.replaceChildren(...lines.flatMap((line, index) => index ? [part("br"), line] : [line]));
}

// The last step: which floors have no position yet, and the way on

function setUpGuide() {
  const open = part("p", { id: "open-floors", className: "hint", hidden: true });
  const accept = part("p", { id: "accept", hidden: true });
  accept.append(button("", acceptPosition));
  element("save-hint").after(accept, open);
  const link = part("a", { className: "main" }), next = part("p", { id: "to-build", className: "next", hidden: true });
  guide.lead(link, "build");
  next.append(link);
  element("save").append(next);
  tuckAwayFiles();
  guide.retry = () => positionSaver.soon();
  guide.ask("/state.json").then(({ status, value }) => { if (status === 200 && value) showOpenFloors(value); });
}

// Files of points come from those who know them.
function tuckAwayFiles() {
  const box = part("details"), heading = element("open-heading");
  box.append(part("summary", { textContent: phrase("open.programmers") }));
  heading.before(box);
  const [field, help] = element("save").querySelectorAll("#open-heading ~ p");
  box.append(heading, field, help);
}

// A plan that was put into the middle of the map, or where the floor below is, has no position until the user says so.
const isOnlyBegun = () => position.text === position.begun && !position.isSaved && !plan.corners;

function showAccept() {
  element("accept").hidden = !isOnlyBegun();
  element("save-hint").hidden = isOnlyBegun();
  element("accept").firstChild.textContent = phrase("open.acceptPosition", { name: floor.label });
}

function acceptPosition() {
  position.begun = position.sent = null;
  showState();
}

function showOpenFloors(facts) {
  guide.allow(facts);
  const names = facts.sheets.filter(({ floor, isPlaced }) => floor && !isPlaced).map(({ floor }) => floor.floor);
  // A position that others share is none for a plan of another size.
  const open = plannedFloors().filter((one) => names.includes(one.floor) || statusOf(one).kind === "open");
  const box = element("open-floors");
  element("to-build").hidden = !guide.open.has("build") || open.length > 0;
  box.hidden = !open.length;
  document.querySelector("#save h2").textContent = phrase(open.length ? "open.stepPlace" : "open.savedAsYouGo");
  if (hasShown(box, open.map(nameOf))) return;
  box.replaceChildren(phrase("open.notPlacedYet"), ...open.flatMap((one) =>
    [" ", button(named(one.label), () => chooseFloor(one))]));
}

// Pictures: a coarse one at once, and a fine one when it comes

async function fetchPicture({ plan }, edge) {
  const image = new Image();
  image.src = `/${plan.picture}?edge=${edge}`;
  try {
    await image.decode();
  } catch {
    return null;
  }
  return [image, { x: plan.width / image.naturalWidth, y: plan.height / image.naturalHeight }];
}

async function loadInGuide(one) {
  const coarse = await fetchPicture(one, 1200);
  if (!coarse) return false;
  const shown = one.shown ??= new Picture(...coarse);
  fetchPicture(one, 4096).then((fine) => {
    if (!fine || one.shown !== shown) return;
    shown.refine(...fine);
    for (const layer of [planLayer, pane, ...lowerLayers.values()]) layer?.draw();
  });
  return true;
}
