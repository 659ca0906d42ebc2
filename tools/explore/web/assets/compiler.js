// The compiler as the page sees it: one request at a time in a worker. A new request ends the one before, whose answer nobody waits for any more.

const SECONDS = 60;

/** The module, compiled once: workers that follow each other share it. */
const module = (async () => {
  const answer = await fetch("rtc.wasm").catch(() => undefined);
  if (!answer || !answer.ok) throw new Error(`The compiler cannot be loaded: rtc.wasm${answer ? `: ${answer.status} ${answer.statusText}` : ""}`);
  // Some hosts do not know the type of the file, which compiling while it arrives requires.
  const known = (answer.headers.get("Content-Type") || "").startsWith("application/wasm");
  return known ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
})();
module.catch(() => {});

export class Compiler {
  /** The answer to a request, or nothing if another request came before it was there. */
  async ask(request) {
    const turn = (this.turn = {});
    const compiled = await module;
    if (turn !== this.turn) return undefined;
    this.end()?.();
    return new Promise((resolve, reject) => {
      this.busy = resolve;
      this.timer = setTimeout(() => {
        this.end();
        reject(new Error(`The compilation did not end within ${SECONDS} seconds and was stopped.`));
      }, SECONDS * 1000);
      this.worker ??= new Worker("worker.js");
      this.worker.onmessage = ({ data }) => {
        this.done();
        const made = JSON.parse(data.answer);
        if (made.error) reject(new Error(made.error));
        else resolve(made);
      };
      this.worker.onerror = (e) => {
        this.end();
        reject(new Error(`The compiler's worker ended: ${e.message || "it cannot be loaded"}`));
      };
      this.worker.postMessage({ module: compiled, request: JSON.stringify(request) });
    });
  }

  /** Ends the request that is being answered, and its worker; returns what told its answer. */
  end() {
    if (this.busy) {
      this.worker.terminate();
      this.worker = undefined;
    }
    return this.done();
  }

  done() {
    const waiting = this.busy;
    this.busy = undefined;
    clearTimeout(this.timer);
    return waiting;
  }
}
