// Runs the worker of the page in Node.js: node.mjs FOLDER REQUESTS OUT writes the answer to each line of REQUESTS into OUT.
import fs from "node:fs";
import vm from "node:vm";

const [folder, list, out] = process.argv.slice(2);
const module = new WebAssembly.Module(fs.readFileSync(`${folder}/rtc.wasm`));
let listener;
let answered;
globalThis.addEventListener = (_, f) => (listener = f);
globalThis.postMessage = ({ answer }) => answered(answer);
vm.runInThisContext(fs.readFileSync(`${folder}/worker.js`, "utf8"), { filename: "worker.js" });

const requests = fs.readFileSync(list, "utf8").split("\n");
const start = performance.now();
for (const [n, request] of requests.entries()) {
  const answer = await new Promise((resolve) => {
    answered = resolve;
    listener({ data: { module, request } });
  });
  fs.writeFileSync(`${out}/${n}.json`, answer);
}
console.log(`${requests.length} answers in ${Math.round(performance.now() - start)} ms`);
