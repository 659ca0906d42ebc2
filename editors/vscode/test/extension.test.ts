// The bundled extension against a stand-in for the editor, and a stand-in for the program rtc with a language server.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";

import { command, content, Document, event, install, record, root, state, Uri } from "./vscode";

install();
const extension = require(path.join(root, "dist/extension.js"));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rtc-vscode-"));
const log = path.join(folder, "log");
const subscriptions: { dispose(): void }[] = [];

/** Waits until something holds. */
async function until(holds: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (holds()) {
      return;
    }
    await new Promise((r) => setTimeout(r, 50));
  }
  assert.fail(`${what}; the output is:\n${record.output}`);
}

const methods = () => (fs.existsSync(log) ? fs.readFileSync(log, "utf8").split("\n") : []);

before(async () => {
  process.env.FAKE_LOG = log;
  state.folder = folder;
  state.settings["rtc.path"] = path.join(root, "test/rtc.js");
  state.settings["rtc.arguments"] = ["-T", "cs_6_6"];
  state.settings["rtc.inlayHints"] = false;
  state.document = new Document(Uri.file(path.join(folder, "a.hlsl")), '[shader("miss")] void Sky(inout P p) {}\n[numthreads(1, 1, 1)] void Blur() {}\n');
  await extension.activate({ subscriptions });
});

after(async () => {
  await extension.deactivate();
  subscriptions.forEach((s) => s.dispose());
  fs.rmSync(folder, { recursive: true });
});

test("the server is started with `lsp`, and gets the open document", async () => {
  await until(() => methods().includes("textDocument/didOpen"), "nothing is opened");
  assert.ok(methods().includes("arguments lsp"));
  assert.deepEqual(record.errors, []);
});

test("the server gets its settings, and its listing becomes a document", async () => {
  assert.ok(methods().includes('settings {"arguments":["-T","cs_6_6"],"inlayHints":false}'));
  await command("rtc.listing", state.document!.uri.toString());
  assert.deepEqual(record.shown, ["define void @Blur()"]);
});

test("codes of diagnostics are links to their pages", async () => {
  await until(() => record.published.length > 0, "nothing is published");
  const [d] = record.published[0].diagnostics;
  assert.equal(d.code.value, "E0301");
  assert.equal(d.code.target.toString(), "rtc-explain:/E0301.md");
});

test("pages are documents", async () => {
  assert.match(await content(Uri.parse("rtc-explain:/E0704.md")), /^# E0704: a payload access qualifier/);
  assert.match(await content(Uri.parse("rtc-explain:/E9999.md")), /there is no diagnostic `E9999`/);
  assert.match(await content(Uri.parse("rtc-explain:/x.md")), /is no code/);
});

test("explain: an argument, the diagnostic at the cursor, a typed code, none", async () => {
  await command("rtc.explain", "error[E0704]");
  const preview = () => record.executed.filter((e) => e[0] === "markdown.showPreview").map((e) => String(e[1]));
  assert.deepEqual(preview(), ["rtc-explain:/E0704.md"]);
  state.diagnostics = [{ range: { contains: () => true }, code: { value: "E0704" } }];
  await command("rtc.explain");
  state.diagnostics = [];
  state.input = "e0704";
  await command("rtc.explain");
  assert.equal(preview().length, 3);
  state.input = undefined;
  await command("rtc.explain");
  assert.equal(preview().length, 3);
  await command("rtc.explain", "E9999");
  assert.match(record.errors.pop()!, /there is no diagnostic/);
});

test("compile: the entry point that is chosen, named, or fails", async () => {
  state.pick = (items) => items.find((i) => i.label === "Blur");
  assert.equal(await command("rtc.compile"), 0);
  assert.match(record.output, /-T cs_6_9 -E Blur a\.hlsl -Fo a\.Blur\.dxil/);
  assert.equal(await command("rtc.compile", state.document!.uri.toString(), "Sky"), 0);
  assert.match(record.output, /-T lib_6_9 a\.hlsl -Fo a\.dxil/);
  state.settings["rtc.entryPoint.arguments"] = ["-spirv", "-D", "FAIL"];
  assert.equal(await command("rtc.compile"), 1);
  assert.match(record.errors.pop()!, /does not compile/);
  delete state.settings["rtc.entryPoint.arguments"];
  state.pick = () => undefined;
  assert.equal(await command("rtc.compile"), undefined);
});

test("compile: no document, an unsaved one, no entry point", async () => {
  const document = state.document;
  state.document = undefined;
  assert.equal(await command("rtc.compile"), undefined);
  state.document = new Document(Uri.file(path.join(folder, "b.hlsl")), "float a;");
  assert.equal(await command("rtc.compile"), undefined);
  assert.match(record.informations.pop()!, /no entry point/);
  state.document.isUntitled = true;
  assert.equal(await command("rtc.compile"), undefined);
  assert.match(record.informations.pop()!, /Save the file first/);
  state.document = document;
});

test("explore opens the address of this machine, once for a file", async () => {
  assert.equal(await command("rtc.explore"), "http://127.0.0.1:4711/?t=1");
  assert.equal(await command("rtc.explore"), "http://127.0.0.1:4711/?t=1");
  assert.equal(record.opened.length, 2);
  assert.equal(record.output.split("exploring at").length, 2, "one program serves both");
});

test("restart, and a new setting, start the server again", async () => {
  const starts = () => methods().filter((m) => m === "initialize").length;
  assert.equal(starts(), 1);
  await command("rtc.restart");
  assert.equal(starts(), 2);
  state.settings["rtc.server.arguments"] = ["lsp", "--more"];
  event("onDidChangeConfiguration").fire({ affectsConfiguration: (n: string) => n === "rtc.server" });
  await until(() => starts() === 3, "no third start");
  await until(() => methods().includes("arguments lsp --more"), "other arguments");
});

test("servers that end at once, or never answer, can be started again", async () => {
  record.errors.length = 0;
  state.settings["rtc.server.arguments"] = ["lsp", "crash"];
  await command("rtc.restart");
  assert.equal(record.errors.length, 1, record.errors.join("\n"));
  assert.match(record.errors[0], /does not start: .*\(it ends with exit code 3\)/);
  assert.match(record.output, /no server here/);
  state.settings["rtc.server.arguments"] = ["lsp", "silent"];
  const hanging = command("rtc.restart");
  await until(() => methods().includes("silent"), "it does not start");
  state.settings["rtc.server.arguments"] = ["lsp", "again"];
  const starts = [command("rtc.restart"), command("rtc.restart"), command("rtc.restart")];
  await Promise.all([hanging, ...starts]);
  await until(() => methods().includes("arguments lsp again"), "it does not start again");
  assert.equal(record.errors.length, 1);
});

test("a program that is missing, or ends, is one message", async () => {
  record.errors.length = 0;
  state.settings["rtc.server.arguments"] = ["lsp"];
  state.settings["rtc.path"] = path.join(folder, "none");
  await command("rtc.restart");
  await until(() => record.errors.length > 0, "no message");
  assert.match(record.errors[0], /does not start: `.*none`/);
  assert.equal(record.errors.length, 1);
  record.errors.length = 0;
  assert.equal(await command("rtc.compile", undefined, "Blur"), undefined);
  assert.match(record.errors[0], /cannot be started\. Install rtc/);
  state.settings["rtc.path"] = path.join(root, "test/rtc.js");
});
