//! A compilation: front end, then the steps of its plan, of which the last one is the target. [`plan`](mod@plan) says which, and [`steps`] has those that are
//! not passes.

pub(crate) mod plan;
mod step;
mod steps;

use rtc_base::SourceMap;
use rtc_base::timing::{phase, record};
use rtc_frontend::preprocess::{Includes, Pragmas};

use crate::compilation::{Compilation, Product};
use crate::front_end::{self, Front, front};
use crate::options::{Options, ProfileKind};
use crate::{root_signatures, warnings};
use plan::plan;
use step::State;

#[cfg(test)]
mod tests;

/// Compiles the source `name` of these bytes.
pub fn compile(name: &str, bytes: &[u8], includes: &mut dyn Includes, o: &Options) -> Compilation {
    if o.times {
        let (mut c, times) = record(|| compile(name, bytes, includes, &Options { times: false, ..o.clone() }));
        c.times = times;
        return c;
    }
    let mut c = Compilation { sources: SourceMap::new(), ..Compilation::default() };
    let mut pragmas = Pragmas::default();
    c.product = match o.profile.kind {
        ProfileKind::RootSignature => root_signatures::compile(name, bytes, includes, o, &mut c),
        _ => {
            let front = {
                let _phase = phase("front end");
                front(name, bytes, includes, o, &mut c, &mut pragmas, false)
            };
            front.and_then(|front| run(name, front, o, &pragmas, &mut c))
        }
    };
    finish(c, o, &pragmas)
}

/// Compiles several entry points of a source, each with the other options of `o`, in the order of `entries`. The source is preprocessed and
/// parsed once, if no option depends on the entry point there.
pub fn compile_entries(name: &str, bytes: &[u8], includes: &mut dyn Includes, o: &Options, entries: &[&str]) -> Vec<Compilation> {
    let options = |entry: &&str| Options { entry: (*entry).to_owned(), ..o.clone() };
    if o.times || !matches!(o.profile.kind, ProfileKind::Shader(_)) {
        return entries.iter().map(|entry| compile(name, bytes, includes, &options(entry))).collect();
    }
    let mut shared = Compilation { sources: SourceMap::new(), ..Compilation::default() };
    let mut pragmas = Pragmas::default();
    let source = front_end::parse(name, bytes, includes, o, None, &mut shared, &mut pragmas);
    let compile = |entry: &&str| {
        let o = options(entry);
        let (sources, includes) = (shared.sources.clone(), shared.includes.clone());
        let mut c = Compilation { sources, includes, diagnostics: shared.diagnostics.clone(), ..Compilation::default() };
        c.product = source.as_ref().and_then(|s| {
            let front = s.analyse(&o, &mut c)?;
            run(name, front, &o, &pragmas, &mut c)
        });
        finish(c, &o, &pragmas)
    };
    entries.iter().map(compile).collect()
}

/// Applies the options for warnings. After an error there is no product.
fn finish(mut c: Compilation, o: &Options, pragmas: &Pragmas) -> Compilation {
    let all = std::mem::take(&mut c.diagnostics);
    c.diagnostics = warnings::apply(all, &o.warnings, pragmas, &c.sources);
    if c.failed() {
        c.product = None;
    }
    c
}

/// Takes the steps of the plan; `None` after an error.
fn run(name: &str, front: Front, o: &Options, pragmas: &Pragmas, c: &mut Compilation) -> Option<Product> {
    let mut state = State::new(name, front, o, pragmas, c);
    let mut open = None;
    for step in plan(o) {
        if open.as_ref().map(|(name, _)| *name) != step.phase {
            // The phase before ends first.
            drop(open.take());
            open = step.phase.map(|name| (name, phase(name)));
        }
        state.take(&step)?;
    }
    state.product()
}
