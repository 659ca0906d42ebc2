//! The report of a measurement: geometric means of ratios, and a table in Markdown.

use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// For each form the geometric mean of its time through that of the scene's first form, over the scenes where the results are the same: the
/// mean, the least, the most, and how many scenes.
pub fn means(jobs: &[Value]) -> Value {
    let mut ratios: Vec<(String, Vec<f64>)> = Vec::new();
    for job in jobs {
        for form in forms(job).iter().skip(1) {
            let (Some(name), Some(ratio)) = (form["form"].as_str(), form["ratio"]["median"].as_f64()) else { continue };
            let base = forms(job)[0]["form"].as_str().unwrap_or_default();
            let name = format!("{name} / {base}");
            match ratios.iter_mut().find(|r| r.0 == name) {
                Some(r) => r.1.push(ratio),
                None => ratios.push((name, vec![ratio])),
            }
        }
    }
    let row = |(name, of): (String, Vec<f64>)| {
        let mean = (of.iter().map(|r| r.ln()).sum::<f64>() / of.len() as f64).exp();
        let (least, most) = of.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), &r| (a.min(r), b.max(r)));
        (name, json!({ "mean": mean, "least": least, "most": most, "scenes": of.len() }))
    };
    Value::Object(ratios.into_iter().map(row).collect::<Map<_, _>>())
}

fn forms(job: &Value) -> &[Value] {
    job["forms"].as_array().map_or(&[], Vec::as_slice)
}

fn jobs(all: &Value) -> &[Value] {
    all["jobs"].as_array().map_or(&[], Vec::as_slice)
}

/// How many forms have a time.
pub fn measured(all: &Value) -> usize {
    jobs(all).iter().flat_map(forms).filter(|f| f["ms"].is_object()).count()
}

/// What must not be: errors, and results that differ. A form that the device lacks something for is none of it.
pub fn wrong(all: &Value) -> Vec<String> {
    let mut out = Vec::new();
    for job in jobs(all) {
        let name = job["name"].as_str().unwrap_or_default();
        out.extend(job["error"].as_str().map(|why| format!("{name}: {why}")));
        for form in forms(job) {
            let what = form["form"].as_str().unwrap_or_default();
            out.extend(form["error"].as_str().map(|why| format!("{name}, {what}: {why}")));
            if form["verdict"] == "different" {
                out.push(format!("{name}, {what}: other results than the first form: {}", difference(form)));
            }
        }
    }
    out
}

fn difference(form: &Value) -> String {
    let mean = form["mean_difference"].as_f64().unwrap_or_default();
    format!("{} of {} pixels, means differ by {mean:.5}", form["far"], form["pixels"])
}

/// What the runtime kept of the forms of a package, for each dispatch.
fn kept(form: &Value) -> impl Iterator<Item = &Value> {
    form["kept"].as_array().into_iter().flatten()
}

/// The names of the forms that were kept, each once.
fn chosen(form: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = kept(form).filter_map(|k| k["form"].as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The table: a row for each form of each scene, the means, and what was left out.
pub fn markdown(all: &Value) -> String {
    let text = |v: &Value| v.as_str().unwrap_or_default().to_string();
    let mut out = String::new();
    let device = &all["device"];
    _ = writeln!(out, "{} ({}, {})\n", text(&device["name"]), text(&device["api"]), text(&device["driver"]));
    _ = writeln!(
        out,
        "Milliseconds on the device, the median of {} turns in which forms alternate, of each the fastest of {} runs; ratio: time through that of \
         the scene's first form in the same turn, the median and the spread; results: compared with those of the first form.\n",
        all["turns"], all["repeat"]
    );
    out.push_str("| scene | form | options | ms | ratio | results |\n|---|---|---|---:|---:|---|\n");
    let mut notes = Vec::new();
    for job in jobs(all) {
        let name = text(&job["name"]);
        let scale = job["scale"].as_f64().unwrap_or(1.0);
        notes.extend(job["error"].as_str().map(|why| format!("{name}: {why}")));
        for left in job["left_out"].as_array().into_iter().flatten() {
            notes.push(format!("{name}, {}: {}", text(&left["form"]), text(&left["reason"])));
        }
        for form in forms(job) {
            let what = text(&form["form"]);
            for key in ["unable", "error"] {
                notes.extend(form[key].as_str().map(|why| format!("{name}, {what}: {why}")));
            }
            for (other, why) in kept(form).flat_map(|k| k["refused"].as_object()).flatten() {
                let note = format!("{name}, {what}: without {other}: {}", text(why));
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
            if !form["verdict"].is_string() {
                continue;
            }
            let number = |v: &Value| v.as_f64().map_or("-".to_string(), |x| format!("{x:.3}"));
            let ratio = &form["ratio"];
            let spread = match ratio.is_object() {
                true => format!("{} ({}-{})", number(&ratio["median"]), number(&ratio["least"]), number(&ratio["most"])),
                false => "-".to_string(),
            };
            let results = match text(&form["verdict"]).as_str() {
                "equal" if form["far"] == 0 => "equal".to_string(),
                verdict => format!("{verdict}: {}", difference(form)),
            };
            let ms = number(&form["ms"]["median"]);
            let what = match chosen(form) {
                chosen if chosen.is_empty() => what,
                chosen => format!("{what}: {}", chosen.join(", ")),
            };
            _ = writeln!(out, "| {name} x{scale} | {what} | `{}` | {ms} | {spread} | {results} |", text(&form["options"]));
        }
    }
    out.push_str("\n| form / first form | geometric mean of ratios | least | most | scenes |\n|---|---:|---:|---:|---:|\n");
    for (name, m) in all["means"].as_object().into_iter().flatten() {
        let number = |key: &str| m[key].as_f64().unwrap_or_default();
        _ = writeln!(out, "| {name} | {:.3} | {:.3} | {:.3} | {} |", number("mean"), number("least"), number("most"), m["scenes"]);
    }
    if !notes.is_empty() {
        out.push_str("\nLeft out:\n\n");
        notes.iter().for_each(|n| _ = writeln!(out, "* {n}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(name: &str, ms: f64, ratio: f64) -> Value {
        let three = |x: f64| json!({ "median": x, "least": x, "most": x });
        json!({ "form": name, "options": "", "verdict": "equal", "far": 0, "pixels": 4, "ms": three(ms), "ratio": three(ratio) })
    }

    #[test]
    fn means_are_geometric() {
        let job = |ratio: f64| json!({ "name": "a", "forms": [form("rtc", 1.0, 1.0), form("reference", ratio, ratio)] });
        let m = means(&[job(2.0), job(0.5), json!({ "name": "b", "error": "no" })]);
        let m = &m["reference / rtc"];
        assert!((m["mean"].as_f64().expect("a mean") - 1.0).abs() < 1e-9);
        assert_eq!((m["scenes"].as_u64(), m["most"].as_f64()), (Some(2), Some(2.0)));
    }

    #[test]
    fn the_table_has_rows_and_reasons() {
        let mut other = form("reference", 2.0, 2.0);
        other["verdict"] = "different".into();
        let mut auto = form("auto", 3.0, 3.0);
        auto["kept"] = json!([{ "form": "lower", "refused": { "nv": "no NV" } }, { "form": "lower", "refused": { "nv": "no NV" } }]);
        let left = json!([{ "form": "-O1", "reason": "the module of `rtc`" }]);
        let job = json!({ "name": "a", "scale": 8.0, "left_out": left, "forms": [form("rtc", 1.0, 1.0), other, auto, { "form": "nv", "unable": "no extension" }] });
        let all = json!({ "turns": 5, "repeat": 3, "device": { "name": "D" }, "jobs": [job], "means": means(&[]) });
        let text = markdown(&all);
        for line in [
            "| a x8 | rtc | `` | 1.000 | 1.000 (1.000-1.000) | equal |",
            "| a x8 | auto: lower | `` | 3.000 |",
            "* a, -O1: the module of `rtc`",
            "* a, nv: no extension",
            "* a, auto: without nv: no NV",
        ] {
            assert_eq!(text.matches(line).count(), 1, "{text}");
        }
        assert_eq!(wrong(&all).len(), 1);
        assert_eq!(measured(&all), 3);
    }
}
