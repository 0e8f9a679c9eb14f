// Saving through the server that gave the page: it puts points where every command finds them.

function showSending() {
  if (!saveTo) return;
  element("send").hidden = false;
  element("download").classList.remove("main");
  element("download").textContent = phrase("place.downloadPoints");
  // The server checks the file and puts it there.
  for (const list of ["image-commands", "floor-commands"]) element(list).firstElementChild.hidden = true;
}

async function send(name, text) {
  const mine = position, saved = position.text;
  element("send").disabled = true;
  const answer = await answerTo(name, text);
  element("send").disabled = false;
  showAnswer(answer);
  if (answer.isSaved || position !== mine) return;
  // It was taken for saved.
  if (mine.saved === saved) mine.saved = null;
  showFloors();
}

// What the server says: an object with `saved`, the file, and lines for people, or the text of a refusal.
async function answerTo(name, text) {
  try {
    const response = await fetch(saveTo, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name, text }),
    });
    if (!response.ok) return { isSaved: false, lines: [inEnglish((await response.text()).trim())] };
    const { saved, lines } = await response.json();
    return { isSaved: true, lines: [phrase("place.savedAs", { file: saved }), ...lines.map(inEnglish)] };
  } catch {
    return { isSaved: false, lines: [phrase("place.serverSilent")] };
  }
}

function showAnswer({ isSaved, lines }) {
  const box = element("sent");
  box.hidden = false;
  box.className = isSaved ? "" : "wrong";
  box.replaceChildren(...lines.flatMap((text, index) => index ? [document.createElement("br"), text] : [text]));
  if (isSaved) box.append(document.createElement("br"), mapLink());
}

function mapLink() {
  const link = document.createElement("a");
  link.href = "/";
  link.textContent = phrase("place.seeTiles");
  return link;
}
