//! Findings with names and places instead of numbers.

use super::Finding;
use crate::cpu::thread::context::DispatchContext;
use crate::finding;

/// What a finding is about.
pub fn describe(machine: &DispatchContext<'_>, f: &Finding) -> finding::Finding {
    let site = machine.program.sites.get(f.site as usize);
    finding::Finding {
        kind: f.kind,
        place: site.and_then(|s| s.place.as_ref()).map(|p| (p.file.to_string(), p.line, p.column)),
        shader: machine.program.shaders.get(f.shader).map_or("?", |s| s.name.as_str()).to_owned(),
        op: site.map(|s| s.op),
        thread: f.index,
        message: f.message.clone(),
        times: f.times,
    }
}
