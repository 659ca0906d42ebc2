// `rtc explore`: a local page for a file. The program serves it until the editor closes.

import { ChildProcess, spawn } from "node:child_process";
import * as vscode from "vscode";

import { missing } from "./program";

/** The address in the output of `rtc explore`; only one of this machine. */
export function addressIn(text: string): string | undefined {
  return /\bhttp:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):[0-9]+[^\s"']*/.exec(text)?.[0];
}

/** The programs that serve pages, by file. */
export class Explorers implements vscode.Disposable {
  private readonly running = new Map<string, { child: ChildProcess; address?: string }>();

  constructor(
    private readonly rtc: () => string,
    private readonly channel: () => vscode.OutputChannel,
    private readonly complain: (message: string) => Promise<void>,
  ) {}

  /** Opens the page of a file. Gives its address; nothing if the program ends before it names one. */
  open(file: string, folder: string): Promise<string | undefined> {
    const before = this.running.get(file);
    if (before?.address) {
      return this.show(before.address);
    }
    before?.child.kill();
    const path = this.rtc();
    const child = spawn(path, ["explore", file], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    const entry: { child: ChildProcess; address?: string } = { child };
    this.running.set(file, entry);
    let said = "";
    return new Promise((done) => {
      const read = (text: string) => {
        this.channel().append(text);
        said += text;
        const address = entry.address ? undefined : addressIn(said);
        if (address) {
          entry.address = address;
          done(this.show(address));
        }
      };
      child.stdout?.setEncoding("utf8").on("data", read);
      child.stderr?.setEncoding("utf8").on("data", read);
      let isOver = false;
      const ended = async (problem: string) => {
        if (this.running.get(file) === entry) {
          this.running.delete(file);
        }
        if (!entry.address && !isOver) {
          isOver = true;
          done(undefined);
          await this.complain(problem);
        }
      };
      child.on("error", () => void ended(missing(path)));
      child.on("close", (code, signal) => {
        if (signal === null) {
          void ended(`\`rtc explore\` has ended (exit code ${code}): ${said.trim().split("\n")[0] ?? ""}`);
        } else {
          done(undefined);
        }
      });
    });
  }

  private async show(address: string): Promise<string> {
    await vscode.env.openExternal(vscode.Uri.parse(address));
    return address;
  }

  dispose(): void {
    for (const { child } of this.running.values()) {
      child.kill();
    }
    this.running.clear();
  }
}
