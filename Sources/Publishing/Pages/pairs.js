// The points of the page: pairs of a pixel and a place, their list, and the models.

function setPoint(side, value) {
  if (side === "pixel" && !isInside(value)) return speak("That is beside the plan");
  const half = state.points.find((point) => !isComplete(point));
  if (half) half[side] = value;
  else {
    state.points.push({ id: newID(), name: freeName(), pixel: null, place: null, enabled: true,
      [side]: value });
  }
  const point = half ?? state.points.at(-1);
  chosen = point.id;
  commit();
  if (!isComplete(point)) return speak(`Point ${point.name} is set. Now the same corner on the other side.`);
  const index = solution.points.indexOf(point), miss = solution.fit?.residuals?.[index];
  speak(miss ? `Point ${point.name}: off by ${metresText(miss.metres)}, ${pixelsText(miss.pixels)}`
    : `Point ${point.name} is set on both sides`);
}

function removePoint(id) {
  state.points = state.points.filter((point) => point.id !== id);
  if (chosen === id) chosen = null;
  commit();
  speak("Point removed");
}

function choosePoint(id) {
  chosen = id;
  for (const row of element("list").children) row.classList.toggle("chosen", row.dataset.id === String(id));
}

function hint() {
  const half = state.points.find((point) => !isComplete(point)), count = solution.points.length;
  const ring = solution.placement ? " The dashed ring shows about where." : "";
  if (half?.pixel) return `Now click the same corner on the map.${ring}`;
  if (half) return `Now click the same corner on the plan.${ring}`;
  const first = "Click a corner on the plan, then the same corner on the map";
  if (solution.fit?.suspect != null) {
    return "Drag the marks of what is probably wrong to where they belong, or remove the point.";
  }
  if (!count) return `${first}. Corners far apart are best: start with two opposite ones.`;
  if (count === 1) return "One more, far from the first: then the plan lies.";
  // Clicks are rarely off by more.
  if (count > 3 && solution.fit?.rms?.pixels > 5) {
    return "The points do not agree well. Look at those that are off most: is one beside its corner?";
  }
  if (count === 2) return "Two points fix the plan. A third and a fourth show how good they are.";
  if (count === 3) return "One more point, and you see how far off each of them is.";
  return "Good. More points in other corners make it surer. Drag a mark to correct it.";
}

// Whether there are only as many points as fix the model, which meets them then.
const isJustFixed = (fit) => fit.residuals.length <= MODELS[fit.model].points;

// What is probably wrong, in words.
function faultText({ indices, kind, name, written, meant }, points) {
  const names = indices.map((index) => points[index].name).join(" and "), isOne = indices.length === 1;
  const subject = `${isOne ? "Point" : "Points"} ${names} ${isOne ? "is" : "are"} probably`;
  const whole = {
    swappedPlace: "Longitude and latitude are probably interchanged in all points.",
    rowFromBottom: "The rows of all points are probably counted from the bottom.",
    negativeRow: "The rows of all points have the wrong sign: count them down from the upper edge.",
    mirrored: "The points mirror the plan: are two of them interchanged?",
  };
  const known = {
    swappedPlace: `${subject} wrong: its longitude and latitude are interchanged.`,
    rowFromBottom: `${subject} wrong: its row is counted from the bottom.`,
    negativeRow: `${subject} wrong: its row has the wrong sign.`,
    digits: `${subject} wrong: with ${meant} as ${name}, not ${written}, it agrees with the others.`,
    interchanged: `${subject} interchanged: with each other's places all agree.`,
  };
  return (indices.length ? known : whole)[kind]
    ?? `${subject} wrong: without ${isOne ? "it" : "them"}, the others agree.`;
}

const leftOutText = ({ rms }) =>
  rms.leftOut === null ? "" : ` A point left out is missed by ${metresText(rms.leftOut)}.`;

function verdict() {
  const { fit, points } = solution, box = element("verdict");
  box.className = "";
  if (points.length < 2) return "";
  if (fit.error) {
    box.className = "bad";
    return fit.fault ? faultText(fit.fault, points) : `This does not work: ${fit.error}.`;
  }
  if (fit.fault) {
    box.className = "bad";
    return faultText(fit.fault, points);
  }
  if (isJustFixed(fit)) return "Met exactly: too few points to say how good it is.";
  const leftOut = leftOutText(fit);
  if (fit.model === "tps") return `Meets every point.${leftOut}`;
  return `Off by ${metresText(fit.rms.metres)} (${pixelsText(fit.rms.pixels)}) on average.${leftOut}`;
}

function showList() {
  const list = element("list"), rows = new Map([...list.children].map((row) => [row.dataset.id, row]));
  state.points.forEach((point, index) => {
    const row = rows.get(String(point.id)) ?? newRow(point.id);
    rows.delete(String(point.id));
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
    fillRow(row, point, index);
  });
  for (const row of rows.values()) row.remove();
}

function newRow(id) {
  const row = document.createElement("li");
  row.dataset.id = id;
  row.innerHTML = `<div class="head"><span class="dot" aria-hidden="true"></span><span class="miss"></span>
    <button type="button" class="show">Show</button><button type="button" class="remove">✕</button></div>
    <details><summary>Type it</summary>
      <label>Name <input data-part="name" autocomplete="off"></label>
      <label>On the plan <span class="unit">pixels from the left, from the top</span>
        <input data-part="pixel" autocomplete="off"></label>
      <label>On the map <span class="unit">longitude, latitude in degrees</span>
        <input data-part="place" autocomplete="off"></label>
      <label class="check"><input type="checkbox" data-part="enabled"> Takes part in the fit</label>
    </details>`;
  row.querySelector(".remove").addEventListener("click", () => removePoint(id));
  row.querySelector(".show").addEventListener("click", () => {
    choosePoint(id);
    const { pixel, place } = find(id);
    if (pixel) {
      pane.middle = { ...pixel };
      pane.draw();
    }
    if (place) map.panTo([place.y, place.x], { animate: false });
  });
  for (const input of row.querySelectorAll("input")) {
    input.addEventListener("change", () => typePoint(find(id), input));
  }
  return row;
}

function typePoint(point, input) {
  const part = input.dataset.part;
  const numbers = input.value.split(/[,;\s]+/).filter(Boolean).map(Number);
  const isPair = numbers.length === 2 && numbers.every(Number.isFinite);
  let problem = "";
  if (part === "enabled") point.enabled = input.checked;
  else if (part === "name") {
    const name = plainName(input.value);
    if (!name) problem = "A point needs a name.";
    else if (state.points.some((other) => other !== point && other.name === name)) {
      problem = "Another point has this name.";
    } else point.name = name;
  } else if (!isPair) problem = "Write two numbers with a comma between them.";
  else if (part === "place" && Math.abs(numbers[1]) > 90) problem = "Longitude comes first, then latitude.";
  else point[part] = xy(numbers);
  input.setCustomValidity(problem);
  input.reportValidity();
  if (!problem) commit();
}

function fillRow(row, point, index) {
  const at = solution.points.indexOf(point), fit = solution.fit;
  const miss = at >= 0 ? fit?.residuals?.[at] : null;
  const isSuspect = Boolean(fit?.fault?.indices.includes(at));
  row.classList.toggle("chosen", point.id === chosen);
  const dot = row.querySelector(".dot");
  dot.style.background = COLORS[index % COLORS.length];
  dot.textContent = point.name.slice(0, 3);
  const text = row.querySelector(".miss");
  text.classList.toggle("wrong", isSuspect);
  // The dot has room for three letters.
  const name = point.name.length > 3 ? `${point.name}: ` : "";
  text.textContent = name + (!isComplete(point) ? (point.pixel ? "now on the map" : "now on the plan")
    : !point.enabled ? "does not take part"
      : !miss ? (isSuspect ? "probably wrong" : "set")
        : isJustFixed(fit) ? "set" : `${metresText(miss.metres)} · ${pixelsText(miss.pixels)}`
          + (isSuspect ? " · probably wrong" : ""));
  row.querySelector(".show").setAttribute("aria-label", `Show point ${point.name}`);
  row.querySelector(".remove").setAttribute("aria-label", `Remove point ${point.name}`);
  const values = {
    name: point.name, pixel: point.pixel ? `${pixelText(point.pixel.x)}, ${pixelText(point.pixel.y)}` : "",
    place: point.place ? `${degreesText(point.place.x)}, ${degreesText(point.place.y)}` : "",
  };
  for (const input of row.querySelectorAll("input")) {
    if (input === document.activeElement && input.type !== "checkbox") continue;
    if (input.type === "checkbox") input.checked = point.enabled;
    else input.value = values[input.dataset.part];
  }
}

function showModels() {
  const best = advised(solution.fits), count = solution.points.length;
  for (const label of element("models").querySelectorAll("label")) {
    const input = label.querySelector("input"), model = input.value, fit = solution.fits[model];
    const missing = MODELS[model].points - count;
    input.checked = model === solution.model;
    input.disabled = missing > 0;
    label.classList.toggle("off", missing > 0);
    label.querySelector(".badge").hidden = model !== best;
    let note = WORDS[model][1];
    if (missing > 0) note += ` Needs ${MODELS[model].points} points.`;
    else if (fit?.error) note += ` Does not work here: ${fit.error}.`;
    else if (fit) note += leftOutText(fit);
    label.querySelector("small").textContent = note;
  }
}

function buildModels() {
  for (const [model, [name]] of Object.entries(WORDS)) {
    const label = document.createElement("label");
    label.className = "model";
    label.innerHTML = `<input type="radio" name="model" value="${model}"><span>${name}
      <span class="badge">advised</span></span><small></small>`;
    label.querySelector("input").addEventListener("change", () => {
      state.model = model;
      commit();
    });
    element("models").append(label);
  }
}
