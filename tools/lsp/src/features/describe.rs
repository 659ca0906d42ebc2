//! What an entity is, as text: the declaration as HLSL would write it, and what else is known.

use rtc_frontend::hir::layout::{Rules, bit_offsets, record_layout, size_of};
use rtc_frontend::hir::{self, GlobalKind, Pass, RecordId, Ty, TyKind};
use rtc_frontend::index::Entity;
use rtc_tables::intrinsics::{Intrinsic, Lower, Scope};
use rtc_tables::raytracing::RtInfo;
use rtc_tables::stages::StageMask;

use crate::snapshot::Snapshot;

/// A declaration and its description.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Description {
    /// The declaration.
    pub code: String,
    /// Further lines, in Markdown.
    pub text: Vec<String>,
}

/// Describes an entity that the source names `name`.
pub fn describe(s: &Snapshot, name: &str, e: Entity) -> Description {
    let m = &s.analysis.module;
    let show = |t: Ty| m.types.show(t);
    let mut d = Description::default();
    match e {
        Entity::Local { ty, parameter } => {
            d.code = format!("{} {name}", show(ty));
            d.text.push(if parameter { "parameter".into() } else { "local variable".into() });
            d.text.extend(size(m, ty));
        }
        Entity::Global(g) => {
            let global = &m.globals[g];
            let (prefix, what) = match &global.kind {
                GlobalKind::Resource(_) if global.is_block => ("", "constant buffer"),
                GlobalKind::Resource(_) => ("", "resource"),
                GlobalKind::GroupShared => ("groupshared ", "shared by the thread group"),
                GlobalKind::Static { is_const: true, .. } => ("static const ", "constant"),
                GlobalKind::Static { .. } => ("static ", "one for each thread"),
            };
            d.code = format!("{prefix}{} {}", show(global.ty), global.qualified);
            if let GlobalKind::Static { value: Some(value), .. } = &global.kind
                && let [c] = value[..]
                && let Some(text) = constant(m, global.ty, c.bits)
            {
                d.code += &format!(" = {text}");
            }
            if let GlobalKind::Resource(b) = &global.kind {
                d.text.extend(b.register.map(|r| format!("register {r}, space {}", b.space)));
                d.text.extend(b.vk.map(|(binding, set)| format!("Vulkan binding {binding}, set {set}")));
            }
            d.text.push(what.into());
            if !matches!(global.kind, GlobalKind::Resource(_)) {
                d.text.extend(size(m, global.ty));
            }
        }
        Entity::BlockMember(g, n) => {
            let block = &m.globals[g];
            let record = m.types.as_resource(block.ty).and_then(|r| r.elem).and_then(|t| m.types.as_record(t));
            if let Some((r, field)) = record.and_then(|r| Some((r, m.types.records[r].fields.get(n as usize)?))) {
                d.code = format!("{} {name}", show(field.ty));
                d.text.push(format!("member of the constant buffer `{}`", block.qualified));
                d.text.extend(offset(m, r, n as usize, &[("constant buffer", Rules::CBuffer)]));
            }
        }
        Entity::Field(r, n) => {
            let record = &m.types.records[r];
            if let Some(field) = record.fields.get(n as usize) {
                d.code = format!("{} {}::{name}", show(field.ty), record.qualified);
                if let Some(bits) = field.bits {
                    d.code += &format!(" : {bits}");
                }
                d.text.extend(field.semantic.map(|x| format!("semantic `{}`", s.analysis.names.str(x))));
                let rules = [("structured buffers and payloads", Rules::Scalar), ("constant buffers", Rules::CBuffer)];
                d.text.extend(offset(m, r, n as usize, &rules));
            }
        }
        Entity::Function(f) => {
            let f = &m.funcs[f];
            d.code = function(s, f).0;
            if f.is_entry() {
                d.code = format!("[shader(\"{}\")]\n{}", f.stage.info().attribute, d.code);
            }
            d.text.extend(f.method.map(|method| format!("method of `{}`", m.types.records[method.record].qualified)));
            if !f.is_defined() && f.inline.is_none() {
                d.text.push("declared without a body".into());
            }
        }
        Entity::Intrinsic(row) => {
            d.code = row.readable();
            d.text = intrinsic(row);
        }
        Entity::Type(ty) => return of_type(s, name, ty),
        Entity::Template => {
            d.code = format!("template {name}");
        }
        Entity::Constant(ty, bits) => {
            d.code = format!("{} {name}", show(ty));
            d.code += &constant(m, ty, bits).map(|v| format!(" = {v}")).unwrap_or_default();
        }
        Entity::Namespace => d.code = format!("namespace {name}"),
        Entity::Subobject(ty) => d.code = format!("{} {name}", show(ty)),
        Entity::Heap => d.code = name.to_owned(),
    }
    d
}

/// The signature of a function, and the range of each parameter in it.
pub fn function(s: &Snapshot, f: &hir::Function) -> (String, Vec<std::ops::Range<usize>>) {
    let m = &s.analysis.module;
    let mut text = format!("{} {}(", m.types.show(f.ret), f.qualified);
    let mut params = Vec::new();
    for (i, p) in f.params.iter().enumerate() {
        if i > 0 {
            text += ", ";
        }
        let from = text.len();
        text += match p.pass {
            Pass::In => "",
            Pass::Out => "out ",
            Pass::InOut => "inout ",
            Pass::Ref => "groupshared ",
        };
        text += &m.types.show(p.ty);
        let name = f.body.locals.get(p.local).map_or("", |l| s.analysis.names.str(l.name));
        if !name.is_empty() {
            text += &format!(" {name}");
        }
        if let Some(semantic) = p.semantic {
            text += &format!(" : {}", s.analysis.names.str(semantic));
        }
        params.push(from..text.len());
    }
    text += ")";
    (text, params)
}

fn of_type(s: &Snapshot, name: &str, ty: Ty) -> Description {
    let m = &s.analysis.module;
    let mut d = Description::default();
    match m.types.kind(ty) {
        TyKind::Record(r) => {
            let record = &m.types.records[r];
            d.code = format!("{} {}", if record.is_class { "class" } else { "struct" }, record.qualified);
            if let Some(base) = record.base {
                d.code += &format!(" : {}", m.types.records[base].qualified);
            }
            if record.raypayload {
                d.text.push("ray payload".into());
            }
            // A table of the members, with their places.
            if !m.types.has_objects(ty) && !record.fields.is_empty() {
                let (scalar, whole) = record_layout(&m.types, r, Rules::Scalar);
                let (cbuffer, block) = record_layout(&m.types, r, Rules::CBuffer);
                let mut table = String::from("| member | type | offset | in constant buffers |\n|---|---|---|---|");
                for (n, f) in record.fields.iter().enumerate().take(MAX_MEMBERS) {
                    let (a, b) = (scalar.get(n).copied().unwrap_or(0), cbuffer.get(n).copied().unwrap_or(0));
                    table += &format!("\n| `{}` | `{}` | {a} | {b} |", s.analysis.names.str(f.name), m.types.show(f.ty));
                }
                if record.fields.len() > MAX_MEMBERS {
                    table += &format!("\n| … {} more | | | |", record.fields.len() - MAX_MEMBERS);
                }
                d.text.push(format!("{} bytes, aligned to {}; {} in constant buffers", whole.size, whole.align, block.size));
                d.text.push(table);
            }
        }
        TyKind::Enum(e) => {
            let e = &m.types.enums[e];
            d.code = format!("{} {} : {}", if e.scoped { "enum class" } else { "enum" }, e.qualified, e.underlying.name());
        }
        _ => {
            let text = m.types.show(ty);
            d.code = if text == name { text } else { format!("{name} = {text}") };
            d.text.extend(size(m, ty));
        }
    }
    d
}

/// How many members of a structure are listed.
const MAX_MEMBERS: usize = 64;

fn size(m: &hir::Module, ty: Ty) -> Option<String> {
    if m.types.has_objects(ty)
        || matches!(m.types.kind(ty), TyKind::Void | TyKind::Error | TyKind::Function(_) | TyKind::String | TyKind::Subobject(_))
    {
        return None;
    }
    let size = size_of(&m.types, ty, Rules::Scalar).size;
    (size > 0).then(|| format!("{size} bytes"))
}

fn offset(m: &hir::Module, r: RecordId, n: usize, rules: &[(&str, Rules)]) -> Vec<String> {
    let field = &m.types.records[r].fields[n];
    if m.types.has_objects(field.ty) || field.ty == Ty::ERROR {
        return Vec::new();
    }
    let size = size_of(&m.types, field.ty, Rules::Scalar).size;
    let bits = bit_offsets(&m.types, r).get(n).copied().flatten();
    let places = rules.iter().map(|(name, rules)| {
        let at = record_layout(&m.types, r, *rules).0.get(n).copied().unwrap_or(0);
        let bits = bits.map(|(first, width)| format!(", bits {first} to {}", first + width - 1)).unwrap_or_default();
        format!("{at}{bits} in {name}")
    });
    vec![format!("{size} bytes, at offset {}", places.collect::<Vec<_>>().join("; "))]
}

/// The value of a scalar constant.
fn constant(m: &hir::Module, ty: Ty, bits: u64) -> Option<String> {
    let scalar = match m.types.kind(ty) {
        TyKind::Scalar(s) => s,
        TyKind::Enum(e) => m.types.enums[e].underlying,
        _ => return None,
    };
    let value = hir::Const { scalar, bits };
    match value.as_int() {
        Some(n) if scalar == hir::Scalar::Bool => Some((n != 0).to_string()),
        Some(n) => Some(n.to_string()),
        None if scalar.bits() == 64 => Some(f64::from_bits(bits).to_string()),
        None if scalar.bits() == 32 => Some(f32::from_bits(bits as u32).to_string()),
        None => None,
    }
}

/// The facts about an intrinsic: what it does, its stages, its shader model, the DXIL operation.
pub fn intrinsic(row: &Intrinsic) -> Vec<String> {
    let mut out = Vec::new();
    let ops: Vec<rtc_tables::insts::Opcode> = match row.lowers {
        Lower::Op(op) | Lower::Immediate(op) => vec![op],
        Lower::ByClass { float, signed, unsigned } => vec![float, signed, unsigned],
        Lower::Expand(_) => Vec::new(),
    };
    out.extend(rtc_tables::intrinsics::about::about(row).map(str::to_owned).or_else(|| ops.first().map(|op| op.info().doc.to_owned())));
    out.extend(row.newer_name.map(|n| format!("An older spelling of `{n}`.")));
    let stages: Vec<&str> = row.stages.iter_stages().map(|s| s.info().name).filter(|n| !n.is_empty()).collect();
    if !row.stages.contains(StageMask::ALL) {
        out.push(format!("Stages: {}", stages.join(", ")));
    }
    if row.shader_model > 0 {
        out.push(format!("Shader model 6.{}", row.shader_model));
    }
    let dxil: Vec<String> = ops.iter().filter_map(|&op| RtInfo::of(op)).map(|r| format!("`{}`", r.dxil)).collect();
    if let Some(first) = dxil.first() {
        out.push(format!("DXIL operation {first}"));
    }
    out.extend(row.missing.map(|(target, why)| format!("Not for {target:?}: {why}")));
    if row.ends_shader {
        out.push("The call does not return: it ends the shader.".into());
    }
    out.extend(row.without_derivatives.map(|alternative| format!("It takes derivatives between threads; `{alternative}` does not.")));
    if let Scope::Method(object) | Scope::Static(object) = row.scope {
        out.push(format!("method of `{}`", object.info().name));
    }
    out
}
