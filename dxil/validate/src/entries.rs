//! Rules about versions and entry points.

use super::Cx;
use rtc_dxil_container::metadata::{Entry, tag};
use rtc_dxil_container::program::Program;
use rtc_dxil_container::recompute::rdat::shared_bytes;
use rtc_dxil_container::recompute::uses::{Uses, instructions};
use rtc_dxil_container::{Container, FourCc, ShaderKind, Version};
use rtc_dxil_module::{Body, Func, GROUPSHARED, Inst, MetaNode, Module, Type, TypeKind, Value};
use rtc_tables::limits::{self, NEWEST_MODEL as NEWEST, OFFLINE_MODEL as OFFLINE, WAVE_LANES};
use rtc_tables::validation::{Rule, rule};
use rustc_hash::{FxHashMap, FxHashSet};

/// The program header says what the metadata says.
pub(super) fn header(cx: &mut Cx<'_>, file: &Container) {
    let Some(part) = file.part(FourCc::DXIL) else { return };
    let Ok(program) = Program::read("DXIL", &part.data) else { return };
    let (kind, model) = (cx.info.kind, cx.info.model);
    if (program.kind, program.model) != (kind, model) {
        let text = format!("the header says {} {}, the module {kind} {model}", program.kind, program.model);
        cx.part(rule::SM_PROGRAM_VERSION, "DXIL", 0, text);
    }
}

/// The shader model exists, and the DXIL version belongs to it.
pub(super) fn versions(cx: &mut Cx<'_>) {
    let (kind, model) = (cx.info.kind, cx.info.model);
    if model == Version::new(0, 0) || kind == ShaderKind::Invalid {
        return; // missing or malformed, which another rule says
    }
    let known = match kind {
        ShaderKind::Library => model.major == 6 && ((1..=NEWEST).contains(&model.minor) || model.minor == OFFLINE),
        ShaderKind::Amplification | ShaderKind::Mesh => model.major == 6 && (5..=NEWEST).contains(&model.minor),
        _ => model.major == 6 && model.minor <= NEWEST,
    };
    if !known {
        return cx.module(rule::SM_NAME, format!("shader model {model} of a {kind} shader is unknown"));
    }
    let expected = Version::new(1, limits::dxil_minor(model.minor));
    if cx.info.dxil != expected && cx.info.dxil != Version::new(0, 0) && model.minor != OFFLINE {
        let text = format!("shader model {model} has DXIL version {expected}, the module declares {}", cx.info.dxil);
        cx.module(rule::SM_DXIL_VERSION, text);
    }
}

/// Groups of threads, waves, signatures.
pub(super) fn properties(cx: &mut Cx<'_>) {
    let info = cx.info;
    for entry in &info.entries {
        let Some(func) = entry.func else { continue };
        let kind = info.stage(entry);
        if let Some(of_group) = entry.props.threads {
            match kind {
                ShaderKind::Compute => threads(cx, func, of_group, limits::GROUP_THREADS, limits::GROUP_THREADS_IN_ALL),
                ShaderKind::Mesh | ShaderKind::Amplification => {
                    let most = limits::MESH_GROUP_THREADS;
                    threads(cx, func, of_group, [most as u32; 3], most);
                }
                _ => {}
            }
        }
        if kind == ShaderKind::Compute && has_signatures(cx.m, entry) {
            cx.function(rule::SM_CS_NO_SIGNATURES, func, "a compute shader has signatures");
        }
        if kind.is_raytracing() && has_signatures(cx.m, entry) {
            cx.function(rule::SM_RAY_SHADER_SIGNATURES, func, format!("a {kind} shader has signatures"));
        }
        waves(cx, func, kind, entry);
    }
}

fn has_signatures(m: &Module, entry: &Entry) -> bool {
    let lists = entry.signatures.map_or(&[][..], |node| m.meta.elems(node));
    lists.iter().flatten().any(|&list| !m.meta.elems(list).is_empty())
}

fn threads(cx: &mut Cx<'_>, func: Func, threads: [u32; 3], in_each: [u32; 3], most: u64) {
    for ((n, most), name) in threads.into_iter().zip(in_each).zip(["X", "Y", "Z"]) {
        if !(1..=most).contains(&n) {
            cx.function(rule::SM_THREAD_GROUP_RANGE, func, format!("{n} threads in {name}, 1 to {most} are possible"));
            return;
        }
    }
    let all = threads.into_iter().map(u64::from).fold(1, u64::saturating_mul);
    if all > most {
        cx.function(rule::SM_MAX_THREAD_GROUP, func, format!("{all} threads in a group, {most} are possible"));
    }
}

/// `[WaveSize]`: the tag that the shader model has, once, with values that make sense.
fn waves(cx: &mut Cx<'_>, func: Func, kind: ShaderKind, entry: &Entry) {
    let m = cx.m;
    let mut sizes = entry.props.all.iter().filter(|(t, _)| matches!(*t, tag::WAVE_SIZE | tag::WAVE_SIZE_RANGE));
    let Some(&(which, value)) = sizes.next() else { return };
    if sizes.next().is_some() {
        return cx.function(rule::SM_WAVE_SIZE_DUPLICATE, func, "more than one wave size");
    }
    let values = value.map_or(&[][..], |v| m.meta.elems(v));
    let minor = cx.info.model.minor;
    let (expected, count): (&'static Rule, usize) = match which {
        tag::WAVE_SIZE => (rule::SM_WAVE_SIZE_ONE, 1),
        _ => (rule::SM_WAVE_SIZE_THREE, 3),
    };
    match which {
        tag::WAVE_SIZE_RANGE if minor < 8 => {
            return cx.function(rule::SM_WAVE_SIZE_RANGE_MODEL, func, "a range of wave sizes needs shader model 6.8");
        }
        tag::WAVE_SIZE if !(6..8).contains(&minor) => {
            return cx.function(rule::SM_WAVE_SIZE_MODEL, func, "a single wave size belongs to shader models 6.6 and 6.7");
        }
        _ => {}
    }
    if values.len() != count {
        return cx.function(expected, func, format!("a wave size of {} numbers, expected {count}", values.len()));
    }
    if !values.iter().all(|v| v.is_some_and(|v| matches!(m.meta[v], MetaNode::Value(Value::Const(_))))) {
        return cx.function(rule::SM_WAVE_SIZE_CONSTANT, func, "a wave size that is no constant");
    }
    let number = |at: usize| values.get(at).copied().flatten().and_then(|v| m.meta_int(v)).unwrap_or(0) as u32;
    let (least, most, preferred) = (number(0), number(1), number(2));
    let valid = |n: u32| n.is_power_of_two() && WAVE_LANES.contains(&n);
    let mut say = |rule: &'static Rule, text: String| cx.function(rule, func, text);
    if least == 0 {
        if (most, preferred) != (0, 0) {
            say(rule::SM_WAVE_SIZE_UNDEFINED, format!("no least wave size, but a largest {most} and a preferred {preferred}"));
        }
        return;
    }
    if !valid(least) {
        say(rule::SM_WAVE_SIZE_VALUE, format!("a wave of {least} lanes: powers of two from 4 to 128 are possible"));
    } else if most == 0 {
        if preferred != 0 {
            say(rule::SM_WAVE_SIZE_NO_RANGE, format!("a preferred wave size {preferred} without a range"));
        }
    } else if !valid(most) || preferred != 0 && !valid(preferred) {
        say(rule::SM_WAVE_SIZE_VALUE, format!("waves of {most} or {preferred} lanes: powers of two from 4 to 128 are possible"));
    } else if most < least {
        say(rule::SM_WAVE_SIZE_ORDER, format!("the largest wave size {most} is below the least, {least}"));
    } else if preferred != 0 && !(least..=most).contains(&preferred) {
        say(rule::SM_WAVE_SIZE_PREFERRED, format!("the preferred wave size {preferred} is outside of {least} to {most}"));
    }
    if kind != ShaderKind::Compute && kind != ShaderKind::Node {
        cx.function(rule::SM_WAVE_SIZE_STAGE, func, format!("a {kind} shader has a wave size"));
    }
}

/// Groupshared memory: only where there are groups, and not too much of it.
pub(super) fn groupshared(cx: &mut Cx<'_>) {
    let (m, info) = (cx.m, cx.info);
    if !m.globals.values().any(|g| g.space == GROUPSHARED) {
        return;
    }
    let Some(known) = cx.known() else { return };
    let used = shared_bytes(m, &known.uses);
    let first = first_uses(m, &known.uses);
    let mut found_at = FxHashMap::default();
    for entry in &info.entries {
        let Some(func) = entry.func else { continue };
        let kind = info.stage(entry);
        let (Some(&used), Some(&at)) = (used.get(&func), first.get(&func)) else { continue };
        match kind {
            ShaderKind::Compute | ShaderKind::Node | ShaderKind::Amplification | ShaderKind::Mesh => {
                let (rule, most) = match entry.props.groupshared_limit {
                    Some(most) => (rule::SM_EXPLICIT_GROUPSHARED, u64::from(most)),
                    None if kind == ShaderKind::Mesh => (rule::SM_MAX_GROUPSHARED, limits::MESH_GROUPSHARED_BYTES),
                    None => (rule::SM_MAX_GROUPSHARED, limits::GROUPSHARED_BYTES),
                };
                if u64::from(used) > most {
                    cx.function(rule, func, format!("{used} bytes of groupshared memory are used, {most} are allowed"));
                }
            }
            _ => {
                let Some((body, inst)) = *found_at.entry(at).or_insert_with(|| first_instruction(m, at)) else { continue };
                let here = super::Here { func: at, body };
                cx.inst(rule::SM_NO_GROUPSHARED, here, inst, format!("a {kind} shader has no groupshared memory"));
            }
        }
    }
}

/// For each function that uses groupshared memory, a function that names a variable of it: itself, or one that it calls.
fn first_uses(m: &Module, uses: &Uses) -> FxHashMap<Func, Func> {
    let shared = |func: &Func| uses.globals[*func].iter().any(|&g| m.globals[g].space == GROUPSHARED);
    let mut out: FxHashMap<Func, Func> = m.funcs.keys().filter(shared).map(|f| (f, f)).collect();
    let mut work: Vec<(Func, Func)> = m.funcs.keys().filter(shared).map(|f| (f, f)).collect();
    while let Some((func, named)) = work.pop() {
        for &caller in &uses.callers[func] {
            out.entry(caller).or_insert_with(|| {
                work.push((caller, named));
                named
            });
        }
    }
    out
}

/// The first instruction of a function that names a groupshared variable.
fn first_instruction(m: &Module, func: Func) -> Option<(&Body, Inst)> {
    let body = m.funcs[func].body.as_ref()?;
    let mut seen = FxHashSet::default();
    let inst = instructions(body).find(|&inst| {
        let (mut work, mut found) = (Vec::new(), false);
        body.operands(inst, |v| work.push(v));
        while let Some(v) = work.pop() {
            match v {
                Value::Global(g) => found |= m.globals[g].space == GROUPSHARED,
                Value::Const(c) if seen.insert(c) => work.extend(m.consts[c].kind.operands()),
                _ => {}
            }
        }
        found
    })?;
    Some((body, inst))
}

/// Bytes that a type takes in memory.
fn size(m: &Module, ty: Type) -> u64 {
    match m.types[ty] {
        TypeKind::Void => 0,
        _ => rtc_dxil_container::recompute::layout::size_of(m, ty),
    }
}

/// Payload, attributes and parameters are as large as the properties say.
pub(super) fn parameter_sizes(cx: &mut Cx<'_>) {
    let (m, info) = (cx.m, cx.info);
    for entry in &info.entries {
        let Some(func) = entry.func else { continue };
        let kind = info.stage(entry);
        let params = m.types.signature(m.funcs[func].ty).map_or(&[][..], |(_, params, _)| params);
        let bytes = |n: usize| params.get(n).map_or(0, |&ty| size(m, m.types.pointee(ty).unwrap_or(ty)));
        let checks: &[(usize, Option<u32>, &str)] = match kind {
            ShaderKind::AnyHit | ShaderKind::ClosestHit => {
                &[(0, entry.props.payload, "payload"), (1, entry.props.attributes, "attributes")]
            }
            ShaderKind::Miss => &[(0, entry.props.payload, "payload")],
            ShaderKind::Callable => &[(0, entry.props.payload, "parameter")],
            _ => &[],
        };
        for &(n, declared, what) in checks {
            let declared = u64::from(declared.unwrap_or(0));
            if declared < bytes(n) {
                let text = format!("the {what} has {} bytes, but its declared size is {declared}", bytes(n));
                cx.function(rule::SM_RAY_SHADER_PAYLOAD_SIZE, func, text);
            }
        }
    }
}
