// Writes `dist/NOTICES.txt`: the licences of the packages that are bundled into `dist/extension.js`.

const fs = require("node:fs");
const path = require("node:path");

const inputs = Object.keys(JSON.parse(fs.readFileSync("dist/meta.json", "utf8")).inputs);
const packages = new Set();
for (const input of inputs) {
  const parts = input.split("/");
  const at = parts.lastIndexOf("node_modules");
  if (at >= 0) {
    const names = parts[at + 1].startsWith("@") ? 2 : 1;
    packages.add(parts.slice(0, at + 1 + names).join("/"));
  }
}
let text = "The extension contains these packages.\n";
for (const folder of [...packages].sort()) {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = fs.readdirSync(folder).find((f) => /^licen[sc]e/i.test(f));
  if (!file) {
    throw new Error(`${name} has no licence file`);
  }
  text += `\n${"-".repeat(80)}\n${name} ${version}, ${license}\n\n${fs.readFileSync(path.join(folder, file), "utf8").trim()}\n`;
}
fs.writeFileSync("dist/NOTICES.txt", text);
