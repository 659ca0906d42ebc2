// A language server for tests: it answers `initialize`, publishes one diagnostic for each document that is opened, logs what it gets to
// the file of FAKE_LOG, and ends at `exit`. With the argument `crash` it ends at once, with `silent` it never answers.

const fs = require("node:fs");

if (process.argv.includes("crash")) {
  process.stderr.write("no server here\n");
  process.exit(3);
}
const isSilent = process.argv.includes("silent");

let buffer = Buffer.alloc(0);
const log = (line) => process.env.FAKE_LOG && fs.appendFileSync(process.env.FAKE_LOG, `${line}\n`);

function send(message) {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

function take(message) {
  if (isSilent) {
    log("silent");
    return;
  }
  log(message.method ?? "answer");
  if (message.method === "initialize") {
    log(`arguments ${process.argv.slice(2).join(" ")}`);
    send({ id: message.id, result: { capabilities: { textDocumentSync: 1, executeCommandProvider: { commands: ["rtc.listing"] } } } });
    log(`settings ${JSON.stringify(message.params.initializationOptions)}`);
  } else if (message.method === "textDocument/didOpen") {
    const diagnostic = {
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } },
      severity: 1,
      code: "E0301",
      source: "rtc",
      message: "use of undeclared identifier",
    };
    send({ method: "textDocument/publishDiagnostics", params: { uri: message.params.textDocument.uri, diagnostics: [diagnostic] } });
  } else if (message.method === "workspace/executeCommand") {
    send({ id: message.id, result: "define void @Blur()" });
  } else if (message.method === "shutdown") {
    send({ id: message.id, result: null });
  } else if (message.method === "exit") {
    process.exit(0);
  } else if (message.id !== undefined && message.method) {
    send({ id: message.id, result: null });
  }
}

process.stdin.on("data", (data) => {
  buffer = Buffer.concat([buffer, data]);
  for (;;) {
    const end = buffer.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, end).toString())[1]);
    if (buffer.length < end + 4 + length) return;
    const text = buffer.subarray(end + 4, end + 4 + length).toString();
    buffer = buffer.subarray(end + 4 + length);
    take(JSON.parse(text));
  }
});
process.stdin.on("end", () => process.exit(0));
