// Runs the worker of the page in Node.js: node.mjs FOLDER REQUESTS OUT [FAULT] writes the answer to each line of REQUESTS into OUT.
// FAULT: `panic`, the first request of all is longer than memory; or a number, the pages of memory that the compiler has beside those it starts with.
import fs from "node:fs";
import vm from "node:vm";

const [folder, list, out, fault] = process.argv.slice(2);
const bytes = fs.readFileSync(`${folder}/rtc.wasm`);
if (Number(fault)) limit(bytes, Number(fault));
const module = new WebAssembly.Module(bytes);

/** Writes another maximum into the memory section of a module, in as many bytes as the one that is there. */
function limit(bytes, more) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  for (;;) {
    const section = bytes[at++];
    const end = number() + at;
    if (section !== 5) {
      at = end;
      continue;
    }
    number();
    if (bytes[at++] !== 1) throw new Error("the memory has no maximum");
    let pages = number() + more;
    const maximum = at;
    number();
    for (let i = maximum; i < at; i++, pages = Math.floor(pages / 128)) bytes[i] = (pages & 127) | (i + 1 < at ? 128 : 0);
    return;
  }
}

if (fault === "panic") {
  const encoder = TextEncoder;
  globalThis.TextEncoder = class {
    encode() {
      globalThis.TextEncoder = encoder;
      return { length: 2 ** 32 - 1 };
    }
  };
}
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
