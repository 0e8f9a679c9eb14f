// What the program proposes for the sheets of the plans: which floors they are, their names, and their frames.

let facts = JSON.parse(element("data").textContent);

const sheetOf = (id) => facts.sheets.find((one) => one.id === id);
const isAlone = ({ file }) => facts.files.find(({ name }) => name === file)?.pages === 1;
const NO_FLOOR = {
  isFloor: false, floor: "", label: "", ordinal: null, crop: null, isFramed: false, isNamed: false, isKeyed: false,
};

// A name is saved, so it has no marks of direction.
const plain = (text) => text.replace(/[\u2066-\u2069]/g, "");

// In Japan and China, the ground floor is the first.
function nameOfStorey(storey) {
  if (storey === 0) return phrase("open.groundFloor");
  if (storey === -1) return phrase("open.basement");
  if (storey < 0) return plain(phrase("open.basementNumber", { number: -storey }));
  return plain(phrase("open.floorNumber", { number: storey + (["ja", "zh"].includes(LANGUAGE) ? 1 : 0) }));
}

const nameOfGuess = ({ storey, isTop, label }) =>
  label ?? (isTop ? phrase("open.topFloor") : nameOfStorey(storey));

// The names of a sheet that becomes a floor: its own name if that tells the storey.
function guessed(guess, { label }, taken) {
  const own = guess.isTold && label;
  const key = guess.label && isKey(guess.label) ? guess.label : keyOfStorey(guess.storey);
  return {
    ...NO_FLOOR, isFloor: true, floor: freeKey(key, taken), label: own || nameOfGuess(guess), ordinal: guess.storey,
    isNamed: Boolean(own || guess.isTop || guess.label), isKeyed: Boolean(guess.label),
  };
}

// A sheet with what may tell its storey: its own name in a document, or the name of a file of one sheet.
const told = (sheet) => ({ ...sheet, name: sheet.label ?? (isAlone(sheet) ? sheet.file : null) });

function contentOf({ name, sheets }) {
  const entries = sheets.map(({ id, floor }) => [id, floor ? {
    isFloor: true, floor: floor.floor, label: floor.label, ordinal: floor.ordinal, crop: floor.crop ?? null,
    isFramed: true, isNamed: true, isKeyed: true,
  } : { ...NO_FLOOR }]);
  const first = sheets.find(({ floor }) => floor?.isDefault)?.id ?? null;
  const isNumbered = sheets.some(({ floor }) => floor);
  const made = { name: name ?? "", first, isNumbered, sheets: Object.fromEntries(entries) };
  // Proposed, and saved only if the user agrees.
  if (!isNumbered) proposeFloors(made, likelyFloors(sheets));
  return made;
}

const isPicture = ({ file }) => !/\.(pdf|svg)$/i.test(file);

// The sheets that may be floors, by their names. Beside documents, a picture is a floor only if its name says so: it
// may be a photograph or a logo.
function likelyFloors(sheets) {
  const hasDocuments = !sheets.every(isPicture);
  const likely = sheets.filter((sheet) => {
    const { name } = told(sheet);
    return hasDocuments && isPicture(sheet) ? name && storeyOf(name) : !name || !isOther(name);
  });
  return likely.length ? likely : sheets;
}

// Numbers and names the sheets, all of which become floors; their frames stay.
function proposeFloors(made, sheets) {
  const taken = [];
  storeysOf(sheets.map(told)).forEach((guess, index) => {
    const { id } = sheets[index], { crop, isFramed } = made.sheets[id];
    const floor = { ...guessed(guess, sheets[index], taken), crop, isFramed };
    taken.push(floor.floor);
    made.sheets[id] = floor;
  });
}

// The frames that the program sees, two at a time

const frames = new Map(), waiting = [];
let fetching = 0;

function frameOf(id) {
  if (!frames.has(id)) {
    frames.set(id, new Promise((resolve) => { waiting.push([id, resolve]); }));
    fetchFrames();
  }
  return frames.get(id);
}

async function fetchFrames() {
  while (fetching < 2 && waiting.length) {
    const [id, resolve] = waiting.shift();
    fetching++;
    guide.ask(`/frames/${encodeURIComponent(id)}.json`).then(({ status, value }) => {
      fetching--;
      // Asked again when the program answers again.
      if (!status) return waiting.unshift([id, resolve]);
      const { width, height } = sheetOf(id) ?? {}, frame = value?.frame;
      const isFrame = Array.isArray(frame) && frame.length === 4 && frame.every(Number.isFinite);
      resolve(isFrame && width ? fittedFrame(frame, { width, height }) : null);
      fetchFrames();
    });
  }
}
