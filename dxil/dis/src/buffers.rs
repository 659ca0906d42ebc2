//! The layouts of constant buffers and structured buffers.

use rtc_dxil_container::metadata::{BufferLayouts, Variable, VariableType, resources};
use rtc_dxil_container::{ResourceClass, ResourceKind};
use rtc_dxil_module::Module;
use std::fmt::Write;

/// The column of the offsets.
const COLUMN: usize = 54;

/// Writes the layouts of all buffers.
pub fn buffer_definitions(out: &mut String, m: &Module) {
    out.push_str(";\n; Buffer Definitions:\n;\n");
    let mut layouts = BufferLayouts::new(m);
    for r in resources(m) {
        let keyword = match (r.class, r.kind) {
            (ResourceClass::Cbv, _) => "cbuffer",
            (_, ResourceKind::TBuffer) => "tbuffer",
            (_, ResourceKind::StructuredBuffer) => {
                let Some(element) = layouts.structured_buffer(&r) else { continue };
                let _ = write!(out, "; Resource bind info for {}\n; {{\n;\n", r.name);
                if layouts.is_annotated(&r) {
                    variable(out, &element, 3, Some(r.size));
                } else {
                    unannotated(out, 3, r.size);
                }
                if !layouts.is_annotated(&r) || !matches!(element.ty, VariableType::Struct { .. }) {
                    out.push_str(";\n");
                }
                out.push_str("; }\n;\n");
                continue;
            }
            _ => continue,
        };
        let _ = write!(out, "; {keyword} {}\n; {{\n;\n", r.name);
        if !layouts.is_annotated(&r) {
            unannotated(out, 3, layouts.bytes(&r));
            out.push_str(";\n");
        } else if let Some(contents) = layouts.constant_buffer(&r) {
            variable(out, &contents, 3, Some(layouts.bytes(&r)));
        }
        out.push_str("; }\n;\n");
    }
}

fn variable(out: &mut String, v: &Variable, indent: usize, size: Option<u32>) {
    let name = match v.count {
        Some(count) => format!("{}[{count}]", v.name),
        None => v.name.clone(),
    };
    let VariableType::Struct { name: title, members } = &v.ty else {
        return line(out, indent, &format!("{} {name};", listed(&v.ty.hlsl())), v.offset, size);
    };
    let _ = write!(out, ";{:indent$}struct {title}\n;{:indent$}{{\n;\n", "", "");
    match members {
        Some(members) if members.is_empty() => {
            let _ = writeln!(out, ";{:1$}/* empty struct */", "", indent + 4);
        }
        Some(members) => members.iter().for_each(|member| variable(out, member, indent + 4, None)),
        None => unannotated(out, indent + 4, size.unwrap_or(0)),
    }
    let _ = writeln!(out, ";{:indent$}", "");
    // The reference's listings have a second semicolon after an array.
    let end = if v.count.is_some() { ";;" } else { ";" };
    line(out, indent, &format!("}} {name}{end}"), v.offset, size);
    out.push_str(";\n");
}

/// Bytes of which the module says no more.
fn unannotated(out: &mut String, indent: usize, bytes: u32) {
    let _ = writeln!(out, ";{:indent$}[{bytes} x i8] (type annotation not present)", "");
}

/// A line with its offset, and its size if that is to be shown.
fn line(out: &mut String, indent: usize, text: &str, offset: u32, size: Option<u32>) {
    let width = COLUMN.saturating_sub(indent + 1);
    let _ = write!(out, ";{:indent$}{text:<width$}; Offset:{offset:>5}", "");
    if let Some(size) = size {
        let _ = write!(out, " Size: {size:>5}");
    }
    out.push('\n');
}

/// A type as listings spell it: integers of minimum precision are shorter there than in HLSL.
fn listed(hlsl: &str) -> String {
    let (order, own) = hlsl.split_once(' ').map_or(("", hlsl), |(order, own)| (&hlsl[..=order.len()], own));
    for (long, short) in [("min16uint", "min16ui"), ("min16int", "min16i")] {
        if let Some(rest) = own.strip_prefix(long) {
            return format!("{order}{short}{rest}");
        }
    }
    hlsl.to_owned()
}
