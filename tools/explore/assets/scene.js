
// The scene: its pictures, the coherence of its waves as a table, as colours beside the source's lines and as an image over the picture.
addEventListener("DOMContentLoaded", () => {
  const { make, table, button, plural } = explorer;
  const panel = document.getElementById("scene");
  const tab = document.getElementById("tab-scene");
  /** How the pictures are shown, whatever scene comes. */
  const look = { over: 0, picture: 0 };
  /** The last pictures, which stay while the next ones are rendered. */
  let shown;

  const points = () => ((explorer.scene && explorer.scene.profiles) || []).flatMap((p) => p.points.map((q) => ({ ...q, max: p.max })));
  const times = (n) => n.toLocaleString("en");
  const both = (pair) => `${pair[0].toFixed(2)} → ${pair[1].toFixed(2)}`;
  const share = (pair) => pair.map((n) => `${Math.round(n * 100)} %`).join(" → ");

  /** How far from coherent waves are: 0 for one shader in a wave, 1 for what the brightest colour of the heat map stands for. */
  const heat = (groups, max) => Math.min(1, Math.max(0, Math.log2(Math.max(1, groups)) / Math.log2(Math.max(2, max))));
  const colors = [[0, 0, 0], [80, 20, 120], [190, 50, 80], [250, 150, 20], [255, 255, 190]];
  /** The colour of the heat map for a heat. */
  function color(heat) {
    const at = heat * (colors.length - 1);
    const low = Math.min(Math.floor(at), colors.length - 2);
    return `rgb(${colors[low].map((c, n) => Math.round(c + (colors[low + 1][n] - c) * (at - low))).join(" ")})`;
  }

  explorer.marks.push((file, add) => {
    for (const p of points()) {
      if (p.at && p.at[0] === file) add(p.at[1], { kind: "coherence", text: `▦ ${p.groups[0].toFixed(1)}`, title: `${p.op} in ${p.shader}: waves go on with ${both(p.groups)} shaders, as they are and sorted` });
    }
  });
  explorer.decorators.push((file, lines) => {
    const hottest = new Map();
    for (const p of points()) {
      if (p.at && p.at[0] === file) hottest.set(p.at[1], Math.max(hottest.get(p.at[1]) || 0, heat(p.groups[0], p.max)));
    }
    for (const [line, n] of hottest) {
      if (!lines[line - 1]) continue;
      lines[line - 1].classList.add("hot");
      lines[line - 1].style.setProperty("--heat", color(n));
    }
  });

  /** A picture with the heat map of its dispatch over it. */
  function pictures(scene) {
    const out = [];
    const list = scene.pictures;
    const shot = list[Math.min(look.picture, list.length - 1)];
    const fits = (p) => shot && shot.data && p.map.size.join() === shot.size.join();
    const drawn = scene.profiles.filter((p) => p.map && p.map.data);
    // Frames have a profile each.
    const profile = (drawn.length === list.length && drawn[list.indexOf(shot)]) || drawn.find(fits) || drawn[0];
    const map = profile && profile.map;
    const over = profile && fits(profile);
    for (const p of [...list, ...scene.profiles.map((p) => p.map)]) {
      if (p && p.missing) out.push(make("p", { class: "warning" }, `${p.name} is not shown: ${p.missing}`));
    }
    if (list.length > 1) {
      const pick = make("select", { id: "scene-picture" }, ...list.map((p, n) => make("option", { value: String(n), selected: p === shot }, p.name)));
      pick.addEventListener("change", () => {
        look.picture = Number(pick.value);
        draw();
        document.getElementById("scene-picture").focus();
      });
      out.push(make("label", {}, "Picture ", pick));
    }
    const image = (p, alt, id, kind) => make("img", { src: p.data, alt, id, width: p.size[0] || undefined, height: p.size[1] || undefined, class: kind });
    const frame = make("div", { class: "frame" });
    if (shot && shot.data) frame.append(image(shot, `The picture ${shot.name} of the scene, ${shot.size.join(" by ")} pixels`, "scene-image", "shot"));
    if (map) {
      const alt = `Coherence: for each ray the shaders that its wave goes on with, from 1, black, to ${profile.max.toFixed(1)}, bright`;
      const layer = image(map, alt, "scene-heat", over ? "over" : "shot");
      if (over) {
        layer.style.opacity = String(look.over);
        const slider = make("input", { type: "range", id: "scene-over", min: "0", max: "1", step: "0.05", value: String(look.over), "aria-label": "Coherence over the picture" });
        slider.addEventListener("input", () => {
          look.over = Number(slider.value);
          layer.style.opacity = slider.value;
        });
        out.push(make("label", {}, "Picture ", slider, " coherence"));
      }
      frame.append(layer);
    }
    if (frame.childElementCount) out.push(frame);
    if (map) {
      const bar = make("span", { class: "scale", "aria-hidden": "true" });
      bar.style.background = `linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map(color).join(", ")})`;
      out.push(make("p", { class: "legend" }, "1 ", bar, ` ${profile.max.toFixed(1)} different shaders in a wave; gray: none`));
    }
    if (!list.length) out.push(make("p", {}, "The scene saves no picture."));
    return out;
  }

  function profile(scene) {
    return scene.profiles.filter((p) => p.points.length).map((p) => {
      const cell = (point) => {
        const td = make("td", { class: "heat" }, both(point.groups));
        td.style.setProperty("--heat", color(heat(point.groups[0], p.max)));
        return td;
      };
      const rows = p.points.map((q) => [make("th", { scope: "row" }, `${q.op} in ${q.shader}`), times(q.times), cell(q), both(q.hints), share(q.occupancy), q.verdict || "", button(q.at, q.at ? undefined : " ")]);
      return table(`Coherence in waves of ${p.points[0].lanes}: as they are → sorted by shader`, ["point", "rays", "shaders in a wave", "hints", "lanes in use", "does reordering pay?", "place"], rows);
    });
  }

  function draw() {
    const scene = explorer.scene;
    const state = scene ? scene.state : "absent";
    tab.textContent = { running: "Scene…", failed: "Scene (failed)" }[state] || "Scene";
    panel.setAttribute("aria-busy", String(state === "running"));
    const out = [];
    if (state === "running") out.push(make("p", { id: "scene-state" }, shown ? "Rendering… The picture is of before." : "Rendering…"));
    if (state === "waiting") out.push(make("p", { id: "scene-state" }, `Nothing is rendered: ${scene.why}`, shown ? " The picture is of before." : ""));
    if (state === "failed") out.push(make("p", { id: "scene-state", class: "error" }, `${scene.name || "The scene"} could not be rendered.`), make("pre", { class: "why" }, scene.why || ""));
    if (state === "absent") {
      const which = "a line `// scene: FILE` in it names one, a `scene.toml` in its folder is one, or `rtc explore FILE --scene SCENE` says one";
      const without = scene ? `The source has no scene: ${which}.` : `No scene is rendered here. \`rtc explore\` renders that of a source: ${which}.`;
      out.push(make("p", { id: "scene-state" }, (scene && scene.why) || without));
    }
    if (state === "done") {
      out.push(make("p", { id: "scene-state" }, `${scene.name}, rendered by the CPU device in ${scene.seconds.toFixed(1)} s. `, scene.checks || ""));
      out.push(...scene.warnings.map((w) => make("p", { class: "warning" }, w)));
    }
    const last = state === "done" ? scene : state === "absent" ? undefined : shown;
    const side = make("div", { class: "scene" });
    if (last) side.append(make("div", { class: "pictures" }, ...pictures(last)));
    if (state === "done") {
      const tables = profile(scene);
      side.append(make("div", { class: "points" }, ...(tables.length ? tables : [make("p", {}, "No ray reached a reorder point.")])));
    }
    panel.replaceChildren(...out, side);
  }

  /** Takes a scene: marks in the source are of it, and of no other one. */
  function take(scene) {
    const marked = (s) => Boolean(s && (s.findings.length || s.profiles.length));
    const marks = marked(explorer.scene) || marked(scene);
    explorer.scene = scene || undefined;
    if (scene && scene.state === "done") shown = scene;
    draw();
    explorer.drawFindings();
    if (marks) explorer.redraw();
    if (scene && scene.state === "done") explorer.say(`The scene is rendered, ${plural(scene.findings.length, "finding")} of the sanitizer.`);
  }

  /** Asks for the scene until there is none that is rendered. */
  async function poll() {
    let wait = 1500;
    try {
      const seen = explorer.scene ? explorer.scene.number : "";
      const scene = await (await fetch(`scene.json?seen=${seen}`)).json();
      if (scene) take(scene);
      if (explorer.scene && explorer.scene.state === "running") wait = 250;
    } catch {
      // The page says already that the server does not answer.
    }
    setTimeout(poll, wait);
  }

  explorer.follow((model) => {
    const same = explorer.scene && model.scene && explorer.scene.number === model.scene.number;
    if (!same) take(model.scene);
  });
  if (explorer.isLive() && explorer.model()?.scene) poll();
});
