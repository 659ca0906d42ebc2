//! Cases of rules for resource declarations.

use super::Case;
use super::edit::Edit;
use rtc_dxil_module::Meta;
use rtc_tables::validation::rule;

const LIB: &str = "// rtc -T lib_6_6
Texture2D<float4> t : register(t0);
Texture2D<float4> t1 : register(t1);
RWTexture2D<float4> u : register(u0);
RWStructuredBuffer<float4> s : register(u2);
cbuffer C : register(b0) { float4 c; };
[shader(\"raygeneration\")] void Gen() { u[uint2(0, 0)] = t[uint2(1, 1)] + t1[uint2(0, 0)] + c + s[1]; }";

const FIELDS: &str = "// rtc -T lib_6_6
RWByteAddressBuffer u : register(u0);
cbuffer C : register(b0) { float4 a; float b[2]; float4 c; };
[shader(\"raygeneration\")] void Gen() { u.Store(0, asuint(a.x + b[1] + c.y)); }";

const CS: &str = "// rtc -T cs_6_5 -E main
RWTexture2D<float4> u : register(u0);
[numthreads(1, 1, 1)] void main() { u[uint2(0, 0)] = 1; }";

const RAY: &str = "// rtc -T lib_6_6
[shader(\"raygeneration\")] void Gen() {}";

/// Field numbers of records.
const SYMBOL: usize = 1;
const LOWER: usize = 4;
const KIND: usize = 6;
const SAMPLES: usize = 7;
const COUNTER: usize = 8;
const ROV: usize = 9;

fn number(e: &mut Edit, list: usize, row: usize, field: usize, n: i32) {
    let n = e.m.meta_i32(n);
    e.set_resource(list, row, field, Some(n));
}

/// Gives the last entry point an input signature with one element.
fn signature(e: &mut Edit) {
    let mut entries = e.m.meta.named("dx.entryPoints").to_vec();
    let last = *entries.last().expect("an entry point");
    let mut fields = e.m.meta.elems(last).to_vec();
    // Number, name, component type, kind, indices, interpolation, rows, columns, first row and column, properties.
    let zero = |e: &mut Edit| Some(e.m.meta_i32(0));
    let name = e.m.meta.string("A");
    let index = e.numbers(&[0]);
    let (byte9, byte0, byte1) = (e.m.i8(9), e.m.i8(0), e.m.i8(1));
    let (byte9, byte0, byte1) = (e.m.meta.value(byte9), e.m.meta.value(byte0), e.m.meta.value(byte1));
    let one = e.m.meta_i32(1);
    let element: Vec<Option<Meta>> =
        vec![zero(e), Some(name), Some(byte9), Some(byte0), Some(index), Some(byte0), Some(one), Some(byte1), zero(e), Some(byte0), None];
    let element = e.m.meta.node(&element);
    let list = e.m.meta.node(&[Some(element)]);
    fields[2] = Some(e.m.meta.node(&[Some(list), None, None]));
    *entries.last_mut().expect("an entry point") = e.m.meta.node(&fields);
    e.set_named("dx.entryPoints", &entries);
}

/// The symbol of the constant buffer is a pointer to a vector.
fn no_structure(e: &mut Edit) {
    let f32 = e.m.types.float();
    let ty = e.m.types.vector(f32, 4);
    let ptr = e.m.types.ptr(ty);
    let undef = e.m.undef(ptr);
    let symbol = e.m.meta.value(undef);
    e.set_resource(2, 0, SYMBOL, Some(symbol));
}

/// Annotates the structure of the constant buffer: its size, and the offset of each of its fields.
fn layout(e: &mut Edit, size: i32, offsets: [i32; 3]) {
    let all = rtc_dxil_container::metadata::resources(&e.m);
    let c = all.iter().find(|r| r.class == rtc_dxil_container::ResourceClass::Cbv).expect("a constant buffer");
    let ty = c.element(&e.m).expect("a type");
    let mut note = vec![Some(e.m.meta_i32(size))];
    for (n, offset) in offsets.into_iter().enumerate() {
        let name = e.m.meta.string(["a", "b", "c"][n]);
        let ints = [6, 3, offset, 7, 9].map(|n| Some(e.m.meta_i32(n)));
        note.push(Some(e.m.meta.node(&[ints[0], Some(name), ints[1], ints[2], ints[3], ints[4]])));
    }
    let note = e.m.meta.node(&note);
    let (zero, ty) = (e.m.meta_i32(0), e.m.meta_undef(ty));
    let node = e.m.meta.node(&[Some(zero), Some(ty), Some(note)]);
    e.m.meta.add_named("dx.typeAnnotations", node);
}

/// Tags of a record: one pair.
fn tags(e: &mut Edit, list: usize, row: usize, field: usize, tag: i32, value: i32) {
    let node = e.numbers(&[tag, value]);
    e.set_resource(list, row, field, Some(node));
}

pub const CASES: &[Case] = &[
    Case { rule: rule::SM_RESOURCE_OVERLAP, source: LIB, edit: |e| number(e, 0, 1, LOWER, 0), reference: "" },
    Case { rule: rule::SM_SAMPLE_COUNT, source: LIB, edit: |e| number(e, 0, 0, SAMPLES, 4), reference: "" },
    Case { rule: rule::SM_UAV_TEXTURE_KIND, source: LIB, edit: |e| number(e, 1, 0, KIND, 5), reference: "" },
    Case { rule: rule::SM_RESOURCE_KIND, source: LIB, edit: |e| number(e, 0, 0, KIND, 14), reference: "" },
    Case { rule: rule::SM_RESOURCE_COMPONENT, source: LIB, edit: |e| tags(e, 0, 0, 8, 0, 1), reference: "" },
    Case {
        rule: rule::SM_FEEDBACK_TYPE,
        source: LIB,
        edit: |e| {
            number(e, 1, 0, KIND, 17);
            tags(e, 1, 0, 10, 2, 2);
        },
        reference: "",
    },
    Case {
        rule: rule::SM_COUNTER,
        source: LIB,
        edit: |e| {
            let yes = e.m.meta_i1(true);
            e.set_resource(1, 0, COUNTER, Some(yes));
        },
        reference: "",
    },
    Case {
        rule: rule::SM_ROV_STAGE,
        source: CS,
        edit: |e| {
            let yes = e.m.meta_i1(true);
            e.set_resource(1, 0, ROV, Some(yes));
        },
        reference: "",
    },
    Case { rule: rule::SM_CBUFFER_SIZE, source: LIB, edit: |e| number(e, 2, 0, KIND, 65552), reference: "" },
    Case { rule: rule::SM_CBUFFER_OVERLAP, source: FIELDS, edit: |e| layout(e, 64, [0, 16, 32]), reference: "" },
    Case { rule: rule::SM_CBUFFER_OVERFLOW, source: FIELDS, edit: |e| layout(e, 60, [0, 16, 48]), reference: "" },
    Case { rule: rule::SM_CBUFFER_ARRAY_ALIGNMENT, source: FIELDS, edit: |e| layout(e, 80, [0, 24, 64]), reference: "" },
    Case { rule: rule::SM_CBUFFER_STRUCT, source: LIB, edit: no_structure, reference: "" },
    Case { rule: rule::SM_CS_NO_SIGNATURES, source: CS, edit: signature, reference: "" },
    Case { rule: rule::SM_RAY_SHADER_SIGNATURES, source: RAY, edit: signature, reference: "" },
];
