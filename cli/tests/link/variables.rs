//! What debug information says of variables that the linker splits and makes values of: which bits of them are which values, in the order of the program.

use std::collections::BTreeMap;

use crate::tools::{compile_to, folder, good, listing};

/// What a listing says of each variable: function and name, and each time the bits that it is about and the value.
fn said(text: &str) -> BTreeMap<(String, String), Vec<String>> {
    let body = text.split_once("\ndefine ").expect("a function").1.split_once("\n}").expect("its end").0;
    let mut made: BTreeMap<&str, String> = BTreeMap::new();
    let mut out: BTreeMap<_, Vec<String>> = BTreeMap::new();
    let between = |line: &str, from: &str, to: &str| Some(line.split_once(from)?.1.split_once(to)?.0.to_owned());
    for line in body.lines().map(str::trim_start) {
        if let Some((name, value)) = line.strip_prefix('%').and_then(|l| l.split_once(" = ")) {
            let op = between(value, "@dx.op.", "(").or_else(|| value.split(' ').next().map(str::to_owned)).unwrap_or_default();
            made.insert(name, op);
        }
        let Some(of) = between(line, "@llvm.dbg.", "(") else { continue };
        let value = between(line, "(metadata ", ",").and_then(|v| v.rsplit(' ').next().map(str::to_owned)).expect("a value");
        let value = value.strip_prefix('%').map_or(value.clone(), |v| made[v].clone());
        let value = value.trim_end_matches("e+00").trim_end_matches('0').trim_end_matches('.').to_owned();
        let key = (between(line, "func:\"", "\"").expect("a function"), between(line, "var:\"", "\"").expect("a variable"));
        let bits = between(line, "DW_OP_bit_piece, ", ")").unwrap_or_else(|| "all".to_owned());
        out.entry(key).or_default().push(format!("{bits}: {}{value}", if of == "declare" { "in " } else { "" }));
    }
    out
}

const HELPER: &str = "struct In { float2 p; int n[2]; };
struct S { float3 a; int b; In from; };
export S make(float x, inout float2 w, In given, float list[3]) {
    S r;
    r.a = float3(x, 1, w.y);
    r.b = 7;
    w.x += x;
    r.from = given;
    if (x > 3) { r.b = 8; list[0] = x; }
    r.a.x -= list[0];
    return r;
}";
const SHADER: &str = "struct In { float2 p; int n[2]; };
struct S { float3 a; int b; In from; };
RWStructuredBuffer<float4> B : register(u0);
S make(float x, inout float2 w, In given, float list[3]);
[shader(\"compute\")] [numthreads(1, 1, 1)] void Main(uint t : SV_GroupIndex) {
    float2 w = float2(3, 4);
    In given = { 9, 11, { 12, 13 } };
    float list[3] = { 14, 15, 16 };
    S s = make(t, w, given, list);
    B[t] = float4(s.a, s.b) + w.xyxy + s.from.n[t & 1] + list[t];
}";

/// Structures, vectors and arrays: what is a value is described in pieces, each at its place in the variable; what is indexed stays in memory, and the piece
/// that it is of its variable is declared there.
#[test]
fn pieces_of_variables_are_at_their_places() {
    let dir = folder("variables/pieces");
    for (level, join) in [("-O3", "select"), ("-Od", "phi")] {
        for (name, source) in [("helper", HELPER), ("shader", SHADER)] {
            compile_to(&dir, &format!("{name}.dxil"), name, source, &["-T", "lib_6_6", level, "-Zi", "-Qembed_debug"]);
        }
        for target in ["cs_6_6", "cs_6_8", "cs_6_9"] {
            good(&dir, &["link", "-T", target, "-E", "Main", "helper.dxil", "shader.dxil", "-Fo", "out.dxil"]);
            let text = listing(&dir, "out.dxil");
            let all = said(&text);
            let of = |function: &str, name: &str| all.get(&(function.to_owned(), name.to_owned())).cloned().unwrap_or_default();
            assert_eq!(of("Main", "list"), ["0, 96: in alloca"], "{target} {level}: {text}");
            assert_eq!(of("Main", "w"), ["0, 32: 3", "32, 32: 4", "0, 32: fadd"], "{target} {level}");
            assert_eq!(of("make", "w"), ["0, 32: 3", "32, 32: 4", "0, 32: fadd"], "{target} {level}");
            assert_eq!(of("Main", "t"), ["all: flattenedThreadIdInGroup.i32"], "{target} {level}");
            assert_eq!(of("make", "x"), ["all: uitofp"], "{target} {level}");
            let given = ["0, 32: 9", "32, 32: 1.100000e+01", "64, 32: 12", "96, 32: 13"];
            assert_eq!(of("Main", "given"), given, "{target} {level}");
            assert_eq!(of("make", "given"), given, "{target} {level}");
            let elements = ["0, 32: load".to_owned(), "0, 32: uitofp".to_owned(), format!("0, 32: {join}")];
            assert_eq!(of("make", "list"), elements, "{target} {level}");
            let result = of("make", "r");
            let copied = ["128, 32: 9", "160, 32: 1.100000e+01", "192, 32: 12", "224, 32: 13"];
            // From 6.9 on the vector that is copied is one of constants, which is not described.
            let copied = if target == "cs_6_9" { &copied[2..] } else { &copied[..] };
            let first = [&["0, 32: uitofp", "32, 32: 1", "64, 32: 4", "96, 32: 7"][..], copied, &["96, 32: 8"][..]].concat();
            let (start, rest) = result.split_at(first.len());
            assert_eq!(start, first, "{target} {level}");
            assert!(rest.contains(&format!("96, 32: {join}")) && rest.contains(&"0, 32: fsub".to_owned()), "{result:?}");
            // The array of the structure is indexed: it begins after 96 + 32 + 64 bits. At -O3 it is read where it was copied from.
            let memory = (level == "-Od").then_some("192, 64: in alloca");
            // A shader from 6.9 on keeps the vector that the function returns, and takes it apart.
            let second = if target == "cs_6_9" { "32, 32: extractelement" } else { "32, 32: 1" };
            let join = format!("96, 32: {join}");
            let whole: Vec<&str> = memory.into_iter().chain(["0, 32: fsub", second, "64, 32: 4", &join]).collect();
            assert_eq!(of("Main", "s"), whole, "{target} {level}");
        }
    }
}

/// The elements of an array of structures are pieces one after the other, whose members are at their places.
#[test]
fn pieces_of_arrays_of_structures_are_at_their_places() {
    let dir = folder("variables/arrays");
    let shader = "struct E { float a; int2 b; };
RWStructuredBuffer<float4> B : register(u0);
void filled(float x, inout E list[2]);
[shader(\"compute\")] [numthreads(1, 1, 1)] void Main(uint t : SV_GroupIndex) {
    E list[2] = { { 1, int2(2, 3) }, { 4, int2(5, 6) } };
    filled(t, list);
    B[t] = float4(list[0].a, list[1].a, list[0].b.y, list[1].b.x);
}";
    let helper = "struct E { float a; int2 b; };
export void filled(float x, inout E list[2]) { list[1].a = x; list[0].b.y = 7; E e = list[0]; list[1].b = e.b.yx; }";
    for level in ["-O3", "-Od"] {
        for (name, source) in [("shader", shader), ("helper", helper)] {
            compile_to(&dir, &format!("{name}.dxil"), name, source, &["-T", "lib_6_6", level, "-Zi", "-Qembed_debug"]);
        }
        good(&dir, &["link", "-T", "cs_6_6", "-E", "Main", "shader.dxil", "helper.dxil", "-Fo", "out.dxil"]);
        let all = said(&listing(&dir, "out.dxil"));
        let given = ["0, 32: 1", "32, 32: 2", "64, 32: 3", "96, 32: 4", "128, 32: 5", "160, 32: 6"];
        let changed = ["96, 32: uitofp", "64, 32: 7", "128, 32: 7", "160, 32: 2"];
        for function in ["Main", "filled"] {
            let list = &all[&(function.to_owned(), "list".to_owned())];
            assert_eq!(*list, [&given[..], &changed].concat(), "{function} {level}");
        }
    }
}

/// In a library a structure is split where only its members are read and written. It is described as in a shader.
#[test]
fn pieces_of_variables_of_libraries_are_at_their_places() {
    let dir = folder("variables/libraries");
    let shader = "struct S { float a; float b; int c; float d[2]; };
RWStructuredBuffer<float> B : register(u0);
void change(inout S s);
[shader(\"compute\")] [numthreads(1, 1, 1)] void Main(uint t : SV_GroupIndex) {
    S s = { 1, t, 3, { 4, 5 } };
    change(s);
    B[t] = s.a + s.b + s.c + s.d[1];
}";
    let helper = "struct S { float a; float b; int c; float d[2]; };
export void change(inout S s) { s.b += s.a; s.c = 7; s.d[1] = s.b * s.d[0]; }";
    for (name, source) in [("shader", shader), ("helper", helper)] {
        compile_to(&dir, &format!("{name}.dxil"), name, source, &["-T", "lib_6_6", "-Zi", "-Qembed_debug"]);
    }
    let linked = |target: &str| {
        let exports: &[&str] = if target.starts_with("lib") { &["-exports", "Main"] } else { &["-E", "Main"] };
        good(&dir, &[&["link", "-T", target], exports, &["shader.dxil", "helper.dxil", "-Fo", "out.dxil"]].concat());
        said(&listing(&dir, "out.dxil"))
    };
    let (library, single) = (linked("lib_6_6"), linked("cs_6_6"));
    let of = |name: &str| library[&(name.to_owned(), "s".to_owned())].clone();
    assert_eq!(of("Main")[..5], ["0, 32: 1", "32, 32: uitofp", "64, 32: 3", "96, 32: 4", "128, 32: 5"], "{library:?}");
    assert_eq!(of("Main")[5..], ["32, 32: fadd", "64, 32: 7", "128, 32: fmul"], "{library:?}");
    assert_eq!(library, single);
}

const VECTORS: [&str; 2] = [
    "struct In { float2 p; float4 q; };
RWStructuredBuffer<float4> B : register(u0);
float4 turned(float4 v, In i);
[shader(\"compute\")] [numthreads(1, 1, 1)] void Main(uint t : SV_GroupIndex) {
    float4 v = B[t] * 2;
    In i = { v.xy + 1, v.wzyx };
    float4 r = turned(v, i);
    B[t] = r + v;
}",
    "struct In { float2 p; float4 q; };
export float4 turned(float4 v, In i) { float4 w = v.yzwx * i.q; float2 h = w.xy - i.p; w.zw = h; return w; }",
];

/// Vectors of libraries from 6.9 on are split in older shaders; then their components are described as those of older libraries are.
#[test]
fn vectors_that_are_split_are_described_by_components() {
    let dir = folder("variables/vectors");
    let linked = |library: &str| {
        for (name, source) in ["a", "b"].into_iter().zip(VECTORS) {
            compile_to(&dir, &format!("{name}.dxil"), name, source, &["-T", library, "-Zi", "-Qembed_debug"]);
        }
        good(&dir, &["link", "-T", "cs_6_6", "-E", "Main", "a.dxil", "b.dxil", "-Fo", "out.dxil"]);
        said(&listing(&dir, "out.dxil"))
    };
    let (older, newer) = (linked("lib_6_6"), linked("lib_6_9"));
    assert_eq!(newer, older);
    let of = |function: &str, name: &str| newer.get(&(function.to_owned(), name.to_owned())).cloned().unwrap_or_default();
    assert_eq!(of("Main", "v"), ["0, 32: fmul", "32, 32: fmul", "64, 32: fmul", "96, 32: fmul"]);
    assert_eq!(of("Main", "r"), ["0, 32: fmul", "32, 32: fmul", "64, 32: fsub", "96, 32: fsub"]);
    assert_eq!(of("turned", "h"), ["0, 32: fsub", "32, 32: fsub"]);
}

/// The nodes of functions and variables that a listing has, by name, each with what it says is its function or variable.
fn nodes(text: &str, kind: &str) -> Vec<(String, Option<String>)> {
    let of = |line: &str, field: &str| {
        let rest = line.split_once(field)?.1;
        let name = rest.split_once("@\"\\01?")?.1;
        Some(name.split('@').next().unwrap_or(name).to_owned())
    };
    let mut out: Vec<_> = text
        .lines()
        .filter_map(|l| l.split_once(kind))
        .filter_map(|(_, rest)| Some((rest.strip_prefix("name: \"")?.split('"').next()?.to_owned(), rest)))
        .map(|(name, rest)| (name, of(rest, " function: ").or_else(|| of(rest, " variable: "))))
        .collect();
    out.sort();
    out
}

/// What is linked is described, with what has been inlined; what is left out is not.
#[test]
fn what_is_left_out_is_not_described() {
    let dir = folder("variables/left_out");
    let shaders = "RWBuffer<float> B : register(u0);
static const float Table[5] = { 1, 3, 2, 5, 4 };
static const float Other[3] = { 7, 8, 9 };
float far(float x, uint n);
float own(float x) { float y = x * 3; if (y > 2) y -= Table[(uint)y % 5]; return y; }
[shader(\"raygeneration\")] void RG() { float z = own(B[1]); B[0] = far(z, 2) + z; }
[shader(\"raygeneration\")] void Unused() { float q = B[2]; B[1] = Other[(uint)q % 3]; }";
    let helpers = "static const float There[4] = { 1, 2, 3, 5 };
float inner(float x) { float v = x + 1; return v * v; }
export float far(float x, uint n) { float w = inner(x); return w + There[n & 3]; }
export float unused(float x) { float u = x; return u * 2; }";
    for (name, source) in [("shaders", shaders), ("helpers", helpers)] {
        compile_to(&dir, &format!("{name}.dxil"), name, source, &["-T", "lib_6_6", "-Zi", "-Qembed_debug"]);
    }
    let some = |name: &str, of: &str| (name.to_owned(), Some(of.to_owned()));
    let none = |name: &str| (name.to_owned(), None);
    good(&dir, &["link", "-T", "lib_6_6", "shaders.dxil", "helpers.dxil", "-exports", "RG", "-Fo", "out.dxil"]);
    let text = listing(&dir, "out.dxil");
    assert_eq!(nodes(&text, "!DISubprogram("), [some("RG", "RG"), none("far"), none("inner"), none("own")], "{text}");
    assert_eq!(nodes(&text, "!DIGlobalVariable("), [some("B", "B"), some("Table", "Table"), some("There", "There")], "{text}");
    assert!(!text.contains("\"Unused\"") && !text.contains("\"Other\"") && !text.contains("name: \"unused\""), "{text}");
    good(&dir, &["link", "-T", "lib_6_6", "shaders.dxil", "helpers.dxil", "-exports", "far;Unused", "-Fo", "out.dxil"]);
    let text = listing(&dir, "out.dxil");
    assert_eq!(nodes(&text, "!DISubprogram("), [some("Unused", "Unused"), some("far", "far"), none("inner")], "{text}");
    assert_eq!(nodes(&text, "!DIGlobalVariable("), [some("B", "B"), some("Other", "Other"), some("There", "There")], "{text}");
}
