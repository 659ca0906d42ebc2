// A stand-in for the module `vscode`: what the extension and the client of the protocol use, with a record of what they did. Names that
// nothing here defines are classes without behaviour, since the client derives classes from many.

import Module from "node:module";
import * as path from "node:path";
import { pathToFileURL, fileURLToPath } from "node:url";

/** What happened. */
export const record = {
  errors: [] as string[],
  informations: [] as string[],
  output: "",
  executed: [] as unknown[][],
  opened: [] as string[],
  shown: [] as string[],
  published: [] as { uri: string; diagnostics: any[] }[],
};

/** What tests set. */
export const state = {
  settings: {} as Record<string, unknown>,
  document: undefined as Document | undefined,
  diagnostics: [] as any[],
  pick: (items: any[]) => items[0],
  input: undefined as string | undefined,
  folder: "/",
};

class Disposable {
  constructor(private readonly end: () => void = () => {}) {}
  dispose() {
    this.end();
  }
  static from(...all: { dispose(): void }[]) {
    return new Disposable(() => all.forEach((d) => d.dispose()));
  }
}

class EventEmitter {
  private readonly listeners = new Set<(e: unknown) => void>();
  event = (listener: (e: unknown) => void, self?: unknown) => {
    const bound = self ? listener.bind(self) : listener;
    this.listeners.add(bound);
    return new Disposable(() => this.listeners.delete(bound));
  };
  fire(e: unknown) {
    this.listeners.forEach((l) => l(e));
  }
  dispose() {
    this.listeners.clear();
  }
}

export class Uri {
  constructor(
    readonly scheme: string,
    readonly path: string,
  ) {}
  static file(p: string) {
    return new Uri("file", p);
  }
  static from({ scheme, path: p }: { scheme: string; path: string }) {
    return new Uri(scheme, p);
  }
  static parse(text: string) {
    const at = text.indexOf(":");
    const scheme = text.slice(0, at);
    return new Uri(scheme, scheme === "file" ? fileURLToPath(text) : text.slice(at + 1));
  }
  get fsPath() {
    return this.path;
  }
  toString() {
    return this.scheme === "file" ? pathToFileURL(this.path).href : `${this.scheme}:${this.path}`;
  }
}

class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(a: Position | number, b: Position | number, c?: number, d?: number) {
    this.start = typeof a === "number" ? new Position(a, b as number) : a;
    this.end = typeof a === "number" ? new Position(c!, d!) : (b as Position);
  }
  contains(p: Position) {
    const after = (x: Position, y: Position) => x.line > y.line || (x.line === y.line && x.character >= y.character);
    return after(p, this.start) && after(this.end, p);
  }
}

export class Document {
  languageId = "hlsl";
  version = 1;
  isDirty = false;
  isUntitled = false;
  isClosed = false;
  eol = 1;
  constructor(
    readonly uri: Uri,
    private readonly text: string,
  ) {}
  get fileName() {
    return this.uri.fsPath;
  }
  getText(range?: Range) {
    return range ? this.text.split("\n")[range.start.line].slice(range.start.character, range.end.character) : this.text;
  }
  getWordRangeAtPosition(p: Position) {
    for (const m of this.text.split("\n")[p.line].matchAll(/\w+/g)) {
      if (m.index <= p.character && p.character <= m.index + m[0].length) {
        return new Range(p.line, m.index, p.line, m.index + m[0].length);
      }
    }
    return undefined;
  }
  async save() {
    return true;
  }
}

const commands = new Map<string, (...a: any[]) => unknown>();
const events = new Map<string, EventEmitter>();
const contents = new Map<string, any>();

/** The event of this name. */
export function event(name: string): EventEmitter {
  if (!events.has(name)) {
    events.set(name, new EventEmitter());
  }
  return events.get(name)!;
}

/** Runs a command of the extension. */
export function command(name: string, ...args: unknown[]): unknown {
  const found = commands.get(name);
  if (!found) {
    throw new Error(`there is no command ${name}`);
  }
  return found(...args);
}

/** The text of a document of a scheme that the extension provides. */
export function content(uri: Uri): Promise<string> {
  return contents.get(uri.scheme).provideTextDocumentContent(uri);
}

const outputChannel = {
  name: "rtc",
  append: (t: string) => void (record.output += t),
  appendLine: (t: string) => void (record.output += `${t}\n`),
  clear() {},
  show() {},
  hide() {},
  replace() {},
  dispose() {},
};

const window: Record<string, unknown> = {
  createOutputChannel: () => outputChannel,
  showErrorMessage: async (t: string) => void record.errors.push(t),
  showInformationMessage: async (t: string) => void record.informations.push(t),
  showQuickPick: async (items: any[]) => state.pick(items),
  showInputBox: async () => state.input,
  showTextDocument: async (d: Document) => void record.shown.push(d.getText()),
  setStatusBarMessage: () => new Disposable(),
  tabGroups: { all: [], onDidChangeTabs: event("tabs").event },
  visibleTextEditors: [],
  get activeTextEditor() {
    return state.document && { document: state.document, selection: { active: new Position(0, 1) } };
  },
};

const workspace: Record<string, unknown> = {
  getConfiguration: (section?: string) => ({
    get: (name: string, otherwise?: unknown) => state.settings[section ? `${section}.${name}` : name] ?? otherwise,
    has: () => true,
    inspect: () => undefined,
  }),
  getWorkspaceFolder: (uri: Uri) =>
    uri.path.startsWith(state.folder + "/") ? { uri: Uri.file(state.folder), name: "folder", index: 0 } : undefined,
  get textDocuments() {
    return state.document ? [state.document] : [];
  },
  get workspaceFolders() {
    return [{ uri: Uri.file(state.folder), name: "folder", index: 0 }];
  },
  notebookDocuments: [],
  isTrusted: true,
  openTextDocument: async (uri: Uri & { content?: string }) => (uri.content !== undefined ? new Document(Uri.parse("untitled:x"), uri.content) : state.document?.uri.toString() === uri.toString() ? state.document : new Document(uri, "")),
  createFileSystemWatcher: () => ({
    onDidCreate: event("create").event,
    onDidChange: event("change").event,
    onDidDelete: event("delete").event,
    dispose() {},
  }),
  registerTextDocumentContentProvider: (scheme: string, provider: unknown) => {
    contents.set(scheme, provider);
    return new Disposable(() => contents.delete(scheme));
  },
  fs: {},
};

const languages: Record<string, unknown> = {
  createDiagnosticCollection: () => ({
    name: "rtc",
    set: (uri: Uri, diagnostics: any[]) => void record.published.push({ uri: uri.toString(), diagnostics }),
    delete() {},
    clear() {},
    dispose() {},
  }),
  getDiagnostics: () => state.diagnostics,
  match: () => 10,
};

/** An object whose missing members are events (`on…`), or functions that register something. */
function open(known: Record<string, unknown>): unknown {
  return new Proxy(known, {
    get(target, name) {
      if (typeof name !== "string" || name in target) {
        return Reflect.get(target, name);
      }
      return /^on[A-Z]/.test(name) ? event(name).event : () => new Disposable();
    },
  });
}

const known: Record<string, unknown> = {
  Disposable,
  EventEmitter,
  Uri,
  Position,
  Range,
  ViewColumn: { Beside: -2 },
  version: "1.91.0",
  window: open(window),
  workspace: open(workspace),
  languages: open(languages),
  commands: open({
    registerCommand: (name: string, f: (...a: any[]) => unknown) => {
      commands.set(name, f);
      return new Disposable(() => commands.delete(name));
    },
    executeCommand: async (...a: unknown[]) => void record.executed.push(a),
  }),
  env: { openExternal: async (u: Uri) => record.opened.push(u.toString()), language: "en", appName: "test", machineId: "m", uriScheme: "vscode" },
  extensions: { getExtension: () => undefined, onDidChange: event("extensions").event, all: [] },
  l10n: { t: (s: string) => s },
  CancellationTokenSource: class {
    token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event };
    cancel() {
      this.token.isCancellationRequested = true;
    }
    dispose() {}
  },
};

/** Classes and enumerations that only have to be there. */
const vague = new Map<string, unknown>();

const mock = new Proxy(known, {
  get(target, name) {
    if (typeof name !== "string" || name in target || name === "then" || name === "__esModule" || name === "default") {
      return Reflect.get(target, name);
    }
    if (!vague.has(name)) {
      // As a base class, and as an enumeration whose members are numbers.
      const made = class {};
      let next = 0;
      vague.set(
        name,
        new Proxy(made, {
          get: (t, member) => (member in t || typeof member !== "string" ? Reflect.get(t, member) : Reflect.set(t, member, next++) && Reflect.get(t, member)),
        }),
      );
    }
    return vague.get(name);
  },
});

/** Makes `require("vscode")` give the stand-in. */
export function install(): void {
  const internals = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
  const load = internals._load;
  internals._load = (request, ...rest) => (request === "vscode" ? mock : load.call(internals, request, ...rest));
}

/** The folder of the extension, from compiled tests in `dist/test/test/`. */
export const root = path.resolve(__dirname, "../../..");
