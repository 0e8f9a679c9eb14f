// What the pages of a guide share: their steps, the window in which the building is open, and what the server
// answers.

const STEP_PHRASES = {
  pages: "open.stepPages", place: "open.stepPlace", build: "open.stepBuild", look: "open.stepLook",
  share: "open.stepShare",
};

class Guide {
  constructor({ step, open }) {
    Object.assign(this, { step, open: new Set(open), savers: [], hasEnded: false, isOther: false, hasChanged: false });
    this.setUpWindow();
    // The page's own script has the common code.
    document.addEventListener("DOMContentLoaded", () => this.start());
    // The copy that the browser shows when the user goes back is old.
    addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });
  }

  // Called when the server answers again.
  retry() {}

  start() {
    this.showSteps();
    // The viewer has no room at its end.
    if (this.step === "look") this.lead(element("guide-next"), "share");
    element("guide-next").hidden = this.step !== "look";
    new ResizeObserver(([{ target }]) =>
      document.documentElement.style.setProperty("--guide", `${target.offsetHeight}px`)).observe(element("guide"));
    this.beat();
    setInterval(() => this.beat(), 5000);
    // After what the page saves at its end.
    addEventListener("pagehide", () => { if (!this.isOther) this.post("/window", { leave: true }); });
  }

  // The name of this tab. The copy of a tab has the same until the other one objects.
  setUpWindow() {
    const key = "tilewright window", own = String(Math.random());
    const rename = () => {
      this.window = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
      this.keep(key, this.window);
    };
    this.window = this.kept(key);
    if (!this.window) rename();
    if (typeof BroadcastChannel === "undefined") return;
    const channel = new BroadcastChannel(key);
    channel.onmessage = ({ data: { window, isQuestion } }) => {
      if (window !== this.window) return;
      if (isQuestion) channel.postMessage({ window, own, isQuestion: false });
      else rename();
    };
    channel.postMessage({ window: this.window, own, isQuestion: true });
  }

  // A browser may refuse to keep anything.
  kept(key) {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  }

  keep(key, text) {
    try {
      sessionStorage.setItem(key, text);
    } catch {
      // The next page is another window.
    }
  }

  async beat() {
    const hadEnded = this.hasEnded, { status, value } = await this.post("/window", {});
    if (status !== 200) return;
    this.isOther = Boolean(value?.isOther);
    this.showBanner();
    if (hadEnded && !this.isOther) this.retry();
  }

  // Resolves to the status, 0 if there is no answer, and the answer's value or text.
  async post(path, content, options = {}) {
    const body = JSON.stringify({ window: this.window, ...content });
    return this.ask(path, {
      method: "POST", headers: { "Content-Type": "application/json" }, body,
      // A browser sends at most 64 KiB of what outlives its page.
      keepalive: body.length < 20000, ...options,
    });
  }

  async ask(path, options = {}) {
    let answer = { status: 0, value: null, text: "" };
    try {
      const response = await fetch(path, { cache: "no-store", ...options });
      answer = { status: response.status, value: null, text: (await response.text()).trim() };
      answer.value = valueOf(answer.text);
    } catch {
      // The server has ended, or ends.
    }
    this.hasEnded = answer.status === 0;
    if (answer.status === 423) this.isOther = true;
    if (answer.status === 409 && path === "/pages") this.hasChanged = true;
    this.showBanner();
    return answer;
  }

  // What concerns the whole page, with its way out.
  showBanner() {
    const kind = this.hasEnded ? "ended" : this.isOther ? "other" : this.hasChanged ? "changed" : "";
    const box = element("guide-banner");
    if (box.dataset.kind === kind || this.isLeaving) return;
    box.dataset.kind = kind;
    box.hidden = !kind;
    const contents = {
      ended: () => [phrase("open.ended")],
      other: () => [phrase("open.other"), " ", this.newButton(phrase("open.goOnHere"), async () => {
        if ((await this.post("/window", { take: true })).status === 200) location.reload();
      })],
      changed: () => [phrase("open.changedElsewhere"), " ",
        this.newButton(phrase("open.reload"), () => location.reload())],
    };
    box.replaceChildren(...contents[kind]?.() ?? []);
  }

  newButton(textContent, run) {
    const made = part("button", { type: "button", textContent });
    made.addEventListener("click", run);
    return made;
  }

  // A short word on what was just done.
  say(text, isWrong = false) {
    const box = element("guide-note");
    box.className = isWrong ? "wrong" : "";
    if (box.textContent !== text) box.textContent = text;
  }

  // Shows what the server refuses, in its words.
  refuse({ status, text }) {
    if (!status || status === 423 || status === 409) return this.say("");
    this.say("", true);
    element("guide-note").replaceChildren(phrase("open.refused"), " ", this.inEnglish(text));
  }

  inEnglish(textContent) { return part("span", { lang: "en", dir: "ltr", textContent }); }

  // The steps that the state of the building allows.
  allow({ steps }) {
    this.open = new Set(steps);
    this.showSteps();
  }

  showSteps() {
    for (const link of document.querySelectorAll("#guide-steps a")) {
      const { step } = link.dataset, isCurrent = step === this.step;
      if (isCurrent) link.setAttribute("aria-current", "step");
      const isOpen = isCurrent || this.open.has(step);
      link.onclick = (event) => this.follow(event, step);
      if (isOpen) link.href = this.address(step);
      else link.removeAttribute("href");
      link.ariaDisabled = isOpen ? null : "true";
      link.role = isOpen ? null : "link";
    }
  }

  // The language may be in the address.
  address(step) {
    const language = new URLSearchParams(location.search).get("lang");
    return `/${step}${language ? `?lang=${encodeURIComponent(language)}` : ""}`;
  }

  go(step) { location.href = this.address(step); }

  // What was changed is saved before the next page asks for it.
  async follow(event, step) {
    const isWaiting = this.savers.some((one) => one.isWanted || one.running);
    if (!isWaiting || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (!event.currentTarget.hasAttribute("href")) return;
    const areSaved = await Promise.all(this.savers.map((one) => one.now()));
    if (areSaved.every(Boolean)) this.go(step);
  }

  // Makes a link the way to a step.
  lead(link, step, run = (event) => this.follow(event, step)) {
    link.href = this.address(step);
    link.addEventListener("click", run);
    link.textContent = phrase("open.next", { step: phrase(STEP_PHRASES[step]) });
  }
}

function valueOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// Sends what changes, soon and one at a time. `body` gives the content to send, null if there is nothing, or undefined
// if it cannot be saved; `done` gets the answer, and `refused` what is not accepted.
class Saver {
  constructor(path, body, done, refused) {
    Object.assign(this, { path, body, done, refused, isWanted: false, timer: null, running: null });
    guide.savers.push(this);
    // Before the next page asks for what is saved, and at the latest.
    for (const end of ["beforeunload", "pagehide"]) addEventListener(end, () => this.now());
  }

  soon() {
    this.isWanted = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), 400);
  }

  // Resolves to whether everything was saved.
  now() {
    clearTimeout(this.timer);
    // Changes of this window count no more.
    if (guide.isOther) this.isWanted = false;
    if (!this.running && !this.isWanted) return Promise.resolve(true);
    return this.running ??= this.run().finally(() => { this.running = null; });
  }

  async run() {
    while (this.isWanted) {
      this.isWanted = false;
      const body = this.body();
      if (body === undefined) return false;
      if (!body) continue;
      guide.say(phrase("open.saving"));
      const answer = await guide.post(this.path, body);
      if (answer.status === 200) this.done(answer.value);
      else {
        // Sent again when the server answers again.
        if (answer.status === 0) this.isWanted = true;
        else this.refused?.(answer);
        guide.refuse(answer);
        return false;
      }
    }
    return true;
  }
}

// Numbers for people, with Latin digits as everywhere in the pages.

const NUMERALS = `${LANGUAGE}-u-nu-latn`;
const countText = (count) => new Intl.NumberFormat(NUMERALS).format(count);

const unitText = (value, unit, unitDisplay = "short", digits = 0) => new Intl.NumberFormat(NUMERALS, {
  style: "unit", unit, unitDisplay, maximumFractionDigits: digits,
}).format(value);

function bytesText(bytes) {
  if (bytes >= 1e9) return unitText(bytes / 1e9, "gigabyte", "short", 1);
  if (bytes >= 1e6) return unitText(bytes / 1e6, "megabyte", "short", bytes < 1e7 ? 1 : 0);
  return unitText(Math.max(1, Math.round(bytes / 1e3)), "kilobyte");
}

function secondsText(seconds) {
  if (seconds < 45) return unitText(seconds < 10 ? Math.max(1, Math.ceil(seconds)) : 5 * Math.ceil(seconds / 5),
    "second", "long");
  if (seconds < 45 * 60) return unitText(Math.max(1, Math.round(seconds / 60)), "minute", "long");
  return unitText(Math.round(seconds / 360) / 10, "hour", "long", 1);
}

const guide = new Guide(JSON.parse(document.getElementById("guide-data").textContent));
