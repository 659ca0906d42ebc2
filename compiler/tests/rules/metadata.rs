//! Cases of rules for metadata.

use super::Case;
use super::edit::Edit;
use rtc_dxil_module::{Meta, MetaNode, Op};
use rtc_tables::validation::{Rule, rule};

const LIB: &str = "// rtc -T lib_6_6
[shader(\"raygeneration\")] void Gen() {}";

const COMPUTE: &str = "// rtc -T cs_6_6 -E main
RWByteAddressBuffer b : register(u0);
RWStructuredBuffer<uint4> s : register(u1);
Texture2D<float4> t : register(t0);
SamplerState m : register(s0);
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
    if (b.Load(0) > i) b.Store(4 * i, asuint(t.SampleLevel(m, float2(0, i), 0).x));
    s[s.IncrementCounter()] = i;
}";

const EMPTY: &str = "// rtc -T cs_6_8 -E main
[numthreads(1, 1, 1)] void main() {}";

const MIN_PRECISION: &str = "// rtc -T cs_6_6 -E main
RWByteAddressBuffer b;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
    min16float x = min16float(b.Load(0)) * min16float(i);
    b.Store(0, uint(x));
}";

const PAYLOAD: &str = "// rtc -T lib_6_7
struct [raypayload] Inner { float x : read(caller) : write(miss); };
struct [raypayload] P { float a : read(caller) : write(miss); Inner b; };
[shader(\"miss\")] void Miss(inout P p) { p.a = 1; p.b.x = 2; }";

const fn case(rule: &'static Rule, source: &'static str, edit: fn(&mut Edit)) -> Case {
    Case { rule, source, edit, reference: "" }
}

/// Annotates the field of the inner payload with a tag and 1.
fn field_tag(e: &mut Edit, tag: i32) {
    let ty = e.m.types.find_named("struct.Inner").expect("the payload");
    let (size, field) = (e.m.meta_i32(4), e.numbers(&[7, 9, tag, 1]));
    let note = e.m.meta.node(&[Some(size), Some(field)]);
    let (zero, ty) = (e.m.meta_i32(0), e.m.meta_undef(ty));
    let node = e.m.meta.node(&[Some(zero), Some(ty), Some(note)]);
    e.m.meta.add_named("dx.typeAnnotations", node);
}

/// A node that begins with itself.
fn own(e: &mut Edit, rest: &[Option<Meta>]) -> Meta {
    let node = e.m.meta.distinct(&[None]);
    let elems: Vec<Option<Meta>> = std::iter::once(Some(node)).chain(rest.iter().copied()).collect();
    e.m.meta.set_elems(node, &elems);
    node
}

/// Attaches hints to the first branch, or to a load.
fn hint(e: &mut Edit, numbers: &[i32], branch: bool) {
    let name = e.m.meta.string("dx.controlflow.hints");
    let mut rest = vec![Some(name)];
    for &n in numbers {
        let n = e.m.meta_i32(n);
        rest.push(Some(n));
    }
    let node = own(e, &rest);
    let at = if branch { e.find(|o| matches!(o, Op::CondBr { .. })) } else { e.call("RawBufferLoad") };
    e.attach(at, "dx.controlflow.hints", node);
}

/// Replaces the mask of field `n` of the payload of this name by another node.
fn mask(e: &mut Edit, name: &str, n: usize, node: Option<Meta>) {
    let list = e.m.meta.named("dx.dxrPayloadAnnotations")[0];
    let mut elems = e.m.meta.elems(list).to_vec();
    let ty = e.m.types.find_named(name).expect("the payload");
    let is = |x: &Option<Meta>| match x.map(|x| &e.m.meta[x]) {
        Some(&MetaNode::Value(v)) => e.m.value_type(None, v) == Some(ty),
        _ => false,
    };
    let at = elems.iter().position(is).expect("its entry") + 1;
    let mut fields = e.m.meta.elems(elems[at].expect("fields")).to_vec();
    if n < fields.len() {
        fields[n] = node;
    } else {
        fields.pop();
    }
    elems[at] = Some(e.m.meta.node(&fields));
    let node = e.m.meta.node(&elems);
    e.set_named("dx.dxrPayloadAnnotations", &[node]);
}

pub const CASES: &[Case] = &[
    case(rule::META_REQUIRED, LIB, |e| e.set_named("dx.version", &[])),
    case(rule::META_WELL_FORMED, LIB, |e| {
        let node = e.numbers(&[1]);
        e.set_named("dx.valver", &[node]);
    }),
    case(rule::META_KNOWN, LIB, |e| {
        let node = e.numbers(&[1]);
        e.set_named("my.data", &[node]);
    }),
    case(rule::META_KNOWN, LIB, |e| {
        let node = e.numbers(&[1]);
        e.set_named("llvm.stuff", &[node]);
    }),
    case(rule::META_TARGET, LIB, |e| e.m.triple = "spirv-unknown".into()),
    case(rule::META_VERSION_SUPPORTED, LIB, |e| {
        let node = e.numbers(&[1, 99]);
        e.set_named("dx.valver", &[node]);
    }),
    // Attached metadata.
    case(rule::META_USED, COMPUTE, |e| {
        let node = e.numbers(&[1]);
        let at = e.call("RawBufferLoad");
        e.attach(at, "my.kind", node);
    }),
    case(rule::META_USED, COMPUTE, |e| {
        let node = e.numbers(&[1]);
        let at = e.call("RawBufferLoad");
        e.attach(at, "dx.nonuniform", node);
    }),
    case(rule::META_USED, COMPUTE, |e| {
        let node = e.numbers(&[1]);
        let kind = e.m.meta.kind("my.kind");
        let func = e.main();
        e.body(func).attached_to_function.push((kind, node));
    }),
    case(rule::META_WELL_FORMED, COMPUTE, |e| {
        let node = e.numbers(&[1]);
        let at = e.find(|o| matches!(o, Op::CondBr { .. }));
        e.attach(at, "llvm.loop", node);
    }),
    case(rule::META_WELL_FORMED, COMPUTE, |e| {
        let text = e.m.meta.string("llvm.loop.unroll.sometimes");
        let hint = e.m.meta.node(&[Some(text)]);
        let node = own(e, &[Some(hint)]);
        let at = e.find(|o| matches!(o, Op::CondBr { .. }));
        e.attach(at, "llvm.loop", node);
    }),
    case(rule::META_VALUE_RANGE, MIN_PRECISION, |e| {
        let node = e.numbers(&[2]);
        let at = e.find(|o| matches!(o, Op::Cast { .. }));
        e.attach(at, "dx.precise", node);
    }),
    case(rule::META_CONTROL_FLOW_HINT, COMPUTE, |e| hint(e, &[9], true)),
    case(rule::META_BRANCH_FLATTEN, COMPUTE, |e| hint(e, &[1, 2], true)),
    case(rule::META_FORCE_CASE, COMPUTE, |e| hint(e, &[5], true)),
    case(rule::META_HINT_NOT_ON_CONTROL_FLOW, COMPUTE, |e| hint(e, &[1], false)),
    // Flags.
    case(rule::META_FLAGS_USAGE, COMPUTE, |e| {
        let flags = e.m.meta_i64(1 << 4 | 1 << 2);
        e.set_prop(0, Some(flags));
    }),
    // Annotations.
    case(rule::META_WELL_FORMED, LIB, |e| {
        let node = e.numbers(&[7, 1, 1]);
        e.m.meta.add_named("dx.typeAnnotations", node);
    }),
    case(rule::META_WELL_FORMED, PAYLOAD, |e| field_tag(e, 14)),
    case(rule::META_WELL_FORMED, PAYLOAD, |e| (0..3).for_each(|_| field_tag(e, 3))),
    case(rule::META_WELL_FORMED, PAYLOAD, |e| {
        // Vectors came with validator version 1.8.
        let version = e.numbers(&[1, 6]);
        e.m.meta.set_named("dx.valver", &[version]);
        field_tag(e, 13);
    }),
    case(rule::META_WELL_FORMED, PAYLOAD, |e| mask(e, "struct.P", 2, None)),
    case(rule::META_WELL_FORMED, PAYLOAD, |e| mask(e, "struct.P", 0, None)),
    case(rule::META_VALUE_RANGE, PAYLOAD, |e| {
        let node = e.numbers(&[0, 0x4]);
        mask(e, "struct.P", 0, Some(node));
    }),
    Case {
        rule: rule::META_VALUE_RANGE,
        source: PAYLOAD,
        edit: |e| {
            let node = e.numbers(&[0, 0x1_0001]);
            mask(e, "struct.Inner", 0, Some(node));
        },
        reference: "reads the first payload alone",
    },
    Case {
        rule: rule::META_VALUE_RANGE,
        source: PAYLOAD,
        edit: |e| {
            let node = e.numbers(&[0, 0x21]);
            mask(e, "struct.P", 1, Some(node));
        },
        reference: "does not look at the types of fields",
    },
    // Resources.
    case(rule::META_WELL_FORMED, COMPUTE, |e| {
        let node = e.m.meta.named("dx.resources")[0];
        let lists = e.m.meta.elems(node)[1];
        let other = e.m.meta.node(&[None, lists, None, None]);
        e.set_elem("dx.entryPoints", 0, 3, Some(other));
    }),
    case(rule::META_DENSE_RES_IDS, COMPUTE, |e| {
        let two = e.m.meta_i32(2);
        e.set_resource(1, 1, 0, Some(two));
    }),
    case(rule::META_SAMPLER_MODE, COMPUTE, |e| {
        let three = e.m.meta_i32(3);
        e.set_resource(3, 0, 6, Some(three));
    }),
    case(rule::META_COHERENCE, COMPUTE, |e| {
        let yes = e.m.meta_i1(true);
        e.set_resource(1, 1, 7, Some(yes));
    }),
    case(rule::META_STRUCT_BUF_ALIGNMENT, COMPUTE, |e| {
        let tags = e.numbers(&[1, 18]);
        e.set_resource(1, 1, 10, Some(tags));
    }),
    case(rule::META_STRUCT_BUF_SIZE, COMPUTE, |e| {
        let tags = e.numbers(&[1, 4096]);
        e.set_resource(1, 1, 10, Some(tags));
    }),
    case(rule::META_TEXTURE_TYPE, COMPUTE, |e| {
        let float = e.m.types.float();
        let texel = e.m.types.vector(float, 8);
        let ty = e.m.types.named_struct("class.Texture2D<wide>", &[texel]);
        let ptr = e.m.types.ptr(ty);
        let symbol = e.m.meta_undef(ptr);
        e.set_resource(0, 0, 1, Some(symbol));
    }),
    // Entry points.
    case(rule::META_ENTRY_FUNCTION, EMPTY, |e| e.set_elem("dx.entryPoints", 0, 0, None)),
    case(rule::META_NO_ENTRY_PROPS, EMPTY, |e| {
        e.set_prop(4, None);
    }),
    case(rule::META_COMPUTE_WITH_NODE, EMPTY, |e| {
        let launch = e.m.meta_i32(1);
        e.set_prop(13, Some(launch));
    }),
];
