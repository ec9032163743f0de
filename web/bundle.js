// Writes viewer.js and NOTICES.txt to the directory given as argument. Called by `web/build`.
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const web = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? "");
if (process.argv.length !== 3) throw new Error("usage: node bundle.js DIRECTORY");

const script = join(target, "viewer.js");
const { metafile } = await build({
  absWorkingDir: web,
  bundle: true,
  entryPoints: ["viewer.js"],
  format: "esm",
  legalComments: "inline",
  logLevel: "warning",
  metafile: true,
  minify: true,
  outfile: script,
  target: "es2022",
});

// The packages that esbuild has read, and the packages that were already bundled in them.
const packages = new Set();
for (const path of Object.keys(metafile.inputs)) {
  if (path === "viewer.js") continue;
  const text = await readFile(join(web, path), "utf8");
  const marked = text.matchAll(/^\/\/ (node_modules\/\S+)$/gm);
  for (const file of [path, ...[...marked].map((match) => match[1])]) packages.add(packageOf(file));
}
if (!packages.has("cubing")) throw new Error("cubing is not in the bundle");

const notices = await Promise.all([...packages].sort().map(notice));
const head = `viewer.js is built from the packages below. esbuild has joined and minified them; they are otherwise
unchanged. puzzlekit itself is under the licence of its own LICENSE.
`;
await mkdir(target, { recursive: true });
await writeFile(join(target, "NOTICES.txt"), [head, ...notices].join(`\n${"=".repeat(80)}\n\n`));

const { size } = await stat(script);
console.log(`${relative(process.cwd(), script)}: ${(size / 1e6).toFixed(2)} MB`);
console.log(`of ${[...packages].sort().join(", ")}; see NOTICES.txt`);

/**
 * @param {string} path of a file in a package
 * @returns {string} the package's name; an error if the file is in none
 */
function packageOf(path) {
  const name = /^.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  if (!name) throw new Error(`${path} does not belong to a package`);
  return name;
}

/**
 * @param {string} name of a package
 * @returns {Promise<string>} its name, source and licence
 */
async function notice(name) {
  const folder = join(web, "node_modules", name);
  const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const source = about.repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
  const chosen = about.license.split(" OR ")[0];
  const lines = [`${name} ${about.version}`, `Licence: ${about.license}`];
  if (chosen !== about.license) lines.push(`Used here under: ${chosen}`);
  lines.push(`Source: ${source}, version ${about.version}`);
  return `${lines.join("\n")}\n\n${(await licence(name, folder)).trim()}\n`;
}

/**
 * @param {string} name of a package
 * @param {string} folder where it is installed
 * @returns {Promise<string>} the text of its licence; an error if there is none
 */
async function licence(name, folder) {
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  // Packages without a licence file have their text in web/licences.
  const path = file ? join(folder, file) : join(web, "licences", `${name.replace("/", "-")}.txt`);
  return readFile(path, "utf8");
}
