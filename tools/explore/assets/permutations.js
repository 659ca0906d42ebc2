
// Permutations: those that a description of a build names for the source, filtered by the server, since there may be thousands.
addEventListener("DOMContentLoaded", () => {
  const { make, plural } = explorer;
  const $ = (id) => document.getElementById(id);
  const [filter, list] = [$("permutations-filter"), $("permutations-list")];
  /** The number of the last request: a late answer to an earlier one is dropped. */
  let asked = 0;

  const chosen = () => (explorer.model().permutations || { chosen: [] }).chosen;

  function item(p) {
    const current = chosen().includes(p.name);
    const choose = make("button", { type: "button", class: "permutation", "aria-pressed": String(current), title: p.arguments.join(" "), onclick: () => explorer.compile(p.arguments) }, p.name);
    return make("li", {}, choose);
  }

  async function ask() {
    if (!explorer.isLive() || !(explorer.model().permutations || {}).count) return list.replaceChildren();
    const own = (asked += 1);
    try {
      const answer = await fetch("permutations.json?filter=" + encodeURIComponent(filter.value));
      const text = await answer.text();
      if (own !== asked) return;
      if (!answer.ok) return void ($("permutations-count").textContent = text);
      const { matching, list: some } = JSON.parse(text);
      $("permutations-count").textContent = matching > some.length ? `${matching} match, the first ${some.length} are shown.` : `${matching} match.`;
      // The one with the focus keeps it.
      const focused = list.contains(document.activeElement) ? document.activeElement.textContent : undefined;
      list.replaceChildren(...some.map(item));
      [...list.querySelectorAll("button")].find((b) => b.textContent === focused)?.focus();
    } catch {
      $("permutations-count").textContent = "The server does not answer.";
    }
  }

  filter.addEventListener("input", ask);
  explorer.follow((model) => {
    const p = model.permutations;
    $("tab-permutations").textContent = p ? `Permutations (${p.count})` : "Permutations";
    $("permutations-filter-label").hidden = !explorer.isLive() || !p || !p.count;
    $("permutations-count").textContent = "";
    const about = [];
    if (!p && !explorer.isLive()) about.push("Permutations are those of an rtc.toml, which `rtc explore` reads.");
    else if (!p || !p.description) about.push("No rtc.toml in the folders around the source names it.");
    else {
      about.push(`${p.description} has ${plural(p.count, "permutation")} of this source. `);
      about.push(p.chosen.length ? `These options are those of ${p.chosen.join(", ")}.` : "These options are those of none.");
    }
    $("permutations-about").replaceChildren(...about, ...((p && p.problems) || []).map((w) => make("span", { class: "warning" }, ` ${w}`)));
    ask();
  });
});
