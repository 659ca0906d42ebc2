//! Forms of packages in a run: which are loaded, and which one each dispatch takes.
//!
//! Where forms are measured, every dispatch is one that the scene makes anyway; it runs in the form whose turn it is. So a scene has to dispatch a
//! few times ([`rtc_engine::forms::Measure`]) until the choice is known and kept.

use super::{FormOption, Run, RunOptions};
use crate::device::{Device, Program, ProgramOptions, Timing};
use crate::error::Result;
use crate::scene::Dispatch;
use rtc_engine::forms::{Choices, Form, Forms, Measure, Measured};
use rtc_package::Package;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The forms that a run has loaded.
#[derive(Default)]
pub(super) struct Loaded {
    /// Each with its program; none where packages have one form and the options name none.
    pub forms: Vec<(Form, Program)>,
    /// Why the first was chosen.
    why: &'static str,
    /// Forms that the device does not run, and why.
    refused: Vec<(&'static str, String)>,
    measured: Option<Measuring>,
}

/// What is measured.
struct Measuring {
    /// Of each dispatch of the scene, by its line.
    dispatches: FxHashMap<u32, MeasuredDispatch>,
    choices: Option<Choices>,
    possible: Forms,
    /// When the forms were loaded.
    begun: Instant,
}

/// What is measured of a dispatch of the scene.
struct MeasuredDispatch {
    /// In the file.
    key: String,
    measure: Measure,
    /// When each sample of the last measuring was there.
    at: Vec<Duration>,
}

impl MeasuredDispatch {
    /// As [`Measure::record`]; `at`: when.
    fn record(&mut self, form: Form, time: Duration, rays: u64, at: Duration) -> bool {
        let ended = self.measure.record(form, time, rays);
        let samples = self.measure.samples().len();
        if samples < self.at.len() {
            self.at.clear();
        }
        self.at.resize(samples, at);
        ended
    }
}

/// A dispatch that measured a form.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FormSample {
    /// The form.
    pub form: &'static str,
    /// Nanoseconds for a ray.
    pub nanoseconds: f64,
    /// Whether it was to warm up and does not count.
    pub warm_up: bool,
    /// When it ended, since the forms were loaded.
    pub at: Duration,
}

/// Which forms ran a dispatch.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FormReport {
    /// The form that runs from now on.
    pub form: &'static str,
    /// Why.
    pub why: String,
    /// How often each form ran.
    pub runs: Vec<(&'static str, u32)>,
    /// Nanoseconds for a ray, as measured; nothing where forms were not measured.
    pub nanoseconds: Vec<(&'static str, f64)>,
    /// The dispatches of the last measuring, in their order.
    pub samples: Vec<FormSample>,
    /// Forms that are not measured because the device does not run them, and why.
    pub refused: Vec<(&'static str, String)>,
}

impl FormReport {
    /// The report as JSON.
    pub fn json(&self) -> Value {
        let runs: Map<String, Value> = self.runs.iter().map(|&(name, n)| (name.to_owned(), n.into())).collect();
        let measured: Map<String, Value> = self.nanoseconds.iter().map(|&(name, ns)| (name.to_owned(), ns.into())).collect();
        let refused: Map<String, Value> = self.refused.iter().map(|(name, why)| ((*name).to_owned(), why.clone().into())).collect();
        let samples = self.samples.iter();
        let samples: Vec<Value> = samples
            .map(|s| json!({ "form": s.form, "ns_per_ray": s.nanoseconds, "warm_up": s.warm_up, "at_ms": s.at.as_secs_f64() * 1e3 }))
            .collect();
        json!({ "form": self.form, "why": self.why, "runs": runs, "ns_per_ray": measured, "samples": samples, "refused": refused })
    }

    /// Adds the same dispatch of a later frame.
    pub(super) fn add(&mut self, later: &FormReport) {
        for &(form, n) in &later.runs {
            match self.runs.iter_mut().find(|r| r.0 == form) {
                Some(r) => r.1 += n,
                None => self.runs.push((form, n)),
            }
        }
        (self.form, self.why, self.nanoseconds) = (later.form, later.why.clone(), later.nanoseconds.clone());
        self.samples.clone_from(&later.samples);
    }
}

/// Whether a package has several forms. One that is damaged has none; loading it says why.
pub(super) fn several(package: &[u8]) -> bool {
    Package::read(package).is_ok_and(|p| !p.forms.is_empty())
}

/// Loads packages, in several forms if they have them: the program that runs first, and what warnings there are.
pub(super) fn load(
    device: &mut dyn Device,
    package: &[u8],
    load: &ProgramOptions,
    options: &RunOptions,
) -> Result<(Program, Loaded, Vec<String>)> {
    let alone = !several(package) && !load.additional.iter().any(|a| several(&a.1));
    if alone && !matches!(options.form, FormOption::Only(_)) {
        return Ok((device.load(package, load)?, Loaded::default(), Vec::new()));
    }
    let first = [(load.name.as_str(), package)];
    let additional = load.additional.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
    let packages: Vec<(&str, &[u8])> = first.into_iter().chain(additional).collect();
    let forms = Forms::read(&packages, &load.overrides)?;
    let chosen = match options.form {
        FormOption::Only(form) => (forms.get(form)?.form, "requested"),
        _ => {
            let c = forms.by_rule(device.wave_traits(), |_, library| device.refusals(library))?;
            (c.form, c.why)
        }
    };
    let mut warnings = Vec::new();
    let mut out = Loaded { why: chosen.1, ..Loaded::default() };
    let measure = options.form == FormOption::Measure;
    // The chosen one first.
    let mut order: Vec<_> = forms.possible.iter().filter(|p| p.form == chosen.0).collect();
    if measure {
        order.extend(forms.possible.iter().filter(|p| p.form != chosen.0));
    }
    for p in order {
        let refused = device.refusals(&p.library);
        if measure && !refused.is_empty() {
            out.refused.push((p.form.name(), refused.join("; ")));
            continue;
        }
        let mut packages = p.packages.iter();
        let Some((_, first)) = packages.next() else { continue };
        let own = ProgramOptions { additional: packages.cloned().collect(), ..load.clone() };
        out.forms.push((p.form, device.load(first, &own)?));
    }
    if measure {
        let folder = options.form_cache.clone().or_else(user_folder);
        let choices = folder.and_then(|folder| device.choices(&folder));
        match &choices {
            None => warnings.push("there is no folder for what is measured of forms; `--ser-cache` names one".into()),
            Some(c) => warnings.extend(c.note().map(str::to_owned)),
        }
        out.measured = Some(Measuring { dispatches: FxHashMap::default(), choices, possible: forms, begun: Instant::now() });
    }
    let Some(&(_, program)) = out.forms.first() else { rtc_base::bug!("no form is loaded") };
    Ok((program, out, warnings))
}

/// The folder for caches of the user.
fn user_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let caches = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|h| h.join(".cache"))).or_else(|| set("LOCALAPPDATA"));
    caches.map(|c| c.join("rtc").join("forms"))
}

impl Run<'_> {
    /// All programs: resources are bound to each.
    pub(super) fn programs(&self) -> Vec<Program> {
        match self.loaded.forms.as_slice() {
            [] => vec![self.program],
            forms => forms.iter().map(|f| f.1).collect(),
        }
    }

    /// The program for the next dispatch, with its form if there are several.
    pub(super) fn next_program(&mut self, d: &Dispatch, shader: &str) -> (Program, Option<Form>) {
        let Some(&(form, program)) = self.loaded.forms.first() else { return (self.program, None) };
        let forms: Vec<Form> = self.loaded.forms.iter().map(|f| f.0).collect();
        let Some(m) = &mut self.loaded.measured else { return (program, Some(form)) };
        let dispatch = m.dispatches.entry(d.location.line).or_insert_with(|| {
            let key = m.possible.key(shader);
            let before = m.choices.as_ref().map_or(&[][..], |c| c.get(&key));
            let measure = Measure::known(&forms, before);
            MeasuredDispatch { key, measure, at: Vec::new() }
        });
        let next = dispatch.measure.next();
        let found = self.loaded.forms.iter().find(|f| f.0 == next);
        found.map_or((program, Some(form)), |&(form, program)| (program, Some(form)))
    }

    /// Records how long a dispatch took, and keeps what is measured.
    pub(super) fn dispatched(&mut self, d: &Dispatch, form: Form, time: Timing) {
        let Some(m) = &mut self.loaded.measured else { return };
        let Some(dispatch) = m.dispatches.get_mut(&(d.location.line)) else { return };
        let rays = d.size.iter().map(|&n| u64::from(n)).product();
        if dispatch.record(form, time.device.unwrap_or(time.host), rays, m.begun.elapsed())
            && let Some(choices) = &mut m.choices
        {
            choices.set(&dispatch.key, dispatch.measure.measured());
            if let Err(e) = choices.save() {
                self.warnings.push(format!("what was measured of forms is not kept: {e}"));
                m.choices = None;
            }
        }
    }

    /// Whether some dispatch that has run measures its forms still.
    pub(super) fn is_measuring(&self) -> bool {
        self.loaded.measured.as_ref().is_some_and(|m| m.dispatches.values().any(|d| d.measure.is_measuring()))
    }

    /// What a dispatch ran; none where packages have one form and the options name none.
    pub(super) fn form_report(&self, d: &Dispatch, runs: &[(Form, u32)]) -> Option<FormReport> {
        let &(first, _) = self.loaded.forms.first()?;
        let refused = self.loaded.refused.clone();
        let mut out = FormReport { form: first.name(), why: self.loaded.why.into(), refused, ..FormReport::default() };
        out.runs = runs.iter().map(|&(form, n)| (form.name(), n)).collect();
        let measure = self.loaded.measured.as_ref().and_then(|m| m.dispatches.get(&(d.location.line)));
        if let Some(MeasuredDispatch { measure: m, at, .. }) = measure {
            out.form = m.current().name();
            let samples = m.samples().iter().zip(at);
            out.samples =
                samples.map(|(s, &at)| FormSample { form: s.form.name(), nanoseconds: s.nanoseconds, warm_up: s.warm_up, at }).collect();
            out.nanoseconds = m.measured().iter().map(|&Measured { form, nanoseconds }| (form.name(), nanoseconds)).collect();
            out.why = match (m.is_measuring(), self.loaded.forms.len()) {
                (_, 1) => "the only form that this device runs".into(),
                (true, _) if m.measured().is_empty() => "measuring has not ended: dispatch more often".into(),
                (true, _) => "measured, and being measured again".into(),
                (false, _) => "measured".into(),
            };
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_frames_are_added() {
        let of = |form, runs: &[(&'static str, u32)]| FormReport { form, runs: runs.to_vec(), ..FormReport::default() };
        let mut all = of("lower", &[("lower", 2), ("wavefront", 1)]);
        all.add(&of("wavefront", &[("wavefront", 3), ("nv", 1)]));
        assert_eq!(all, of("wavefront", &[("lower", 2), ("wavefront", 4), ("nv", 1)]));
    }
}
