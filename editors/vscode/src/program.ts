// Runs the program rtc: where it is, and its output.

import { spawn } from "node:child_process";

/** What a run printed. */
export interface Outcome {
  /** The exit code; `null` if the program did not start or was ended. */
  code: number | null;
  stdout: string;
  stderr: string;
  /** Why the program did not start. */
  problem?: string;
}

/** The program that the setting names, or the one on the path. */
export function program(setting: string | undefined): string {
  return setting?.trim() || "rtc";
}

/** What to tell a person where the program is missing. */
export function missing(path: string): string {
  return `\`${path}\` cannot be started. Install rtc, or set "rtc.path" to the program.`;
}

/** Runs `path` with arguments in a folder. It never rejects. */
export function run(path: string, args: string[], folder?: string): Promise<Outcome> {
  return new Promise((done) => {
    const child = spawn(path, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (t: string) => (stdout += t));
    child.stderr.setEncoding("utf8").on("data", (t: string) => (stderr += t));
    child.on("error", (e: NodeJS.ErrnoException) =>
      done({ code: null, stdout, stderr, problem: e.code === "ENOENT" ? missing(path) : e.message }),
    );
    child.on("close", (code) => done({ code, stdout, stderr }));
  });
}
