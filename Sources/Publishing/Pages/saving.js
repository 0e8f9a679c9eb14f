// Saving: the files, and the commands that use them.

// The points to save, or the pins if the plan was only placed roughly.
function savedPoints() {
  if (solution.isByPoints || solution.isByOne) return state.points.filter(isComplete);
  if (!solution.placement) return [];
  return state.pins.map((pixel, index) => ({
    pixel, place: solution.placement.toPlace(pixel), name: index ? "pin B" : "pin A", enabled: true,
  }));
}

function savedText() {
  const points = savedPoints();
  const residuals = points.map((point) => solution.fit?.residuals?.[solution.points.indexOf(point)]);
  const bearing = solution.isByOne ? solution.placement.bearingAt(solution.points[0].pixel) : null;
  return pointsText(points, size, residuals, state.kept ? { scale: state.kept, bearing } : null);
}

function positionOptions() {
  const options = [];
  if (solution.isByPoints || solution.isByOne) {
    for (const { pixel, place } of solution.points) {
      const numbers = [pixelText(pixel.x), pixelText(pixel.y), degreesText(place.x), degreesText(place.y)];
      options.push("--gcp", numbers.join(","));
    }
    if (state.kept) options.push("--transform", "rigid", "--scale", scaleText(state.kept));
    if (solution.isByOne) {
      options.push("--bearing", String(solution.placement.bearingAt(solution.points[0].pixel)));
    }
  } else if (solution.placement) {
    const { lon, lat, scale, bearing } = solution.placement;
    options.push("--anchor", [size.width / 2, size.height / 2, degreesText(lon), degreesText(lat)].join(","),
      "--scale", state.kept ? scaleText(scale) : String(Number(scale.toPrecision(10))), "--bearing", String(Number(bearing.toFixed(6))));
  }
  // The page's pixel coordinates are those of the stored image, as in files of points.
  if (plan.isTagged && options.length) options.push("--orient", "no");
  return options;
}

function showSave() {
  const points = savedPoints(), fit = solution.fit;
  const canSave = (solution.isByOne || points.length > 1) && !fit?.error;
  for (const id of ["send", "download", "copy"]) element(id).disabled = !canSave;
  element("save-hint").textContent = !canSave
    ? phrase("place.nothingToSave") : solution.isByOne ? phrase("place.rigidOne")
      : !solution.isByPoints ? phrase("place.savedAsPins")
      : sentences(phrase("place.pointsToSave", { count: points.length }), verdict());
  showSavedCut(canSave);
  if (isGuided) showAccept();
  const isAffine = canSave && solution.placement?.transform instanceof AffineFit;
  element("world").hidden = !isAffine;
  element("no-world").hidden = isAffine || !canSave;
  element("world-file").textContent = worldName();
  element("projection").textContent = `${stem()}.prj`;
  element("write").hidden = !isBuilding;
  element("one-line").hidden = isBuilding;
  if (isBuilding) return showManifest();
  const image = [shellWord(plan.path), ...plan.page ? ["--page", plan.page] : []].join(" ");
  // Files of points name the rigid model themselves.
  const isOther = solution.isByPoints && solution.model !== standardModel(solution.points.length);
  const model = isOther && !state.kept ? ["--transform", solution.model] : [];
  element("take-line").textContent = `tilewright place ${image} --take `
    + `~/Downloads/${shellWord(pointsName())}`;
  const rest = [...model, ...cutOptions(), "-o", "tiles"];
  element("build-line").textContent = ["tilewright", image, ...rest].join(" ");
  element("gcp-line").textContent = ["tilewright", image, ...positionOptions(), ...rest].join(" ");
}

// Passes the points to the function that saves or copies them.
function savePoints(give) {
  give(isBuilding ? pointsOf(floor).download : pointsName(), savedText());
  position.saved = position.text;
  showFloors();
  remember();
}

function download(name, text) {
  const href = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  const link = part("a", { href, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  speak(phrase("place.savedAs", { file: name }));
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = part("textarea", { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  speak(phrase("place.copied"));
  const words = button.textContent;
  button.textContent = `${phrase("place.copied")} ✓`;
  setTimeout(() => { button.textContent = words; }, 1500);
}

// Distinguishes the files of later pages of an image from those of its first page.
const pageMark = () => plan.page ? `.page${plan.page}` : "";
const pointsName = () => `${plan.name}${pageMark()}.points`;
const stem = () => plan.name.replace(/(.)\.[^.]*$/, "$1") + pageMark();
const worldName = () => {
  const ending = /.\.([^.]+)$/.exec(plan.name)?.[1] ?? "";
  return `${stem()}.${ending ? `${ending[0]}${ending.at(-1)}w` : "wld"}`;
};

// Saving through the server of the page: it writes the points where every command finds them

function showSending() {
  if (!saveTo) return;
  element("send").hidden = false;
  element("download").classList.remove("main");
  element("download").textContent = phrase("place.downloadPoints");
  // The server checks the file and writes it.
  element("commands").firstElementChild.hidden = true;
}

async function send(name, text) {
  const mine = position, saved = position.text;
  element("send").disabled = true;
  const answer = await answerTo(name, text);
  element("send").disabled = false;
  showAnswer(answer);
  if (answer.isSaved || position !== mine) return;
  // It was taken for saved.
  if (mine.saved === saved) mine.saved = null;
  showFloors();
}

// The server's response: an object with `saved`, the file, and lines for people, or the text of a refusal.
async function answerTo(name, text) {
  try {
    const response = await fetch(saveTo, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name, text }),
    });
    if (!response.ok) return { isSaved: false, lines: [inEnglish((await response.text()).trim())] };
    const { saved, lines } = await response.json();
    return { isSaved: true, lines: [phrase("place.savedAs", { file: saved }), ...lines.map(inEnglish)] };
  } catch {
    return { isSaved: false, lines: [phrase("place.serverSilent")] };
  }
}

function showAnswer({ isSaved, lines }) {
  const box = element("sent");
  box.hidden = false;
  box.className = isSaved ? "" : "wrong";
  box.replaceChildren(...lines.flatMap((text, index) => index ? [part("br"), text] : [text]));
  if (isSaved) box.append(part("br"), part("a", { href: "/", textContent: phrase("place.seeTiles") }));
}

// The lines of the manifest that make it find what was saved

// A text as a value of YAML, also between braces.
const yamlText = (text) => /^[A-Za-z0-9_./][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*$/.test(text)
  ? text : JSON.stringify(text);

// The lines of the manifest that have to be written or changed.
function manifestLines() {
  const { path, isFound } = pointsOf(floor), lines = [];
  // The model that a build would choose for the saved points, and the intended model.
  const standard = standardModel(savedPoints().filter(({ enabled }) => enabled).length);
  const meant = state.kept ? "rigid" : solution.isByPoints ? solution.model : "similarity";
  const taken = isFound && plan.model || (state.kept ? meant : standard);
  if (!isFound) lines.push(`gcps: ${yamlText(path)}`);
  // A scale in the manifest precedes that of the points.
  const isRigid = isFound && plan.model === "rigid";
  const hint = isRigid ? " # without scale" : "";
  if (taken !== meant) lines.push(`transform: ${meant}${hint}`);
  if (state.kept && (taken !== meant || isRigid && state.kept !== plan.kept)) {
    lines.push(`scale: "${scaleText(state.kept)}"`);
  }
  if (cutRings().length) lines.push(`cutline: ${yamlText(folderOf(floor.image) + cutlineName())}`);
  return lines;
}

// Files that were saved in this page, this floor's first.
function savedFiles() {
  const others = plannedFloors().filter((one) => one.position !== position && one.position.isSaved);
  return [...new Set([floor, ...others].map((one) => pointsOf(one).download))];
}

function showManifest() {
  const takes = savedFiles().flatMap((name) => ["--take", `~/Downloads/${shellWord(name)}`]);
  element("take-line").textContent = ["tilewright place", shellWord(source), ...takes].join(" ");
  const lines = manifestLines(), { isAtTop, isFound, replaces } = pointsOf(floor);
  const replacing = !isFound && replaces;
  const key = isAtTop ? (replacing ? "place.writeAtTopInstead" : "place.writeAtTop")
    : replacing ? "place.writeAtFloorInstead" : "place.writeAtFloor";
  element("write-hint").textContent =
    phrase(lines.length ? key : "place.writeNothing", { floor: floor.floor, file: floor.manifest });
  element("write-lines").replaceChildren(...lines.map(newCopiedLine));
  element("build-line").textContent = `tilewright ${shellWord(source)}`;
}

function newCopiedLine(text) {
  const row = part("div", { className: "row" });
  const code = part("code", { textContent: text, tabIndex: 0, dir: "ltr" });
  row.append(code, newCopyButton(code));
  return row;
}

function newCopyButton(code) {
  const copies = button(phrase("place.copy"), () => copy(code.textContent, copies));
  return copies;
}
