// The page without a server: its files, which an editor shows, a worker compiles, and an address can hold.

import { Compiler } from "./compiler.js";
import { Editor } from "./editor.js";
import { fragment, normal, read, wrongName } from "./files.js";

/** How long after the last change the compiler starts. */
const PAUSE = 250;

/** What the page begins with if there are no samples. */
const START = `// rtc -T lib_6_9
RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Output : register(u0);
struct [raypayload] Payload { float3 color : read(caller) : write(miss, closesthit); };

[shader("raygeneration")]
void Start() {
    Payload p;
    RayDesc ray = { float3(DispatchRaysIndex().xy, 0), 0, float3(0, 0, 1), 1000 };
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
    Output[DispatchRaysIndex().xy] = float4(p.color, 1);
}
`;

addEventListener("DOMContentLoaded", async () => {
  const page = window.explorer;
  const { make, panes } = page;
  const $ = (id) => document.getElementById(id);
  const pick = panes.source.pick;

  /** What is compiled: the name of the source, the texts of all files, and the options that a person chose, or nothing. */
  let state = { name: "main.hlsl", files: { "main.hlsl": "" }, options: null };
  let current = state.name;
  /** Whether there are changes that no address holds. */
  let changed = false;
  const compiler = new Compiler();

  // Models ---------------------------------------------------------------------------------------

  let pause;
  /** Whether the listings are those of an older text. */
  const outdated = (is) => document.querySelector("main").setAttribute("aria-busy", String(is));
  const soon = () => {
    outdated(true);
    clearTimeout(pause);
    pause = setTimeout(() => page.load(), PAUSE);
  };
  const now = () => {
    clearTimeout(pause);
    return page.load();
  };

  page.from(async () => {
    clearTimeout(pause);
    outdated(true);
    const asked = structuredClone(state);
    let made;
    try {
      made = await compiler.ask({ make: "model", ...asked });
    } catch (e) {
      outdated(false);
      throw e;
    }
    if (!made) return undefined;
    outdated(false);
    const { model } = made;
    for (const [name, text] of Object.entries(state.files)) {
      // Files that the source does not include are shown, too, and those that were added since.
      if (!model.files.some((f) => normal(f.name) === name)) model.files.push({ name, lines: text.replace(/\n$/, "").split("\n") });
    }
    // The page goes on to show the file that it shows.
    const shown = model.files.find((f) => normal(f.name) === current);
    pick.replaceChildren(make("option", {}, shown ? shown.name : ""));
    keep();
    return { model, version: null };
  });

  // Options belong to the source until a person chooses others. These listeners come before those of the page.
  const chooses = () => {
    state.options = $("arguments").value.trim() || null;
    changed = true;
  };
  $("arguments").addEventListener("input", chooses);
  for (const id of ["profile", "level"]) {
    // The page changes the text of the options, then asks for a model.
    $(id).addEventListener("change", () => {
      chooses();
      now();
    });
  }

  // Files ----------------------------------------------------------------------------------------

  const editor = new Editor(page, (text) => {
    state.files[current] = text;
    changed = true;
    soon();
  });
  pick.hidden = true;
  const bar = pick.closest(".bar");
  const tabs = make("div", { class: "files", role: "group", "aria-label": "Files" });
  pick.after(tabs);

  /** Shows a file: what the model knows of it, or its text alone. */
  function show(name) {
    current = name;
    editor.set(state.files[name]);
    fillTabs();
    const at = page.model() ? page.model().files.findIndex((f) => normal(f.name) === name) : -1;
    if (at >= 0 && page.model().files[at].lines.join("\n") === state.files[name].replace(/\n$/, "")) {
      pick.value = String(at);
      panes.source.show();
    } else {
      panes.source.fill(editor.lines, []);
      editor.filled();
    }
  }

  panes.source.onshow = (name) => {
    const own = normal(name);
    // A line of a listing leads to another file.
    if (own !== current && own in state.files) {
      current = own;
      editor.set(state.files[own]);
      fillTabs();
    } else editor.filled();
  };

  function fillTabs() {
    const tab = (name) => {
      const attributes = { type: "button", class: "file", "aria-pressed": String(name === current), "data-name": name, onclick: () => show(name) };
      return make("button", attributes, name, name === state.name ? make("small", {}, " compiled") : null);
    };
    tabs.replaceChildren(...Object.keys(state.files).map(tab));
    $("compile-file").disabled = current === state.name;
    $("remove-file").disabled = Object.keys(state.files).length < 2;
  }

  /** Replaces everything. */
  function open(next) {
    state = { name: next.name, files: { ...next.files }, options: next.options };
    changed = false;
    $("arguments").value = state.options || "";
    show(state.name);
    return now();
  }

  function rename(from, to) {
    // In its place among the others.
    state.files = Object.fromEntries(Object.entries(state.files).map(([n, text]) => [n === from ? to : n, text]));
    if (state.name === from) state.name = to;
    changed = true;
    show(to);
    now();
  }

  /** Asks for the name of a file in place of its tab. */
  function askName(name) {
    const tab = [...tabs.children].find((t) => t.dataset.name === name);
    const input = make("input", { type: "text", class: "file", "aria-label": "Name of the file", value: name, spellcheck: "false" });
    let waits = true;
    const close = (commits) => {
      if (!waits) return;
      const to = input.value.trim();
      const wrong = commits && to !== name && wrongName(to, Object.keys(state.files));
      if (wrong) return page.say(wrong);
      waits = false;
      if (commits && to !== name) rename(name, to);
      else fillTabs();
      editor.field.focus();
    };
    input.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" && e.key !== "Escape") return;
      // The key is not one of the editor, which gets the focus.
      e.preventDefault();
      close(e.key === "Enter");
    });
    input.addEventListener("blur", () => {
      close(true);
      close(false);
    });
    tab.replaceWith(input);
    input.focus();
    input.setSelectionRange(name.lastIndexOf("/") + 1, name.lastIndexOf(".") < 0 ? name.length : name.lastIndexOf("."));
  }

  const button = (id, text, title, onclick) => make("button", { id, type: "button", title, onclick }, text);
  bar.append(
    button("add-file", "New", "Add a file, which others can include", () => {
      let [name, n] = ["new.hlsli", 1];
      while (name in state.files) name = `new${(n += 1)}.hlsli`;
      state.files[name] = "";
      changed = true;
      show(name);
      askName(name);
    }),
    button("rename-file", "Rename", "Rename this file", () => askName(current)),
    button("remove-file", "Remove", "Remove this file", () => {
      delete state.files[current];
      const rest = Object.keys(state.files);
      if (!rest.includes(state.name)) state.name = rest[0];
      changed = true;
      show(state.name);
      now();
    }),
    button("compile-file", "Compile this", "Compile this file instead of the one that is compiled now", () => {
      state.name = current;
      changed = true;
      fillTabs();
      now();
    }),
  );

  /** Adds files of this machine; the first that is no include is compiled. */
  async function take(list) {
    const added = [];
    for (const file of list) {
      const wrong = wrongName(file.name, []) || (file.size > 4 << 20 ? `\`${file.name}\` is larger than 4 MiB.` : undefined);
      if (wrong) return page.say(wrong);
      state.files[file.name] = (await file.text()).replace(/\r\n?/g, "\n");
      added.push(file.name);
    }
    if (!added.length) return undefined;
    state.name = added.find((n) => !/\.(hlsli|h|rsp)$/i.test(n)) || state.name;
    changed = true;
    show(added.includes(state.name) ? state.name : added[0]);
    return now();
  }

  // Samples, files of this machine, addresses -----------------------------------------------------

  const input = make("input", { id: "open", type: "file", multiple: true, accept: ".hlsl,.hlsli,.h,.fx,.rsp", class: "hidden", tabindex: "-1", "aria-label": "Files of this machine" });
  input.addEventListener("change", async () => {
    await take(input.files);
    input.value = "";
  });
  const samples = make("select", { id: "samples", "aria-label": "Samples" }, make("option", { value: "" }, "Sample…"));
  $("name").after(make("div", { class: "actions" }, samples,
    button("open-file", "Open…", "Open files of this machine", () => input.click()), input,
    button("share", "Share", "Put the files into the address of the page", share),
    button("export", "Export", "Write the page, as it is, to one file that needs nothing else", exportPage)));
  const { field } = editor;
  field.addEventListener("dragover", (e) => e.preventDefault());
  field.addEventListener("drop", (e) => {
    if (!e.dataTransfer.files.length) return;
    e.preventDefault();
    take(e.dataTransfer.files);
  });

  async function share() {
    try {
      const text = await fragment(state);
      history.replaceState(null, "", `#${text}`);
      changed = false;
      keep();
      const copied = await (navigator.clipboard?.writeText(location.href).then(() => true, () => false) ?? false);
      page.say(copied ? "The address of the page holds the files. It is copied." : "The address of the page holds the files.");
    } catch (e) {
      page.say(e.message);
    }
  }

  async function exportPage() {
    page.say("Exporting…");
    try {
      const made = await new Compiler().ask({ make: "page", ...structuredClone(state) });
      const link = make("a", { download: `${state.name.split("/").at(-1).replace(/\.[^.]*$/, "")}.html` });
      link.href = URL.createObjectURL(new Blob([made.page], { type: "text/html" }));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      page.say(`Exported ${link.download}.`);
    } catch (e) {
      page.say(e.message);
    }
  }

  /** Keeps the files for a reload of the page. */
  function keep() {
    try {
      sessionStorage.setItem("rtc", JSON.stringify({ at: location.hash, state, changed }));
    } catch {
      // Storage is full or forbidden: then they are not kept.
    }
  }
  function kept() {
    try {
      const { at, state, changed } = JSON.parse(sessionStorage.getItem("rtc"));
      return at === location.hash && changed && state.files[state.name] !== undefined ? state : undefined;
    } catch {
      return undefined;
    }
  }

  const all = await fetch("samples.json").then((a) => (a.ok ? a.json() : [])).catch(() => []);
  samples.append(...all.map((s, n) => make("option", { value: String(n) }, s.title)));
  samples.addEventListener("change", () => {
    const sample = all[samples.value];
    samples.value = "";
    if (!sample || (changed && !confirm("The sample takes the place of your files."))) return;
    history.replaceState(null, "", location.pathname + location.search);
    open(sample);
  });

  $("help").append(make("dl", {},
    ...[["Ctrl Enter", "from the editor to what the line was compiled to"], ["Ctrl ]", "move the chosen lines to the right"], ["Ctrl [", "move the chosen lines to the left"]]
      .flatMap(([keys, does]) => [make("dt", {}, ...keys.split(" ").flatMap((k) => [make("kbd", {}, k), " "])), make("dd", {}, does)])));

  async function begin() {
    let problem;
    const shared = await read(location.hash).catch((e) => void (problem = e.message));
    const first = all[0] || { name: "main.hlsl", files: { "main.hlsl": START }, options: null };
    await open(kept() || shared || first);
    if (problem) page.say(problem);
  }
  addEventListener("hashchange", begin);
  await begin();
});
