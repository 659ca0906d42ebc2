// Codes of diagnostics: in texts, and the pages that explain them.

/** A code as rtc writes it. */
const CODE = /\b[EWN][0-9]{4}\b/;

/** The code in a text, such as a word under the cursor or `error[E0704]`. */
export function codeIn(text: string): string | undefined {
  return CODE.exec(text.toUpperCase())?.[0];
}

/** The code of a diagnostic, whose `code` may be a number, a string, or either with a link. */
export function codeOf(code: unknown): string | undefined {
  const value = typeof code === "object" && code !== null && "value" in code ? code.value : code;
  return typeof value === "string" ? codeIn(value) : undefined;
}

/** The scheme of documents that are pages of the error index. */
export const SCHEME = "rtc-explain";

/** The path of a code's page as a document. */
export function pagePath(code: string): string {
  return `/${code}.md`;
}

/** The code of such a path. */
export function codeOfPath(path: string): string | undefined {
  return codeIn(path.replace(/\.md$/, ""));
}
