// The extension: starts the language server and has the commands that run rtc.

import { ChildProcess, spawn } from "node:child_process";
import * as path from "node:path";
import * as vscode from "vscode";
import { CloseAction, ErrorHandler, LanguageClient, LanguageClientOptions, ServerOptions, State } from "vscode-languageclient/node";

import { codeIn, codeOf, codeOfPath, pagePath, SCHEME } from "./codes";
import { compileArguments, entries, Entry } from "./entries";
import { Explorers } from "./explore";
import { program, run } from "./program";

/** The client. While it starts, failures are left to the extension, which has the process and names the program. */
class Client extends LanguageClient {
  isStarting = true;
  process: ChildProcess | undefined;
  /** Ends when the start has succeeded or failed. */
  starting: Promise<void> = Promise.resolve();

  override error(message: string, data?: unknown, show?: boolean | "force"): void {
    super.error(message, data, this.isStarting ? false : show);
  }

  override stop(timeout?: number): Promise<void> {
    // A client that has not started cannot be stopped; its process can.
    return this.isStarting ? Promise.resolve(void this.process?.kill()) : super.stop(timeout);
  }
}

/** How many milliseconds a server has to start when it is to be stopped, and to stop. */
const PATIENCE = 2000;

let client: Client | undefined;
/** Starts and stops, one after the other. */
let changes: Promise<void> = Promise.resolve();
let output: vscode.OutputChannel | undefined;

/** A setting of this extension. */
function setting<T>(name: string, otherwise: T, scope?: vscode.Uri): T {
  return vscode.workspace.getConfiguration("rtc", scope).get<T>(name) ?? otherwise;
}

function rtc(): string {
  return program(setting("path", ""));
}

function channel(): vscode.OutputChannel {
  output ??= vscode.window.createOutputChannel("rtc");
  return output;
}

/** The folder in which commands run for a file: that of the workspace, so that messages have short names. */
function folderOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(uri.fsPath);
}

/** The settings of the language server. */
function serverSettings(): Record<string, unknown> {
  const names = ["arguments", "compile", "compileDelay", "inlayHints", "codeLenses", "clangFormat"];
  const values = names.map((n) => [n, setting<unknown>(n, undefined)] as const);
  return Object.fromEntries(values.filter(([, v]) => v !== undefined));
}

/** Starts the language server. A person is told once if that fails. */
async function startServer(): Promise<void> {
  const command = rtc();
  const server: ServerOptions = () =>
    new Promise((done, failed) => {
      const child = spawn(command, setting("server.arguments", ["lsp"]), { stdio: "pipe" });
      started.process = child;
      child.once("spawn", () => done(child));
      child.once("error", failed);
    });
  let usual: ErrorHandler | undefined;
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "hlsl" },
      { scheme: "untitled", language: "hlsl" },
    ],
    outputChannel: channel(),
    errorHandler: {
      error: (e, m, count) => (usual ??= started.createDefaultErrorHandler()).error(e, m, count),
      async closed() {
        if (!started.isStarting) {
          return (usual ??= started.createDefaultErrorHandler()).closed();
        }
        // The pending start fails first, and reports it.
        await new Promise((r) => setTimeout(r, 50));
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    initializationFailedHandler: () => false,
    initializationOptions: serverSettings(),
    synchronize: { configurationSection: "rtc", fileEvents: vscode.workspace.createFileSystemWatcher("**/{rtc.toml,*.hlsl,*.hlsli}") },
    middleware: {
      // A command of the server whose result is a text: the listing of what was compiled.
      async executeCommand(name, args, next) {
        const result: unknown = await next(name, args);
        if (typeof result === "string") {
          const document = await vscode.workspace.openTextDocument({ content: result, language: "llvm" });
          await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside, true);
        }
        return result;
      },
      // The code of a diagnostic is a link to its page.
      handleDiagnostics(uri, diagnostics, next) {
        for (const d of diagnostics) {
          const code = codeOf(d.code);
          if (code) {
            d.code = { value: code, target: vscode.Uri.from({ scheme: SCHEME, path: pagePath(code) }) };
          }
        }
        next(uri, diagnostics);
      },
    },
  };
  const started = new Client("rtc", "rtc", server, options);
  client = started;
  try {
    const start = started.start().then(() => void (started.isStarting = false));
    started.starting = start.catch(() => {});
    await start;
  } catch (e) {
    if (client !== started) {
      return; // It was stopped meanwhile.
    }
    client = undefined;
    const code = await exitCode(started.process);
    const why = code !== undefined ? `it ends with exit code ${code}` : e instanceof Error ? e.message : String(e);
    channel().appendLine(`The language server does not start: ${why}`);
    void offerSettings(`The language server of rtc does not start: \`${command}\` (${why}).`);
  }
}

/** The exit code of a process that ends now; its output is closed a little earlier. */
function exitCode(child: ChildProcess | undefined): Promise<number | undefined> {
  return new Promise((done) => {
    if (!child || child.exitCode !== null) {
      return done(child?.exitCode ?? undefined);
    }
    const timer = setTimeout(() => done(undefined), 500);
    child.once("exit", (code) => {
      clearTimeout(timer);
      done(code ?? undefined);
    });
  });
}

/** Stops the language server; one that does not answer is ended. */
async function stopServer(): Promise<void> {
  const stopping = client;
  client = undefined;
  if (!stopping) {
    return;
  }
  if (stopping.isStarting) {
    await Promise.race([stopping.starting, new Promise((r) => setTimeout(r, PATIENCE))]);
  }
  if (stopping.isStarting) {
    stopping.process?.kill();
  } else if (stopping.state !== State.Stopped) {
    try {
      await stopping.stop(PATIENCE);
    } catch (e) {
      stopping.process?.kill();
      channel().appendLine(`The language server does not stop: ${e instanceof Error ? e.message : String(e)}`);
    }
  }
}

/** Stops the server if it runs or starts, and starts it. */
export function restartServer(): Promise<void> {
  // A start that hangs is ended by this, so that its turn ends.
  const starting = client?.isStarting ? stopServer() : Promise.resolve();
  changes = changes.then(() => starting).then(stopServer).then(startServer);
  return changes;
}

async function offerSettings(message: string): Promise<void> {
  const open = "Open Settings";
  if ((await vscode.window.showErrorMessage(message, open)) === open) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "rtc.path");
  }
}

/** The document to which a command applies: that of its argument, or the one that is open. */
async function documentOf(uri: unknown): Promise<vscode.TextDocument | undefined> {
  if (uri instanceof vscode.Uri) {
    return vscode.workspace.openTextDocument(uri);
  }
  if (typeof uri === "string") {
    return vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  }
  const document = vscode.window.activeTextEditor?.document;
  if (!document) {
    void vscode.window.showInformationMessage("Open an HLSL file first.");
  }
  return document;
}

/** Compiles an entry point to a file next to the source. `name` chooses it where the source has several. */
export async function compile(uri?: unknown, name?: unknown): Promise<number | undefined> {
  const document = await documentOf(uri);
  if (!document) {
    return undefined;
  }
  if (document.isUntitled) {
    void vscode.window.showInformationMessage("Save the file first: the compiler reads it from the disk.");
    return undefined;
  }
  if (document.isDirty && !(await document.save())) {
    return undefined;
  }
  const text = document.getText();
  const entry = await choose(entries(text), typeof name === "string" ? name : undefined);
  if (!entry) {
    return undefined;
  }
  const folder = folderOf(document.uri);
  const file = path.relative(folder, document.uri.fsPath);
  const extra = setting<string[]>("entryPoint.arguments", [], document.uri);
  const extension = extra.includes("-spirv") ? ".spv" : ".dxil";
  const stem = path.join(path.dirname(file), path.parse(file).name);
  const target = entry.profile === "lib" ? stem + extension : `${stem}.${entry.name}${extension}`;
  const settings = { model: setting("entryPoint.model", "6_9", document.uri), arguments: extra };
  const args = compileArguments(text, entry, file, settings, target);
  const to = channel();
  to.appendLine(`$ ${rtc()} ${args.join(" ")}`);
  const done = await run(rtc(), args, folder);
  if (done.problem) {
    await offerSettings(done.problem);
    return undefined;
  }
  to.append(done.stdout + done.stderr);
  to.appendLine(done.code === 0 ? `${target} is written.` : `Nothing is written (exit code ${done.code}).`);
  if (done.code !== 0) {
    to.show(true);
    void vscode.window.showErrorMessage(`${entry.name} of ${file} does not compile; the output has the reasons.`);
  } else {
    vscode.window.setStatusBarMessage(`rtc: ${target}`, 5000);
  }
  return done.code ?? undefined;
}

/** The entry point to compile. All shaders of rays are one library. */
async function choose(found: Entry[], name?: string): Promise<Entry | undefined> {
  const library = found.find((e) => e.profile === "lib");
  const choices = [...(library ? [library] : []), ...found.filter((e) => e.profile !== "lib")];
  if (name !== undefined) {
    const named = found.find((e) => e.name === name);
    return named?.profile === "lib" ? library : named;
  }
  if (choices.length === 0) {
    void vscode.window.showInformationMessage('There is no entry point: mark a function with [shader("…")] or [numthreads(…)].');
    return undefined;
  }
  if (choices.length === 1) {
    return choices[0];
  }
  const items = choices.map((entry) => ({
    label: entry === library ? "library" : entry.name,
    description: entry === library ? found.filter((e) => e.profile === "lib").map((e) => e.name).join(", ") : entry.profile,
    entry,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: "What is to be compiled?" }))?.entry;
}

/** Shows the page of a code: the argument, the one at the cursor, or one that is typed. */
export async function explain(given?: unknown): Promise<void> {
  const code = (typeof given === "string" ? codeIn(given) : undefined) ?? codeAtCursor() ?? (await askForCode());
  if (!code) {
    return;
  }
  const uri = vscode.Uri.from({ scheme: SCHEME, path: pagePath(code) });
  // Reading it first gives the reason if there is no such page.
  const page = await pageOf(code);
  if (page.problem) {
    void vscode.window.showErrorMessage(page.problem);
    return;
  }
  await vscode.commands.executeCommand("markdown.showPreview", uri);
}

function codeAtCursor(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return undefined;
  }
  const at = editor.selection.active;
  const here = vscode.languages.getDiagnostics(editor.document.uri).filter((d) => d.range.contains(at));
  const word = editor.document.getWordRangeAtPosition(at);
  return here.map((d) => codeOf(d.code)).find((c) => c !== undefined) ?? (word && codeIn(editor.document.getText(word)));
}

async function askForCode(): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    prompt: "The code of a diagnostic",
    placeHolder: "E0704",
    validateInput: (t) => (t === "" || codeIn(t) ? undefined : "A code is a letter and four digits, such as E0704."),
  });
  return typed ? codeIn(typed) : undefined;
}

/** The page of a code in Markdown. */
async function pageOf(code: string): Promise<{ text: string; problem?: string }> {
  const done = await run(rtc(), ["explain", "-markdown", code]);
  if (done.problem || done.code !== 0) {
    return { text: "", problem: done.problem ?? done.stderr.trim() };
  }
  return { text: done.stdout };
}

/** Registers everything and starts the server. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const explorers = new Explorers(rtc, channel, offerSettings);
  context.subscriptions.push(
    channel(),
    explorers,
    vscode.commands.registerCommand("rtc.compile", compile),
    vscode.commands.registerCommand("rtc.explain", explain),
    vscode.commands.registerCommand("rtc.explore", async (uri?: unknown) => {
      const document = await documentOf(uri);
      return document && explorers.open(document.uri.fsPath, folderOf(document.uri));
    }),
    vscode.commands.registerCommand("rtc.restart", restartServer),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      async provideTextDocumentContent(uri) {
        const code = codeOfPath(uri.path);
        const page = code ? await pageOf(code) : { text: "", problem: `\`${uri.path}\` is no code.` };
        return page.problem ?? page.text;
      },
    }),
    vscode.workspace.onDidChangeConfiguration(async (e) => {
      if (e.affectsConfiguration("rtc.path") || e.affectsConfiguration("rtc.server")) {
        await restartServer();
      }
    }),
  );
  await restartServer();
}

/** Ends the server. */
export async function deactivate(): Promise<void> {
  await stopServer();
}
