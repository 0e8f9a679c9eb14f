// The buttons: one for each floor, the uppermost on top.

/** Whether to show buttons; a building with one floor has none. */
hasButtons = true;

#buttons = null;
#takeOffButtons = null;

#addButtons(container, element = document.createElement("div")) {
  element.className = "__CLASSES__";
  element.setAttribute("role", "radiogroup");
  element.onkeydown = (event) => this.#press(event);
  // In its own style sheet: this also works in a shadow root, and where the page's security policy
  // allows no style elements.
  const root = container.getRootNode(), sheet = new CSSStyleSheet();
  sheet.replaceSync(__NAME__.#style);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  // If there is no room for all floors, they can be scrolled.
  const watch = new ResizeObserver(() => {
    element.style.maxHeight = `${Math.max(132, container.clientHeight * 0.6)}px`;
    this.#markFloor();
  });
  watch.observe(container);
  this.#takeOffButtons = () => {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets].filter((one) => one !== sheet);
    watch.disconnect();
    element.remove();
    this.#buttons = null;
  };
  this.#buttons = element;
  this.#listFloors();
  return element;
}

#listFloors() {
  const group = this.#buttons;
  if (!group) return;
  const hadFocus = group.contains(group.getRootNode().activeElement);
  group.hidden = !this.hasButtons || this.floors.length < 2;
  group.setAttribute("aria-label", this.name);
  group.replaceChildren(...this.floors.map(({ floor, label, shortName }) => {
    const button = document.createElement("__TAG__");
    // Not a button that submits a form.
    if (button.type) button.type = "button";
    button.setAttribute("role", "radio");
    button.textContent = shortName;
    button.title = label;
    // The button's label contains its visible text, as voice control requires.
    button.setAttribute("aria-label", label.includes(shortName) ? label : `${label} (${shortName})`);
    button.dataset.floor = floor;
    button.addEventListener("click", () => this.show(floor));
    return button;
  }).reverse());
  this.#markFloor();
  const chosen = group.querySelector("[tabindex='0']");
  if (hadFocus) chosen?.focus();
}

#markFloor() {
  for (const button of this.#buttons?.children ?? []) {
    const isShown = button.dataset.floor === this.floor.floor;
    button.setAttribute("aria-checked", isShown);
    // The Tab key moves to this button, the arrow keys to the others.
    button.tabIndex = isShown ? 0 : -1;
    if (isShown) this.#reveal(button);
  }
}

// Scrolls the buttons instead of the page.
#reveal(button) {
  const group = this.#buttons;
  const seen = group.getBoundingClientRect(), box = button.getBoundingClientRect();
  group.scrollTop += Math.min(0, box.top - seen.top) + Math.max(0, box.bottom - seen.bottom);
}

#press(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const buttons = [...this.#buttons.children];
  const index = buttons.indexOf(event.target), count = buttons.length;
  const next = {
    ArrowUp: index - 1, ArrowLeft: index - 1, ArrowDown: index + 1, ArrowRight: index + 1,
    Home: 0, End: count - 1, Enter: index, " ": index,
  }[event.key];
  if (index < 0 || next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const button = buttons[(next + count) % count];
  button.focus();
  button.click();
}

static #style = `
  .__BAR__.__NAME__ { overflow: hidden auto; scrollbar-width: thin; background: none; }
  .__BAR__.__NAME__ > [role="radio"] {
    display: flex; align-items: center; justify-content: center; box-sizing: border-box;
    width: 100%; min-width: 30px; height: 30px; margin: 0; padding: 0 6px;
    font: 600 13px/1 system-ui, sans-serif; white-space: nowrap; cursor: pointer;
    color: #333; background: #fff; border-radius: 0; box-shadow: none; outline: none;
  }
  .__BAR__.__NAME__ > [aria-checked="false"]:hover { background: #eee; }
  .__BAR__.__NAME__ > [aria-checked="true"] { color: #fff; background: #333; }
  .__BAR__.__NAME__ > [role="radio"]:focus-visible { box-shadow: inset 0 0 0 3px #06c; }
  .__BAR__.__NAME__ > [aria-checked="true"]:focus-visible { box-shadow: inset 0 0 0 3px #9cf; }
  @media (pointer: coarse) {
    .__BAR__.__NAME__ > [role="radio"] { min-width: 44px; height: 44px; font-size: 15px; }
  }
  @media (forced-colors: active) {
    .__BAR__.__NAME__ > [aria-checked="true"] {
      forced-color-adjust: none; color: HighlightText; background: Highlight;
    }
    .__BAR__.__NAME__ > [role="radio"]:focus-visible {
      outline: 3px solid !important; outline-offset: -5px;
    }
  }
  __STYLE__
`;
