
// Findings: undefined behaviour that the sanitizer saw while the scene was rendered, and what the compiler warns of without running anything.
addEventListener("DOMContentLoaded", () => {
  const { make, table, button, plural, follow } = explorer;
  const panel = document.getElementById("findings");
  const tab = document.getElementById("tab-findings");

  const found = () => (explorer.scene && explorer.scene.findings) || [];
  const warned = () => explorer.model().diagnostics.filter((d) => d.behaviour);

  explorer.marks.push((file, add) => {
    for (const f of found()) {
      if (f.at && f.at[0] === file) add(f.at[1], { kind: "finding", text: f.kind === "error" ? "✗ stopped here" : `✗ ${f.kind}${f.times > 1 ? ` ×${f.times}` : ""}`, title: f.message });
    }
  });
  explorer.decorators.push((file, lines) => {
    for (const at of [...found(), ...warned()].map((f) => f.at)) {
      if (at && at[0] === file && lines[at[1] - 1]) lines[at[1] - 1].classList.add("found");
    }
  });

  function draw() {
    const [run, still] = [found(), warned()];
    tab.textContent = `Findings (${run.length + still.length})`;
    const scene = explorer.scene;
    const out = [];
    const rows = run.map((f) => [make("th", { scope: "row" }, f.kind), f.message, f.shader, f.op, f.thread ? `(${f.thread.join(", ")})` : "", f.times, button(f.at, f.at ? undefined : " ")]);
    if (rows.length) out.push(table("Found while the scene was rendered, in the first thread that has it", ["kind", "what", "shader", "operation", "thread", "times", "place"], rows));
    else if (scene && scene.state === "done") out.push(make("p", {}, "The sanitizer found nothing while the scene was rendered."));
    else if (scene && scene.state === "running") out.push(make("p", {}, "The sanitizer watches the scene while it is rendered…"));
    else out.push(make("p", {}, "The sanitizer watches a scene while it is rendered, and none has been."));
    const warnings = still.map((d) => [make("th", { scope: "row" }, d.code), d.message, d.targets.join(", "), button(d.at, d.at ? undefined : " ")]);
    if (warnings.length) out.push(table(`${plural(still.length, "warning")} of the compiler about what the shaders do`, ["code", "what", "target", "place"], warnings));
    else out.push(make("p", {}, "The compiler warns of nothing that the shaders do."));
    panel.replaceChildren(...out);
  }
  explorer.drawFindings = draw;
  follow(draw);
});
