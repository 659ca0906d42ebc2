//! What a linked container says besides its code follows from what its parts say: reflection, resources, exports, flags, sizes of waves. Where the parts
//! can be compiled as a whole, that says the same.

use std::path::Path;

use crate::tools::{bad, compile_to, folder, good, listing, part, read, validate_with_newer};
use rtc_dxil_container::metadata::Info;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::recompute::set_flags;
use rtc_dxil_container::shader_flags::bit;
use rtc_dxil_container::{Container, FourCc, Signing};
use rtc_dxil_module::{Module, bitcode};
use rtc_oracles::{Dxc, skip};

/// Compiles a source with rtc to `NAME.dxil`.
#[track_caller]
fn compile(dir: &Path, name: &str, source: &str, args: &[&str]) {
    compile_to(dir, &format!("{name}.dxil"), name, source, args);
}

fn module(bytes: &[u8]) -> Module {
    let data = part(bytes, b"DXIL");
    bitcode::read(Program::read("DXIL", &data).expect("a header").bitcode).expect("a module")
}

/// What a listing says before the code, without the hash: buffers with their members, and resources.
fn reflection(dir: &Path, file: &str) -> String {
    let text = listing(dir, file);
    let before = text.split_once("target datalayout").expect("a module").0;
    before.lines().filter(|l| !l.contains("shader hash")).collect::<Vec<_>>().join("\n")
}

/// The number of flags that the library as a whole says, or the only entry point.
fn flags(bytes: &[u8]) -> u64 {
    Info::whole(&module(bytes)).expect("metadata").flags()
}

const BUFFERS: &str = "struct T { float3 a; int b[2]; row_major float2x3 m; }; struct U { float2 q; T t; bool f; };
cbuffer C : register(b0) { float4 k; T t; }; ConstantBuffer<U> D : register(b1); StructuredBuffer<U> E : register(t0);
RWStructuredBuffer<T> B : register(u0); struct P { float4 a; };";
const READER: &str = "export float f(float x) { return D.t.a.y * x + E[0].t.b[1] + k.x + t.m[1][2]; }";
const WRITER: &str = "[shader(\"raygeneration\")] void RG() { T r = t; r.a.x = f(k.y); B[0] = r; }
[shader(\"compute\")] [numthreads(1, 1, 1)] void CS() { T r = t; r.a.x = f(k.y); B[0] = r; }";

#[test]
fn reflection_of_parts_is_that_of_the_whole() {
    let dir = folder("facts/reflection");
    for (model, level) in [("6_3", "-O3"), ("6_6", "-O3"), ("6_6", "-Od"), ("6_8", "-O3")] {
        let (lib, cs) = (format!("lib_{model}"), format!("cs_{model}"));
        compile(&dir, "whole", &format!("{BUFFERS}{READER}{WRITER}"), &["-T", &lib, level]);
        compile(&dir, "shader", &format!("{BUFFERS}{READER}{WRITER}"), &["-T", &cs, level, "-E", "CS"]);
        compile(&dir, "a", &format!("{BUFFERS}{READER}"), &["-T", &lib, level]);
        compile(&dir, "b", &format!("{BUFFERS}float f(float x);{WRITER}"), &["-T", &lib, level]);
        for (target, whole) in [(&lib, "whole.dxil"), (&cs, "shader.dxil")] {
            let expected = reflection(&dir, whole);
            assert!(expected.contains("float3 a;") && expected.contains("float2x3"), "{expected}");
            for order in [["a.dxil", "b.dxil"], ["b.dxil", "a.dxil"]] {
                good(&dir, &["link", "-T", target, "-E", "CS", order[0], order[1], "-Fo", "out.dxil"]);
                assert_eq!(reflection(&dir, "out.dxil"), expected, "{target} {level} {order:?}");
            }
        }
    }
}

/// Resources, and the bodies of two shaders that use them.
type Shared = (&'static str, &'static str, &'static str);

/// Links each case of two shaders in two libraries, and compares with both in one.
#[track_caller]
fn resources_are_those_of_the_whole(dir: &Path, cases: &[Shared]) {
    let shader = |name: &str, body: &str| format!("[shader(\"raygeneration\")] void {name}() {{ {body} }}");
    for profile in ["lib_6_6", "lib_6_8"] {
        for (data, x, y) in cases {
            let (x, y) = (shader("X", x), shader("Y", y));
            compile(dir, "whole", &format!("{data}{x}{y}"), &["-T", profile]);
            compile(dir, "a", &format!("{data}{x}"), &["-T", profile]);
            compile(dir, "b", &format!("{data}{y}"), &["-T", profile]);
            good(dir, &["link", "-T", profile, "a.dxil", "b.dxil", "-Fo", "out.dxil"]);
            let (whole, out) = (read(dir, "whole.dxil"), read(dir, "out.dxil"));
            assert!(part(&whole, b"RDAT") == part(&out, b"RDAT"), "{profile}: {data}");
            assert_eq!(reflection(dir, "whole.dxil"), reflection(dir, "out.dxil"), "{profile}: {data}");
            let records = |bytes: &[u8]| -> Vec<_> {
                let all = Info::whole(&module(bytes)).expect("metadata").resources;
                all.into_iter().map(|r| (r.name, r.class, r.id, r.counter, r.atomic64, r.coherent, r.sampler, r.samples)).collect()
            };
            assert_eq!(records(&whole), records(&out), "{profile}: {data}");
            validate_with_newer(dir, "out.dxil");
        }
    }
}

/// A library may use a resource in a way that another does not: it has a counter, or atomic operations of 64 bits.
#[test]
fn resources_of_parts_are_those_of_the_whole() {
    let cases = [
        ("RWStructuredBuffer<uint> B : register(u0);", "B[0] = 1;", "B.IncrementCounter();"),
        ("RWStructuredBuffer<uint> B[3] : register(u0);", "B[1].DecrementCounter();", "B[2][0] = 2;"),
        ("RWTexture2D<uint64_t> B : register(u0);", "InterlockedMax(B[uint2(1, 2)], 5);", "B[uint2(0, 1)] = 1;"),
        ("globallycoherent RWByteAddressBuffer B : register(u0, space3);", "B.Store(0, 1);", "B.Store(4, B.Load(8));"),
        (
            "SamplerComparisonState S : register(s4); Texture2D<float> D : register(t0); Texture2DMS<float, 8> M : register(t1); RWBuffer<float> B : register(u0);",
            "B[0] = D.SampleCmpLevelZero(S, 0.5, 0.5);",
            "B[0] = M.Load(1, 5);",
        ),
    ];
    resources_are_those_of_the_whole(&folder("facts/resources"), &cases);
}

/// The record of a resource says that there are atomic operations of 64 bits, which library ever has them.
#[test]
fn atomic_operations_of_the_second_library_are_said() {
    let case = ("RWTexture2D<uint64_t> B : register(u0);", "B[uint2(0, 1)] = 1;", "InterlockedMax(B[uint2(1, 2)], 5);");
    resources_are_those_of_the_whole(&folder("facts/atomics"), &[case]);
}

#[test]
fn resources_that_differ_are_named() {
    let dir = folder("facts/differ");
    let cases = [
        ("RWBuffer<float> B[2] : register(u0);", "RWBuffer<float> B[3] : register(u0);", "B[1][0] = 1;", "an array of 2", "an array of 3"),
        (
            "RWBuffer<float> B[] : register(u0);",
            "RWBuffer<float> B[3] : register(u0);",
            "B[1][0] = 1;",
            "an array without bound",
            "an array of 3",
        ),
        ("RWBuffer<float> B : register(u0);", "RWBuffer<float> B : register(u0, space2);", "B[0] = 1;", "at u0, space 0", "at u0, space 2"),
        (
            "globallycoherent RWBuffer<float> B : register(u0);",
            "RWBuffer<float> B : register(u0);",
            "B[0] = 1;",
            "of one sort",
            "of another (coherence, element or size differ)",
        ),
        (
            "struct S { float a; }; RWStructuredBuffer<S> B : register(u0);",
            "struct S { float2 a; }; RWStructuredBuffer<S> B : register(u0);",
            "B[0].a = 1;",
            "of one layout",
            "of another",
        ),
        (
            "struct S { float2 a; }; RWStructuredBuffer<S> B : register(u0);",
            "struct R { float2 a; float2x2 b; }; RWStructuredBuffer<R> B : register(u0);",
            "B[0].a = 1;",
            "`class.RWStructuredBuffer<S>`",
            "`hostlayout.class.RWStructuredBuffer<R>`",
        ),
        (
            "RWBuffer<float> O : register(u0); cbuffer B : register(b0) { float4 a; };",
            "RWBuffer<float> O : register(u0); cbuffer B : register(b0) { float4 b; float4 a; };",
            "O[0] = a.x;",
            "of one layout",
            "of another",
        ),
        (
            "RWBuffer<float> O : register(u0); Texture2D B : register(t0);",
            "RWBuffer<float> O : register(u0); Texture3D B : register(t0);",
            "O[0] = B.Load(0).x;",
            "a Texture2D",
            "a Texture3D",
        ),
    ];
    for (n, (a, b, body, x, y)) in cases.into_iter().enumerate() {
        let shader = |name: &str| format!("[shader(\"raygeneration\")] void {name}() {{ {body} }}");
        compile(&dir, "a", &format!("{a}{}", shader("X")), &["-T", "lib_6_7"]);
        compile(&dir, "b", &format!("{b}{}", shader("Y")), &["-T", "lib_6_7"]);
        let first = format!("resource `B` is {x} in `a.dxil` and {y} in `b.dxil`");
        bad(&dir, &["link", "-T", "lib_6_7", "a.dxil", "b.dxil", "-Fo", "out.dxil"], &[&first]);
        if n != 3 && !x.starts_with("of one") {
            let second = format!("resource `B` is {y} in `b.dxil` and {x} in `a.dxil`");
            bad(&dir, &["link", "-T", "lib_6_7", "b.dxil", "a.dxil", "-Fo", "out.dxil"], &[&second]);
        }
    }
}

/// A library whose flags are these.
fn flagged(dir: &Path, from: &str, to: &str, flags: u64) {
    let bytes = read(dir, from);
    let mut m = module(&bytes);
    set_flags(&mut m, flags);
    let program = part(&bytes, b"DXIL");
    let head = Program::read("DXIL", &program).expect("a header");
    let program = Program { bitcode: &bitcode::write(&m), ..head }.write();
    let parts = Container::parse(&bytes).expect("a container").parts;
    let parts: Vec<_> = parts.into_iter().map(|p| (p.name, if p.name == FourCc::DXIL { program.clone() } else { p.data })).collect();
    std::fs::write(dir.join(to), rtc_dxil_container::write(&parts, Signing::Digest).expect("a container")).expect("a file");
}

/// The result has the flags that code does not tell if they hold for all of it: that resources are bound, and that UAVs do not alias. One library that is
/// not optimised is enough for a result that is not.
#[test]
fn flags_hold_for_all_libraries() {
    let dir = folder("facts/flags");
    let uav = |name: &str, uav: &str| {
        format!("RWBuffer<float> {uav} : register(u0); [shader(\"raygeneration\")] void {name}() {{ {uav}[0] = 1; }}")
    };
    compile(&dir, "a", &uav("X", "B"), &["-T", "lib_6_7"]);
    compile(&dir, "b", &uav("Y", "B"), &["-T", "lib_6_7"]);
    compile(&dir, "none", "[shader(\"raygeneration\")] void Y() { }", &["-T", "lib_6_7"]);
    compile(&dir, "old", &uav("Y", "B"), &["-T", "lib_6_6"]);
    let (off, bound, alone) = (bit::DISABLE_OPTIMIZATIONS, bit::ALL_RESOURCES_BOUND, bit::UAVS_DO_NOT_ALIAS);
    let cases = [
        ("a", off, "b", 0, off),
        ("a", 0, "b", off, off),
        ("a", bound, "b", alone, alone),
        ("a", alone, "b", bound, alone),
        ("a", bound, "b", bound, bound),
        ("a", off | alone, "b", off, off),
        ("a", off, "b", off | alone, off),
        ("a", off | alone, "b", off | alone, off | alone),
        ("a", alone | bound | off, "b", alone | bound | off, alone | bound | off),
        // What has no UAVs, or is of a model that does not say so, does not count.
        ("a", off | alone, "none", off, off | alone),
        ("a", off, "none", off, off),
        ("a", off | alone, "old", off, off | alone),
        ("a", off, "old", off, off),
    ];
    for (a, of_a, b, of_b, expected) in cases {
        flagged(&dir, &format!("{a}.dxil"), "x.dxil", of_a);
        flagged(&dir, &format!("{b}.dxil"), "y.dxil", of_b);
        good(&dir, &["link", "-T", "lib_6_7", "x.dxil", "y.dxil", "-Fo", "out.dxil"]);
        let mine = off | bound | alone;
        assert_eq!(flags(&read(&dir, "out.dxil")) & mine, expected, "{a} {of_a:#x} {b} {of_b:#x}");
    }
    compile(
        &dir,
        "half",
        "RWBuffer<half> H; [shader(\"raygeneration\")] void Z() { H[0] = 1; }",
        &["-T", "lib_6_7", "-enable-16bit-types"],
    );
    good(&dir, &["link", "-T", "lib_6_7", "half.dxil", "-Fo", "out.dxil"]);
    assert_ne!(flags(&read(&dir, "out.dxil")) & bit::NATIVE_LOW_PRECISION, 0);
    good(&dir, &["link", "-T", "lib_6_7", "a.dxil", "-Fo", "out.dxil"]);
    assert_eq!(flags(&read(&dir, "out.dxil")) & bit::NATIVE_LOW_PRECISION, 0);
}

const EXPORTED: &str = "struct P { float4 a; }; RWBuffer<float> B : register(u0);
float inner(float x) { return x * B[2]; }
export float f(float x) { return inner(x) + B[1]; } export float f(int x) { return inner(x); }
[shader(\"raygeneration\")] void RG() { B[0] = f(1); } [shader(\"miss\")] void M(inout P p) { p.a = f(2.5); }";

/// Compiles the shaders with these exports, links the library of all of them with the same, and compares.
#[track_caller]
fn exports_are_those_of_the_compiled(dir: &Path, exports: &[&str]) {
    let args = ["-T", "lib_6_6", "-disable-payload-qualifiers"];
    compile(dir, "all", EXPORTED, &args);
    compile(dir, "whole", EXPORTED, &[&args[..], exports].concat());
    good(dir, &[&["link", "-T", "lib_6_6", "all.dxil", "-Fo", "out.dxil"], exports].concat());
    let (whole, out) = (read(dir, "whole.dxil"), read(dir, "out.dxil"));
    assert!(part(&whole, b"RDAT") == part(&out, b"RDAT"), "{exports:?}: {}", listing(dir, "out.dxil"));
    validate_with_newer(dir, "out.dxil");
}

/// `-exports` and `-export-shaders-only` mean the same for libraries that are compiled and for those that are linked.
#[test]
fn exports_of_what_is_linked_are_those_of_what_is_compiled() {
    let dir = folder("facts/exports");
    for exports in ["g,h=f;RG", "one,two=RG;M;three=M", "f", "RG;RG=RG", "f;f=f", "g=f;g=RG", "a,a=RG", "M=RG", "M=RG;RG=M", "RG,M=RG"] {
        exports_are_those_of_the_compiled(&dir, &["-exports", exports]);
        // Functions that are no entry points are not there then.
        if !exports.contains('f') {
            exports_are_those_of_the_compiled(&dir, &["-exports", exports, "-export-shaders-only"]);
        }
    }
    exports_are_those_of_the_compiled(&dir, &["-export-shaders-only"]);
    let link = |exports: &str, expected: &str| {
        bad(&dir, &["link", "-T", "lib_6_6", "all.dxil", "-exports", exports, "-Fo", "out.dxil"], &[expected]);
    };
    link("x=RG;y=Q", "there is no function `Q` to export in any library");
    link("inner", "there is no function `inner` to export in any library");
    link("?f@@YAMN@Z", "there is no function `?f@@YAMN@Z` to export in any library");
    let twice = "RWBuffer<float> B : register(u0); [shader(\"raygeneration\")] void R1() { B[0] = 1; } [shader(\"raygeneration\")] void R2() { B[0] = 2; }";
    compile(&dir, "all", twice, &["-T", "lib_6_6"]);
    link("x=R1;x=R2", "`R1` and `R2` are both exported as `x`");
    link("R1=R2;R1", "are both exported as `R1`");
    let only = ["link", "-T", "lib_6_6", "-export-shaders-only", "only.dxil", "-Fo", "out.dxil"];
    compile(&dir, "only", "export float f(float x) { return x; }", &["-T", "lib_6_6"]);
    bad(&dir, &only, &["nothing is exported: the libraries have no such functions"]);
}

/// A mangled name names one overload, with or without the character that does not print, which command lines write as `\01`.
#[test]
fn mangled_names_are_exported() {
    let dir = folder("facts/mangled");
    for exports in ["g=?f@@YAMM@Z", "g=\\01?f@@YAMM@Z", "?f@@YAMH@Z;M", "?g@@YAXXZ=RG"] {
        exports_are_those_of_the_compiled(&dir, &["-exports", exports]);
    }
    let args = ["-T", "lib_6_6", "all.dxil", "-exports", "?f@@YAMN@Z", "-Fo", "out.dxil"];
    bad(&dir, &[&["link"], &args[..]].concat(), &["there is no function `?f@@YAMN@Z` to export in any library"]);
}

/// The size of waves is one number before shader model 6.8, and a range from then on.
#[test]
fn sizes_of_waves_are_those_of_the_whole() {
    let dir = folder("facts/waves");
    let source = |sizes: &str| {
        format!(
            "RWBuffer<uint> B : register(u0); [shader(\"compute\")] [WaveSize({sizes})] [numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex) {{ B[i] = WaveGetLaneIndex(); }}"
        )
    };
    for (sizes, library, targets) in [
        ("16", "6_6", &["6_6", "6_7", "6_8", "6_9"][..]),
        ("64", "6_7", &["6_7", "6_8"]),
        ("32", "6_8", &["6_6", "6_7", "6_8", "6_10"]),
        ("8, 64", "6_8", &["6_8", "6_9"]),
        ("8, 64, 32", "6_8", &["6_8", "6_10"]),
        ("4, 128, 4", "6_9", &["6_9"]),
    ] {
        compile(&dir, "lib", &source(sizes), &["-T", &format!("lib_{library}")]);
        for model in targets {
            let profile = format!("cs_{model}");
            compile(&dir, "whole", &source(sizes), &["-T", &profile]);
            good(&dir, &["link", "-T", &profile, "lib.dxil", "-Fo", "out.dxil"]);
            let (whole, out) = (read(&dir, "whole.dxil"), read(&dir, "out.dxil"));
            assert!(part(&whole, b"PSV0") == part(&out, b"PSV0"), "{sizes} in {profile}");
            let entry = |bytes: &[u8]| {
                let m = module(bytes);
                let props = Info::whole(&m).expect("metadata").entries.remove(0).props;
                let sizes = |n| m.meta.elems(n).iter().filter_map(|&e| m.meta_int(e?)).collect::<Vec<_>>();
                let all = props.all.iter().filter_map(|&(tag, value)| Some((tag, sizes(value?))));
                all.filter(|(tag, _)| [11, 23].contains(tag)).collect::<Vec<_>>()
            };
            assert_eq!(entry(&whole), entry(&out), "{sizes} in {profile}");
            assert_eq!(entry(&out).len(), 1, "{sizes} in {profile}");
            validate_with_newer(&dir, "out.dxil");
        }
    }
    compile(&dir, "lib", &source("8, 64"), &["-T", "lib_6_8"]);
    bad(&dir, &["link", "-T", "cs_6_7", "lib.dxil", "-Fo", "out.dxil"], &["`main` needs shader model 6.8, the target is cs_6_7"]);
}

const WITH_LOOPS: &str = "RWStructuredBuffer<float> B : register(u0);
float deep(float x, uint n) { float z[5] = { x, 1, 2, 3, 4 }; z[n % 5] += x; return z[(n + 1) % 5]; }
export float work(float x, inout float y[4], uint n) {
    float l[3] = { x, x + 1, x * 2 };
    l[n % 3] = 7;
    for (uint k = 0; k < 3; k++) { y[k] += l[k]; if (B[k] > 3) return deep(l[n & 1], n); }
    return l[(n + 1) % 3];
}";
const CALLS_IN_LOOPS: &str = "RWStructuredBuffer<float> B : register(u0);
float work(float x, inout float y[4], uint n);
[shader(\"compute\")] [numthreads(1, 1, 1)] void Main(uint t : SV_GroupIndex) {
    float y[4] = { 1, 2, 3, 4 };
    for (uint i = 0; i < t; i++) B[i] = work(i, y, t) + work(i + 1, y, t) + y[i & 3];
}";

/// What is inlined in a loop does not take new memory in each iteration, nothing unused is left of it, and nothing is computed twice in one block.
#[test]
fn code_that_was_inlined_is_tidy() {
    let dir = folder("facts/tidy");
    for level in ["-O3", "-Od"] {
        compile(&dir, "a", CALLS_IN_LOOPS, &["-T", "lib_6_6", level]);
        compile(&dir, "b", WITH_LOOPS, &["-T", "lib_6_6", level]);
        for target in ["lib_6_6", "cs_6_6", "cs_6_8"] {
            good(&dir, &["link", "-T", target, "-E", "Main", "a.dxil", "b.dxil", "-Fo", "out.dxil"]);
            let text = listing(&dir, "out.dxil");
            let body = text.split_once("@Main() ").expect("the shader").1.split_once("\n}").expect("its end").0;
            let (entry, others) = body.split_once("<label>").expect("a loop");
            assert!(!others.contains("alloca"), "{target} {level}: {body}");
            // Those of two calls, and the argument.
            assert_eq!(entry.matches("alloca").count(), 5, "{target} {level}: {body}");
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '%';
            let words: Vec<&str> = body.split(|c| !is_word(c)).collect();
            for block in body.split("<label>") {
                let mut seen = std::collections::BTreeSet::new();
                for (name, value) in block.lines().filter_map(|l| l.trim_start().split_once(" = ")).filter(|l| l.0.starts_with('%')) {
                    let value = value.split(" ; ").next().unwrap_or(value);
                    let counts = ["load", "alloca", "call", "phi"].iter().all(|op| !value.starts_with(op));
                    if level == "-O3" || target != "lib_6_6" {
                        assert!(!counts || seen.insert(value.to_owned()), "{target} {level}: `{value}` twice: {body}");
                        assert!(!counts || words.iter().filter(|w| **w == name).count() > 1, "{target} {level}: {name} is unused: {body}");
                    }
                }
            }
        }
    }
}

/// A shader says about itself what it says when it is compiled; only libraries describe functions, structures and payloads.
#[test]
fn metadata_is_that_of_the_profile() {
    let dir = folder("facts/metadata");
    let source = "struct [raypayload] P { float a : read(caller) : write(miss, closesthit); }; struct S { float a; uint b; };
RWStructuredBuffer<S> B : register(u1); float f(float x);
[shader(\"pixel\")] [earlydepthstencil] float4 PS(float4 p : SV_Position) : SV_Target { B[1].a = f(p.x); return f(p.y); }
[shader(\"pixel\")] float4 Late(float4 p : SV_Position) : SV_Target { B[1].a = f(p.x); return f(p.y); }
[shader(\"compute\")] [numthreads(8, 4, 1)] void CS(uint i : SV_GroupIndex) { B[i].b = f(i); }
[shader(\"miss\")] void M(inout P p) { p.a = f(2); }";
    let helper = "float f(float x) { return x * 2; }";
    compile(&dir, "helper", &format!("export {helper}"), &["-T", "lib_6_7"]);
    for level in ["-O3", "-Od"] {
        compile(&dir, "lib", source, &["-T", "lib_6_7", level]);
        for (profile, entry) in [("ps_6_7", "PS"), ("ps_6_7", "Late"), ("cs_6_7", "CS")] {
            compile(&dir, "alone", &format!("{helper}{source}"), &["-T", profile, "-E", entry, level]);
            good(&dir, &["link", "-T", profile, "-E", entry, "lib.dxil", "helper.dxil", "-Fo", "out.dxil"]);
            let (alone, out) = (read(&dir, "alone.dxil"), read(&dir, "out.dxil"));
            let early = flags(&out) & bit::EARLY_DEPTH_STENCIL != 0;
            assert_eq!(early, entry == "PS", "{profile} {entry} {level}");
            assert_eq!(flags(&alone), flags(&out), "{profile} {entry} {level}");
            let named = |bytes: &[u8]| -> Vec<String> {
                let text = module(bytes).meta;
                let known = ["dx.version", "dx.valver", "dx.shaderModel", "dx.resources", "dx.typeAnnotations", "dx.dxrPayloadAnnotations"];
                known.iter().filter(|n| !text.named(n).is_empty()).map(|n| (*n).to_owned()).collect()
            };
            assert_eq!(named(&alone), named(&out), "{profile} {entry} {level}");
            validate_with_newer(&dir, "out.dxil");
        }
        compile(&dir, "whole", &format!("export {helper}{source}"), &["-T", "lib_6_7", level]);
        good(&dir, &["link", "-T", "lib_6_7", "helper.dxil", "lib.dxil", "-Fo", "out.dxil"]);
        let (whole, out) = (read(&dir, "whole.dxil"), read(&dir, "out.dxil"));
        assert!(part(&whole, b"RDAT") == part(&out, b"RDAT"), "{level}");
        // Annotations are those of all functions, structures and payloads; flags are those of the library and of each entry point.
        let count = |bytes: &[u8], name: &str| {
            let m = module(bytes);
            m.meta.named(name).iter().map(|&n| m.meta.elems(n).len()).collect::<Vec<_>>()
        };
        for name in ["dx.typeAnnotations", "dx.dxrPayloadAnnotations", "dx.entryPoints", "dx.resources"] {
            assert_eq!(count(&whole, name), count(&out, name), "{name} {level}");
        }
        let entries = |bytes: &[u8]| -> Vec<_> {
            let all = Info::whole(&module(bytes)).expect("metadata").entries;
            all.into_iter().map(|e| (e.name, e.props.flags, e.props.kind, e.props.all.len())).collect()
        };
        assert_eq!(entries(&whole), entries(&out), "{level}");
    }
}

/// `NonUniformResourceIndex` is a mark of an address in a library, and an argument in a shader: linking keeps each, and makes none.
#[test]
fn indices_that_differ_between_threads_stay_marked() {
    let dir = folder("facts/marks");
    let data = "RWBuffer<float> B[4] : register(u0); RWBuffer<float> C[4] : register(u8);";
    let helper =
        format!("{data} float f(float x, uint n) {{ float y = x * B[NonUniformResourceIndex(n + 2)][2]; return y + C[n & 3][1]; }}");
    let helper = helper.replace("float f", "export float f");
    let shader = "float f(float x, uint n);
[shader(\"compute\")] [numthreads(1, 1, 1)] void Main(uint t : SV_GroupIndex) {
    float a = B[NonUniformResourceIndex(t)][1] * 3 + C[t][2];
    uint unused = t * 3 + 1;
    B[NonUniformResourceIndex(t & 1)][0] = f(a, t) + a * 2;
}";
    for (model, level) in [("6_3", "-O3"), ("6_6", "-O3"), ("6_6", "-Od"), ("6_8", "-O3")] {
        let (lib, cs) = (format!("lib_{model}"), format!("cs_{model}"));
        compile(&dir, "helper", &helper, &["-T", &lib, level]);
        compile(&dir, "shader", &format!("{data}{shader}"), &["-T", &lib, level]);
        for target in [&lib, &cs] {
            good(&dir, &["link", "-T", target, "-E", "Main", "helper.dxil", "shader.dxil", "-Fo", "out.dxil"]);
            let text = listing(&dir, "out.dxil");
            let body = text.split_once("@Main() ").expect("the shader").1.split_once("\n}").expect("its end").0;
            let marked = if target == &lib { "!dx.nonuniform" } else { "i1 true)" };
            assert_eq!(body.matches(marked).count(), 3, "{target} {level}: {body}");
            let plain = body.lines().filter(|l| l.contains("createHandle") && l.contains("i1 false)")).count();
            assert_eq!(plain, if target == &lib { 0 } else { 2 }, "{target} {level}: {body}");
            // In a shader an index counts from the first register of the space: those of `C` are 8 more.
            let from_eight = body.lines().filter(|l| l.contains(" = add i32 ") && l.trim_end().ends_with(", 8")).count();
            assert_eq!(from_eight, if target == &lib { 0 } else { 2 }, "{target} {level}: {body}");
            validate_with_newer(&dir, "out.dxil");
        }
    }
}

/// A function that is not to be inlined stays one in a library; in a shader there are none.
#[test]
fn functions_that_are_not_inlined_stay_in_libraries() {
    let dxc = match Dxc::load() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    let dir = folder("facts/noinline");
    let shader = "RWBuffer<float> B : register(u0); float far(float x); float near(float x);
[shader(\"compute\")] [numthreads(1, 1, 1)] void Main(uint t : SV_GroupIndex) { B[t] = far(t) + near(t); }";
    let helpers = "[noinline] export float far(float x) { return x * 3 + 1; } export float near(float x) { return x * 2 + 1; }";
    for (name, source) in [("shader", shader), ("helpers", helpers)] {
        let done = dxc.compile(source, &format!("{name}.hlsl"), &["-T", "lib_6_6", "-validator-version", "1.6"]);
        std::fs::write(dir.join(format!("{name}.dxil")), done.object.unwrap_or_else(|| panic!("{}", done.diagnostics))).expect("a file");
    }
    for (target, kept) in [("lib_6_6", 1), ("cs_6_6", 0)] {
        good(&dir, &["link", "-T", target, "-E", "Main", "shader.dxil", "helpers.dxil", "-Fo", "out.dxil"]);
        let text = listing(&dir, "out.dxil");
        let calls = |name: &str| text.lines().filter(|l| l.contains("call ") && l.contains(&format!("?{name}@@"))).count();
        assert_eq!([calls("far"), calls("near")], [kept, 0], "{target}: {text}");
    }
}

/// Payloads of one name in two libraries may have other members: one of the structures gets another name, and its operations are named after that.
#[test]
fn operations_are_named_after_their_structures() {
    let dir = folder("facts/names");
    let source = |name: &str, ty: &str, part: &str| {
        format!(
            "struct [raypayload] P {{ {ty} a : read(caller) : write(miss); }}; RaytracingAccelerationStructure S : register(t0); RWBuffer<float> B : register(u0);
[shader(\"raygeneration\")] void {name}() {{ P p; RayDesc r = {{ float3(0, 0, 0), 0, float3(0, 0, 1), 9 }}; TraceRay(S, 0, 255, 0, 1, 0, r, p); B[0] = p.a{part}; }}"
        )
    };
    compile(&dir, "a", &source("X", "float", ""), &["-T", "lib_6_7"]);
    compile(&dir, "b", &source("Y", "float2", ".y"), &["-T", "lib_6_7"]);
    compile(&dir, "c", &source("Z", "float2", ".x"), &["-T", "lib_6_7"]);
    good(&dir, &["link", "-T", "lib_6_7", "a.dxil", "b.dxil", "c.dxil", "-Fo", "out.dxil"]);
    let text = listing(&dir, "out.dxil");
    let mut names: Vec<&str> = Vec::new();
    for line in text.lines().filter(|l| l.starts_with("declare ") && l.contains("@dx.op.traceRay.")) {
        let name = line.split_once("traceRay.").and_then(|l| l.1.split('(').next()).expect("a name");
        assert!(line.contains(&format!("%{name}*)")), "{line}");
        names.push(name);
    }
    assert_eq!(names.len(), 2, "{text}");
    assert!(names.contains(&"struct.P"), "{names:?}");
    validate_with_newer(&dir, "out.dxil");
}

/// An index into arrays of arrays of resources counts the elements of the inner ones, and then the registers before.
#[test]
fn indices_of_arrays_of_arrays_are_summed() {
    let dir = folder("facts/arrays");
    let data = "RWBuffer<float> D[2][3] : register(u20); RWBuffer<float> B : register(u0); float f(uint n, uint k);";
    let helper = "export float f(uint n, uint k) { return D[n][k][1]; }";
    let shader = "[shader(\"compute\")] [numthreads(1, 1, 1)] void Main(uint3 t : SV_GroupThreadID) { B[0] = f(t.x, t.y); }";
    for model in ["6_3", "6_6"] {
        let (lib, cs) = (format!("lib_{model}"), format!("cs_{model}"));
        compile(&dir, "helper", &format!("{data}{helper}"), &["-T", &lib]);
        compile(&dir, "shader", &format!("{data}{shader}"), &["-T", &lib]);
        good(&dir, &["link", "-T", &cs, "-E", "Main", "helper.dxil", "shader.dxil", "-Fo", "out.dxil"]);
        let text = listing(&dir, "out.dxil");
        let defined = |what: &str| {
            let line = text.lines().map(str::trim).find(|l| l.split_once(" = ").is_some_and(|(_, v)| v.trim_end() == what));
            line.and_then(|l| l.split_once(" = ")).unwrap_or_else(|| panic!("{cs}: no {what}: {text}")).0.to_owned()
        };
        let of = |component: u32| {
            let call = text.lines().find(|l| l.contains(&format!("@dx.op.threadIdInGroup.i32(i32 95, i32 {component})")));
            call.and_then(|l| l.trim().split_once(" = ")).expect("the component").0.to_owned()
        };
        let row = defined(&format!("mul i32 {}, 3", of(0)));
        let element = defined(&format!("add i32 {row}, {}", of(1)));
        let register = defined(&format!("add i32 {element}, 20"));
        let handles: Vec<&str> = text.lines().filter(|l| l.contains("call %dx.types.Handle @dx.op.createHandle")).collect();
        assert!(handles.iter().any(|l| l.contains(&format!("i32 {register}, i1 false"))), "{cs}: {text}");
    }
}

/// Functions that libraries keep to themselves may have one name: each gets its own, and what is exported keeps its name.
#[test]
fn functions_of_one_name_are_told_apart() {
    let dxc = match Dxc::load() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    let dir = folder("facts/one_name");
    let own = |name: &str, by: u32| {
        format!(
            "[noinline] static float helper(float x) {{ return sin(x) * {by}; }} export float {name}(float x) {{ return helper(x) + {by}; }}"
        )
    };
    let exported = "[noinline] export float helper(float x) { return cos(x); }".to_owned();
    for (name, source) in [("a", own("fa", 2)), ("b", own("fb", 3)), ("c", own("fc", 5)), ("d", exported)] {
        let done = dxc.compile(&source, &format!("{name}.hlsl"), &["-T", "lib_6_6", "-validator-version", "1.6"]);
        std::fs::write(dir.join(format!("{name}.dxil")), done.object.unwrap_or_else(|| panic!("{}", done.diagnostics))).expect("a file");
    }
    for order in [["a", "b", "c", "d"], ["d", "c", "a", "b"], ["b", "d", "a", "c"]] {
        let files: Vec<String> = order.iter().map(|n| format!("{n}.dxil")).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        good(&dir, &[&["link", "-T", "lib_6_6"], &files[..], &["-Fo", "out.dxil"]].concat());
        let text = listing(&dir, "out.dxil");
        let mut names: Vec<&str> = Vec::new();
        for line in text.lines().filter(|l| l.starts_with("define ")) {
            names.extend(line.split('"').nth(1).filter(|n| n.contains("?helper@")));
        }
        names.sort_unstable();
        let expected = ["", ".1", ".2", ".3"].map(|n| format!("\\01?helper@@YAMM@Z{n}"));
        assert_eq!(names, expected, "{order:?}: {text}");
        // Each calls its own.
        let body = |name: &str| {
            let line = text.lines().find(|l| l.starts_with("define ") && l.contains(name)).expect("it is there");
            text.split_once(line).and_then(|t| t.1.split("\n}").next()).expect("its body")
        };
        for (name, by) in [("?fa@", "2"), ("?fb@", "3"), ("?fc@", "5")] {
            let called = body(name).lines().find(|l| l.contains("?helper@")).and_then(|l| l.split('"').nth(1)).expect("a call");
            let helper = body(&format!("@\"{called}\"("));
            assert!(helper.contains(&format!(", {by}.000000e+00")), "{order:?} {name} calls {called}: {text}");
        }
        validate_with_newer(&dir, "out.dxil");
    }
}
