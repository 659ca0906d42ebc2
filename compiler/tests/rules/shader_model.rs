//! Cases of rules for operations, shader models and entry points.

use super::Case;
use super::edit::Edit;
use rtc_dxil_container::metadata::tag;
use rtc_dxil_module::{Op, Value};
use rtc_tables::validation::rule;

const PACK: &str = "// rtc -T cs_6_6 -E main
RWByteAddressBuffer b;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { b.Store(4 * i, pack_clamp_u8(int4(i, i, i, 300))); }";

const EMPTY: &str = "// rtc -T cs_6_6 -E main
[numthreads(32, 1, 1)] void main() {}";

const EMPTY_68: &str = "// rtc -T cs_6_8 -E main
[numthreads(32, 1, 1)] void main() {}";

const HIT: &str = "// rtc -T lib_6_6
struct P { float4 a; };
[shader(\"closesthit\")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a) { p.a = a.barycentrics.xyxy; }";

const SHARED: &str = "// rtc -T cs_6_6 -E main
groupshared uint s[1024];
RWByteAddressBuffer b;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
    s[i] = b.Load(i);
    GroupMemoryBarrierWithGroupSync();
    b.Store(i * 4, s[31 - i]);
}";

const SHARED_610: &str = "// rtc -T cs_6_10 -E main
groupshared uint s[1024];
RWByteAddressBuffer b;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
    s[i] = b.Load(i);
    GroupMemoryBarrierWithGroupSync();
    b.Store(i * 4, s[31 - i]);
}";

const GEN: &str = "// rtc -T lib_6_6
RWByteAddressBuffer b;
[shader(\"raygeneration\")] void Gen() { b.Store(0, DispatchRaysIndex().x); }";

const HANDLE: &str = "// rtc -T cs_6_5 -E main
RWByteAddressBuffer b;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { b.Store(4 * i, i); }";

const DOUBLES: &str = "// rtc -T cs_6_3 -E main
RWStructuredBuffer<double> b;
[numthreads(1, 1, 1)] void main() { b[0] = b[1]; }";

const HALF: &str = "// rtc -T cs_6_9 -E main -enable-16bit-types
RWByteAddressBuffer b;
[numthreads(1, 1, 1)] void main() { b.Store(4, isnan(b.Load<half>(0)) ? 1 : 0); }";

/// A module with this wave size in its metadata.
fn wave(e: &mut Edit, list: &[i32]) {
    let node = e.numbers(list);
    e.set_prop(if list.len() == 1 { tag::WAVE_SIZE } else { tag::WAVE_SIZE_RANGE }, Some(node));
}

/// Puts the groupshared array of the shader before an access in a ray generation shader.
fn groupshared_in_raygen(e: &mut Edit) {
    let i32 = e.m.types.i32();
    let g = e.m.add_global("s", i32, false);
    e.m.set_space(g, 3);
    e.m.globals[g].linkage = rtc_dxil_module::Linkage::Internal;
    e.m.globals[g].init = Some(e.m.undef(i32));
    e.m.globals[g].align = 4;
    let (func, _) = e.call("RawBufferStore");
    let seven = e.m.i32(7);
    let body = e.m.funcs[func].body.as_ref().expect("a body");
    let entry = body.blocks.keys().next().expect("a block");
    let mut b = e.m.edit(func, entry).expect("a body");
    b.store(seven, Value::Global(g), 4);
    let list = &mut e.m.funcs[func].body.as_mut().expect("a body").blocks[entry];
    let store = list.pop().expect("the store");
    list.insert(0, store);
}

/// Makes the groupshared array larger.
fn larger(e: &mut Edit, words: u64) {
    let g = e.m.globals.keys().next().expect("the array");
    let i32 = e.m.types.i32();
    let old = e.m.globals[g].ty;
    let new = e.m.types.array(i32, words);
    e.m.globals[g].ty = new;
    e.m.globals[g].ptr_ty = e.m.types.ptr_in(new, 3);
    e.m.globals[g].init = Some(e.m.undef(new));
    for f in e.m.funcs.values_mut() {
        let Some(body) = &mut f.body else { continue };
        for data in body.insts.values_mut() {
            if let Op::Gep { source, .. } = &mut data.op
                && *source == old
            {
                *source = new;
            }
        }
    }
}

pub const CASES: &[Case] = &[
    Case { rule: rule::SM_OPCODE, source: PACK, edit: |e| e.set_model(5), reference: "" },
    Case { rule: rule::SM_NAME, source: EMPTY, edit: |e| e.set_model(11), reference: "" },
    Case {
        rule: rule::SM_DXIL_VERSION,
        source: EMPTY,
        edit: |e| {
            let node = e.numbers(&[1, 5]);
            e.set_named("dx.version", &[node]);
        },
        reference: "",
    },
    Case { rule: rule::SM_PROGRAM_VERSION, source: EMPTY, edit: |e| e.header.1.minor = 5, reference: "" },
    Case {
        rule: rule::SM_THREAD_GROUP_RANGE,
        source: EMPTY,
        edit: |e| {
            let node = e.numbers(&[1, 1, 65]);
            e.set_prop(tag::THREADS, Some(node));
        },
        reference: "",
    },
    Case {
        rule: rule::SM_MAX_THREAD_GROUP,
        source: EMPTY,
        edit: |e| {
            let node = e.numbers(&[32, 33, 1]);
            e.set_prop(tag::THREADS, Some(node));
        },
        reference: "",
    },
    Case { rule: rule::SM_WAVE_SIZE_VALUE, source: EMPTY, edit: |e| wave(e, &[3]), reference: "" },
    Case { rule: rule::SM_WAVE_SIZE_VALUE, source: EMPTY_68, edit: |e| wave(e, &[4, 256, 0]), reference: "" },
    Case { rule: rule::SM_WAVE_SIZE_UNDEFINED, source: EMPTY_68, edit: |e| wave(e, &[0, 32, 0]), reference: "" },
    Case { rule: rule::SM_WAVE_SIZE_NO_RANGE, source: EMPTY_68, edit: |e| wave(e, &[4, 0, 4]), reference: "" },
    Case { rule: rule::SM_WAVE_SIZE_ORDER, source: EMPTY_68, edit: |e| wave(e, &[32, 16, 0]), reference: "" },
    Case { rule: rule::SM_WAVE_SIZE_PREFERRED, source: EMPTY_68, edit: |e| wave(e, &[4, 16, 32]), reference: "" },
    Case { rule: rule::SM_WAVE_SIZE_STAGE, source: GEN, edit: |e| wave(e, &[32]), reference: "" },
    Case { rule: rule::SM_WAVE_SIZE_MODEL, source: EMPTY_68, edit: |e| wave(e, &[32]), reference: "" },
    Case { rule: rule::SM_WAVE_SIZE_RANGE_MODEL, source: EMPTY, edit: |e| wave(e, &[16, 32, 0]), reference: "" },
    Case { rule: rule::SM_WAVE_SIZE_THREE, source: EMPTY_68, edit: |e| wave(e, &[16, 32]), reference: "" },
    Case {
        rule: rule::SM_WAVE_SIZE_ONE,
        source: EMPTY,
        edit: |e| {
            let node = e.numbers(&[16, 32]);
            e.set_prop(tag::WAVE_SIZE, Some(node));
        },
        reference: "",
    },
    Case {
        rule: rule::SM_WAVE_SIZE_DUPLICATE,
        source: EMPTY,
        edit: |e| {
            let node = e.numbers(&[16]);
            e.add_prop(tag::WAVE_SIZE, node);
            e.add_prop(tag::WAVE_SIZE, node);
        },
        reference: "",
    },
    Case {
        rule: rule::SM_WAVE_SIZE_CONSTANT,
        source: EMPTY,
        edit: |e| {
            let text = e.m.meta.string("16");
            let node = e.m.meta.node(&[Some(text)]);
            e.set_prop(tag::WAVE_SIZE, Some(node));
        },
        reference: "",
    },
    Case { rule: rule::SM_MAX_GROUPSHARED, source: SHARED, edit: |e| larger(e, 8193), reference: "" },
    Case {
        rule: rule::SM_EXPLICIT_GROUPSHARED,
        source: SHARED_610,
        edit: |e| {
            let most = e.m.meta_i32(1024);
            e.set_prop(tag::GROUPSHARED_LIMIT, Some(most));
        },
        reference: "",
    },
    Case { rule: rule::SM_NO_GROUPSHARED, source: GEN, edit: groupshared_in_raygen, reference: "" },
    Case {
        rule: rule::SM_RAY_SHADER_PAYLOAD_SIZE,
        source: HIT,
        edit: |e| {
            let n = e.m.meta_i32(12);
            e.set_prop(tag::PAYLOAD, Some(n));
        },
        reference: "",
    },
    Case { rule: rule::SM_OPCODE_FUNCTION, source: HANDLE, edit: |e| e.set_model(6), reference: "" },
    Case { rule: rule::SM_RAW_64_BIT, source: DOUBLES, edit: |e| e.set_model(2), reference: "" },
    Case { rule: rule::SM_SPECIAL_FLOAT, source: HALF, edit: |e| e.set_model(8), reference: "" },
];
