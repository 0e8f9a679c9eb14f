// The cards of the sheets, and those of files that cannot be read.

const cards = new Map();

function buildCards() {
  cards.clear();
  element("sheets").replaceChildren(...facts.sheets.map(newCard));
}

const labelled = (words, ...fields) => {
  const label = part("label", { className: "field" });
  label.append(part("span", { textContent: words }), ...fields);
  return label;
};

function sheetName({ file, page, label }) {
  const name = isAlone({ file }) ? file : phrase("open.pageOf", { file, page });
  return label ? phrase("page.pair", { first: name, second: label }) : name;
}

function newCard(sheet) {
  const { id } = sheet, row = part("li", { className: "card" });
  const card = {
    picture: part("button", { type: "button", className: "picture" }),
    crop: part("span", { className: "crop" }),
    chosen: part("input", { type: "checkbox" }),
    fields: part("div", { className: "fields" }),
    label: part("input", { autocomplete: "off", dir: "auto", maxLength: 200 }),
    key: part("input", { autocomplete: "off", dir: "ltr", maxLength: 32, className: "short" }),
    storey: part("input", {
      type: "number", dir: "ltr", lang: "en", step: 1, min: -MOST_STOREYS, max: MOST_STOREYS, className: "short",
    }),
    first: part("input", { type: "radio", name: "first" }),
    frame: guide.newButton("", () => openFrame(id)),
  };
  const image = part("img", {
    loading: "lazy", alt: "", width: sheet.width, height: sheet.height,
    src: `/sheets/${encodeURIComponent(id)}.png?edge=320`,
  });
  image.addEventListener("error", () => hide(image));
  image.addEventListener("load", () => { image.style.visibility = ""; });
  card.picture.style.aspectRatio = `${sheet.width} / ${sheet.height}`;
  card.picture.append(image, card.crop);
  card.picture.addEventListener("click", () => floorOf(id).isFloor ? openFrame(id) : choose(id, true));
  const check = part("label", { className: "check" });
  check.append(card.chosen, " ", part("span", { textContent: phrase("open.isFloor") }));
  card.fields.append(
    labelled(phrase("open.floorName"), card.label), newStoreyRow(id, card), newFirst(card), card.frame);
  row.append(
    card.picture, part("p", { className: "help", textContent: sheetName(sheet) }), check, card.fields);
  listen(id, card);
  cards.set(id, card);
  return row;
}

// Those that did not come when the program had ended.
function reloadPictures() {
  for (const image of document.querySelectorAll("#sheets img")) {
    if (image.style.visibility) image.src = image.getAttribute("src");
  }
}

function newStoreyRow(id, { storey, key }) {
  const row = part("div", { className: "pair" }), stepper = part("span", { className: "stepper" });
  const step = (by, sign, words) => Object.assign(
    guide.newButton(sign, () => setStorey(id, floorOf(id).ordinal + by)), { ariaLabel: words, title: words });
  storey.ariaLabel = phrase("open.storey");
  stepper.append(step(-1, "−", phrase("open.lower")), storey, step(1, "+", phrase("open.higher")));
  const field = part("div", { className: "field" });
  field.append(part("span", { textContent: phrase("open.storey") }), stepper);
  row.append(field, labelled(phrase("open.shortName"), key));
  return row;
}

function newFirst({ first }) {
  const label = part("label", { className: "check" });
  label.append(first, " ", part("span", { textContent: phrase("open.shownFirst") }));
  return label;
}

function listen(id, card) {
  card.chosen.addEventListener("change", () => choose(id, card.chosen.checked));
  card.label.addEventListener("input", () => {
    content.isNumbered = true;
    Object.assign(floorOf(id), { label: card.label.value, isNamed: true });
    commit(`label ${id}`);
  });
  card.key.addEventListener("input", () => {
    content.isNumbered = true;
    Object.assign(floorOf(id), { floor: card.key.value.trim(), isKeyed: true });
    commit(`key ${id}`);
  });
  card.storey.addEventListener("change", () => setStorey(id, card.storey.valueAsNumber));
  card.first.addEventListener("change", () => {
    content.first = id;
    commit();
  });
}

// A field that is typed in stays as it is.
function fill(field, value) {
  if (field !== document.activeElement || field.type === "number") field.value = value;
}

function showCard(id, card, first) {
  const { isFloor, floor, label, ordinal, crop, isFramed } = floorOf(id), sheet = sheetOf(id);
  card.chosen.checked = isFloor;
  card.fields.hidden = !isFloor;
  card.picture.classList.toggle("off", !isFloor);
  card.crop.hidden = !isFloor || !crop;
  if (crop) placeFrame(card.crop, crop, sheet);
  const name = isFloor ? phrase("open.frameOf", { name: label }) : phrase("open.isFloor");
  card.picture.ariaLabel = phrase("page.pair", { first: sheetName(sheet), second: name });
  card.chosen.ariaLabel = phrase("page.pair", { first: sheetName(sheet), second: phrase("open.isFloor") });
  if (!isFloor) return;
  fill(card.label, label);
  fill(card.key, floor);
  fill(card.storey, ordinal);
  card.first.checked = id === first;
  card.frame.textContent = phrase(isFramed ? "open.changeFrame" : "open.lookingForFrame");
  card.frame.ariaLabel = phrase("page.pair", { first: label, second: card.frame.textContent });
}

// Files that cannot be read, or only with a password

function showFiles() {
  const odd = facts.files.filter(({ problem, asksPassword }) => problem || asksPassword);
  const text = JSON.stringify(odd), box = element("files");
  if (box.dataset.shown === text) return;
  box.dataset.shown = text;
  box.replaceChildren(...odd.map((file) => file.asksPassword ? newPasswordForm(file) : newProblem(file)));
}

function newProblem({ name, problem }) {
  const card = part("div", { className: "card" });
  card.append(part("p", { className: "wrong", textContent: phrase("open.cannotRead", { file: name }) }));
  const text = part("p");
  // The line above says which file it is.
  text.append(guide.inEnglish(problem.replace(/^cannot read '[^']*': /, "")));
  card.append(text);
  return card;
}

function newPasswordForm({ name }) {
  const form = part("form", { className: "card", method: "dialog" });
  const field = part("input", { type: "password", autocomplete: "off", dir: "ltr", required: true });
  const note = part("p", { className: "wrong", role: "alert" }), row = part("div", { className: "bar" });
  row.append(labelled(phrase("open.password", { file: name }), field),
    part("button", { type: "submit", className: "main", textContent: phrase("open.unlock") }));
  form.append(row, note);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await guide.post("/password", { file: name, password: field.value }, { keepalive: false });
    if (answer.status === 200) return unlock(answer.value);
    note.replaceChildren(answer.status === 403 ? phrase("open.wrongPassword") : guide.inEnglish(answer.text));
    field.select();
  });
  return form;
}
