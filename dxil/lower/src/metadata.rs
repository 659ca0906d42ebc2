//! The module's metadata: versions, resources, entry points with their properties, annotations.

use rtc_base::Span;
use rtc_ir::{self as ir, Field, Paq, SlotRole, TypeKind};
use rtc_tables::diagnostics::E0901;
use rtc_tables::payload_access;
use rtc_tables::resources::ResourceClass;

use super::context::{Cx, symbol};
use super::globals::{Globals, symbol_pointer};
use super::resources::Resource;
use super::signature::{self, Declared};
use super::types::TypeCache;
use super::{DxilOptions, LowerError, Profile, entries, stage};
use rtc_dxil_container::metadata::signature::says_usage;
use rtc_dxil_container::metadata::{self as container, Entry, tag};
use rtc_dxil_container::rdat::Subobject;
use rtc_dxil_container::recompute::{self, Recomputed};
use rtc_dxil_container::shader_flags::bit;
use rtc_dxil_container::vers::PRODUCER;
use rtc_dxil_module::{Func, Meta, Module, Value};

/// The first shader model whose libraries have root signatures of entry points.
const ROOT_SIGNATURES_SINCE: u32 = 7;

/// The first shader model whose UAVs do not alias.
const NO_ALIAS_MODEL: u32 = 7;

/// Writes all of it, the entry points last: they have the flags, which follow from the code and from the other metadata. Gives what
/// follows from both.
///
/// # Errors
/// What was written is malformed: a mistake of the compiler.
pub fn write(
    cx: &mut Cx,
    types: &mut TypeCache,
    globals: &Globals,
    funcs: &[Func],
    declared: &Declared,
    options: &DxilOptions,
    subobjects: &[Subobject],
) -> Result<Recomputed, LowerError> {
    container::target_types::write(&mut cx.out);
    let ident = cx.out.meta.string(PRODUCER);
    named(&mut cx.out, "llvm.ident", &[Some(ident)]);
    let model = cx.m.shader_model as i32;
    version(&mut cx.out, "dx.version", 1, rtc_tables::limits::dxil_minor(cx.m.shader_model) as i32);
    let v = options.settings.validator;
    version(&mut cx.out, "dx.valver", v.major as i32, v.minor as i32);
    let kind = match cx.profile {
        Profile::Library => "lib",
        Profile::Shader(stage) => stage.info().profile,
    };
    let kind = cx.out.meta.string(kind);
    let (major, minor) = (cx.out.meta_i32(6), cx.out.meta_i32(model));
    named(&mut cx.out, "dx.shaderModel", &[Some(kind), Some(major), Some(minor)]);
    let resources = resources(cx, types, globals);
    if let Some(r) = resources {
        cx.out.meta.add_named("dx.resources", r);
    }
    if cx.is_library() {
        passed_structures(cx, types, declared);
        function_annotations(cx, funcs, declared);
        payload_annotations(cx, types);
    }
    let mut entries = entries(cx, funcs, chosen_flags(cx.m, options));
    for e in &mut entries {
        e.signatures = signatures(cx, funcs, e, options)?;
    }
    let mut found = recompute::of_written(&cx.out, entries, subobjects).map_err(|e| {
        let message = format!("internal error: the metadata is malformed: {e}");
        LowerError::new(&E0901, Span::NONE, message)
    })?;
    if let Some((_, dependencies)) = &found.signatures {
        dependencies.write(&mut cx.out);
    }
    // Flags of which none is set do not say that UAVs may alias: one is set that only forbids more.
    if options.settings.resources_may_alias && found.flags == 0 && cx.m.shader_model >= NO_ALIAS_MODEL {
        found.flags = bit::DISABLE_MATH_REFACTORING;
    }
    entry_points(cx, funcs, &found.info.entries, resources, found.flags, options);
    Ok(found)
}

/// The signatures of an entry point: with what its code uses of them, unless it is one of a library.
fn signatures(cx: &mut Cx, funcs: &[Func], entry: &Entry, options: &DxilOptions) -> Result<Option<Meta>, LowerError> {
    let Some(func) = entry.func else { return Ok(None) };
    let known = cx.facts.functions.iter().zip(funcs).find(|f| *f.1 == func);
    let Some(f) = known.map(|k| &cx.m.funcs[k.0.func]).filter(|f| f.stage.has_signature()) else { return Ok(None) };
    let mut all = stage::signatures(cx.m, f, options.settings.packing)?;
    let masks = !cx.is_library();
    let mut used = all.clone();
    for function in [Some(func), entry.props.patch_constants(&cx.out)].into_iter().flatten() {
        if let Some(body) = &cx.out.funcs[function].body {
            recompute::signatures::find_usage(&cx.out, body, &mut used);
        }
    }
    stage::check_written(f, &used)?;
    if masks {
        all = used;
    }
    Ok(all.write(&mut cx.out, masks, says_usage(options.settings.validator)))
}

/// Flags that do not follow from the code.
fn chosen_flags(m: &ir::Module, options: &DxilOptions) -> u64 {
    let chosen = [
        (bit::DISABLE_OPTIMIZATIONS, options.unoptimized),
        (bit::ALL_RESOURCES_BOUND, options.settings.all_resources_bound),
        (bit::NATIVE_LOW_PRECISION, m.native_16bit),
        (bit::UAVS_DO_NOT_ALIAS, m.shader_model >= NO_ALIAS_MODEL && !options.settings.resources_may_alias),
    ];
    chosen.iter().filter(|c| c.1).fold(0, |all, c| all | c.0)
}

fn named(out: &mut Module, name: &str, elems: &[Option<Meta>]) {
    let node = out.meta.node(elems);
    out.meta.add_named(name, node);
}

fn version(out: &mut Module, name: &str, major: i32, minor: i32) {
    let elems = [Some(out.meta_i32(major)), Some(out.meta_i32(minor))];
    named(out, name, &elems);
}

/// The four lists of resources.
fn resources(cx: &mut Cx, types: &mut TypeCache, globals: &Globals) -> Option<Meta> {
    let facts = cx.facts;
    if facts.resources.is_empty() {
        return None;
    }
    let classes = [ResourceClass::Srv, ResourceClass::Uav, ResourceClass::Cbv, ResourceClass::Sampler];
    let mut lists = Vec::with_capacity(4);
    for class in classes {
        let records: Vec<Option<Meta>> = facts.of_class(class).map(|r| Some(resource(cx, types, globals, r))).collect();
        lists.push(if records.is_empty() { None } else { Some(cx.out.meta.node(&records)) });
    }
    Some(cx.out.meta.node(&lists))
}

fn resource(cx: &mut Cx, types: &mut TypeCache, globals: &Globals, r: &Resource) -> Meta {
    let symbol = symbol_pointer(cx, types, globals, r.global);
    r.declared(cx.m.shader_model).write(&mut cx.out, symbol, container::Resource::tags)
}

/// The records of the library itself and of each shader, by name; or the only one. Their flags are `flags`.
fn entries(cx: &mut Cx, funcs: &[Func], flags: u64) -> Vec<Entry> {
    let library = cx.is_library();
    let known = cx.facts.functions.iter().zip(funcs).filter(|(known, _)| cx.m.funcs[known.func].is_started());
    let mut all: Vec<Entry> = known
        .map(|(known, &func)| entries::of_function(cx.m, known, symbol(cx, &cx.m.funcs[known.func]), Some(func), library, flags))
        .collect();
    for entry in &mut all {
        let written = cx.facts.functions.iter().zip(funcs);
        let of = |id: ir::Func| written.clone().find(|w| w.0.func == id).map(|w| *w.1);
        let known = written.clone().find(|w| Some(*w.1) == entry.func).map(|w| w.0.func);
        if let Some(state) = known.and_then(|id| stage::state(cx.m, &cx.m.funcs[id], of)) {
            let value = state.write(&mut cx.out);
            entry.props.all.push((state.tag(), Some(value)));
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    if library {
        all.insert(0, entries::of_library(flags));
    }
    all
}

/// Writes the records of entry points, in the first of which are the flags.
fn entry_points(cx: &mut Cx, funcs: &[Func], entries: &[Entry], resources: Option<Meta>, flags: u64, options: &DxilOptions) {
    let mut flags_tag =
        if flags == 0 { Vec::new() } else { vec![Some(cx.out.meta_i32(tag::FLAGS as i32)), Some(cx.out.meta_i64(flags as i64))] };
    for (n, entry) in entries.iter().enumerate() {
        let own = if n == 0 { resources } else { None };
        let Some(func) = entry.func else {
            let empty = cx.out.meta.string("");
            let props = properties_node(&mut cx.out, std::mem::take(&mut flags_tag));
            let node = cx.out.meta.node(&[None, Some(empty), None, own, props]);
            cx.out.meta.add_named("dx.entryPoints", node);
            continue;
        };
        let mut props = std::mem::take(&mut flags_tag);
        if cx.is_library() && entry.props.flags != 0 {
            // What a shader of a library says of itself alone.
            props.extend([Some(cx.out.meta_i32(tag::FLAGS as i32)), Some(cx.out.meta_i64(entry.props.flags as i64))]);
        }
        entry_properties(cx, entry, &mut props);
        let function = cx.facts.functions.iter().zip(funcs).find(|f| *f.1 == func).map(|f| cx.m.funcs[f.0.func].span);
        let known = cx.is_library() && cx.m.shader_model >= ROOT_SIGNATURES_SINCE;
        if let Some(data) = function.filter(|_| known).and_then(|span| options.root_signature(span)) {
            let blob = cx.out.consts.bytes(&mut cx.out.types, data);
            let blob = cx.out.meta.value(Value::Const(blob));
            let blob = cx.out.meta.node(&[Some(blob)]);
            props.extend([Some(cx.out.meta_i32(tag::ROOT_SIGNATURE as i32)), Some(blob)]);
        }
        let props = properties_node(&mut cx.out, props);
        let value = cx.out.meta.value(Value::Func(func));
        let name = cx.out.meta.string(&entry.name);
        let node = cx.out.meta.node(&[Some(value), Some(name), entry.signatures, own, props]);
        cx.out.meta.add_named("dx.entryPoints", node);
    }
}

fn properties_node(out: &mut Module, props: Vec<Option<Meta>>) -> Option<Meta> {
    if props.is_empty() { None } else { Some(out.meta.node(&props)) }
}

fn entry_properties(cx: &mut Cx, entry: &Entry, props: &mut Vec<Option<Meta>>) {
    let library = cx.is_library();
    let range = cx.m.shader_model >= entries::WAVE_RANGE_MODEL;
    let out = &mut cx.out;
    let mut put = |tag: i64, value: Meta, out: &mut Module| props.extend([Some(out.meta_i32(tag as i32)), Some(value)]);
    let own = &entry.props;
    if let Some(kind) = own.kind {
        let kind = out.meta_i32(kind.as_u32() as i32);
        put(tag::KIND, kind, out);
    }
    // Both numbers come before the tags.
    let numbers = [(tag::PAYLOAD, own.payload), (tag::ATTRIBUTES, own.attributes)];
    let numbers = numbers.map(|(tag, n)| n.map(|n| (tag, out.meta_i32(n as i32))));
    for (tag, value) in numbers.into_iter().flatten() {
        put(tag, value, out);
    }
    for &(tag, value) in &own.all {
        if let Some(value) = value {
            put(tag, value, out);
        }
    }
    // Mesh and amplification shaders have the threads in their state.
    let in_state = [tag::MESH, tag::AMPLIFICATION].iter().any(|&t| own.get(t).is_some());
    let lists = [
        (tag::THREADS, own.threads.as_ref().filter(|_| !in_state).map(|t| &t[..])),
        (if range { tag::WAVE_SIZE_RANGE } else { tag::WAVE_SIZE }, own.wave_size.as_deref()),
    ];
    for (tag, list) in lists {
        let Some(list) = list else { continue };
        let list: Vec<Option<Meta>> = list.iter().map(|&n| Some(out.meta_i32(n as i32))).collect();
        let list = out.meta.node(&list);
        put(tag, list, out);
    }
    if let Some(bytes) = own.groupshared_limit {
        let bytes = out.meta_i32(bytes as i32);
        put(tag::GROUPSHARED_LIMIT, bytes, out);
    }
    if library {
        let zero = out.meta_i32(0);
        let space = out.meta.node(&[Some(zero)]);
        put(tag::AUTO_SPACE, space, out);
    }
}

/// The members of structures with matrices that functions of other libraries pass or get: those may have the other orientation.
fn passed_structures(cx: &mut Cx, types: &mut TypeCache, declared: &Declared) {
    let m = cx.m;
    let exported = cx.facts.functions.iter().map(|known| known.func).filter(|&f| m.funcs[f].exported);
    let mut structs: Vec<(ir::Type, ir::Struct)> = Vec::new();
    for func in exported.chain(declared.order.iter().map(|d| d.0)) {
        for p in &m.funcs[func].params {
            if let ir::Param::Ref(l) = *p {
                collect_with_matrices(m, m.funcs[func].locals[l].ty, &mut structs);
            }
        }
    }
    if structs.is_empty() {
        return;
    }
    let mut all = vec![Some(cx.out.meta_i32(0))];
    for (t, s) in structs {
        let ty = types.memory(m, &mut cx.out, t);
        all.extend(super::reflection::passed(m, &mut cx.out, s, ty));
    }
    named(&mut cx.out, "dx.typeAnnotations", &all);
}

/// The structures in a type that have a matrix as a member.
fn collect_with_matrices(m: &ir::Module, mut t: ir::Type, out: &mut Vec<(ir::Type, ir::Struct)>) {
    let s = loop {
        match m.types.kind(t) {
            TypeKind::Array(e, _) => t = e,
            TypeKind::Struct(s) => break s,
            _ => return,
        }
    };
    if out.iter().any(|o| o.1 == s) {
        return;
    }
    let fields = &m.structs[s].fields;
    if fields.iter().any(|f| super::types::matrix(f.numbers).is_some()) {
        out.push((t, s));
    }
    fields.iter().for_each(|f| collect_with_matrices(m, f.ty, out));
}

/// How parameters are passed, function by function.
fn function_annotations(cx: &mut Cx, funcs: &[Func], declared: &Declared) {
    if funcs.is_empty() {
        return;
    }
    let own = cx.facts.functions.iter().map(|known| known.func).zip(funcs.iter().copied());
    let all_functions: Vec<(ir::Func, Func)> = own.chain(declared.order.iter().copied()).collect();
    let empty = cx.out.meta.node(&[]);
    // 0: in, 1: out (and results), 2: inout.
    let with = |n: i32, field: Meta, out: &mut Module| {
        let n = out.meta_i32(n);
        Some(out.meta.node(&[Some(n), Some(field), Some(empty)]))
    };
    let one = |n: i32, out: &mut Module| with(n, empty, out);
    let mut all = vec![Some(cx.out.meta_i32(1))];
    for (id, func) in all_functions {
        let f = &cx.m.funcs[id];
        let (matrix, order) = signature::passing(cx.m, f);
        let out = &mut cx.out;
        let given = f.ret.is_some() || f.is_entry() || matrix;
        let mut list = vec![one(i32::from(given), out)];
        for role in [SlotRole::PayloadIn, SlotRole::CallableIn] {
            if f.slot_of(role).is_some() {
                list.push(one(2, out));
            }
        }
        if f.slot_of(SlotRole::AttrIn).is_some() {
            list.push(one(0, out));
        }
        for p in order {
            let how = match f.params[p] {
                ir::Param::Value(_) => 0,
                ir::Param::Ref(l) => match f.locals[l].param {
                    Some(ir::RefMode::Out) => 1,
                    Some(ir::RefMode::InOut) => 2,
                    _ => 0,
                },
            };
            // Of a matrix, or an array of some: how it lies in memory.
            let shape = match f.params[p] {
                ir::Param::Ref(l) => super::types::matrix(f.locals[l].matrices),
                ir::Param::Value(_) => None,
            };
            list.push(match shape {
                None => one(how, out),
                Some(shape) => {
                    let words = super::types::matrix_words(shape).map(|n| Some(out.meta_i32(n)));
                    let (tag, words) = (out.meta_i32(rtc_dxil_container::metadata::field_tag::MATRIX), out.meta.node(&words));
                    let field = out.meta.node(&[Some(tag), Some(words)]);
                    with(how, field, out)
                }
            });
        }
        let list = out.meta.node(&list);
        all.extend([Some(out.meta.value(Value::Func(func))), Some(list)]);
    }
    named(&mut cx.out, "dx.typeAnnotations", &all);
}

/// Payload access qualifiers, for the payloads that have them.
fn payload_annotations(cx: &mut Cx, types: &mut TypeCache) {
    let m = cx.m;
    if m.shader_model < 6 {
        return;
    }
    let mut structs: Vec<ir::Struct> = Vec::new();
    for known in &cx.facts.functions {
        for slot in m.funcs[known.func].slots.values() {
            if matches!(slot.role, SlotRole::PayloadIn | SlotRole::PayloadOut) {
                collect_payloads(m, slot.ty, &mut structs);
            }
        }
    }
    if structs.is_empty() {
        return;
    }
    let mut all = vec![Some(cx.out.meta_i32(payload_access::STRUCTS_TAG))];
    for s in structs {
        let fields: Vec<Option<Meta>> = m.structs[s]
            .fields
            .iter()
            .map(|f| {
                let (tag, mask) = (cx.out.meta_i32(payload_access::ACCESS_TAG), cx.out.meta_i32(mask(f) as i32));
                Some(cx.out.meta.node(&[Some(tag), Some(mask)]))
            })
            .collect();
        let fields = cx.out.meta.node(&fields);
        let t = m.types.iter().find(|(_, k)| *k == TypeKind::Struct(s));
        let Some((t, _)) = t else { continue };
        let ty = types.memory(m, &mut cx.out, t);
        all.extend([Some(cx.out.meta_undef(ty)), Some(fields)]);
    }
    named(&mut cx.out, payload_access::METADATA, &all);
}

/// Payload structures with qualifiers, each before those nested in it.
fn collect_payloads(m: &ir::Module, t: ir::Type, out: &mut Vec<ir::Struct>) {
    let Some(s) = struct_of(m, t) else {
        return;
    };
    let data = &m.structs[s];
    if out.contains(&s) || !data.raypayload || data.fields.iter().all(|f| f.paq.is_none() && !is_payload(m, f)) {
        return;
    }
    out.push(s);
    for f in &data.fields {
        if f.paq.is_none() {
            collect_payloads(m, f.ty, out);
        }
    }
}

/// The structure that the type is, or is an array of.
fn struct_of(m: &ir::Module, mut t: ir::Type) -> Option<ir::Struct> {
    loop {
        match m.types.kind(t) {
            TypeKind::Array(e, _) => t = e,
            TypeKind::Struct(s) => return Some(s),
            _ => return None,
        }
    }
}

fn is_payload(m: &ir::Module, f: &Field) -> bool {
    f.paq.is_none() && struct_of(m, f.ty).is_some_and(|s| m.structs[s].raypayload)
}

/// The mask of a field. That of a nested payload is zero: its fields have masks.
fn mask(f: &Field) -> u32 {
    f.paq.map_or(0, Paq::to_dxil)
}
