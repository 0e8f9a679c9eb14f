// Floors by the names of their files: storeys from below, 0 is the ground floor.

const MOST_STOREYS = 200;

const ORDINAL_WORDS = [
  /^(first|erste[rsn]?|premier|primer[ao]?|primeir[ao])$/, /^(second|zweite[rsn]?|deuxieme|segund[ao])$/,
  /^(third|dritte[rsn]?|troisieme|tercer[ao]?|terceir[ao])$/, /^(fourth|vierte[rsn]?|quatrieme|cuart[ao]|quart[ao])$/,
];
const CHINESE_DIGITS = "一二三四五六七八九十";

const FLOOR_WORDS = "og|obergeschoss|etage|stock|stockwerk|geschoss|floor|level|lvl|lv|niveau|niv|nivel|piso|planta|"
  + "andar|pavimento|storey|story|fl|l|طابق|الطابق|طبقه|मंजिल";
const BELOW_WORDS = "ug|untergeschoss|kg|keller|kellergeschoss|basement|sous sol|sotano|subsolo|souterrain|"
  + "lower level|قبو|القبو|زيرزمين|زیرزمین|तहखाना";
const GROUND_WORDS = "eg|erdgeschoss|parterre|ground floor|ground|ground level|gf|rdc|rez de chaussee|planta baja|pb|"
  + "terreo|res do chao|rc|ارضي|الارضي|همکف|भूतल";
const TOP_WORDS = "dg|dachgeschoss|attika|attic|roof|rooftop|toiture|combles|atico|cobertura|cubierta|sotao";

// What is drawn on sheets that are no floors.
const OTHER_WORDS = "deckblatt|titelblatt|inhalt|inhaltsverzeichnis|blattverzeichnis|legende|lageplan|schnitte?|ansicht|"
  + "ansichten|cover|cover sheet|title sheet|contents|index|legend|site plan|sections?|elevations?|page de garde|sommaire|"
  + "plan de situation|coupes?|facades?|portada|indice|leyenda|alzados?|secciones|capa|legenda|cortes?|fachadas?|غلاف|"
  + "جلد|आवरण";

// A word is not a part of a longer one.
const word = (words, before = "", after = "") =>
  new RegExp(`(?<![\\p{L}\\p{N}])${before}(?:${words})${after}(?![\\p{L}\\p{N}])`, "u");

const PATTERNS = {
  below: word(BELOW_WORDS, "(?:(\\d{1,2}) ?)?", "(?: ?(\\d{1,2}))?"),
  underB: word("b", "", " ?(\\d{1,2})f?"),
  ground: word(GROUND_WORDS),
  top: word(TOP_WORDS),
  other: word(OTHER_WORDS),
  otherAsian: /表紙|目次|凡例|立面図|断面図|封面|目录|图例|立面图|剖面图/u,
  before: word(FLOOR_WORDS, "(\\d{1,3})(?:st|nd|rd|th|er|e|eme|o|a)? ?"),
  after: word(FLOOR_WORDS, "", " ?(\\d{1,3})"),
  minus: new RegExp(`(?:${FLOOR_WORDS})[ _]*[ _-]-(\\d{1,2})(?!\\d)`, "u"),
  asian: /(?<![a-z\d一二三四五六七八九十])(地下|负|B)?(\d{1,3}|[一二三四五六七八九十])(层|楼|階|F)(?![a-z])/iu,
};

const stemOf = (name) => name.replace(/\.[A-Za-z]\w{1,4}$/, "");

// Without accents, but with the letters of other scripts as they are.
const plainLetters = (text) =>
  text.normalize("NFD").replace(/(\p{Script=Latin})\p{M}+/gu, "$1").normalize("NFC").toLowerCase()
    .replace(/[أإآ]/g, "ا").replace(/ß/g, "ss").replace(/º/g, "o").replace(/ª/g, "a");

const wordsOf = (text) => text.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();

// Whether a name tells that a sheet is no floor, such as a cover.
const isOther = (name) =>
  !storeyOf(name) && (PATTERNS.other.test(wordsOf(plainLetters(stemOf(name)))) || PATTERNS.otherAsian.test(name));

// The storey that the name of a sheet or its file tells, with the name that people there use if it is counted from
// 1; null if it tells none.
function storeyOf(name) {
  const stem = stemOf(name), text = plainLetters(stem);
  const minus = PATTERNS.minus.exec(text);
  if (minus) return { storey: -Number(minus[1]) };
  const spaced = wordsOf(text);
  const below = PATTERNS.below.exec(spaced);
  if (below) return { storey: -Number(below[1] ?? below[2] ?? 1) || -1 };
  const asian = PATTERNS.asian.exec(stem);
  if (asian) return countedFromOne(asian);
  const under = PATTERNS.underB.exec(spaced);
  if (under) return { storey: -Number(under[1]) };
  if (PATTERNS.ground.test(spaced)) return { storey: 0 };
  if (PATTERNS.top.test(spaced)) return { isTop: true };
  const number = PATTERNS.before.exec(spaced) ?? PATTERNS.after.exec(spaced);
  if (number) return Number(number[1]) <= MOST_STOREYS ? { storey: Number(number[1]) } : null;
  const ordinal = ORDINAL_WORDS.findIndex((one) => spaced.split(" ").some((part) => one.test(part)));
  return ordinal < 0 ? null : { storey: ordinal + 1 };
}

// Where 1F is the ground floor.
function countedFromOne([name, below, digits]) {
  const count = CHINESE_DIGITS.indexOf(digits) + 1 || Number(digits);
  if (!count || count > MOST_STOREYS) return null;
  return below ? { storey: -count } : { storey: count - 1, label: name };
}

// Storeys for sheets in their order: those that their names tell, and the lowest free ones for the others, which
// may have no name. `taken` are storeys that floors have already.
function storeysOf(sheets, taken = []) {
  const used = new Set(taken), told = sheets.map(({ name }) => name ? storeyOf(name) : null);
  const result = told.map((one) => {
    if (!one || one.isTop || used.has(one.storey)) return null;
    used.add(one.storey);
    return { ...one, isTold: true };
  });
  told.forEach((one, index) => {
    if (result[index] || one?.isTop) return;
    let storey = 0;
    while (used.has(storey)) storey++;
    used.add(storey);
    result[index] = { storey };
  });
  told.forEach((one, index) => {
    if (result[index]) return;
    const storey = Math.max(-1, ...used) + 1;
    used.add(storey);
    result[index] = { storey, isTop: true, isTold: true };
  });
  return result;
}

// The short name of a storey, as it is on the buttons of a lift.
const keyOfStorey = (storey) => storey < 0 ? `B${-storey}` : String(storey);

// A short name that no other floor has.
function freeKey(key, taken) {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  if (!names.has(key.toLowerCase())) return key;
  let number = 2;
  while (names.has(`${key}-${number}`.toLowerCase())) number++;
  return `${key}-${number}`;
}

// Letters, digits and a few signs: the short name is a folder's name, too.
const isKey = (text) => /^-?[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/.test(text) && !text.endsWith(".");
