//! The module's metadata: versions, resources, entry points with their properties, annotations.

use rtc_ir::{self as ir, Field, Paq, SlotRole, Stage, TypeKind};
use rtc_tables::payload_access;
use rtc_tables::resources::{ResourceClass, ResourceFlags, ResourceKind};

use super::DxilOptions;
use super::facts::FunctionFacts;
use super::globals::{Globals, symbol_pointer};
use super::module::{Cx, symbol};
use super::resources::Resource;
use super::signature::{self, Declared};
use super::types::TypeCache;
use rtc_dxil_container::metadata::{extra, tag};
use rtc_dxil_container::shader_flags::bit;
use rtc_dxil_container::vers::PRODUCER;
use rtc_dxil_module::{Func, Meta, Module, Value};

/// The first shader model whose libraries have root signatures of entry points.
const ROOT_SIGNATURES_SINCE: u32 = 7;

/// Writes all of it.
pub fn write(cx: &mut Cx, types: &mut TypeCache, globals: &Globals, funcs: &[Func], declared: &Declared, options: &DxilOptions) {
    let ident = cx.out.meta.string(PRODUCER);
    named(&mut cx.out, "llvm.ident", &[Some(ident)]);
    let model = cx.m.shader_model as i32;
    version(&mut cx.out, "dx.version", 1, rtc_tables::limits::dxil_minor(cx.m.shader_model) as i32);
    let v = options.validator;
    version(&mut cx.out, "dx.valver", v.major as i32, v.minor as i32);
    let kind = cx.out.meta.string(if cx.is_library() { "lib" } else { "cs" });
    let (major, minor) = (cx.out.meta_i32(6), cx.out.meta_i32(model));
    named(&mut cx.out, "dx.shaderModel", &[Some(kind), Some(major), Some(minor)]);
    let resources = resources(cx, types, globals);
    if let Some(r) = resources {
        cx.out.meta.add_named("dx.resources", r);
    }
    if cx.is_library() {
        function_annotations(cx, funcs, declared);
        payload_annotations(cx, types);
    }
    let mut flags = cx.facts.flags;
    if options.unoptimized {
        flags |= bit::DISABLE_OPTIMIZATIONS;
    }
    if options.all_resources_bound {
        flags |= bit::ALL_RESOURCES_BOUND;
    }
    entry_points(cx, funcs, resources, flags, options);
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
    let out = &mut cx.out;
    let mut record = vec![
        out.meta_i32(r.id as i32),
        out.meta.value(symbol),
        out.meta.string(&r.name),
        out.meta_i32(r.space as i32),
        out.meta_i32(r.lower as i32),
        out.meta_i32(r.count as i32),
    ];
    let has = |f| r.flags.contains(f);
    match r.class {
        ResourceClass::Srv => {
            record.push(out.meta_i32(r.kind as i32));
            record.push(out.meta_i32(r.samples as i32));
        }
        ResourceClass::Uav => {
            record.push(out.meta_i32(r.kind as i32));
            record.push(out.meta_i1(has(ResourceFlags::COHERENT)));
            record.push(out.meta_i1(has(ResourceFlags::COUNTER)));
            record.push(out.meta_i1(has(ResourceFlags::ROV)));
        }
        ResourceClass::Cbv => record.push(out.meta_i32(r.stride as i32)),
        ResourceClass::Sampler => record.push(out.meta_i32(i32::from(has(ResourceFlags::COMPARISON)))),
    }
    let mut tags: Vec<Option<Meta>> = Vec::new();
    match r.kind {
        ResourceKind::StructuredBuffer => {
            tags.extend([Some(out.meta_i32(extra::STRIDE as i32)), Some(out.meta_i32(r.stride as i32))]);
        }
        ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray => {
            tags.extend([Some(out.meta_i32(extra::FEEDBACK as i32)), Some(out.meta_i32(r.samples as i32))]);
        }
        k if k.is_typed() || matches!(k, ResourceKind::AccelerationStructure | ResourceKind::TBuffer) => {
            tags.extend([Some(out.meta_i32(extra::COMPONENT as i32)), Some(out.meta_i32(r.comp as i32))]);
        }
        _ => {}
    }
    if has(ResourceFlags::ATOMIC64) {
        tags.extend([Some(out.meta_i32(extra::ATOMIC64 as i32)), Some(out.meta_i32(1))]);
    }
    if has(ResourceFlags::REORDER_COHERENT) && cx.m.shader_model >= 9 {
        tags.extend([Some(out.meta_i32(extra::REORDER_COHERENT as i32)), Some(out.meta_i1(true))]);
    }
    let tags = if tags.is_empty() { None } else { Some(out.meta.node(&tags)) };
    let mut record: Vec<Option<Meta>> = record.into_iter().map(Some).collect();
    record.push(tags);
    out.meta.node(&record)
}

/// One entry for the library itself and one for each shader, by name; or the only one.
fn entry_points(cx: &mut Cx, funcs: &[Func], resources: Option<Meta>, flags: u64, options: &DxilOptions) {
    let facts = cx.facts;
    let flags_tag =
        if flags == 0 { Vec::new() } else { vec![Some(cx.out.meta_i32(tag::FLAGS as i32)), Some(cx.out.meta_i64(flags as i64))] };
    if cx.is_library() {
        let empty = cx.out.meta.string("");
        let props = properties_node(&mut cx.out, flags_tag.clone());
        let node = cx.out.meta.node(&[None, Some(empty), None, resources, props]);
        cx.out.meta.add_named("dx.entryPoints", node);
    }
    let mut entries: Vec<(&str, Func, &FunctionFacts)> = facts
        .functions
        .iter()
        .zip(funcs)
        .filter(|(known, _)| cx.m.funcs[known.func].is_entry())
        .map(|(known, &func)| (symbol(cx, &cx.m.funcs[known.func]), func, known))
        .collect();
    entries.sort_by(|a, b| a.0.cmp(b.0));
    for (name, func, known) in entries {
        let f = &cx.m.funcs[known.func];
        let mut props = if cx.is_library() { Vec::new() } else { flags_tag.clone() };
        entry_properties(cx, f, known, &mut props);
        let known = cx.is_library() && cx.m.shader_model >= ROOT_SIGNATURES_SINCE;
        if let Some(data) = options.root_signature(f.span).filter(|_| known) {
            let blob = cx.out.consts.bytes(&mut cx.out.types, data);
            let blob = cx.out.meta.value(Value::Const(blob));
            let blob = cx.out.meta.node(&[Some(blob)]);
            props.extend([Some(cx.out.meta_i32(tag::ROOT_SIGNATURE as i32)), Some(blob)]);
        }
        let props = properties_node(&mut cx.out, props);
        let value = cx.out.meta.value(Value::Func(func));
        let name = cx.out.meta.string(name);
        let own = if cx.is_library() { None } else { resources };
        let node = cx.out.meta.node(&[Some(value), Some(name), None, own, props]);
        cx.out.meta.add_named("dx.entryPoints", node);
    }
}

fn properties_node(out: &mut Module, props: Vec<Option<Meta>>) -> Option<Meta> {
    if props.is_empty() { None } else { Some(out.meta.node(&props)) }
}

fn entry_properties(cx: &mut Cx, f: &ir::Function, known: &FunctionFacts, props: &mut Vec<Option<Meta>>) {
    let library = cx.is_library();
    let out = &mut cx.out;
    let mut put = |tag: i64, value: Meta, out: &mut Module| props.extend([Some(out.meta_i32(tag as i32)), Some(value)]);
    if library {
        let kind = out.meta_i32(f.stage as i32);
        put(tag::KIND, kind, out);
    }
    match f.stage {
        Stage::AnyHit | Stage::ClosestHit => {
            let (payload, attributes) = (known.payload as i32, known.attributes as i32);
            let (payload, attributes) = (out.meta_i32(payload), out.meta_i32(attributes));
            put(tag::PAYLOAD, payload, out);
            put(tag::ATTRIBUTES, attributes, out);
        }
        Stage::Miss | Stage::Callable => {
            let payload = out.meta_i32(known.payload as i32);
            put(tag::PAYLOAD, payload, out);
        }
        Stage::Compute => {
            let threads = f.numthreads.unwrap_or([1; 3]);
            let list: Vec<Option<Meta>> = threads.iter().map(|&n| Some(out.meta_i32(n as i32))).collect();
            let list = out.meta.node(&list);
            put(tag::THREADS, list, out);
            // Shader model 6.8 always says a range.
            let range = cx.m.shader_model >= 8;
            if let Some(size) = f.wave_size {
                let said = if range { &size[..] } else { &size[..1] };
                let list: Vec<Option<Meta>> = said.iter().map(|&n| Some(out.meta_i32(n as i32))).collect();
                let list = out.meta.node(&list);
                let tag = if range { tag::WAVE_SIZE_RANGE } else { tag::WAVE_SIZE };
                put(tag, list, out);
            }
        }
        _ => {}
    }
    if library {
        let zero = out.meta_i32(0);
        let space = out.meta.node(&[Some(zero)]);
        put(tag::AUTO_SPACE, space, out);
    }
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
    let one = |n: i32, out: &mut Module| {
        let n = out.meta_i32(n);
        Some(out.meta.node(&[Some(n), Some(empty), Some(empty)]))
    };
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
            list.push(one(how, out));
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
