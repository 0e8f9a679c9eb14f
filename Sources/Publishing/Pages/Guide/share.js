// The step in which the building becomes one file for others.

const facts = JSON.parse(element("data").textContent);

// Mail servers refuse more.
const MOST_BYTES = 25 * 1024 * 1024;

const shown = (id, isShown) => { element(id).hidden = !isShown; };

async function make(zoom) {
  for (const id of ["result", "too-large"]) shown(id, false);
  element("problem").textContent = "";
  for (const id of ["make", "smaller"]) element(id).disabled = true;
  guide.say(phrase("open.making"));
  const answer = await guide.post("/share", { zoom, maxBytes: MOST_BYTES, basemap: element("basemap").checked });
  for (const id of ["make", "smaller"]) element(id).disabled = false;
  guide.say("");
  if (answer.status === 200) return showResult(answer.value);
  if (answer.status === 413) return showTooLarge(answer.value ?? { text: answer.text });
  if (answer.status && answer.status !== 423) element("problem").replaceChildren(guide.inEnglish(answer.text));
}

function showResult({ file, bytes }) {
  shown("result", true);
  element("result-name").textContent = phrase("page.both", { first: file, second: bytesText(bytes) });
  element("result-folder").textContent = phrase("open.inFolder", { folder: facts.folder });
  element("download-file").download = file;
  // Not the one that the browser has kept.
  const address = `/${encodeURIComponent(file.split("/").at(-1))}?${Date.now()}`;
  for (const id of ["open-file", "download-file"]) element(id).href = address;
  element("result").focus();
}

function showTooLarge({ text, zoom, bytes }) {
  shown("too-large", true);
  element("too-large-text").replaceChildren(guide.inEnglish(text ?? ""));
  shown("smaller", zoom);
  element("smaller").textContent = zoom
    ? phrase("open.withoutFinest", { size: bytes ? bytesText(bytes) : zoom }) : "";
  element("smaller").onclick = () => make(zoom);
  element("too-large").focus();
}

// A word of a shell.
const shellWord = (text) => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function showCommands() {
  const file = shellWord(facts.manifest);
  const lines = [
    ["open.commandPlace", `tilewright place ${file}`], ["open.commandBuild", `tilewright ${file}`],
    ["open.commandShare", `tilewright share ${file} -o building.html`],
  ];
  for (const [key, line] of lines) {
    const place = part("dd");
    place.append(part("code", { dir: "ltr", tabIndex: 0, textContent: line }));
    element("command-list").append(part("dt", { textContent: phrase(key) }), place);
  }
}

guide.allow(facts);
element("make").addEventListener("click", () => make(null));
showCommands();
