//! Messages of findings.

use super::Finding;
use crate::cpu::thread::context::DispatchContext;

/// Formats a finding: `file.hlsl:12:3: closest hit shader…`.
pub fn describe(machine: &DispatchContext<'_>, f: &Finding) -> String {
    let shader = machine.program.shaders.get(f.shader).map_or("?", |s| s.name.as_str());
    let [x, y, z] = f.index;
    let site = machine.program.sites.get(f.site as usize);
    let place = match site.and_then(|s| s.place.as_ref()) {
        Some(p) => format!("{}:{}:{}: ", p.file, p.line, p.column),
        None => String::new(),
    };
    let op = site.map_or(String::new(), |s| format!(", {}", s.op));
    let more = match f.times {
        1 => String::new(),
        n => format!(" ({n} times)"),
    };
    format!("{place}{}: `{shader}`{op}, thread ({x}, {y}, {z}): {}{more}", f.kind, f.message)
}
