//! The metadata of the result, and its container.

use super::import::Importer;
use super::library::code_of;
use super::merged::Merged;
use super::resources::Resource;
use super::{DebugGoes, Linked, Options, Target};
use rtc_dxil_container::debug_module::DebugModule;
use rtc_dxil_container::hash::ShaderHash;
use rtc_dxil_container::metadata::Props;
use rtc_dxil_container::metadata::signature::{Signatures, says_usage};
use rtc_dxil_container::metadata::target_types;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::rdat::Subobject;
use rtc_dxil_container::recompute::{Recomputed, counters};
use rtc_dxil_container::shader_flags::bit;
use rtc_dxil_container::{self as container, FourCc, ResourceClass, ShaderKind, Signing, Version, debug_name, sfi0};
use rtc_dxil_module::bitcode;

use rtc_dxil_container::metadata::{annotation_for, tag};
use rtc_dxil_container::recompute;
use rtc_dxil_container::vers::{CompilerVersion, PRODUCER};
use rtc_dxil_module::{CastOp, ConstKind, Func, Meta, MetaNode, Module, Op, Type, TypeKind, Value};
use rtc_tables::limits::{OFFLINE_MODEL, RELEASED_MODEL, dxil_minor};
use rtc_tables::payload_access;

/// What decides how the result is written.
pub struct Settings<'a> {
    /// The options of the caller.
    pub options: &'a Options,
    /// Whose rules hold.
    pub validator: Version,
    /// Flags that code does not tell.
    pub flags: u64,
}

/// Writes it, with `debug`, the same code with debug information.
///
/// # Errors
/// Code that the target does not have, a container that is too large.
pub fn emit<'a>(
    merged: Merged,
    debug: Option<Merged>,
    subobjects: &[Subobject],
    settings: &Settings,
    reflections: impl Iterator<Item = &'a Module>,
) -> Result<Linked, Vec<String>> {
    let target = &settings.options.target;
    let (minor, v) = (target.minor(), settings.validator);
    let structs = merged.structs.clone();
    let root_signature = root_signature(&merged);
    let mut m = metadata(merged, settings, settings.flags);
    let again = recompute::recompute(&m, subobjects).map_err(|e| vec![e.to_string()])?;
    complete(&mut m, &again);
    let again = recompute::recompute(&m, subobjects).map_err(|e| vec![e.to_string()])?;
    let mut wrong = Vec::new();
    for (func, f) in m.funcs.iter().filter(|(_, f)| f.body.is_some()) {
        let needed = again.needs[func].model;
        let vectors = minor < VECTORS && calls_with_vectors(&m, func);
        let needed = if vectors { needed.max(Version::new(6, VECTORS)) } else { needed };
        if minor != OFFLINE_MODEL && needed > Version::new(6, minor) {
            let name = container::rdat::unmangle(&f.name);
            wrong.push(format!("`{name}` needs shader model {needed}, the target is {}", target.profile()));
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let since = |minor| v.major == 0 || v >= Version::new(1, minor);
    let mut parts: Vec<(FourCc, Vec<u8>)> = vec![(FourCc::SFI0, sfi0::write(again.features()))];
    let kind = match target {
        Target::Library(_) => {
            if since(8) {
                parts.push((FourCc::VERS, CompilerVersion::current().write()));
            }
            parts.extend(again.rdat_bytes().map(|b| (FourCc::RDAT, b)));
            ShaderKind::Library
        }
        Target::Shader { stage, .. } => {
            parts.extend(again.signature_parts());
            parts.extend(again.psv.as_ref().map(|p| (FourCc::PSV0, p.write())));
            parts.extend(root_signature.map(|b| (FourCc::RTS0, b)));
            ShaderKind::from_u32(*stage as u32).unwrap_or(ShaderKind::Invalid)
        }
    };
    let dxil = Version::new(1, dxil_minor(minor));
    let program = |bitcode: &[u8]| Program { kind, model: Version::new(6, minor), dxil, bitcode }.write();
    let signing = if !settings.options.sign || v.major == 0 || minor == OFFLINE_MODEL {
        Signing::Unsigned
    } else if minor > RELEASED_MODEL {
        Signing::Preview
    } else {
        Signing::Digest
    };
    if signing != Signing::Unsigned {
        let report = rtc_dxil_validate::module(&m);
        let wrong: Vec<String> = report.findings.iter().map(|f| format!("the result breaks a rule of DXIL: {f}")).collect();
        if !wrong.is_empty() {
            return Err(wrong);
        }
    }
    let code = bitcode::write(&m);
    let hash = ShaderHash::of(&code);
    let debug = debug.and_then(|merged| {
        let mut known = metadata(merged, settings, settings.flags);
        complete(&mut known, &again);
        let name = settings.options.debug_name.clone().unwrap_or_else(|| hash.hex() + ".pdb");
        let part = || program(&bitcode::write(&known));
        (code_of(&known) == code_of(&m)).then(|| DebugModule { part: part(), name, hash })
    });
    if let Some(debug) = debug.as_ref().filter(|_| settings.options.debug == DebugGoes::Inside) {
        parts.push((FourCc::ILDB, debug.part.clone()));
    }
    let reflection = program(&bitcode::write(&reflection(&m, &structs, reflections)));
    if !settings.options.strip_reflection {
        parts.push((FourCc::STAT, reflection.clone()));
    }
    if let Some(debug) = &debug {
        parts.push((FourCc::ILDN, debug_name::write(&debug.name).map_err(|e| vec![e.to_string()])?));
    }
    if since(5) {
        parts.push((FourCc::HASH, hash.write()));
    }
    parts.push((FourCc::DXIL, program(&code)));
    let bytes = container::write(&parts, signing).map_err(|e| vec![e.to_string()])?;
    Ok(Linked { bytes, signed: signing != Signing::Unsigned, hash, reflection, debug, warnings: Vec::new() })
}

/// The first shader model whose operations take vectors of components.
pub const VECTORS: u32 = 9;

/// Whether a function gives vectors to operations: what libraries for linking only do, and no shader model before 6.9 has.
/// (Shuffles do not count: every load and store of a matrix has them.)
fn calls_with_vectors(m: &Module, func: Func) -> bool {
    let Some(body) = &m.funcs[func].body else { return false };
    body.blocks.values().flatten().any(|&i| match body.insts[i].op {
        Op::Call { callee: Value::Func(f), .. } if m.is_dx_op(f) => {
            let vector = |t: &Type| matches!(m.types[*t], TypeKind::Vector { .. });
            m.types.signature(m.funcs[f].ty).is_some_and(|(ret, params, _)| vector(&ret) || params.iter().any(vector))
        }
        _ => false,
    })
}

fn named(m: &mut Module, name: &str, elems: &[Option<Meta>]) {
    let node = m.meta.node(elems);
    m.meta.add_named(name, node);
}

fn numbers(m: &mut Module, name: &str, pair: [u32; 2]) {
    let elems = pair.map(|n| Some(m.meta_i32(n as i32)));
    named(m, name, &elems);
}

/// Writes what follows from the code and the other metadata.
fn complete(m: &mut Module, found: &Recomputed) {
    recompute::set_flags(m, found.flags);
    if let Some((_, dependencies)) = &found.signatures {
        dependencies.write(m);
    }
}

/// The signatures of a single shader with what its code uses of them: libraries do not say that.
fn used_signatures(m: &mut Module, func: Func, own: &[(i64, Meta)], validator: Version, signatures: Option<Meta>) -> Option<Meta> {
    let Ok(mut all) = Signatures::read(m, signatures) else { return signatures };
    let lists = [&mut all.inputs, &mut all.outputs, &mut all.patch];
    lists.into_iter().flatten().for_each(|e| (e.usage, e.dynamic) = (0, 0));
    let props = Props { all: own.iter().map(|&(tag, value)| (tag, Some(value))).collect(), ..Props::default() };
    for function in [Some(func), props.patch_constants(m)].into_iter().flatten() {
        if let Some(body) = &m.funcs[function].body {
            recompute::signatures::find_usage(m, body, &mut all);
        }
    }
    all.write(m, true, says_usage(validator))
}

/// The module with its metadata.
fn metadata(merged: Merged, settings: &Settings, flags: u64) -> Module {
    let Merged { module: mut m, about, resources, structs, payloads } = merged;
    let target = &settings.options.target;
    let (library, minor) = (matches!(target, Target::Library(_)), target.minor());
    target_types::write(&mut m);
    let ident = m.meta.string(PRODUCER);
    named(&mut m, "llvm.ident", &[Some(ident)]);
    numbers(&mut m, "dx.version", [1, dxil_minor(minor)]);
    numbers(&mut m, "dx.valver", [settings.validator.major, settings.validator.minor]);
    let kind = m.meta.string(match target {
        Target::Library(_) => "lib",
        Target::Shader { stage, .. } => stage.info().profile,
    });
    let model = [Some(kind), Some(m.meta_i32(6)), Some(m.meta_i32(minor as i32))];
    named(&mut m, "dx.shaderModel", &model);
    let lists = resource_lists(&mut m, &resources, minor);
    if let Some(node) = lists {
        m.meta.add_named("dx.resources", node);
    }
    if library && !structs.is_empty() {
        // Libraries may be of a newer validator.
        let known: Vec<_> = structs.iter().map(|&(ty, note)| (ty, annotation_for(&mut m, note, false, settings.validator))).collect();
        annotate_structs(&mut m, &known);
    }
    let mut functions: Vec<(Func, Meta)> = about.iter().filter_map(|(&f, a)| Some((f, a.annotation?))).collect();
    functions.sort_by_key(|f| f.0.as_u32());
    if library && !functions.is_empty() {
        let mut list = vec![Some(m.meta_i32(1))];
        for (f, note) in functions {
            let note = annotation_for(&mut m, note, true, settings.validator);
            list.extend([Some(m.meta.value(Value::Func(f))), Some(note)]);
        }
        named(&mut m, "dx.typeAnnotations", &list);
    }
    if library && !payloads.is_empty() {
        let mut list = vec![Some(m.meta_i32(payload_access::STRUCTS_TAG))];
        for (ty, note) in payloads {
            list.extend([Some(m.meta_undef(ty)), Some(note)]);
        }
        named(&mut m, payload_access::METADATA, &list);
    }
    let flags = if flags == 0 { Vec::new() } else { vec![(tag::FLAGS, m.meta_i64(flags as i64))] };
    if library {
        let empty = m.meta.string("");
        let props = properties(&mut m, &flags);
        let node = m.meta.node(&[None, Some(empty), None, lists, props]);
        m.meta.add_named("dx.entryPoints", node);
    }
    let mut entries: Vec<_> =
        about.into_iter().filter_map(|(f, a)| Some((m.funcs[f].name.to_string(), f, a.entry?, a.signatures))).collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, func, own, signatures) in entries {
        let own = wave_size(&mut m, own, minor);
        let signatures = if library { signatures } else { used_signatures(&mut m, func, &own, settings.validator, signatures) };
        let all = if library { own } else { properties_of_shader(&mut m, settings.flags, own) };
        let props = properties(&mut m, &all);
        let value = m.meta.value(Value::Func(func));
        let name = m.meta.string(&name);
        let node = m.meta.node(&[Some(value), Some(name), signatures, if library { None } else { lists }, props]);
        m.meta.add_named("dx.entryPoints", node);
    }
    m
}

/// The properties of a single shader: those of a library's entry point, without what only libraries say, and with the flags of the
/// library, to which the entry point may have added its own.
fn properties_of_shader(m: &mut Module, flags: u64, own: Vec<(i64, Meta)>) -> Vec<(i64, Meta)> {
    let more = own.iter().find(|p| p.0 == tag::FLAGS).and_then(|p| m.meta_int(p.1)).unwrap_or(0) as u64;
    let flags = flags | more & bit::EARLY_DEPTH_STENCIL;
    let flags = (flags != 0).then(|| (tag::FLAGS, m.meta_i64(flags as i64)));
    let kept = own.into_iter().filter(|p| ![tag::FLAGS, tag::KIND, tag::AUTO_SPACE, tag::ROOT_SIGNATURE].contains(&p.0));
    flags.into_iter().chain(kept).collect()
}

/// The size of waves as the shader model says it: one number before 6.8, a range from then on.
fn wave_size(m: &mut Module, own: Vec<(i64, Meta)>, minor: u32) -> Vec<(i64, Meta)> {
    let said = |m: &mut Module, (tag, value): (i64, Meta)| {
        let sizes: Vec<i64> = m.meta.elems(value).iter().filter_map(|&e| m.meta_int(e?)).collect();
        match (tag, sizes.as_slice()) {
            (tag::WAVE_SIZE_RANGE, &[size, 0, 0]) if minor < 8 => {
                let size = m.meta_i32(size as i32);
                (tag::WAVE_SIZE, m.meta.node(&[Some(size)]))
            }
            (tag::WAVE_SIZE, &[size]) if minor >= 8 => {
                let all = [size, 0, 0].map(|n| Some(m.meta_i32(n as i32)));
                (tag::WAVE_SIZE_RANGE, m.meta.node(&all))
            }
            _ => (tag, value),
        }
    };
    own.into_iter().map(|p| said(m, p)).collect()
}

fn properties(m: &mut Module, all: &[(i64, Meta)]) -> Option<Meta> {
    if all.is_empty() {
        return None;
    }
    let list: Vec<Option<Meta>> = all.iter().flat_map(|&(tag, value)| [Some(m.meta_i32(tag as i32)), Some(value)]).collect();
    Some(m.meta.node(&list))
}

fn annotate_structs(m: &mut Module, structs: &[(Type, Meta)]) {
    let mut list = vec![Some(m.meta_i32(0))];
    for &(ty, note) in structs {
        list.extend([Some(m.meta_undef(ty)), Some(note)]);
    }
    named(m, "dx.typeAnnotations", &list);
}

/// The four lists of resources.
fn resource_lists(m: &mut Module, resources: &[Resource], minor: u32) -> Option<Meta> {
    if resources.is_empty() {
        return None;
    }
    let classes = [ResourceClass::Srv, ResourceClass::Uav, ResourceClass::Cbv, ResourceClass::Sampler];
    let lists = classes.map(|class| {
        let records: Vec<Option<Meta>> = resources.iter().filter(|r| r.record.class == class).map(|r| Some(record(m, r, minor))).collect();
        (!records.is_empty()).then(|| m.meta.node(&records))
    });
    Some(m.meta.node(&lists))
}

fn record(m: &mut Module, resource: &Resource, minor: u32) -> Meta {
    let r = &resource.record;
    let pointer = r.ty.map(|t| m.types.ptr(t));
    let symbol = match (r.global, pointer) {
        // From 6.6 on the variable is a handle, and a cast states its type.
        (Some(g), Some(ptr)) if minor >= super::handles::HANDLES => m.const_cast(CastOp::BitCast, Value::Global(g), ptr),
        (Some(g), _) => Value::Global(g),
        (None, Some(ptr)) => m.undef(ptr),
        (None, None) => m.i32(0),
    };
    r.write(m, symbol, |_, _| resource.tags)
}

/// The root signature of a shader that has one.
fn root_signature(merged: &Merged) -> Option<Vec<u8>> {
    let m = &merged.module;
    let entry = merged.about.values().find_map(|a| a.entry.as_ref())?;
    let &(_, node) = entry.iter().find(|p| p.0 == tag::ROOT_SIGNATURE)?;
    let inner = m.meta.elems(node).first().copied().flatten()?;
    let MetaNode::Value(Value::Const(c)) = m.meta[inner] else { return None };
    match &m.consts[c].kind {
        ConstKind::Data(bytes) => Some(bytes.iter().map(|&b| b as u8).collect()),
        _ => None,
    }
}

/// The module that reflection reads: without code, in the newest form, with the annotations of structures that the inputs'
/// reflection has.
fn reflection<'a>(m: &Module, own: &[(Type, Meta)], inputs: impl Iterator<Item = &'a Module>) -> Module {
    let mut out = m.clone();
    for f in out.funcs.values_mut() {
        f.body = None;
    }
    out.meta.remove_named("dx.valver");
    numbers(&mut out, "dx.valver", [0, 0]);
    // Reflection says more of a structure than code does.
    let mut structs: Vec<(Type, Meta)> = Vec::new();
    for input in inputs {
        let mut import = Importer::new(input);
        for &node in input.meta.named("dx.typeAnnotations") {
            let elems = input.meta.elems(node);
            if elems.first().copied().flatten().and_then(|k| input.meta_int(k)) != Some(0) {
                continue;
            }
            for pair in elems[1..].chunks_exact(2) {
                let (Some(what), Some(note)) = (pair[0], pair[1]) else { continue };
                let MetaNode::Value(Value::Const(c)) = input.meta[what] else { continue };
                let known = out.types.len();
                let ty = import.ty(&mut out, input.consts[c].ty);
                // A structure that the code does not have any more needs no fields; resources need theirs.
                let used = ty.as_u32() < known as u32;
                if let Some(note) = import.meta(&mut out, note).filter(|_| used)
                    && !structs.iter().any(|s| s.0 == ty)
                {
                    structs.push((ty, note));
                }
            }
        }
    }
    for &(ty, note) in own {
        if !structs.iter().any(|s| s.0 == ty) {
            structs.push((ty, note));
        }
    }
    let others: Vec<Meta> = out.meta.named("dx.typeAnnotations").to_vec();
    let functions = others.into_iter().filter(|&n| {
        let kind = out.meta.elems(n).first().copied().flatten();
        kind.and_then(|k| out.meta_int(k)) != Some(0)
    });
    let functions: Vec<Meta> = functions.collect();
    out.meta.remove_named("dx.typeAnnotations");
    if !structs.is_empty() {
        annotate_structs(&mut out, &structs);
    }
    for f in functions {
        out.meta.add_named("dx.typeAnnotations", f);
    }
    counters::write(&mut out, counters::count(m));
    out
}
