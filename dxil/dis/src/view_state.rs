//! Which outputs depend on the view, and on which inputs (`dx.viewIdState`).

use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::Info;
use rtc_dxil_container::recompute::dependencies::{Dependencies, Output, Third};
use rtc_dxil_container::shader_flags::bit;
use rtc_dxil_module::Module;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Writes it, if the module has it.
pub fn view_state(out: &mut String, m: &Module) {
    let info = Info::read(m);
    let Some(d) = Dependencies::read(m, info.kind, info.flags() & bit::VIEW_ID != 0) else { return };
    let _ = write!(out, ";\n; ViewId state:\n;\n; Number of inputs: {}", d.inputs);
    let geometry = info.kind == ShaderKind::Geometry;
    // Each list of outputs with its name.
    let mut lists: Vec<(String, &[Output])> = Vec::new();
    if geometry {
        let counts: Vec<String> = d.streams.iter().map(|s| s.len().to_string()).collect();
        let _ = write!(out, ", outputs per stream: {{ {} }}", counts.join(", "));
        let streams = d.streams.iter().enumerate().filter(|(_, s)| !s.is_empty());
        lists.extend(streams.map(|(n, s)| (format!("Outputs for Stream {n}"), &s[..])));
    } else {
        let outputs = d.streams.first().map_or(&[][..], |s| s);
        let _ = write!(out, ", outputs: {}", outputs.len());
        lists.push(("Outputs".into(), outputs));
    }
    let (label, name) = match info.kind {
        ShaderKind::Mesh => ("primitive outputs", "Primitive Outputs"),
        _ => ("patchconst", "PCOutputs"),
    };
    match &d.third {
        Third::Absent => {}
        Third::Outputs(list) => {
            let _ = write!(out, ", {label}: {}", list.len());
            lists.push((name.into(), list));
        }
        Third::Inputs(count) => _ = write!(out, ", {label}: {count}"),
    }
    out.push('\n');
    for (name, list) in &lists {
        let found: BTreeSet<u32> = (0..).zip(*list).filter(|(_, o)| o.view).map(|(n, _)| n).collect();
        let _ = writeln!(out, "; {name} dependent on ViewId: {{ {} }}", numbers(&found));
    }
    for (name, list) in &lists {
        let _ = writeln!(out, "; Inputs contributing to computation of {name}:");
        contributions(out, list, |o| &o.inputs);
    }
    if let (Third::Inputs(_), Some((name, list))) = (&d.third, lists.first()) {
        let _ = writeln!(out, "; PCInputs contributing to computation of {name}:");
        contributions(out, list, |o| &o.constants);
    }
    out.push_str(";\n");
}

/// A line for each output that depends on something.
fn contributions(out: &mut String, list: &[Output], of: impl Fn(&Output) -> &BTreeSet<u32>) {
    for (n, o) in list.iter().enumerate().filter(|(_, o)| !of(o).is_empty()) {
        let _ = writeln!(out, ";   output {n} depends on inputs: {{ {} }}", numbers(of(o)));
    }
}

fn numbers(set: &BTreeSet<u32>) -> String {
    set.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}
