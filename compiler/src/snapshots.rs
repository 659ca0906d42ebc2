//! Snapshots of the IR: its text after each pass, with the place in the source that each line comes from.

use rtc_base::{SourceMap, Span};
use rtc_ir::Module;
use rtc_passes::{AuditState, Changed, PipelineError, run_stage};

use crate::compilation::{Compilation, Snapshot};
use crate::dis::{ListedLine, Location};
use crate::options::Options;
use crate::run_passes::PASS_CTX;

/// Runs the passes of a stage. With [`Options::snapshots`] they run one by one, which gives the same module.
///
/// # Errors
/// As [`run_stage`].
pub(crate) fn run(
    m: &mut Module,
    passes: &[&'static str],
    audit: &mut AuditState,
    o: &Options,
    c: &mut Compilation,
) -> Result<Changed, PipelineError> {
    if !o.snapshots {
        return run_stage(m, passes, &PASS_CTX, audit);
    }
    let mut changed = Changed::No;
    for &pass in passes {
        let done = run_stage(m, &[pass], &PASS_CTX, audit)?;
        changed = changed.or(done);
        match done {
            Changed::Yes => take(pass, m, o, c),
            Changed::No => c.snapshots.push(Snapshot { pass, doc: doc(pass), lines: None }),
        }
    }
    Ok(changed)
}

/// Keeps the IR as it is after a pass, if the options ask for it.
pub(crate) fn take(pass: &'static str, m: &Module, o: &Options, c: &mut Compilation) {
    if o.snapshots {
        c.snapshots.push(Snapshot { pass, doc: doc(pass), lines: Some(lines(m, &c.sources)) });
    }
}

fn doc(pass: &str) -> &'static str {
    rtc_passes::find(pass).map_or("the IR of the front end", |p| p.doc)
}

fn lines(m: &Module, sources: &SourceMap) -> Vec<ListedLine> {
    let location = |span: Span| {
        let loc = (!span.is_none()).then(|| sources.loc(span)).flatten()?;
        Some(Location { file: loc.file, line: loc.line, column: loc.column })
    };
    rtc_ir::text::print_lines(m).into_iter().map(|(text, span)| ListedLine { text, location: location(span) }).collect()
}
