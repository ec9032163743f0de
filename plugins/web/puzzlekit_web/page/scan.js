// A scan: one face after the other, by camera or from photos, then all colours at once.

import { ApiError, api, told } from "./api.js";
import { Camera, CameraError } from "./camera.js";
import { showDoubts } from "./doubts.js";
import { make, makeSVG } from "./elements.js";
import { facesToScan, guess, measure } from "./face.js";
import { find } from "./find.js";
import { Frame, USUAL } from "./frame.js";
import { model } from "./model.js";
import { faceName, short } from "./names.js";
import { sayOfText } from "./reading.js";
import { OWN } from "./scheme.js";
import { outline } from "./shapes.js";
import { Solid, SolidView } from "./solid.js";
import { t } from "./texts.js";

/** @typedef {import("./face.js").Face} Face */
/** @typedef {import("./face.js").Colour} Colour */

const OFTEN = 300; // ms between two looks at what the camera sees
const PIXELS = 480; // of a side of what it sees
const COARSE = 96; // of a side where a face is looked for
const SHOWN = "#c9bdf5"; // the face to be shown, in no colour of a puzzle
const MANY = 0.12; // of the stickers, whose own colours say something else

const dialog = find("scan", HTMLDialogElement);
const title = find("scan-title", HTMLElement);
const words = find("scan-words", HTMLElement);
const stage = find("scan-stage", HTMLElement);
const video = find("scan-video", HTMLVideoElement);
const shown = find("scan-photo", HTMLCanvasElement);
const note = find("scan-note", HTMLElement);
const list = find("scan-faces", HTMLOListElement);
const take = find("scan-take", HTMLButtonElement);
const again = find("scan-camera", HTMLButtonElement);
const choose = find("scan-photos", HTMLButtonElement);
const files = find("scan-files", HTMLInputElement);

const camera = new Camera(video);
const frame = new Frame(stage, find("scan-grid", SVGSVGElement));
const view = new SolidView(find("scan-picture", HTMLElement), { still: true });
const seen = /** @type {CanvasRenderingContext2D} */ (
  make("canvas", { width: `${PIXELS}`, height: `${PIXELS}` }).getContext("2d", { willReadFrequently: true })
);

/** @type {Face[]} */
let faces = [];
/** The number of the face that is next. */
let at = 0;
/** What was measured of the faces that are taken. @type {Map<string, Map<number, Colour>>} */
let taken = new Map();
/** Photos that wait for their faces. @type {File[]} */
let waiting = [];
/** Whether a photo is shown, in place of what the camera sees. */
let photo = false;
/** The request under way. @type {AbortController | null} */
let reading = null;
let timer = 0;

/** Opens the dialog for the puzzle on the page. */
export function scan() {
  const { puzzle } = model;
  if (!puzzle || dialog.open) return;
  faces = facesToScan(puzzle);
  taken = new Map();
  waiting = [];
  list.replaceChildren(...faces.map(listed));
  frame.go(USUAL);
  dialog.showModal();
  go(0);
  startCamera();
  timer = window.setInterval(look, OFTEN);
}

// --- the faces -------------------------------------------------------------------------------

/** @param {string} letter @returns {string} as in "front face (green)" */
function named(letter) {
  const { puzzle, scheme } = model;
  if (!puzzle || !scheme) return letter;
  const name = faceName(puzzle, letter);
  const fixed = puzzle.centers?.some((facelet) => puzzle.faces[puzzle.face_of[facelet] ?? -1] === letter);
  if (!fixed || scheme.name === OWN) return name;
  return t("scan.named", { face: name, colour: scheme.words[scheme.fromFaces(letter)] ?? "" });
}

/** @param {Face} face @param {number} number @returns {HTMLLIElement} */
function listed({ letter, stickers }, number) {
  const svg = makeSVG("svg", { viewBox: "-0.54 -0.54 1.08 1.08", "aria-hidden": "true" });
  for (const sticker of stickers) {
    svg.append(makeSVG("path", { d: outline(sticker, 0.1 * sticker.radius, 0.3 * sticker.radius) }));
  }
  const button = make("button", { type: "button" }, svg, make("span", { "aria-hidden": "true" }, model.puzzle ? short(model.puzzle, letter) : letter));
  button.addEventListener("click", () => go(number));
  return make("li", {}, button);
}

/** Shows which face is next. @param {number} number */
function go(number) {
  at = number;
  const face = faces[at];
  if (!face) return;
  title.textContent = t("scan.title", { at: at + 1, of: faces.length });
  const lines = [make("strong", {}, named(face.letter))];
  if (face.up) lines.push(make("span", {}, t("scan.up", { side: named(face.up) })));
  words.className = "";
  words.replaceChildren(...lines);
  picture(face);
  frame.layout(face);
  offer();
}

/** How the puzzle is held: the face to be shown has a colour, and so have centers. @param {Face} face */
function picture({ letter, held }) {
  const { puzzle, scheme } = model;
  if (!puzzle || !scheme || !held) return view.layout(null, { latitude: 0, longitude: 0 });
  const empty = getComputedStyle(document.documentElement).getPropertyValue("--empty").trim();
  view.layout(new Solid({ corners: held, turns: {} }), { latitude: 24, longitude: 24 });
  const centers = new Set(scheme.name === OWN ? [] : puzzle.centers);
  const colours = puzzle.face_of.map((of, facelet) => {
    const own = puzzle.faces.charAt(of);
    const colour = centers.has(facelet) ? scheme.css[scheme.fromFaces(own)] : undefined;
    return colour ?? (own === letter ? SHOWN : empty);
  });
  view.show(colours);
}

/** What can be pressed, and which faces are taken. */
function offer() {
  const live = !photo && camera.running;
  stage.classList.toggle("mirrored", live && camera.facesVisitor);
  frame.mirrored = live && camera.facesVisitor;
  take.disabled = reading !== null || (!photo && !live);
  take.textContent = t(photo ? "scan.use" : "scan.take");
  again.hidden = live;
  shown.hidden = !photo;
  video.hidden = !live;
  note.hidden = photo || live;
  dialog.classList.toggle("blank", !photo && !live);
  choose.classList.toggle("primary", !photo && !live);
  faces.forEach(({ letter }, i) => {
    const button = list.children[i]?.firstElementChild;
    const colours = taken.get(letter);
    button?.setAttribute("aria-label", t(colours ? "scan.taken" : "scan.missing", { face: named(letter) }));
    button?.classList.toggle("taken", colours !== undefined);
    if (i === at) button?.setAttribute("aria-current", "step");
    else button?.removeAttribute("aria-current");
    if (i !== at || colours) tint(i, colours);
  });
}

/** @param {number} number of a face @param {Map<number, Colour>} [colours] of its stickers */
function tint(number, colours) {
  const paths = list.children[number]?.querySelectorAll("path") ?? [];
  faces[number]?.stickers.forEach(({ facelet }, i) => {
    const colour = colours?.get(facelet);
    if (colour) paths[i]?.setAttribute("fill", `rgb(${colour.join(" ")})`);
    else paths[i]?.removeAttribute("fill");
  });
}

/** The colours of the face as it is seen now. @returns {Map<number, Colour> | null} */
function measured() {
  const face = faces[at];
  if (!face || reading || (!photo && !camera.running)) return null;
  if (photo) seen.drawImage(shown, 0, 0, PIXELS, PIXELS);
  else camera.draw(seen);
  return new Map(measure(seen.getImageData(0, 0, PIXELS, PIXELS), face, frame.place));
}

/** Shows what is measured now on the face that is next. */
function look() {
  const colours = measured();
  const letter = faces[at]?.letter ?? "";
  if (take.disabled !== (colours === null)) offer();
  if (colours && !taken.has(letter)) tint(at, colours);
}

function takeFace() {
  const colours = measured();
  const face = faces[at];
  if (!colours || !face) return;
  taken.set(face.letter, colours);
  const missing = faces.map((_, i) => (at + 1 + i) % faces.length).find((i) => !taken.has(faces[i]?.letter ?? ""));
  if (missing === undefined) {
    read();
    return;
  }
  photo = false;
  go(missing);
  nextPhoto();
}

// --- the camera, and photos ------------------------------------------------------------------

async function startCamera() {
  note.textContent = t("scan.starting");
  photo = false;
  offer();
  try {
    if (!(await camera.start())) return;
  } catch (cause) {
    if (!(cause instanceof CameraError)) throw cause;
    note.textContent = t(cause.problem);
  }
  offer();
  (take.disabled ? choose : take).focus();
}

/** @param {Iterable<File>} found */
function takePhotos(found) {
  waiting = [...found];
  nextPhoto();
}

/** Shows the next photo that waits, with the grid where the face seems to be. */
async function nextPhoto() {
  const file = waiting.shift();
  const face = faces[at];
  if (!file || !face) return;
  let picture;
  try {
    picture = await createImageBitmap(file);
  } catch {
    say(t("scan.no-photo", { name: file.name }));
    return;
  }
  const context = shown.getContext("2d");
  const side = shown.width;
  const scale = side / Math.max(picture.width, picture.height);
  const [width, height] = [scale * picture.width, scale * picture.height];
  context?.clearRect(0, 0, side, side);
  context?.drawImage(picture, (side - width) / 2, (side - height) / 2, width, height);
  picture.close();
  photo = true;
  seen.drawImage(shown, 0, 0, COARSE, COARSE);
  frame.go(guess(seen.getImageData(0, 0, COARSE, COARSE), face, USUAL));
  offer();
  take.focus();
}

// --- reading ---------------------------------------------------------------------------------

/** Sends all colours, and shows the stickers that they most probably are. */
async function read() {
  const { puzzle, scheme } = model;
  if (!puzzle || !scheme) return;
  const all = new Map([...taken.values()].flatMap((colours) => [...colours]));
  const colours = puzzle.face_of.map((_, facelet) => all.get(facelet) ?? [0, 0, 0]);
  reading = new AbortController();
  const { signal } = reading;
  offer();
  words.replaceChildren(make("strong", {}, t("scan.reading")));
  try {
    const path = `puzzles/${encodeURIComponent(puzzle.name)}/scan`;
    const found = await api.post(path, { colours, scheme: scheme.symbols }, signal);
    if (signal.aborted) return;
    dialog.close();
    model.setStickers(found.stickers, "paint");
    const odd = found.mended.length > MANY * colours.length;
    const turned = [...found.turned].map((letter) => faceName(puzzle, letter)).join(", ");
    const also = turned ? ` ${t("scan.turned", { faces: turned })}` : "";
    sayOfText(t(odd ? "scan.odd" : "scan.read") + also);
    showDoubts(found.doubts);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    reading = null;
    offer();
    say(told(error.record, false), t("scan.again"));
  }
}

/** @param {...string} lines what is wrong, and what to do */
function say(...lines) {
  words.className = "wrong";
  words.replaceChildren(...lines.map((line) => make("span", {}, line)));
}

// --- the dialog ------------------------------------------------------------------------------

take.addEventListener("click", takeFace);
again.addEventListener("click", startCamera);
choose.addEventListener("click", () => files.click());
files.addEventListener("change", () => {
  takePhotos(files.files ?? []);
  files.value = "";
});
for (const event of ["dragover", "drop"]) {
  dialog.addEventListener(event, (dragged) => {
    dragged.preventDefault();
    if (event === "drop" && dragged instanceof DragEvent) takePhotos(dragged.dataTransfer?.files ?? []);
  });
}
video.addEventListener("playing", offer);
find("scan-close", HTMLButtonElement).addEventListener("click", () => dialog.close());
dialog.addEventListener("close", () => {
  reading?.abort();
  reading = null;
  clearInterval(timer);
  camera.stop();
  photo = false;
});
// A link shows another puzzle.
model.addEventListener("puzzle", () => dialog.close());
// The keys of the page are not those of the dialog.
dialog.addEventListener("keydown", (event) => event.stopPropagation());
