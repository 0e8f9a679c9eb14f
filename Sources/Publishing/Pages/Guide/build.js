// The step in which the tiles are made: what it costs, how far it is, and what keeps a floor from being made.

const facts = JSON.parse(element("data").textContent);
const rows = new Map();
let progress = { state: "idle", floors: [], warnings: [] }, estimate = null, timer = null;

const STATE_PHRASES = {
  waiting: "open.waiting", running: "open.running", done: "open.done", failed: "open.failed",
  unchanged: "open.unchanged", cancelled: "open.cancelled",
};

// The step that mends a problem of a floor. Its words are the program's, in English.
const stepFor = (problem) => /\b(plac|position|point|georef|map|latitude|longitude|fit)/i.test(problem)
  ? "place" : "pages";

function rowOf(floor, label) {
  if (rows.has(floor)) return rows.get(floor);
  const box = part("li", { className: "card" });
  const row = {
    box, name: part("h2"), cost: part("p", { className: "help" }), state: part("p"),
    bar: part("progress", { max: 1, value: 0, hidden: true, ariaLabel: label }),
    problem: part("p", { className: "wrong", hidden: true }),
  };
  row.name.append(named(label));
  box.append(row.name, row.cost, row.bar, row.state, row.problem);
  element("floors").append(box);
  rows.set(floor, row);
  return row;
}

// A problem of a floor, in the program's words, with the way to mend it.
function showProblem(row, text) {
  row.problem.hidden = !text;
  if (row.problem.dataset.shown === (text ?? "")) return;
  row.problem.dataset.shown = text ?? "";
  row.problem.replaceChildren();
  if (!text) return;
  const step = stepFor(text);
  row.problem.append(guide.inEnglish(text), " ", part("a", {
    href: guide.address(step), textContent: phrase("open.mend", { step: phrase(STEP_PHRASES[step]) }),
  }));
}

// What it costs

async function loadEstimate() {
  element("cost").textContent = phrase("open.estimating");
  const { status, value, text } = await guide.ask("/estimate.json");
  if (status === 200 && value) estimate = value;
  else if (status) estimate = { lines: [], problem: text, problems: {} };
  show();
}

function showCost() {
  if (!estimate) return;
  const { lines = [], seconds, problem } = estimate, sum = (name) => lines.reduce((all, one) => all + one[name], 0);
  element("cost").textContent = !lines.length ? "" : phrase("open.cost", {
    count: countText(sum("tiles")), size: bytesText(sum("bytes")), time: secondsText(seconds ?? 1),
  });
  for (const { floor, label, tiles, bytes } of lines) {
    rowOf(floor, label).cost.textContent =
      phrase("open.floorCost", { count: countText(tiles), size: bytesText(bytes) });
  }
  element("problem").hidden = !problem;
  element("problem").replaceChildren(problem ? guide.inEnglish(problem) : "");
}

// How far it is

async function loadProgress() {
  clearTimeout(timer);
  const before = progress.state, { status, value } = await guide.ask("/progress.json");
  if (status === 200 && value) progress = value;
  show();
  if (before === "running" && progress.state !== "running") await finish();
  // The button that was pressed last is gone.
  if (before === "running" && progress.state === "done" && document.activeElement === document.body) {
    element("next").focus();
  }
  if (!status || progress.state === "running") timer = setTimeout(loadProgress, status ? 500 : 3000);
}

// What the building has now.
async function finish() {
  const { status, value } = await guide.ask("/state.json");
  if (status === 200 && value) Object.assign(facts, value);
  guide.allow(facts);
  show();
}

const shareOf = ({ state, done, total }) =>
  state === "done" || state === "unchanged" ? 1 : total > 0 ? Math.min(1, done / total) : 0;

function showFloorState(one) {
  const row = rowOf(one.floor, one.label), { state, done, total } = one;
  row.bar.hidden = ["unchanged", "failed", "cancelled"].includes(state);
  row.bar.value = shareOf(one);
  row.box.dataset.state = state;
  const words = phrase(STATE_PHRASES[state] ?? "open.waiting");
  const parts = phrase("open.ofTotal", { done: countText(done), total: countText(total) });
  row.state.textContent = state === "running" && total > 0
    ? phrase("page.pair", { first: words, second: parts }) : words;
}

const OUTCOMES = { done: "open.ready", cancelled: "open.stopped", failed: "open.someFailed" };

function show() {
  const isRunning = progress.state === "running", wasIdle = progress.state === "idle";
  showCost();
  for (const one of progress.floors) if (!wasIdle) showFloorState(one);
  const problems = Object.fromEntries(progress.floors.map(({ floor, problem }) => [floor, problem]));
  for (const { floor } of facts.sheets) if (floor) rowOf(floor.floor, floor.label);
  for (const [floor, row] of rows) showProblem(row, problems[floor] ?? estimate?.problems?.[floor] ?? null);
  const button = element("build");
  button.textContent = phrase(facts.isBuilt ? "open.buildAgain" : "open.build");
  button.classList.toggle("main", !facts.isBuilt);
  button.hidden = isRunning;
  button.disabled = !facts.isPlaced;
  element("stop").hidden = !isRunning;
  // Spoken once, and not with every tile.
  const outcome = isRunning ? "open.running" : OUTCOMES[progress.state];
  const words = outcome ? phrase(outcome) : "";
  if (element("outcome").textContent !== words) element("outcome").textContent = words;
  element("outcome").classList.toggle("wrong", progress.state === "failed");
  element("next").hidden = isRunning || !facts.isBuilt;
  element("remove").hidden = isRunning || !facts.isBuilt;
  showWarnings();
}

function showWarnings() {
  const list = progress.warnings ?? [];
  element("warnings").hidden = !list.length;
  if (element("warning-list").childElementCount === list.length) return;
  element("warning-list").replaceChildren(...list.map((text) => {
    const row = part("li");
    row.append(guide.inEnglish(text));
    return row;
  }));
}

async function order(path) {
  guide.say("");
  const answer = await guide.post(path, {});
  if (answer.status !== 200) guide.refuse(answer);
  return answer.status === 200;
}

async function build() {
  element("build").disabled = true;
  const hasBegun = await order("/build");
  if (hasBegun) {
    progress = { state: "running", floors: [], warnings: [] };
    element("stop").hidden = false;
    element("stop").focus();
  }
  await loadProgress();
}

async function remove() {
  if (!await order("/remove")) return;
  progress = { state: "idle", floors: [], warnings: [] };
  for (const row of rows.values()) {
    row.bar.hidden = true;
    row.state.textContent = "";
    delete row.box.dataset.state;
  }
  await finish();
  guide.say(phrase("open.removed"));
  loadEstimate();
}

guide.retry = () => {
  loadProgress();
  if (!estimate) loadEstimate();
};
guide.allow(facts);
guide.lead(element("next"), "look");
element("build").addEventListener("click", build);
element("stop").addEventListener("click", () => order("/cancel"));
element("remove").addEventListener("click", () => element("remove-dialog").showModal());
element("remove-dialog").addEventListener("close", () => {
  if (element("remove-dialog").returnValue === "yes") remove();
  element("remove-dialog").returnValue = "";
});
show();
loadProgress();
loadEstimate();
