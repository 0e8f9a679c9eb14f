// Places from copied text: coordinates in many notations, and addresses of web maps. Nothing here touches the
// page, and nothing is sent anywhere.

// A place: degrees `x` to the east and `y` to the north, and the `zoom` for 256-pixel tiles if it is known.
const placeOf = (latitude, longitude, zoom) => {
  const place = { x: Number(longitude), y: Number(latitude) };
  if (!isFinitePoint(place) || Math.abs(place.y) > 90 || Math.abs(place.x) > 360) return null;
  const level = Number(zoom);
  return zoom && level > 0 && level < 30 ? { ...place, zoom: level } : place;
};

// Reads a place from copied text.
//
// `isBare` if it is unclear which of two numbers is the longitude; the first is taken. `isTurned` if the letter
// O may mean east (German) or west (French, Spanish, Portuguese); the page's language decides. `problem` is the
// key of a text for people if an address has no place. Returns null for other texts, such as names.
function readPlace(text, language = "en") {
  const plain = simplified(text.slice(0, 10000));
  if (/^geo:/i.test(plain)) return readGeo(plain);
  const address = /\b[a-z][a-z0-9+.-]*:\/\/\S+|\b(?:[a-z0-9-]+\.)+[a-z]{2,}[/?#]\S*/i.exec(plain)?.[0];
  return address ? readAddress(address, language) : readCoordinates(plain, language);
}

// Digits, signs and quotes of other scripts as those of ASCII.
function simplified(text) {
  const digit = (character) => String(DIGITS.indexOf(character) % 10);
  return text.normalize("NFC").replace(/[٠-٩۰-۹०-९０-９]/g, digit).replace(/٫/g, ".").replace(/[،，、]/g, ", ")
    .replace(/[−–]/g, "-").replace(/[ºË˚度]/g, "°").replace(/[′’´‘ʹ分]/g, "'").replace(/″|”|“|ʺ|秒|''/g, '"')
    .replace(/[\u200e\u200f\u2066-\u2069]/g, "").replace(/\s+/g, " ").trim();
}

const DIGITS = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९０１２３４５６７８９";

// Coordinates

// Letters and words for the directions; longer ones first. "O" is read by the page's language.
const DIRECTIONS = {
  N: "north|norden|norte|nord|北纬|北緯|شمالا|شمالی|شمال|उत्तर|N",
  S: "south|süden|süd|sud|sur|sul|南纬|南緯|جنوبا|جنوبی|جنوب|दक्षिण|S",
  E: "leste|east|osten|este|est|ost|东经|東経|شرقا|شرقی|شرق|पूर्व|E|L",
  W: "westen|west|ouest|oeste|西经|西経|غربا|غربی|غرب|पश्चिम|W", O: "O",
};
const DIRECTION = new RegExp(
  Object.entries(DIRECTIONS).map(([name, words]) => `(?<${name}>${words})`).sort(
    (a, b) => a.startsWith("(?<O>") - b.startsWith("(?<O>")).join("|"), "giu");

const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`;

function readCoordinates(text, language) {
  const inner = text.replace(/^[([{]\s*(.*?)\s*[)\]}]$/, "$1");
  return readNamed(inner) ?? readLettered(inner, language) ?? readPair(inner);
}

// "lat: 48.217, lon: 1.73", in any order.
function readNamed(text) {
  const latitude = new RegExp(String.raw`\blat(?:itude)?\b["']?\s*[:=]?\s*${NUMBER}`, "i").exec(text);
  const longitude = new RegExp(String.raw`\b(?:lon|lng|long|longitude)\b["']?\s*[:=]?\s*${NUMBER}`, "i").exec(text);
  return latitude && longitude ? placeOf(latitude[1], longitude[1]) : null;
}

// Angles with a letter or a word each, before or after: 48.217° N, 48° 13' 1.2" N, N 48 13.02.
function readLettered(text, language) {
  const marks = [...text.matchAll(DIRECTION)];
  if (marks.length !== 2) return null;
  const [first, second] = marks.map(({ index, 0: word }) => ({ start: index, end: index + word.length }));
  const halves = first.start === 0
    ? [text.slice(first.end, second.start), text.slice(second.end)]
    : [text.slice(0, first.start), text.slice(first.end, second.start), text.slice(second.end)];
  if (halves.length === 3 && halves.pop().trim()) return null;
  const place = {}, isWest = ["es", "fr", "pt"].includes(language);
  for (const [index, { groups }] of marks.entries()) {
    const angle = readAngle(halves[index].replace(/^\s*[,;/:]|[,;/:]\s*$/g, ""));
    if (!(angle >= 0)) return null;
    place[groups.N || groups.S ? "y" : "x"] = groups.S || groups.W || groups.O && isWest ? -angle : angle;
  }
  const found = placeOf(place.y, place.x);
  return found && marks.some(({ groups }) => groups.O) ? { ...found, isTurned: true } : found;
}

// Two angles without letters.
function readPair(text) {
  const angles = halvesOf(text)?.map(readAngle);
  if (!angles?.every(Number.isFinite)) return null;
  const [first, second] = angles;
  // Beyond 90 degrees, a number can only be a longitude.
  const place = Math.abs(second) > 90 ? placeOf(first, second) : placeOf(second, first);
  return place && { ...place, isBare: true };
}

// The texts of two angles, between which there is a comma or a semicolon, or nothing but a space. A comma with
// digits on both sides may also be a decimal one.
function halvesOf(text) {
  for (const separator of [/\s*[;/|]\s*/, /,\s+|\s+,/, ...text.includes(" ") ? [] : [/,/]]) {
    const halves = text.split(separator);
    if (halves.length === 2) return halves;
  }
  const four = text.split(",");
  if (four.length === 4 && !text.includes(" ")) return [`${four[0]},${four[1]}`, `${four[2]},${four[3]}`];
  const words = text.replace(/\s+(?=[°'"])/g, "").split(" "), middle = words.length / 2;
  return words.length % 2 ? null : [words.slice(0, middle), words.slice(middle)].map((half) => half.join(" "));
}

// Degrees, with minutes and seconds or without; NaN for anything else.
function readAngle(text) {
  const number = String.raw`(\d+(?:[.,]\d+)?)`, next = (sign) => String.raw`(?:\s*${sign}|(?=\s|$))\s*`;
  const match = new RegExp(
    String.raw`^\s*([+-]?)${number}${next("°")}(?:${number}${next("'")}(?:${number}\s*"?\s*)?)?$`).exec(text);
  if (!match) return NaN;
  const parts = match.slice(2).filter((part) => part !== undefined).map((part) => part.replace(",", "."));
  // Only the last part has decimals, and there are sixty minutes in a degree.
  const isWhole = parts.slice(0, -1).every((part) => /^\d+$/.test(part));
  if (!isWhole || parts.slice(1).some((part) => Number(part) >= 60)) return NaN;
  const angle = parts.reduce((sum, part, index) => sum + Number(part) / 60 ** index, 0);
  return match[1] === "-" ? -angle : angle;
}

// Addresses

// Maps whose coordinates are those of China's own system, some hundred metres away.
const SHIFTED = /(^|\.)(baidu\.com|amap\.com|gaode\.com|autonavi\.com|map\.qq\.com|map\.sogou\.com|google\.cn)$/;
const SHORT = /^(goo\.gl|(.*\.)?app\.goo\.gl|g\.co|maps\.apple|binged\.it|her\.is|bit\.ly|tinyurl\.com|t\.co)$/;

// RFC 5870, and Android's addresses, which have the place itself in `q`.
function readGeo(text) {
  const [, at, query = ""] = /^geo:\s*([^?]*)\??(.*)$/i.exec(text);
  const [, ...parameters] = at.toLowerCase().split(";");
  if (parameters.some((one) => one.startsWith("crs=") && one !== "crs=wgs84")) return NO_PLACE;
  const values = new URLSearchParams(query), zoom = values.get("z");
  return latitudeFirst(values.get("q"), zoom) ?? latitudeFirst(at.split(";")[0], zoom) ?? NO_PLACE;
}

const NO_PLACE = { problem: "place.goNoPlace" };

// "48.217,1.73", with a word before or a name after, but not the beginning of a street's address.
function latitudeFirst(text, zoom) {
  const pattern = String.raw`^(?:loc:|ll\.|point\.)?\s*N(?:\s*[,~_;]\s*|\s+)N(?=$|\s*\(|[_,~](?! ))`;
  const match = new RegExp(pattern.replaceAll("N", NUMBER)).exec(text?.trim() ?? "");
  return match ? placeOf(match[1], match[2], zoom) : null;
}

const longitudeFirst = (text, zoom) =>
  latitudeFirst(text?.replace(new RegExp(`^${NUMBER},${NUMBER}`), "$2,$1"), zoom);

function readAddress(text, language) {
  let url;
  try {
    url = new URL((/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`).replace(/[).,;>"']+$/, ""));
  } catch {
    return NO_PLACE;
  }
  const host = url.hostname.toLowerCase();
  if (SHIFTED.test(host)) return { problem: "place.goShifted", host };
  if (SHORT.test(host)) return { problem: "place.goShort" };
  const values = new URLSearchParams(url.search);
  // A page that asks for consent first.
  if (/^consent\./.test(host) && values.get("continue")) return readAddress(values.get("continue"), language);
  for (const [name, value] of new URLSearchParams(url.hash.slice(1))) {
    if (!values.has(name)) values.set(name, value);
  }
  const path = decoded(`${url.pathname}${url.hash}`.replaceAll("+", " ")), data = url.href.replaceAll("%21", "!");
  const view = viewIn(path, values);
  const place = readShortOSM(host, path) ?? pinIn(data, path, values, host, language) ?? view;
  if (place?.x === undefined) return /^\/(maps\/)?-\//.test(url.pathname) ? { problem: "place.goShort" } : NO_PLACE;
  return place.zoom || !view.zoom ? place : { ...place, zoom: view.zoom };
}

// What the address shows: its middle, and its zoom.
function viewIn(path, values) {
  const zoom = ["z", "zoom", "lvl", "level"].map((name) => values.get(name)).find(Boolean);
  const match = (text) => new RegExp(text.replaceAll("N", NUMBER)).exec(path);
  // Google: a zoom, or the metres of the view's height, which is 800 pixels.
  const at = match("@N,N(?:,N([zm]))?");
  if (at) {
    const [, latitude, longitude, size, unit] = at;
    const metres = 2 * Math.PI * 6378137 * Math.cos(Number(latitude) * DEGREE) * 800 / 256 / Number(size);
    return placeOf(latitude, longitude, unit === "m" ? Math.min(22, Math.log2(metres)) : size);
  }
  // OpenStreetMap, Mapbox, MapLibre.
  const hash = match("[#&=]N/N/N(?=$|[/&])");
  if (hash) return placeOf(hash[2], hash[3], hash[1]);
  // HERE has the zoom behind the place.
  const map = (values.get("map") ?? "").split(",");
  return latitudeFirst(values.get("map"), map[2]) ?? latitudeFirst(values.get("cp"), zoom)
    ?? latitudeFirst(values.get("center"), zoom) ?? { zoom: placeOf(0, 0, zoom).zoom };
}

// Parameters with a place: latitude first, or longitude first.
const PINS = [
  "q", "query", "coordinate", "ll", "latlng", "sp", "daddr", "destination", "to", "where1", "text", "sll",
];
const TURNED_PINS = { yandex: ["whatshere[point]", "poi[point]", "pt", "ll"], "2gis": ["m"] };

// The place that an address marks or asks for.
function pinIn(data, path, values, host, language) {
  const match = (text) => new RegExp(text.replaceAll("N", NUMBER)).exec(data);
  // Google: the place itself, which need not be in the middle of the view; and maps inside other pages.
  const place = match("!3dN!4dN"), part = match("!2dN!3dN");
  if (place) return placeOf(place[1], place[2]);
  if (part) return placeOf(part[2], part[1]);
  const zoom = values.get("z") ?? values.get("zoom");
  const pair = (latitude, longitude) => values.get(latitude) && values.get(longitude)
    ? placeOf(values.get(latitude), values.get(longitude), zoom) : null;
  const read = (text) => latitudeFirst(text, zoom) ?? readLettered(simplified(text), language);
  const turned = TURNED_PINS[Object.keys(TURNED_PINS).find((name) => host.split(".").includes(name))] ?? [];
  const isMapy = /(^|\.)mapy\.(com|cz)$/.test(host);
  // Directions end at the place.
  const parts = path.split(/[/#]/).filter((text) => /^[^@]+[,\s°]/.test(text));
  if (/\/dir\//.test(path)) parts.reverse();
  const pins = [
    () => pair("mlat", "mlon"),
    ...turned.map((name) => () => longitudeFirst(values.get(name), zoom ?? values.get(name)?.split("/")[1])),
    ...PINS.filter((name) => values.has(name) && !turned.includes(name)).map((name) => () => read(values.get(name))),
    ...parts.map((text) => () => read(text)),
    () => pair("lat", "lon") ?? pair("lat", "lng") ?? pair("latitude", "longitude"),
    () => isMapy ? pair("y", "x") : null,
  ];
  for (const pin of pins) {
    const found = pin();
    if (found) return found;
  }
  return null;
}

// Short links of OpenStreetMap contain the place: six bits a character, of longitude and latitude in turn.
function readShortOSM(host, path) {
  const code = /^(www\.)?(osm|openstreetmap)\.org$/.test(host) && /^\/go\/([\w~@]+)([-=]*)/.exec(path);
  if (!code) return null;
  const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_~";
  let x = 0, y = 0;
  for (const character of code[1].replaceAll("@", "~")) {
    const bits = characters.indexOf(character);
    for (let bit = 5; bit > 0; bit -= 2) [x, y] = [2 * x + (bits >> bit & 1), 2 * y + (bits >> bit - 1 & 1)];
  }
  const cells = 2 ** (3 * code[1].length), zoom = 3 * code[1].length - 8 - (3 - code[2].length % 3) % 3;
  return placeOf(180 * y / cells - 90, 360 * x / cells - 180, zoom);
}
