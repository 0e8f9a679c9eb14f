// What is written into the manifest, so that it finds what was saved.

// A text as a value of YAML, also between braces.
const yamlText = (text) => /^[A-Za-z0-9_./][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*$/.test(text)
  ? text : JSON.stringify(text);

// The model that a build would take of what is saved, and the one that is meant.
function models() {
  const { points } = savedPoints(), standard = standardModel(points.filter(({ enabled }) => enabled).length);
  const isFound = pointsOf(floor).isFound;
  return {
    taken: isFound && plan.model ? plan.model : standard,
    meant: solution.isByPoints ? solution.model : "similarity",
  };
}

const manifestFolder = () => floor.image.slice(0, floor.image.length - plan.name.length);

// The lines of the manifest that have to be written or changed.
function manifestLines() {
  const { path, isFound } = pointsOf(floor), { taken, meant } = models(), lines = [];
  if (!isFound) lines.push(`gcps: ${yamlText(path)}`);
  if (taken !== meant) lines.push(`transform: ${meant}`);
  if (cutRings().length) lines.push(`cutline: ${yamlText(manifestFolder() + cutlineName())}`);
  return lines;
}

// Files that were saved in this page, this floor's first.
function savedFiles() {
  const others = plannedFloors().filter((one) => one.position !== position && one.position.isSaved);
  return [...new Set([floor, ...others].map((one) => pointsOf(one).download))];
}

function showManifest() {
  element("image-commands").hidden = element("one-line").hidden = true;
  element("floor-commands").hidden = false;
  const takes = savedFiles().flatMap((name) => ["--take", `~/Downloads/${shellWord(name)}`]);
  element("floor-take-line").textContent = ["tilewright place", shellWord(source), ...takes].join(" ");
  element("floor-move-cut").hidden = !cutRings().length;
  element("floor-move-line").textContent = element("move-line").textContent;
  const lines = manifestLines(), { isAtTop, isFound, replaces } = pointsOf(floor);
  const replacing = !isFound && replaces;
  const key = isAtTop ? (replacing ? "place.writeAtTopInstead" : "place.writeAtTop")
    : replacing ? "place.writeAtFloorInstead" : "place.writeAtFloor";
  element("write-hint").textContent =
    phrase(lines.length ? key : "place.writeNothing", { floor: floor.floor, file: floor.manifest });
  element("write-lines").replaceChildren(...lines.map(newCopiedLine));
  element("floor-build-line").textContent = `tilewright ${shellWord(source)}`;
}

function newCopiedLine(text) {
  const row = document.createElement("div"), code = document.createElement("code");
  row.className = "row";
  Object.assign(code, { textContent: text, tabIndex: 0, dir: "ltr" });
  const copies = button(phrase("place.copy"), () => copy(text, copies));
  row.append(code, copies);
  return row;
}
