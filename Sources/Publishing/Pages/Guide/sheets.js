// The step in which sheets become floors: pages of documents, and images.

// What the user decides: the building's name, the sheet that is shown first, if any was chosen, and of each sheet
// whether it is a floor and which. `isNumbered` tells that the user has named or numbered a floor, `isFramed` that
// the frame of a sheet is known, `isNamed` and `isKeyed` that a name is not the program's.
let content, isTouched = false;
const past = { entries: [], at: -1, label: null, time: 0 };

const floorIDs = () => facts.sheets.map(({ id }) => id).filter((id) => content.sheets[id].isFloor);
const floorOf = (id) => content.sheets[id];

// Frames of all floors that have none yet, also in the past.
function proposeFrames() {
  for (const id of floorIDs()) {
    if (floorOf(id).isFramed) continue;
    frameOf(id).then((frame) => {
      const crop = isWhole(frame, sheetOf(id)) ? null : frame;
      for (const one of [content, ...past.entries]) {
        const entry = one.sheets[id];
        if (entry?.isFloor && !entry.isFramed) Object.assign(entry, { crop, isFramed: true });
      }
      show();
      if (isTouched) saver.soon();
    });
  }
}

// History

function record(label) {
  const now = Date.now(), isMore = label && label === past.label && now - past.time < 2000;
  past.entries.length = past.at + 1;
  if (isMore) past.entries[past.at] = structuredClone(content);
  else past.at = past.entries.push(structuredClone(content)) - 1;
  Object.assign(past, { label, time: now });
}

// All changes go through here. Successive ones with the same label are one step.
function commit(label) {
  isTouched = true;
  record(label);
  proposeFrames();
  show();
  saver.soon();
}

function travel(step) {
  const entry = past.entries[past.at + step];
  if (!entry) return;
  past.at += step;
  past.label = null;
  content = structuredClone(entry);
  isTouched = true;
  proposeFrames();
  show();
  saver.soon();
}

// What keeps the floors from being saved, and where.
function problem() {
  const ids = floorIDs();
  if (!ids.length) return { text: phrase("open.problemNone") };
  const field = (id, name) => cards.get(id)?.[name];
  const keys = new Map();
  for (const id of ids) {
    const { floor, label } = floorOf(id), key = floor.toLowerCase();
    if (!label.trim()) return { text: phrase("open.problemName"), field: field(id, "label") };
    if (!isKey(floor)) return { text: phrase("open.problemShort", { name: label }), field: field(id, "key") };
    if (keys.has(key)) return { text: phrase("open.problemTwice", { name: floor }), field: field(id, "key") };
    keys.set(key, id);
  }
  return null;
}

// Saving

const saver = new Saver("/pages", () => problem() ? undefined : {
  revision: facts.revision, name: content.name.trim() || null,
  floors: floorIDs().map((id) => {
    const { floor, label, ordinal, crop } = floorOf(id);
    return { id, floor, label: label.trim(), ordinal, isDefault: content.first === id, crop };
  }),
}, (next) => {
  if (next?.sheets) takeFacts(next);
  guide.say(phrase("open.saved", { file: facts.manifest }));
});

guide.retry = () => {
  reloadPictures();
  fetchFrames();
  if (isTouched) saver.soon();
};

function takeFacts(next) {
  const known = facts.sheets.map(({ id }) => id).join();
  facts = next;
  guide.allow(facts);
  if (facts.sheets.map(({ id }) => id).join() !== known) {
    // Undo goes back to times in which the sheets could not be read.
    for (const one of [content, ...past.entries]) {
      for (const { id } of facts.sheets) one.sheets[id] ??= { ...NO_FLOOR };
    }
    buildCards();
  }
  showFiles();
  show();
}

// Floors

function choose(id, isFloor) {
  const { ordinal } = floorOf(id), others = floorIDs().map(floorOf), sheet = sheetOf(id);
  const taken = others.map((one) => one.ordinal);
  if (isFloor && ordinal === null) {
    const [guess] = storeysOf([told(sheet)], taken);
    content.sheets[id] = guessed(guess, sheet, others.map(({ floor }) => floor));
  } else {
    floorOf(id).isFloor = isFloor;
    // Its storey may have been given to another one.
    if (isFloor && taken.includes(ordinal)) floorOf(id).ordinal = Math.max(...taken) + 1;
  }
  if (!isFloor && content.first === id) content.first = null;
  // Without a cover, the first sheet is the ground floor.
  if (!content.isNumbered) proposeFloors(content, facts.sheets.filter((one) => floorOf(one.id).isFloor));
  commit();
}

// Moves a floor to a storey; the floor that is there takes its place.
function setStorey(id, storey) {
  const own = floorOf(id), was = own.ordinal;
  if (!Number.isInteger(storey) || Math.abs(storey) > MOST_STOREYS || storey === was) return show();
  const other = floorIDs().filter((one) => one !== id).map(floorOf).find(({ ordinal }) => ordinal === storey);
  content.isNumbered = true;
  own.ordinal = storey;
  if (other) other.ordinal = was;
  const settled = new Set([own, other].filter((one) => one?.isKeyed));
  for (const one of [own, other].filter(Boolean)) {
    if (!one.isNamed) one.label = nameOfStorey(one.ordinal);
    if (one.isKeyed) continue;
    const rest = floorIDs().map(floorOf).filter((floor) => ![own, other].includes(floor) || settled.has(floor));
    one.floor = freeKey(keyOfStorey(one.ordinal), rest.map(({ floor }) => floor));
    settled.add(one);
  }
  commit("storey");
}

// The floor that is shown first: the chosen one, otherwise the lowest above the ground.
function firstID() {
  if (floorOf(content.first)?.isFloor) return content.first;
  const rank = (id) => floorOf(id).ordinal < 0 ? 1000 - floorOf(id).ordinal : floorOf(id).ordinal;
  return floorIDs().sort((a, b) => rank(a) - rank(b))[0];
}

function setFrame(crop, sheets) {
  for (const { id } of sheets) Object.assign(floorOf(id), { crop, isFramed: true });
  commit();
}

const dialog = new FrameDialog();

function openFrame(id) {
  const sheet = sheetOf(id), { width, height } = sheet;
  const alike = floorIDs().map(sheetOf)
    .filter((one) => one !== sheet && one.width === width && one.height === height);
  dialog.open(sheet, floorOf(id).label, floorOf(id).crop, { proposed: frameOf(id), alike, done: setFrame });
}

function show() {
  if (document.activeElement !== element("name")) element("name").value = content.name;
  const first = firstID(), ids = floorIDs(), fault = problem();
  for (const [id, card] of cards) {
    showCard(id, card, first);
    for (const name of ["label", "key"]) card[name].ariaInvalid = fault?.field === card[name] ? "true" : null;
  }
  element("problem").textContent = isTouched && fault ? fault.text : "";
  const names = ids.map(floorOf).sort((a, b) => b.ordinal - a.ordinal).map(({ label }) => label);
  element("order").hidden = ids.length < 2;
  element("order").textContent = phrase("open.order", { names: names.map(isolated).join(" · ") });
  element("undo").disabled = past.at < 1;
  element("redo").disabled = past.at + 1 >= past.entries.length;
  element("guide-title").firstChild.textContent = content.name.trim() || facts.folder.split("/").at(-1) || facts.manifest;
}

function unlock(next) {
  takeFacts(next);
  if (isTouched || facts.sheets.some(({ floor }) => floor)) return;
  content = contentOf(facts);
  past.entries = [];
  past.at = -1;
  record();
  proposeFrames();
  show();
}

// Next

async function goOn(event) {
  event.preventDefault();
  isTouched = true;
  const fault = problem();
  show();
  if (fault) return (fault.field ?? document.querySelector("#sheets input"))?.focus();
  const open = floorIDs().filter((id) => !floorOf(id).isFramed).map(frameOf);
  if (open.length) {
    guide.say(phrase("open.lookingForFrame"));
    // The frames can be set later, too.
    await Promise.race([Promise.all(open), new Promise((resolve) => { setTimeout(resolve, 15000); })]);
  }
  saver.isWanted = true;
  if (await saver.now()) guide.go("place");
}

content = contentOf(facts);
buildCards();
record();
showFiles();
show();
proposeFrames();
guide.allow(facts);
guide.lead(element("next"), "place", goOn);
element("name").addEventListener("input", () => {
  content.name = element("name").value;
  commit("name");
});
element("undo").addEventListener("click", () => travel(-1));
element("redo").addEventListener("click", () => travel(1));
addEventListener("keydown", (event) => {
  const isTyped = event.target.matches?.("input:not([type=checkbox], [type=radio])") || element("frame-dialog").open;
  if (isTyped || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  travel(key === "y" || event.shiftKey ? 1 : -1);
});
