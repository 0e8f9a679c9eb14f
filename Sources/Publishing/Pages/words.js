"use strict";

// The words of the page, in the language of the browser. A table per language is in the page; see the article
// Translations.

// The keys, and per language the texts in their order.
const { keys: KEYS, ...TABLES } = JSON.parse(document.getElementById("words").textContent);

// The first of the user's languages that has a table.
const languageOf = (wanted) =>
  wanted.map((tag) => tag.toLowerCase().split("-")[0]).find((tag) => Object.hasOwn(TABLES, tag)) ?? "en";

// `?lang=de` in the address takes precedence over the browser's languages.
const LANGUAGE = languageOf([new URLSearchParams(location.search).get("lang") ?? "", ...navigator.languages]);
const IS_RIGHT_TO_LEFT = ["ar", "fa"].includes(LANGUAGE);
const LISTS = new Intl.ListFormat(LANGUAGE);

// A name or a number in a text of another direction, so that neither disturbs the other.
const isolated = (value) => IS_RIGHT_TO_LEFT || /[\u0590-\u08ff\ufb1d-\ufefc]/.test(value)
  ? `\u2068${value}\u2069` : String(value);

const TEXTS = new Map(KEYS.map((key, index) => [key, TABLES[LANGUAGE][index]]));

// The text of a key; values replace `{name}`.
const phrase = (key, values = {}) =>
  TEXTS.get(key).replace(/\{(\w+)\}/g, (_, name) => isolated(values[name]));

// Sentences in a row.
const sentences = (...texts) =>
  texts.filter(Boolean).join(["ja", "zh"].includes(LANGUAGE) ? "" : " ");

const together = (names) => LISTS.format(names.map(isolated));

// Keys of a template are attributes, for these properties. `data-name` replaces `{name}`.
const PHRASES = { phrase: "textContent", phraseTitle: "title", phraseLabel: "ariaLabel" };

function translate(root) {
  for (const node of root.querySelectorAll("[data-phrase], [data-phrase-title], [data-phrase-label]")) {
    for (const [key, property] of Object.entries(PHRASES)) {
      if (node.dataset[key]) node[property] = phrase(node.dataset[key], { name: node.dataset.name });
    }
  }
}

document.documentElement.lang = LANGUAGE === "zh" ? "zh-Hans" : LANGUAGE;
document.documentElement.dir = IS_RIGHT_TO_LEFT ? "rtl" : "ltr";
translate(document);
