// The files of the page, and their form in an address: JSON, compressed, in the characters that an address may have.

/** The longest fragment of an address; some programs cut longer ones. */
const MOST_SHARED = 60000;
/** What a fragment may become when it is read. */
const MOST_READ = 4 << 20;

/** A path without `.` and `..`, as the compiler finds files. */
export function normal(path) {
  const out = [];
  for (const part of path.split("/")) {
    if (part === ".." && out.length && out.at(-1) !== "..") out.pop();
    else if (part !== "." && part !== "") out.push(part);
  }
  return out.join("/");
}

/** Why a file may not have a name; nothing if it may. */
export function wrongName(name, others) {
  if (!name) return "A file needs a name.";
  if (name.length > 200) return "The name is longer than 200 characters.";
  if (/[\\<>"\u0000-\u001f]/.test(name)) return `The name \`${name}\` has a character that names of files do not have.`;
  if (normal(name) !== name || name.split("/").includes("..")) return `\`${name}\` is not a path below the folder of the page, such as \`common/light.hlsli\`.`;
  if (others.includes(name)) return `There is a file \`${name}\` already.`;
  return undefined;
}

/** What the page compiles, checked: `{ name, files: { name: text }, options }`; from an address, which anybody may have written. */
function checked(value) {
  const { name, files, options = null } = value;
  const entries = Object.entries(files);
  const seen = [];
  for (const [n, text] of entries) {
    const wrong = wrongName(n, seen) || (typeof text === "string" ? undefined : `\`${n}\` has no text.`);
    if (wrong) throw new Error(wrong);
    seen.push(n);
  }
  if (!seen.includes(name)) throw new Error("it names no file to compile.");
  if (options !== null && typeof options !== "string") throw new Error("its options are no text.");
  return { name, files: Object.fromEntries(entries), options };
}

const toBytes = (stream) => new Response(stream).arrayBuffer().then((b) => new Uint8Array(b));
const through = (bytes, by) => new Blob([bytes]).stream().pipeThrough(by);

function base64(bytes) {
  let text = "";
  for (let n = 0; n < bytes.length; n += 0x8000) text += String.fromCharCode(...bytes.subarray(n, n + 0x8000));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
const bytesOf = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

/** The fragment that `read` reads. */
export async function fragment(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packs = typeof CompressionStream === "function";
  const text = packs ? `z=${base64(await toBytes(through(bytes, new CompressionStream("deflate-raw"))))}` : `j=${base64(bytes)}`;
  if (text.length > MOST_SHARED) {
    throw new Error(`The files are too large for an address (${text.length} characters of at most ${MOST_SHARED}). The button Export writes them into one file.`);
  }
  return text;
}

/** What a fragment holds; nothing if it is not one of ours. */
export async function read(fragment) {
  const [, kind, text] = /^#?([zj])=([A-Za-z0-9_-]+)$/.exec(fragment) || [];
  if (!kind) return undefined;
  try {
    let bytes = bytesOf(text);
    if (kind === "z") bytes = await bounded(through(bytes, new DecompressionStream("deflate-raw")));
    return checked(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (e) {
    throw new Error(`The address does not hold files of this page: ${e.message || "it is damaged."}`);
  }
}

/** The bytes of a stream that may come from a small text and be large. */
async function bounded(stream) {
  const parts = [];
  let total = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    total += value.length;
    if (total > MOST_READ) {
      reader.cancel().catch(() => {});
      throw new Error("it is larger than 4 MiB.");
    }
    parts.push(value);
  }
  return toBytes(new Blob(parts).stream());
}
