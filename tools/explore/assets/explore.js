// The page of rtc explore: panes with linked lines, reports, and, where a server answers, options and new models.
"use strict";
addEventListener("DOMContentLoaded", () => {
  const $ = (id) => document.getElementById(id);
  const data = (id) => JSON.parse($(id).textContent);
  let model = data("model");
  let live = data("live");
  // Where models come from: a function of options that gives a model and its version, or nothing if it is out of date. Without one the page shows what it has.
  let models = live === null ? null : served;

  /** An element with attributes and children; strings become text. */
  function make(tag, attributes = {}, ...children) {
    const out = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "onclick") out.addEventListener("click", value);
      else if (value !== undefined && value !== false) out.setAttribute(name, value === true ? "" : value);
    }
    out.append(...children.filter((c) => c !== undefined && c !== null));
    return out;
  }
  /** A text in its colours: runs of a letter and a length, as `k6p1t5`. */
  function coloured(text, runs) {
    const out = [];
    let from = 0;
    for (const [, kind, length] of (runs || "").matchAll(/([a-z])(\d+)/g)) {
      const part = text.slice(from, from + Number(length));
      out.push(kind === "p" ? part : make("span", { class: "c-" + kind }, part));
      from += Number(length);
    }
    out.push(text.slice(from));
    return out;
  }
  const key = (at) => (at ? at[0] + ":" + at[1] : undefined);
  // Neighbouring lines get hues that are far apart.
  const hue = (at) => (at[1] * 137 + at[0] * 60) % 360;
  const plural = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

  // Panes ----------------------------------------------------------------------------------------

  class Pane {
    constructor(id) {
      this.id = id;
      this.box = $(id);
      this.pick = $(id + "-pick");
      this.at = [];
      this.lines = [];
      this.current = -1;
      this.box.addEventListener("click", (e) => {
        const line = e.target.closest(".line");
        if (line) choose(this, Number(line.dataset.n));
      });
      this.box.addEventListener("mousemove", (e) => {
        // A pane that scrolls under the pointer moves no mouse.
        const line = (e.movementX || e.movementY) && e.target.closest(".line");
        if (line) link(this.at[Number(line.dataset.n)]);
      });
      this.box.addEventListener("mouseleave", (e) => {
        if (e.movementX || e.movementY) link(chosen);
      });
      this.box.addEventListener("keydown", (e) => this.onKey(e));
      this.pick.addEventListener("change", () => this.show());
    }

    /** Fills the pane: texts, the place of each line or nothing, marks by line, why there is nothing, and the colours of the texts. */
    fill(texts, at, marks, missing, colours) {
      this.at = at;
      this.byPlace = new Map();
      this.current = -1;
      const used = this.id === "source" ? placesWithCode() : undefined;
      const all = document.createDocumentFragment();
      if (missing) all.append(make("div", { class: "missing" }, missing));
      this.lines = texts.map((text, n) => {
        const place = at[n];
        const line = make("div", { class: "line", role: "option", id: `${this.id}-${n}`, "data-n": n, "aria-selected": "false" });
        line.append(make("span", { class: "number", "aria-hidden": "true" }, String(n + 1)), make("span", { class: "text" }, ...coloured(text || " ", colours && colours[n])));
        if (place) {
          const k = key(place);
          this.byPlace.has(k) ? this.byPlace.get(k).push(n) : this.byPlace.set(k, [n]);
          if (!used || used.has(k)) {
            line.classList.add("from");
            line.style.setProperty("--hue", hue(place));
          }
        } else if (/^\s*;/.test(text)) line.classList.add("comment");
        const own = ((marks && marks.get(n)) || []).map((mark) => make("span", { class: "mark " + mark.kind, title: mark.title }, mark.text));
        if (own.length) line.append(make("span", { class: "marks" }, ...own));
        all.append(line);
        return line;
      });
      this.box.replaceChildren(all);
    }

    select(n) {
      if (this.current >= 0 && this.lines[this.current]) {
        this.lines[this.current].classList.remove("current");
        this.lines[this.current].setAttribute("aria-selected", "false");
      }
      this.current = n;
      if (this.onselect) this.onselect(n);
      if (n < 0 || !this.lines[n]) return this.box.removeAttribute("aria-activedescendant");
      this.lines[n].classList.add("current");
      this.lines[n].setAttribute("aria-selected", "true");
      this.box.setAttribute("aria-activedescendant", this.lines[n].id);
    }

    reveal(n) {
      const line = this.lines[n];
      if (!line) return;
      const [box, own] = [this.box.getBoundingClientRect(), line.getBoundingClientRect()];
      if (own.top < box.top || own.bottom > box.bottom) {
        this.box.scrollTop += own.top - box.top - box.height / 3;
      }
    }

    /** Shows a line in the first rows of the pane, without choosing it. */
    begin(n) {
      const line = this.lines[n];
      this.box.scrollTop = line ? line.offsetTop - this.lines[0].offsetTop : 0;
    }

    onKey(e) {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const last = this.lines.length - 1;
      const at = Math.max(this.current, 0);
      const page = Math.max(1, Math.floor(this.box.clientHeight / 18) - 2);
      const other = (step) => {
        const here = key(this.at[at]);
        for (let n = at + step; n >= 0 && n <= last; n += step) {
          if (this.lines[n].classList.contains("from") && key(this.at[n]) !== here) return n;
        }
        return at;
      };
      const to = {
        ArrowDown: () => (this.current < 0 ? 0 : Math.min(at + 1, last)), ArrowUp: () => Math.max(at - 1, 0), PageDown: () => Math.min(at + page, last),
        PageUp: () => Math.max(at - page, 0), Home: () => 0, End: () => last, n: () => other(1), p: () => other(-1),
      }[e.key];
      if (to && last >= 0) {
        e.preventDefault();
        choose(this, to());
      } else if (e.key === "Enter" && this.at[at]) {
        e.preventDefault();
        const goal = this.id === "source" ? panes.first : panes.source;
        goal.box.focus();
        const found = goal.byPlace.get(key(this.at[at]));
        if (found) choose(goal, found[0]);
      }
    }
  }

  class Source extends Pane {
    show() {
      const file = Number(this.pick.value);
      const f = model.files[file];
      this.fill(f.lines, f.lines.map((_, n) => [file, n + 1]), marksOf(file), undefined, f.colours);
      for (const decorate of explorer.decorators) decorate(file, this.lines);
      if (this.onshow) this.onshow(f.name);
    }
    /** Shows a file, if it is not shown. */
    open(file) {
      if (Number(this.pick.value) === file) return;
      this.pick.value = String(file);
      this.show();
    }
  }

  class Listing extends Pane {
    show() {
      const view = model.views.find((v) => v.id === this.pick.value) || model.views[0];
      const shown = (view.same_as && model.views.find((v) => v.id === view.same_as)) || view;
      $(this.id + "-doc").textContent = view.same_as ? `${view.doc} It changed nothing here.` : view.doc;
      this.fill(shown.lines, shown.at, undefined, view.missing, shown.colours);
      this.begin(shown.start ?? 0);
      if (panes.source.pick.value !== "") {
        panes.source.show();
        link(chosen);
      }
    }
  }

  let chosen;
  const panes = {};

  /** The places that a line of a listing comes from. */
  function placesWithCode() {
    const out = new Set();
    for (const pane of [panes.first, panes.second]) for (const at of pane ? pane.at : []) if (at) out.add(key(at));
    return out;
  }

  /** Shows in all panes what belongs to a place. */
  function link(place) {
    for (const line of document.querySelectorAll(".linked")) line.classList.remove("linked");
    if (!place) return;
    for (const pane of Object.values(panes)) {
      for (const n of pane.byPlace.get(key(place)) || []) {
        pane.lines[n].classList.add("linked");
        pane.lines[n].style.setProperty("--hue", hue(place));
      }
    }
  }

  /** Chooses a line of a pane: what belongs to it comes into view in the others. */
  function choose(pane, n) {
    pane.select(n);
    pane.reveal(n);
    chosen = pane.at[n];
    if (chosen && pane !== panes.source) panes.source.open(chosen[0]);
    link(chosen);
    for (const other of Object.values(panes)) {
      const found = other !== pane && chosen && other.byPlace.get(key(chosen));
      if (other !== pane) other.select(found ? found[0] : -1);
      if (found) other.reveal(found[0]);
    }
    const to = (p) => (chosen && p.byPlace.get(key(chosen))) || [];
    if (chosen) say(`${model.files[chosen[0]].name}:${chosen[1]}: ${plural(to(panes.first).length, "line")} and ${plural(to(panes.second).length, "line")} of the listings`);
  }

  /** Goes to a place of a source. */
  function go(place) {
    panes.source.open(place[0]);
    panes.source.box.focus();
    choose(panes.source, place[1] - 1);
  }

  // Marks and reports ------------------------------------------------------------------------------

  const fileNumber = (name) => model.files.findIndex((f) => f.name === name);
  const placeOf = (p) => (p && fileNumber(p.file) >= 0 ? [fileNumber(p.file), p.line] : undefined);
  const points = () => ((model.reorder && model.reorder.functions) || []).flatMap((f) => f.points.map((p) => ({ ...p, of: f.name })));

  function marksOf(file) {
    const out = new Map();
    const add = (line, mark) => (out.has(line - 1) ? out.get(line - 1).push(mark) : out.set(line - 1, [mark]));
    for (const p of points()) {
      const at = placeOf(p.place);
      if (at && at[0] === file) add(at[1], { kind: "reorder", text: `◆ ${p.after.bytes} B${p.divergence ? " ⑂" : ""}`, title: `${p.kind} in ${p.of}: ${plural(p.after.bytes, "byte")} live across it${p.divergence ? "; divergent: " + parting(p.divergence) : ""}` });
    }
    for (const d of model.diagnostics) {
      if (d.at && d.at[0] === file) add(d.at[1], { kind: d.severity, text: `${d.severity} ${d.code}`, title: d.message });
    }
    for (const more of explorer.marks) more(file, add);
    return out;
  }

  function button(place, text) {
    if (!place) return text || "";
    return make("button", { class: "place", type: "button", onclick: () => go(place) }, text || `${model.files[place[0]].name}:${place[1]}`);
  }

  function table(caption, heads, rows) {
    const head = make("tr", {}, ...heads.map((h) => make("th", { scope: "col" }, h)));
    const cell = (c) => (c instanceof HTMLTableCellElement ? c : make("td", typeof c === "number" ? { class: "number" } : {}, c instanceof Node ? c : String(c ?? "")));
    const body = rows.map((r) => make("tr", {}, ...r.map(cell)));
    return make("div", { class: "wrap" }, make("table", {}, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...body)));
  }

  function messages() {
    const all = model.diagnostics;
    $("tab-messages").textContent = `Messages (${all.length})`;
    const list = all.map((d) => make("li", {}, make("span", { class: d.severity }, `${d.severity} ${d.code}: `), `${d.message} `,
      d.targets.length < 2 ? make("small", {}, `(${d.targets.join(", ")}) `) : null, button(d.at, d.at ? undefined : " ")));
    $("messages").replaceChildren(list.length ? make("ul", {}, ...list) : make("p", {}, "No errors and no warnings."));
  }

  function payloads() {
    const all = (model.payloads && model.payloads.payloads) || [];
    $("tab-payloads").textContent = `Payloads (${all.length})`;
    const out = [];
    for (const p of all) {
      out.push(make("h3", {}, `${p.name}: ${plural(p.bytes, "byte")}`));
      for (const why of p.refused) out.push(make("p", { class: "warning" }, `Qualifiers are not inferred: ${why}`));
      for (const [what, view] of [["As declared", p.declared], ["Tightest qualifiers", p.tightest]]) {
        if (!view) continue;
        // In the order of a trace.
        const rank = (t) => t.split(" -> ").reduce((n, stage) => n * 4 + ["caller", "anyhit", "closesthit", "miss"].indexOf(stage), 0);
        const transitions = Object.keys(view.aliveBytes).sort((a, b) => rank(a) - rank(b));
        const rows = view.fields.map((f, n) => [
          make("th", { scope: "row" }, `${p.members[n].type} ${p.members[n].name}`), p.members[n].bytes,
          `read(${f.read.join(", ")}) write(${f.write.join(", ")})`,
          ...transitions.map((t) => make("td", { class: f.alive.includes(t) ? "live" : "dead" }, f.alive.includes(t) ? "live" : "–")),
          f.packedBit === null ? "none" : `byte ${Math.floor(f.packedBit / 8)}`,
        ]);
        rows.push([make("th", { scope: "row" }, "bytes live"), p.bytes, "", ...transitions.map((t) => view.aliveBytes[t]), `${view.packedBytes} bytes`]);
        out.push(table(`${what}: at most ${view.peakBytes} bytes live, ${view.packedBytes} bytes packed`, ["field", "bytes", "qualifiers", ...transitions.map((t) => t.replace("->", "→")), "packed at"], rows));
      }
    }
    $("payloads").replaceChildren(...(out.length ? out : [make("p", {}, "The source has no payloads.")]));
  }

  /** What diverges around a point: constructs with their lines and values. */
  const parting = (d) => d.causes.map((c) => `${c.kind}${c.place ? ` in line ${c.place.line}` : ""}${c.value ? ` (${c.value})` : ""}`).join(", ");

  /** The points of a function in one table, with what diverges around each. */
  function overview(f) {
    const row = (p) => {
      const d = p.divergence;
      return [button(placeOf(p.place), undefined), p.kind, p.after.bytes, p.passesBytes, d ? parting(d) : "–", d ? d.instructionsAfter : "–", d ? d.text : "–"];
    };
    return table(`Points of ${f.name}`, ["point", "kind", "live", "passed", "divergent", "instructions after it", "all lanes"], f.points.map(row));
  }

  function reorder() {
    const functions = ((model.reorder && model.reorder.functions) || []).filter((f) => f.points.length || f.tooManyPoints);
    $("tab-reorder").textContent = `Reorder points (${points().length})`;
    const out = [];
    for (const f of functions) {
      out.push(make("h3", {}, `${f.name} (${f.stage}), about ${plural(f.stackBytes, "byte")} of stack`));
      if (f.tooManyPoints) out.push(make("p", {}, `${f.tooManyPoints} reorder points, too many to show what is live across each.`));
      if (f.points.length) out.push(overview(f));
      for (const p of f.points) {
        const before = p.before && p.before.bytes !== p.after.bytes ? `, ${p.before.bytes} before optimisation` : "";
        const title = make("span", {}, button(placeOf(p.place), undefined), ` ${p.kind}: ${plural(p.after.bytes, "byte")} live across it${before}, ${p.passesBytes} passed`);
        const chain = p.chain.map((c) => make("li", {}, `${c.function}, called at `, button(placeOf(c.calledAt))));
        const rows = p.after.items.map((i) => [i.name, i.type, i.what, i.bytes ?? "?", button(placeOf(i.declared)), button(placeOf(i.set))]);
        out.push(!rows.length ? make("p", {}, title) : table(title, ["live", "type", "what", "bytes", "declared", "set"], rows));
        if (chain.length) out.push(make("ul", {}, ...chain));
        if (p.suggestions.length) out.push(make("ul", {}, ...p.suggestions.map((s) => make("li", {}, `${s.text} (saves ${plural(s.savesBytes, "byte")}) `, button(placeOf(s.place), s.place ? undefined : " ")))));
      }
    }
    $("reorder").replaceChildren(...(out.length ? out : [make("p", {}, "The source has no reorder points.")]));
  }

  const tabs = [...document.querySelectorAll("[role=tab]")];
  function showTab(tab) {
    for (const t of tabs) {
      t.setAttribute("aria-selected", String(t === tab));
      t.tabIndex = t === tab ? 0 : -1;
      $(t.getAttribute("aria-controls")).hidden = t !== tab;
    }
  }
  for (const [n, tab] of tabs.entries()) {
    tab.addEventListener("click", () => showTab(tab));
    tab.addEventListener("keydown", (e) => {
      const to = { ArrowRight: n + 1, ArrowLeft: n - 1, Home: 0, End: tabs.length - 1 }[e.key];
      if (to === undefined) return;
      e.preventDefault();
      const next = tabs[(to + tabs.length) % tabs.length];
      showTab(next);
      next.focus();
    });
  }

  // Options ----------------------------------------------------------------------------------------

  const say = (text) => ($("status").textContent = text);
  const stages = ["lib", "cs", "vs", "ps", "gs", "hs", "ds", "ms", "as"];
  const profiles = stages.flatMap((s) => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((m) => `${s}_6_${m}`)).filter((p) => !/lib_6_[012]|[am]s_6_[0-4]/.test(p));
  const levels = ["-Od", "-O1", "-O2", "-O3"];
  const quoted = (a) => (/[\s"]/.test(a) || a === "" ? `"${a.replace(/(["\\])/g, "\\$1")}"` : a);

  function fillOptions() {
    $("name").textContent = model.name + (model.entry ? `, ${model.entry}` : "") + (model.profile ? ` (${model.profile})` : "");
    const options = (list, value) => list.map((v) => make("option", { value: v, selected: v === value }, v));
    const known = profiles.includes(model.profile) || !model.profile ? profiles : [model.profile, ...profiles];
    $("profile").replaceChildren(...options(known, model.profile));
    $("level").replaceChildren(...options(levels, model.arguments.findLast((a) => levels.includes(a)) || "-O3"));
    if (document.activeElement !== $("arguments")) $("arguments").value = model.arguments.map(quoted).join(" ");
    // A page that stands alone compiles nothing: its options are in the title.
    $("options").hidden = !models;
    if (!models) $("name").title = model.arguments.map(quoted).join(" ");
  }

  $("profile").addEventListener("change", () => {
    const text = $("arguments").value;
    const without = text.replace(/(^|\s)[-/]T\s*=?\s*\S+/g, " ");
    $("arguments").value = `-T ${$("profile").value} ${without.trim()}`.trim();
    load();
  });
  $("level").addEventListener("change", () => {
    $("arguments").value = `${$("arguments").value.replace(/(^|\s)[-/]O[0-3d](?=\s|$)/g, " ").trim()} ${$("level").value}`.trim();
    load();
  });
  $("options").addEventListener("submit", (e) => {
    e.preventDefault();
    load();
  });

  // Models -----------------------------------------------------------------------------------------

  function fillPicks() {
    const keep = (pick, list, otherwise) => {
      const before = pick.value;
      pick.replaceChildren(...list);
      pick.value = list.some((o) => o.value === before) ? before : otherwise;
      if (pick.selectedIndex < 0) pick.selectedIndex = 0;
    };
    const title = (v) => v.title + (v.same_as ? " (no change)" : "") + (v.missing ? " (missing)" : "");
    const views = () => model.views.map((v) => make("option", { value: v.id }, title(v)));
    keep(panes.source.pick, model.files.map((f, n) => make("option", { value: String(n) }, f.name)), "0");
    keep(panes.first.pick, views(), "dxil");
    keep(panes.second.pick, views(), "spirv");
  }

  /** Whether a model was shown before, so that the panes stay where the reader left them. */
  let opened = false;

  function show() {
    const first = !opened;
    const [line, scroll] = [chosen, Object.values(panes).map((p) => p.box.scrollTop)];
    const file = panes.source.pick.selectedOptions[0]?.textContent;
    fillPicks();
    // A file may have another number than before.
    panes.source.pick.value = String(Math.max(0, fileNumber(file)));
    for (const id of ["first", "second"]) {
      const pane = panes[id];
      const view = model.views.find((v) => v.id === pane.pick.value) || model.views[0];
      const shown = (view.same_as && model.views.find((v) => v.id === view.same_as)) || view;
      $(id + "-doc").textContent = view.same_as ? `${view.doc} It changed nothing here.` : view.doc;
      pane.fill(shown.lines, shown.at, undefined, view.missing, shown.colours);
      pane.start = shown.start ?? 0;
    }
    panes.source.show();
    messages();
    payloads();
    reorder();
    fillOptions();
    chosen = line && model.files[line[0]] && line[1] <= model.files[line[0]].lines.length ? line : undefined;
    link(chosen);
    if (opened) Object.values(panes).forEach((p, n) => (p.box.scrollTop = scroll[n]));
    else {
      // What a reader came for: the code of the entry point, after comments, types and declarations.
      panes.source.begin((model.start ?? 1) - 1);
      panes.first.begin(panes.first.start);
      panes.second.begin(panes.second.start);
      opened = true;
    }
    for (const f of explorer.listeners) f(model);
    if (first) showFirst();
  }

  /** The report that a new page shows: errors, else the picture of a scene with its reorder points, else the reorder points. */
  function showFirst() {
    const failed = model.diagnostics.some((d) => d.severity === "error");
    const scene = model.scene && model.scene.state !== "absent";
    if (!failed && (scene || points().length)) showTab($(scene ? "tab-scene" : "tab-reorder"));
  }

  /** The model of the server. */
  async function served(options) {
    const answer = await fetch("model.json?options=" + encodeURIComponent(options)).catch(() => {
      throw new Error("The server does not answer.");
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return JSON.parse(text);
  }

  let loading = false;
  async function load() {
    loading = true;
    say("Compiling…");
    try {
      const made = await models($("arguments").value);
      if (!made) return;
      ({ model, version: live } = made);
      show();
      const errors = model.diagnostics.filter((d) => d.severity === "error").length;
      say(errors ? plural(errors, "error") : "Compiled.");
    } catch (e) {
      say(e.message);
    } finally {
      loading = false;
    }
  }

  async function poll() {
    if (!loading) {
      try {
        const version = await (await fetch("version")).text();
        if ($("status").dataset.lost) {
          delete $("status").dataset.lost;
          say("Connected again.");
        }
        if (version !== live && !loading) await load();
      } catch {
        $("status").dataset.lost = "1";
        say("The server does not answer.");
      }
    }
    setTimeout(poll, 700);
  }

  // What other parts of the page use and add: marks and looks of source lines, and what follows a new model.
  const explorer = {
    make, table, button, plural, say, panes, choose, link, load, marks: [], decorators: [], listeners: [],
    model: () => model,
    /** Takes models from this function, in a page that makes them itself. */
    from: (source) => (models = source),
    isLive: () => live !== null,
    /** Shows the source's lines again, with marks that have changed. */
    redraw() {
      const [top, current] = [panes.source.box.scrollTop, panes.source.current];
      panes.source.show();
      panes.source.select(current);
      link(chosen);
      panes.source.box.scrollTop = top;
    },
    /** Compiles with these options, and shows the listing of their target first. */
    compile(options) {
      const spirv = options.some((o) => /^[-/]+spirv$/.test(o));
      panes.first.pick.value = spirv ? "spirv" : "dxil";
      panes.second.pick.value = spirv ? "dxil" : "spirv";
      $("arguments").value = options.map(quoted).join(" ");
      return load();
    },
    /** Calls a function with the model, now and when there is another one. */
    follow(f) {
      explorer.listeners.push(f);
      if (model) f(model);
    },
  };
  window.explorer = explorer;

  panes.source = new Source("source");
  panes.first = new Listing("first");
  panes.second = new Listing("second");
  if (model) show();
  if (live !== null) poll();
});
