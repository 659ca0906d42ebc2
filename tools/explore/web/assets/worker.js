// The worker of the page: runs the compiler, so that typing never waits for it.
"use strict";

// The engine's own stack for calls is its business; these are the words of the engines for its end, and for the end of the compiler's.
const STACK = /call stack|too much recursion|stack overflow|out of bounds/i;
// Memory of an instance does not shrink: one that has more than this is not kept.
const KEPT = 1 << 28;

let module;

/** A fresh instance of the compiler, what it said in a panic, and whether it found no memory. */
async function start() {
  const said = { panic: "", memoryEnded: false };
  const imports = {
    rtc: {
      panicked: (at, length) => (said.panic = text(it, at, length)),
      memory_ended: () => (said.memoryEnded = true),
    },
  };
  const it = (await WebAssembly.instantiate(module, imports)).exports;
  return { it, said };
}

const text = (it, at, length) => new TextDecoder().decode(new Uint8Array(it.memory.buffer, at, length));

function ask({ it }, request) {
  const bytes = new TextEncoder().encode(request);
  const at = it.rtc_request(bytes.length);
  new Uint8Array(it.memory.buffer, at, bytes.length).set(bytes);
  const length = it.rtc_answer();
  const answer = text(it, it.rtc_answer_at(), length);
  it.rtc_clear();
  return answer;
}

/** Why the compiler ended, for a person. */
function reason({ said }, error) {
  if (said.panic) return `The compiler failed, which is a mistake of the compiler: ${said.panic}`;
  if (error instanceof RangeError || STACK.test(error.message)) return "The source nests too deeply for the stack that a browser gives a page.";
  if (said.memoryEnded) return "The source needs more memory than the page may have.";
  return `The compiler failed, which is a mistake of the compiler: ${error.message}`;
}

let current;

/** The answer to a request. An instance that failed is of no use any more: a fresh one says why, as an answer of the same kind if it can. */
async function answer(request) {
  let asked = request;
  let why;
  for (let turn = 0; turn < 2; turn++) {
    current ??= await start();
    try {
      const made = ask(current, asked);
      if (current.it.memory.buffer.byteLength > KEPT) current = undefined;
      return made;
    } catch (error) {
      why ??= reason(current, error);
      current = undefined;
      asked = JSON.stringify({ ...JSON.parse(request), failed: why });
    }
  }
  return JSON.stringify({ error: why });
}

addEventListener("message", async ({ data }) => {
  module ??= data.module;
  try {
    postMessage({ answer: await answer(data.request) });
  } catch (error) {
    postMessage({ answer: JSON.stringify({ error: `The compiler cannot run here: ${error.message}` }) });
  }
});
