//! One scene: its forms are opened together, compared once, and measured in turns. Before that each runs until it is as fast as it gets: first frames
//! are slow, and so is a device whose clock has yet to rise. Where a package has several forms itself, the runtime chooses one of them by measuring then.

use super::manifest::{Form, Job, Manifest};
use rtc_host::run::{Comparison, FormOption, FormReport, FrameReport, RunOptions, Saved, Session, Verdict, compare, vulkan_device};
use rtc_host::scene::Frame;
use rtc_host::{Device, RunError, Scene};
use serde_json::{Value, json};
use std::path::PathBuf;

/// How many frames are for choosing among the forms of a package: more than that takes where the device's clock runs.
const CHOOSING: u32 = 96;
/// How many frames a form has to get as fast as it gets, and how many milliseconds.
const WARM_UP: usize = 5;
const WARM_UP_MS: f64 = 250.0;
/// What the times of two frames in a row differ by at most when it is.
const AGREE: f64 = 1.05;

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
    /// Milliseconds of the first frame, and of those until the form was as fast as it gets. Frames that chose a form are not among them.
    warm_up: Vec<f64>,
    /// Milliseconds of the frames of each turn.
    turns: Vec<Vec<f64>>,
    /// The same as the host saw them, from submission to completion: sorted rays are several submissions.
    host_turns: Vec<Vec<f64>>,
    /// Why it stopped.
    failed: Option<String>,
}

impl Running<'_> {
    /// Runs a frame; its milliseconds, and those that the host saw. None: it failed, now or before.
    fn frame(&mut self, frame: &Frame) -> Option<(f64, f64)> {
        if self.failed.is_some() {
            return None;
        }
        match self.session.frame(frame, None) {
            Ok(done) => Some((milliseconds(&done), done.work.host.as_secs_f64() * 1e3)),
            Err(e) => {
                self.failed = Some(line(&e));
                None
            }
        }
    }

    /// Lets the runtime choose a form of its package, and runs frames until two in a row agree.
    fn warm_up(&mut self, frame: &Frame) {
        for _ in 0..CHOOSING {
            if !self.session.is_measuring() || self.frame(frame).is_none() {
                break;
            }
        }
        while !is_warm(&self.warm_up)
            && let Some((time, _)) = self.frame(frame)
        {
            self.warm_up.push(time);
        }
    }

    /// Milliseconds of each turn: its fastest frame.
    fn times(&self) -> Vec<f64> {
        self.turns.iter().map(|t| t.iter().copied().fold(f64::INFINITY, f64::min)).collect()
    }
}

/// The time of what a frame did: the device's where it has a clock.
fn milliseconds(frame: &FrameReport) -> f64 {
    frame.work.device.unwrap_or(frame.work.host).as_secs_f64() * 1e3
}

/// Whether a form is as fast as it gets after frames that took so many milliseconds, or had enough of them.
fn is_warm(frames: &[f64]) -> bool {
    let agree = matches!(frames, [.., a, b] if *a <= b * AGREE && *b <= a * AGREE);
    agree || frames.len() >= WARM_UP || frames.iter().sum::<f64>() >= WARM_UP_MS
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
            let first = session.frame(&scene.frames.frame(scene.frames.first, 1), None)?;
            let saved = session.saved()?;
            Ok((session, milliseconds(&first), saved))
        });
        match begun {
            Ok((session, first, saved)) => {
                let comparison = compare(expected.get_or_insert_with(|| saved.clone()), &saved);
                running.push(Running {
                    form,
                    session,
                    comparison,
                    warm_up: vec![first],
                    turns: Vec::new(),
                    host_turns: Vec::new(),
                    failed: None,
                });
            }
            Err(e) => unable.push(report(form, json!({ "error": line(&e) }))),
        }
    }
    let frame = scene.frames.frame(scene.frames.first, 1);
    let compared = |r: &&mut Running<'_>| r.comparison.verdict() != Verdict::Different;
    running.iter_mut().filter(compared).for_each(|r| r.warm_up(&frame));
    for _ in 0..manifest.turns {
        for r in running.iter_mut().filter(compared) {
            let (turn, host) = (0..manifest.repeat).map_while(|_| r.frame(&frame)).unzip();
            if r.failed.is_none() {
                r.turns.push(turn);
                r.host_turns.push(host);
            }
        }
    }
    let base = running.first().map(Running::times).unwrap_or_default();
    let measured = running.iter().map(|r| {
        let c = r.comparison;
        let mut one = json!({ "verdict": c.verdict().name(), "far": c.far, "pixels": c.pixels, "mean_difference": c.mean });
        match &r.failed {
            Some(why) => one["error"] = why.as_str().into(),
            None if !r.turns.is_empty() => {
                let times = r.times();
                one["ms"] = spread(&times);
                one["ratio"] = spread(&times.iter().zip(&base).map(|(t, b)| t / b).collect::<Vec<_>>());
                (one["warm_up_ms"], one["turns_ms"], one["turns_host_ms"]) = (json!(r.warm_up), json!(r.turns), json!(r.host_turns));
            }
            None => {}
        }
        for (name, bytes) in r.session.stack_sizes() {
            match name {
                Some(name) => one["stack_bytes"][name] = bytes.into(),
                None => one["stack_bytes"] = bytes.into(),
            }
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

    #[test]
    fn a_form_is_warm_when_two_frames_agree() {
        for cold in [&[][..], &[9.0], &[9.0, 5.0], &[9.0, 9.0, 5.0], &[5.0, 5.3]] {
            assert!(!is_warm(cold), "{cold:?}");
        }
        for warm in [&[9.0, 5.0, 5.1][..], &[9.0, 8.0, 7.0, 6.0, 5.0], &[50.0, 200.0], &[300.0]] {
            assert!(is_warm(warm), "{warm:?}");
        }
    }
}
