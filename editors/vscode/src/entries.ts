// Entry points of a source: found by their attributes in its text, without a compiler, so that a command can offer them at once.

/** What can be compiled of a source. */
export interface Entry {
  /** The name of the function. */
  name: string;
  /** The stage as profiles have it: `cs`, `vs`, …; `lib` for shaders of rays. */
  profile: string;
  /** The line of the name, from 0. */
  line: number;
}

/** Stages of `[shader("…")]` with the begin of their profile. All others are part of a library. */
const PROFILES: Record<string, string> = {
  compute: "cs",
  vertex: "vs",
  hull: "hs",
  domain: "ds",
  geometry: "gs",
  pixel: "ps",
  mesh: "ms",
  amplification: "as",
};

/** Attributes that only one stage has, for sources without `[shader("…")]`. */
const BY_ATTRIBUTE: [RegExp, string][] = [
  [/\boutputtopology\b(?=[^]*\boutputcontrolpoints\b)|\bpatchconstantfunc\b/, "hs"],
  [/\boutputtopology\b/, "ms"],
  [/\bmaxvertexcount\b/, "gs"],
  [/\bdomain\b/, "ds"],
  [/\bnumthreads\b/, "cs"],
];

/** The text with comments and string contents blanked, but for the strings of `[shader("…")]`; positions stay. */
function blanked(text: string): string {
  const blank = (s: string) => s.replace(/[^\n]/g, " ");
  return text.replace(/\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"/g, (s) =>
    s.startsWith('"') && /^"[a-z]+"$/.test(s) ? s : blank(s),
  );
}

/** The entry points of `text`, in its order: functions with attributes in front of the type. One pass over the tokens. */
export function entries(text: string): Entry[] {
  const code = blanked(text);
  const found: Entry[] = [];
  // The text of the attributes so far, the last name after them, and how deep the scan is in brackets of an attribute or a template.
  let attributes = "";
  let name: { text: string; at: number } | undefined;
  let depth = 0;
  let angles = 0;
  let start = 0;
  let line = 0;
  let counted = 0;
  for (const token of code.matchAll(/[A-Za-z_]\w*|"[a-z]*"|\S/g)) {
    const [t] = token;
    const at = token.index;
    if (t === "[" && (depth > 0 || name === undefined)) {
      start = depth === 0 ? at : start;
      depth++;
    } else if (depth > 0) {
      depth -= t === "]" ? 1 : 0;
      attributes += t === "]" && depth === 0 ? code.slice(start, at + 1) : "";
    } else if (t === "<" && name !== undefined) {
      angles++;
    } else if (angles > 0 && t !== ";" && t !== "{") {
      angles -= t === ">" ? 1 : 0;
    } else if (/^\w/.test(t) || t === ":") {
      name = t === ":" ? name : { text: t, at };
    } else {
      const profile = t === "(" && name && attributes ? profileOf(attributes) : undefined;
      if (name && profile) {
        for (; counted < name.at; counted++) {
          line += code[counted] === "\n" ? 1 : 0;
        }
        found.push({ name: name.text, profile, line });
      }
      attributes = "";
      name = undefined;
      angles = 0;
    }
  }
  return found;
}

/** The begin of the profile of a function with these attributes; nothing if it is no entry point. */
function profileOf(attributes: string): string | undefined {
  const stage = /\bshader\s*\(\s*"([a-z]+)"\s*\)/.exec(attributes)?.[1];
  return stage ? (PROFILES[stage] ?? "lib") : BY_ATTRIBUTE.find(([a]) => a.test(attributes))?.[1];
}

/** The options in the first line of a source, `// rtc -T lib_6_9 …`, as the samples have it; none without such a line. */
export function optionsOf(text: string): string[] {
  const line = /^\/\/[^\S\n]*rtc((?:[^\S\n]+\S+)*)[^\S\n]*(?:\n|$)/.exec(text);
  return line ? line[1].trim().split(/\s+/).filter((w) => w !== "") : [];
}

/** The arguments that compile an entry point, or the whole library, to `output`. */
export function compileArguments(
  text: string,
  entry: Entry,
  file: string,
  settings: { model: string; arguments: string[] },
  output: string,
): string[] {
  const own = optionsOf(text);
  // What the first line says about the target holds if it is about this entry point.
  const at = own.findIndex((w) => w === "-T" || w === "-E");
  const rest: string[] = [];
  let target: string | undefined;
  for (let i = 0; i < own.length; i++) {
    if (own[i] === "-T") {
      target = own[++i];
    } else if (own[i] === "-E" || own[i] === "-Fo") {
      i++;
    } else {
      rest.push(own[i]);
    }
  }
  const model = at >= 0 && target ? target.replace(/^[a-z]+_/, "") : settings.model;
  const profile = `${entry.profile}_${model}`;
  const which = entry.profile === "lib" ? [] : ["-E", entry.name];
  return ["-T", profile, ...which, ...rest, ...settings.arguments, file, "-Fo", output];
}
