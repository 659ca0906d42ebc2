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

/** The entry points of `text`, in its order. */
export function entries(text: string): Entry[] {
  const code = blanked(text);
  const found: Entry[] = [];
  // Attributes, then a type, a name and a parenthesis.
  const pattern = /((?:\[(?:[^\][]|\[[^\][]*\])*\]\s*)+)(?:[A-Za-z_][\w:]*(?:\s*<[^;{}()]*>)?\s+)+([A-Za-z_]\w*)\s*\(/g;
  for (const match of code.matchAll(pattern)) {
    const [whole, attributes, name] = match;
    const stage = /\bshader\s*\(\s*"([a-z]+)"\s*\)/.exec(attributes)?.[1];
    const profile = stage ? (PROFILES[stage] ?? "lib") : BY_ATTRIBUTE.find(([a]) => a.test(attributes))?.[1];
    if (profile === undefined) {
      continue;
    }
    const before = code.slice(0, match.index + whole.lastIndexOf(name));
    found.push({ name, profile, line: before.split("\n").length - 1 });
  }
  return found;
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
