//! Resources, constant buffers, layouts, registers.

use super::*;
use crate::hir::{GlobalKind, layout};

#[test]
fn access_becomes_places() {
    typed(
        "struct S { float a; float2 b[2]; }; StructuredBuffer<S> sb; RWStructuredBuffer<float4> rw; Texture2D<float4> t[3]; RWTexture2D<float> o; Buffer<uint> tb; ConstantBuffer<S> cb; cbuffer C { float4 k; S s; } \
         void f(uint i, uint2 p) { float2 a = sb[i].b[1]; rw[i].x = a.y; rw[i] += k; o[p] = t[i][p].w; o[p] *= 2; uint n = tb[i]; float b = cb.a + s.a; float4 m = t[1].mips[2][p]; }",
        "float2 a = sb[i].b[1u];
         rw[i].x = a.y;
         rw[i] += *C.k;
         o[p] = t[i][p].w;
         o[p] *= 2.0;
         uint n = tb[i];
         float b = (*cb.a + *C.s.a);
         float4 m = t[1u].mips[2u][p];",
    );
}

#[test]
fn loose_variables_are_members_of_globals() {
    let r = ok("float4 a; row_major float3x3 m; Texture2D t; uint n[3]; float f() { return a.x + n[1]; }");
    let (_, g) = r.module.globals.iter().find(|(_, g)| g.qualified == "$Globals").unwrap();
    assert!(g.is_block && g.used);
    assert!(r.function("f").contains("(*$Globals.a.x + float(*$Globals.n[1u]))"), "{}", r.function("f"));
    let rec = r.module.types.as_resource(g.ty).unwrap().elem.and_then(|t| r.module.types.as_record(t)).unwrap();
    let (at, size) = layout::record_layout(&r.module.types, rec, layout::Rules::CBuffer);
    assert_eq!((at, size.size), (vec![0, 16, 64], 100));
}

#[test]
fn registers() {
    let r = run_with(
        "Texture2D a : register(t3, space2); RWByteAddressBuffer b : register(u1); [[vk::binding(4, 1)]] SamplerState s : register(s0); cbuffer C : register(b2) { float x; }; Texture2D n : register(space5); [[vk::push_constant]] ConstantBuffer<BuiltInTriangleIntersectionAttributes> p;",
        &SemaOptions { spirv: true, ..SemaOptions::default() },
    );
    r.assert_clean();
    let b = |name: &str| match &r.module.globals[r.module.find_global(name).unwrap()].kind {
        GlobalKind::Resource(b) => *b,
        _ => panic!("{name}"),
    };
    assert_eq!((b("a").register, b("a").space), (Some(3), 2));
    assert_eq!((b("b").register, b("C").register), (Some(1), Some(2)));
    assert_eq!(b("s").vk, Some((4, 1)));
    assert_eq!((b("n").register, b("n").space), (None, 5));
    assert!(b("p").push_constant);
    fails(
        "Texture2D a : register(u3);\nSamplerState s : register(s0) : register(s1);\nfloat x : register(t0);\nstatic float y : register(b0);",
        &["1:15 E0501 expected `t`", "2:33 E0501", "3:11 E0501", "4:18 E0501"],
    );
}

#[test]
fn packoffset() {
    ok("cbuffer C { float a : packoffset(c0); float3 b : packoffset(c0.y); float4x4 m : packoffset(c1); }");
    fails(
        "cbuffer C {\n float3 a : packoffset(c0.z);\n float4 b : packoffset(c2);\n float c : packoffset(c2.y);\n}\nstruct S { float a : packoffset(c0); };",
        &["2:9 E0502 cannot be at byte 8", "4:8 E0502 overlaps `b`", "6:22 E0502"],
    );
}

#[test]
fn what_resources_can_hold() {
    fails(
        "struct S { Texture2D t; };\nStructuredBuffer<S> a;\nTexture2D<float4x4> b;\nConstantBuffer<float4> c;\nBuffer<double4> d;\ncbuffer C { SamplerState s; }\nRWTexture2D e;",
        &["2:1 E0503", "3:1 E0503", "4:1 E0503 requires a structure", "5:1 E0503", "7:1 E0309"],
    );
}

#[test]
fn read_only_things_stay_so() {
    fails(
        "cbuffer C { float4 k; } StructuredBuffer<float4> b; Texture2D<float4> t; RWTexture2D<float4> o;\nvoid f(uint2 p) {\n k = 1;\n b[0].x = 1;\n t[p] = 1;\n o = o;\n o[p].xy = 1;\n}",
        &["3:2 E0317 constant buffer", "4:2 E0317 read-only", "5:2 E0317", "6:2 E0317"],
    );
}

#[test]
fn initialisers_without_effect_are_checked() {
    fails("float a = b;\ngroupshared float c = d;", &["1:11 W0307", "1:11 E0301", "2:23 W0307", "2:23 E0301"]);
    fails("float3 a = { 1, 2 };", &["1:12 W0307", "1:12 E0322"]);
}

#[test]
fn groupshared() {
    fails("groupshared float a[4] = { 1, 2, 3, 4 };\ngroupshared Texture2D t;", &["1:26 W0307", "2:23 E0505"]);
}
