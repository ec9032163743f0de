// The service worker of an exported site: files of earlier visits are available offline.

// The export fills these in.
const VERSION = "";
/** @type {string[]} */
const FILES = [];

const worker = /** @type {any} */ (self);
const OURS = `puzzlekit ${worker.registration.scope} `;
const NAME = `${OURS}${VERSION}`;

/** Loads all files; those of an earlier version stay in use until they are there. */
async function keep() {
  const kept = await caches.open(NAME);
  await kept.addAll(FILES.map((path) => new Request(path, { cache: "no-cache" })));
  await worker.skipWaiting();
}

/** Drops the files of earlier versions. */
async function tidy() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(OURS) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request @returns {Promise<Response>} */
async function answer(request) {
  const kept = await caches.open(NAME);
  return (await kept.match(request, { ignoreSearch: true })) ?? fetch(request);
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keep()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(tidy()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});
