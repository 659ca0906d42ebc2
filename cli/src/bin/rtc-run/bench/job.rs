//! One scene: its forms are opened together, compared once, and measured in turns. Where a package has several forms itself, the runtime chooses
//! one of them by measuring before that.

use super::manifest::{Form, Job, Manifest};
use rtc_runtime::run::{Comparison, FormOption, FormReport, RunOptions, Saved, Session, Verdict, compare, vulkan_device};
use rtc_runtime::{Device, RunError, Scene};
use serde_json::{Value, json};
use std::path::PathBuf;

/// How many frames are for choosing among the forms of a package: more than that takes where the device's clock runs.
const CHOOSING: u32 = 64;

/// A form on a device of its own.
struct Open<'a> {
    form: &'a Form,
    package: Vec<u8>,
    device: Box<dyn Device>,
}

/// A form that runs.
struct Running<'a> {
    form: &'a Form,
    session: Session<'a>,
    comparison: Comparison,
    /// Milliseconds of each turn.
    times: Vec<f64>,
    /// Why it stopped.
    failed: Option<String>,
}

/// Measures a scene: the JSON of its report. What goes wrong is in it.
pub fn measure(manifest: &Manifest, job: &Job, device: Option<&str>) -> Value {
    let mut out = json!({ "name": job.name, "left_out": job.left_out });
    let failed = match run(manifest, job, device, &mut out) {
        Ok(()) => return out,
        Err(e) => line(&e),
    };
    out["error"] = failed.into();
    out
}

/// An error as one line.
fn line(e: &RunError) -> String {
    e.to_string().trim().replace("\n", "; ")
}

fn run(manifest: &Manifest, job: &Job, device: Option<&str>, out: &mut Value) -> Result<(), RunError> {
    let scene = Scene::of(&job.scene)?;
    let scaled = scene.scaled(job.scale);
    out["scale"] = json!(if scaled.is_some() { job.scale } else { 1.0 });
    let scene = scaled.unwrap_or(scene);
    // Of packages with several forms the fastest runs. What is measured of them is not taken from earlier runs, nor kept for later ones.
    let choices = Folder(std::env::temp_dir().join(format!("rtc-bench-{}", std::process::id())));
    let options = RunOptions {
        device: device.map(str::to_string),
        form: FormOption::Measure,
        form_cache: Some(choices.0.clone()),
        ..RunOptions::default()
    };
    // What this device cannot run, in the order of the forms.
    let mut unable: Vec<Value> = Vec::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    for form in &job.forms {
        let package = std::fs::read(&form.package).map_err(|e| RunError::io("read", &form.package, &e))?;
        match vulkan_device(&scene, &package, &options) {
            Ok(device) => open.push(Open { form, package, device }),
            Err(e) => unable.push(report(form, json!({ "unable": line(&e) }))),
        }
    }
    if let Some(first) = open.first() {
        let i = first.device.info();
        out["device"] = json!({ "name": i.name, "api": i.api, "driver": i.driver });
    }
    let mut running: Vec<Running<'_>> = Vec::new();
    let mut expected: Option<Vec<Saved>> = None;
    for o in &mut open {
        let form = o.form;
        let begun = Session::open(o.device.as_mut(), &scene, &o.package, &options).and_then(|mut session| {
            session.frame(&scene.frames.frame(scene.frames.first, 1), None)?;
            let saved = session.saved()?;
            Ok((session, saved))
        });
        match begun {
            Ok((session, saved)) => {
                let comparison = compare(expected.get_or_insert_with(|| saved.clone()), &saved);
                running.push(Running { form, session, comparison, times: Vec::new(), failed: None });
            }
            Err(e) => unable.push(report(form, json!({ "error": line(&e) }))),
        }
    }
    let frame = scene.frames.frame(scene.frames.first, 1);
    for r in running.iter_mut().filter(|r| r.comparison.verdict() != Verdict::Different) {
        for _ in 0..CHOOSING {
            if !r.session.is_measuring() {
                break;
            }
            if let Err(e) = r.session.frame(&frame, None) {
                r.failed = Some(line(&e));
                break;
            }
        }
    }
    for _ in 0..manifest.turns {
        for r in running.iter_mut().filter(|r| r.failed.is_none() && r.comparison.verdict() != Verdict::Different) {
            let mut fastest = f64::INFINITY;
            for _ in 0..manifest.repeat {
                match r.session.frame(&frame, None) {
                    Ok(done) => fastest = fastest.min(done.work.device.unwrap_or(done.work.host).as_secs_f64() * 1e3),
                    Err(e) => r.failed = Some(line(&e)),
                }
            }
            r.times.push(fastest);
        }
    }
    let base = running.first().map(|r| r.times.clone()).unwrap_or_default();
    let measured = running.iter().map(|r| {
        let c = r.comparison;
        let mut one = json!({ "verdict": c.verdict().name(), "far": c.far, "pixels": c.pixels, "mean_difference": c.mean });
        match &r.failed {
            Some(why) => one["error"] = why.as_str().into(),
            None if !r.times.is_empty() => {
                one["ms"] = spread(&r.times);
                one["ratio"] = spread(&r.times.iter().zip(&base).map(|(t, b)| t / b).collect::<Vec<_>>());
            }
            None => {}
        }
        let kept = r.session.forms();
        if !kept.is_empty() {
            one["kept"] = kept.iter().map(FormReport::json).collect();
        }
        report(r.form, one)
    });
    out["forms"] = measured.chain(unable).collect::<Vec<_>>().into();
    Ok(())
}

/// A folder that ends with the measurement.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The report of a form, with its name and its options.
fn report(form: &Form, mut what: Value) -> Value {
    what["form"] = form.name.as_str().into();
    what["options"] = form.options.as_str().into();
    what
}

/// The median of numbers, the least and the most.
fn spread(numbers: &[f64]) -> Value {
    let mut all = numbers.to_vec();
    all.sort_by(f64::total_cmp);
    let middle = all.len() / 2;
    let median = if all.len() % 2 == 1 { all[middle] } else { (all[middle - 1] + all[middle]) / 2.0 };
    json!({ "median": median, "least": all[0], "most": all[all.len() - 1] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(spread(&[3.0, 1.0, 2.0]), json!({ "median": 2.0, "least": 1.0, "most": 3.0 }));
        assert_eq!(spread(&[4.0, 1.0, 2.0, 3.0])["median"], 2.5);
    }
}
