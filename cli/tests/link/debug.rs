//! `rtc link` keeps debug information: every instruction keeps its source location and inlined calls; the code is the same as without.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rtc_dxil_container::metadata::debug_lookup::Lookup;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::{self as container, Container, FourCc, Signing};
use rtc_dxil_module::bitcode;
use rtc_dxil_module::{Func, Inst, Module, Op, Value};
use rtc_oracles::{Dxc, Llvm, skip};

use crate::tools::{folder, good, listing, read, rtc, validate_with_newer};

fn part(bytes: &[u8], name: FourCc) -> Option<Vec<u8>> {
    Container::parse(bytes).expect("a container").part(name).map(|p| p.data.clone())
}

#[track_caller]
fn module(bytes: &[u8], name: FourCc) -> Module {
    let data = part(bytes, name).unwrap_or_else(|| panic!("no {name}"));
    let program = Program::read("a program", &data).expect("a header");
    let m = bitcode::read(program.bitcode).expect("a module");
    assert!(bitcode::write(&m) == program.bitcode, "{name}: written again it is different");
    m
}

#[track_caller]
fn validate(dir: &Path, file: &str) {
    let bytes = read(dir, file);
    good(dir, &["validate", file]);
    match Llvm::find() {
        Ok(llvm) => {
            let data = part(&bytes, FourCc::ILDB).expect("a debug module");
            llvm.verify(Program::read("ILDB", &data).expect("a header").bitcode).unwrap_or_else(|e| panic!("{file}: {e}"));
        }
        Err(m) => skip::skip(m),
    }
    validate_with_newer(dir, file);
}

fn speaks(m: &Module, op: &Op) -> bool {
    matches!(op, Op::Call { callee: Value::Func(f), .. } if m.funcs[*f].name.starts_with("llvm.dbg."))
}

fn instructions(m: &Module) -> impl Iterator<Item = (Func, Inst)> + '_ {
    let bodies = m.funcs.iter().filter_map(|(func, f)| Some((func, f.body.as_ref()?)));
    bodies.flat_map(move |(func, body)| body.blocks.values().flatten().filter(|i| !speaks(m, &body.insts[**i].op)).map(move |&i| (func, i)))
}

/// A source location of a listing: file, line, column, function.
type Location = (String, u32, u32, String);

/// For each function the source locations of its instructions, innermost first.
fn places(m: &Module) -> BTreeMap<String, Vec<Vec<Location>>> {
    let lookup = Lookup::new(m, m);
    let mut out: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for (func, i) in instructions(m) {
        let chain = lookup.chain(func, i).into_iter().map(|p| (p.file, p.line, p.column, p.function));
        out.entry(m.funcs[func].name.to_string()).or_default().push(chain.collect());
    }
    out
}

/// What listings say of variables: function, variable.
fn variables(dir: &Path, file: &str) -> BTreeSet<(String, String)> {
    let text = listing(dir, file);
    let quoted = |line: &str, before: &str| Some(line.split_once(before)?.1.split_once('"')?.0.to_owned());
    text.lines().filter(|l| l.contains("@llvm.dbg.")).filter_map(|l| Some((quoted(l, "func:\"")?, quoted(l, "var:\"")?))).collect()
}

const COMMON: &str = "
struct Data { float4 a; uint b; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<Data> Out : register(u0);
cbuffer Frame : register(b0) { float4 eye; uint count; };
struct P { float3 color; };
";
const FIRST: &str = "#include \"common.h\"
float3 along(float3 x, uint n) {
    float3 sum = x;
    for (uint i = 0; i < n; i++) sum += x * i;
    return sum;
}
[shader(\"raygeneration\")] void Gen() {
    RayDesc r = { eye.xyz, 0, along(eye.xyz, count), 100 };
    P p; p.color = 0;
    TraceRay(Scene, 0, 255, 0, 1, 0, r, p);
    Out[DispatchRaysIndex().x].a = float4(p.color, 1);
}
";
const SECOND: &str = "#include \"common.h\"
static const float Table[5] = { 1, 3, 2, 5, 4 };
[shader(\"miss\")] void Miss(inout P p) { p.color = WorldRayDirection(); }
[shader(\"closesthit\")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a) {
    float t = Table[PrimitiveIndex() % 5];
    p.color = float3(a.barycentrics, t);
    Out[count].b = 3;
}
";

#[test]
fn places_and_variables_come_along() {
    let dir = folder("debug/whole");
    for (name, text) in [("common.h", COMMON), ("a.hlsl", FIRST), ("b.hlsl", SECOND)] {
        std::fs::write(dir.join(name), text).expect("a source");
    }
    for (profile, level) in [("lib_6_3", "-O3"), ("lib_6_3", "-Od"), ("lib_6_6", "-O3"), ("lib_6_8", "-Od")] {
        let compiled = ["-T", profile, level, "-no-warnings", "-disable-payload-qualifiers"];
        for name in ["a", "b"] {
            let (file, plain, debug) = (format!("{name}.hlsl"), format!("{name}.dxil"), format!("{name}.debug.dxil"));
            good(&dir, &[&compiled[..], &[&file, "-Fo", &plain]].concat());
            good(&dir, &[&compiled[..], &["-Zi", "-Qembed_debug", &file, "-Fo", &debug]].concat());
        }
        let link = |a: &str, b: &str, more: &[&str]| good(&dir, &[&["link", "-T", profile, a, b, "-Fo", "out.dxil"], more].concat());
        assert_eq!(link("a.dxil", "b.dxil", &[]), "");
        let plain = read(&dir, "out.dxil");
        assert_eq!(link("a.debug.dxil", "b.debug.dxil", &["-Qstrip_debug"]), "");
        assert!(read(&dir, "out.dxil") == plain, "{profile} {level}: it is not gone without a trace");
        assert_eq!(link("a.debug.dxil", "b.debug.dxil", &[]), "");
        validate(&dir, "out.dxil");
        let out = read(&dir, "out.dxil");
        for p in Container::parse(&plain).expect("a container").parts {
            assert!(part(&out, p.name) == Some(p.data), "{profile} {level}: {} differs", p.name);
        }
        let m = module(&out, FourCc::ILDB);
        let mut expected = places(&module(&read(&dir, "a.debug.dxil"), FourCc::ILDB));
        expected.append(&mut places(&module(&read(&dir, "b.debug.dxil"), FourCc::ILDB)));
        assert!(expected.values().flatten().any(|c| c.len() == 2), "nothing was inlined");
        assert!(places(&m) == expected, "{profile} {level}: {:?}\ninstead of {expected:?}", places(&m));
        let mut known = variables(&dir, "a.debug.dxil");
        known.extend(variables(&dir, "b.debug.dxil"));
        assert!(known.len() > 5, "{known:?}");
        assert_eq!(variables(&dir, "out.dxil"), known);
        assert_eq!(m.meta.named("llvm.dbg.cu").len(), 2);
        // The header of both is there once.
        assert_eq!(m.meta.named("dx.source.contents").len(), 3);
        // A library without debug information and one with it.
        assert_eq!(link("a.debug.dxil", "b.dxil", &[]), "");
        validate(&dir, "out.dxil");
        let half = places(&module(&read(&dir, "out.dxil"), FourCc::ILDB));
        for (name, of_function) in half {
            assert!(if name.contains("Gen") { of_function == expected[&name] } else { of_function.iter().all(Vec::is_empty) }, "{name}");
        }
    }
}

#[test]
fn pdbs_of_what_was_linked() {
    let dir = folder("debug/pdb");
    for (name, text) in [("common.h", COMMON), ("a.hlsl", FIRST)] {
        std::fs::write(dir.join(name), text).expect("a source");
    }
    good(&dir, &["-T", "lib_6_6", "-no-warnings", "-Zi", "-Qembed_debug", "a.hlsl", "-Fo", "a.dxil"]);
    good(&dir, &["-T", "lib_6_6", "-no-warnings", "a.hlsl", "-Fo", "plain.dxil"]);
    good(&dir, &["link", "-T", "lib_6_6", "a.dxil", "-Fo", "inside.dxil"]);
    good(&dir, &["link", "-T", "lib_6_6", "a.dxil", "-Fo", "out.dxil", "-Fd", "out.pdb"]);
    let (inside, out) = (read(&dir, "inside.dxil"), read(&dir, "out.dxil"));
    assert_eq!(part(&out, FourCc::ILDB), None);
    let pdb = container::pdb::Pdb::read(&read(&dir, "out.pdb")).expect("a PDB");
    assert!(part(&pdb.container, FourCc::ILDB) == part(&inside, FourCc::ILDB));
    assert!(part(&pdb.container, FourCc::ILDN) == part(&out, FourCc::ILDN));
    assert_ne!(part(&inside, FourCc::ILDN), part(&out, FourCc::ILDN));
    good(&dir, &["link", "-T", "lib_6_6", "a.dxil", "-Fo", "both.dxil", "-Fd", "out.pdb", "-Qembed_debug"]);
    assert!(part(&read(&dir, "both.dxil"), FourCc::ILDB) == part(&inside, FourCc::ILDB));
    // In a folder it is named by the code.
    std::fs::create_dir(dir.join("pdbs")).expect("a folder");
    good(&dir, &["link", "-T", "lib_6_6", "a.dxil", "-Fo", "out.dxil", "-Fd", "pdbs/"]);
    assert!(part(&read(&dir, "out.dxil"), FourCc::ILDN) == part(&inside, FourCc::ILDN));
    assert_eq!(std::fs::read_dir(dir.join("pdbs")).expect("a folder").count(), 1);
    let done = rtc(&dir, &["link", "-T", "lib_6_6", "plain.dxil", "-Fo", "none.dxil", "-Fd", "none.pdb"]);
    assert!(String::from_utf8_lossy(&done.stderr).contains("-Fd requires debug information, and no library has any"));
    assert!(!done.status.success() && !dir.join("none.dxil").exists());
}

#[test]
fn debug_information_of_other_code_is_dropped() {
    let dir = folder("debug/other");
    for (name, text) in [("common.h", COMMON), ("a.hlsl", FIRST), ("b.hlsl", SECOND)] {
        std::fs::write(dir.join(name), text).expect("a source");
    }
    for name in ["a", "b"] {
        let (file, out) = (format!("{name}.hlsl"), format!("{name}.dxil"));
        good(&dir, &["-T", "lib_6_6", "-no-warnings", "-Zi", "-Qembed_debug", &file, "-Fo", &out]);
    }
    let (a, b) = (read(&dir, "a.dxil"), read(&dir, "b.dxil"));
    let with = |debug: &[u8]| {
        let parts = Container::parse(&a).expect("a container").parts;
        let parts = parts.into_iter().map(|p| (p.name, if p.name == FourCc::ILDB { debug.to_vec() } else { p.data }));
        container::write(&parts.collect::<Vec<_>>(), Signing::Digest).expect("a container")
    };
    let (own, other) = (part(&a, FourCc::ILDB).expect("a part"), part(&b, FourCc::ILDB).expect("a part"));
    for (debug, why) in [(&other[..], "it belongs to other code"), (&own[..own.len() - 4], "ILDB"), (&[], "ILDB")] {
        std::fs::write(dir.join("mixed.dxil"), with(debug)).expect("a container");
        let said = good(&dir, &["link", "-T", "lib_6_6", "mixed.dxil", "-Fo", "out.dxil"]);
        let start = format!("rtc: warning: the debug information of `mixed.dxil` is dropped: {why}");
        assert!(said.starts_with(&start) && said.lines().count() == 1, "{said}");
        assert_eq!(part(&read(&dir, "out.dxil"), FourCc::ILDB), None);
        assert_eq!(good(&dir, &["link", "-T", "lib_6_6", "mixed.dxil", "-Fo", "out.dxil", "-Qstrip_debug"]), "");
    }
}

const HELPERS: &str = "RWBuffer<float> Buf : register(u1);
float inner(float q) {
    float w = q;
    if (w > 3) w = Buf[(uint)w % 3];
    return exp2(w);
}
export float Mul(float x, inout float y) {
    y += x * Buf[0];
    return sqrt(y) + inner(y);
}
";
const SHADERS: &str = "RWBuffer<float> Buf : register(u1);
float Mul(float x, inout float y);
[shader(\"raygeneration\")] void RG() {
    float y = 1;
    Buf[DispatchRaysIndex().x] = Mul(2, y) + y;
}
[shader(\"compute\")] [numthreads(4, 1, 1)] void Main(uint t : SV_GroupIndex) {
    float z = t;
    Buf[t] = Mul(3, z);
}
";

#[test]
fn what_is_inlined_remembers_its_call() {
    let dxc = match Dxc::load() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    let dir = folder("debug/inlined");
    for (profile, level) in [("lib_6_3", "-O3"), ("lib_6_3", "-Od"), ("lib_6_6", "-O3"), ("lib_6_6", "-Od")] {
        for (name, text) in [("helpers", HELPERS), ("shaders", SHADERS)] {
            let file = format!("{name}.hlsl");
            let done = dxc.compile(text, &file, &["-T", profile, level, "-Zi", "-Qembed_debug", "-validator-version", "1.6"]);
            std::fs::write(dir.join(format!("{name}.dxil")), done.object.unwrap_or_else(|| panic!("{}", done.diagnostics)))
                .expect("a file");
        }
        for target in [profile, &profile.replace("lib", "cs")] {
            let said = good(&dir, &["link", "-T", target, "-E", "Main", "helpers.dxil", "shaders.dxil", "-Fo", "out.dxil"]);
            assert_eq!(said, "", "{target} {level}");
            validate(&dir, "out.dxil");
            let m = module(&read(&dir, "out.dxil"), FourCc::ILDB);
            let lookup = Lookup::new(&m, &m);
            let mut seen = BTreeMap::new();
            for (func, i) in instructions(&m) {
                let body = m.funcs[func].body.as_ref().expect("a body");
                let Op::Call { args, .. } = body.insts[i].op else { continue };
                let op = match body.values(args).first().and_then(|&v| m.int_of(v)) {
                    Some(21) => "exp",
                    Some(24) => "sqrt",
                    _ => continue,
                };
                let chain: Vec<_> = lookup.chain(func, i).into_iter().map(|p| (p.file, p.line, p.function)).collect();
                let chain: Vec<String> = chain.into_iter().map(|(file, line, function)| format!("{function} {file}:{line}")).collect();
                let name = container::rdat::unmangle(&m.funcs[func].name).to_owned();
                seen.insert((name, op), chain.join(" < "));
            }
            let main = if target == profile { &[("RG", 5), ("Main", 9)][..] } else { &[("Main", 9)] };
            for (function, line) in main {
                let call = format!("{function} shaders.hlsl:{line}");
                let of = |op| seen.get(&((*function).to_owned(), op)).map(String::as_str);
                assert_eq!(of("sqrt"), Some(&*format!("Mul helpers.hlsl:9 < {call}")), "{target} {level}: {seen:?}");
                assert_eq!(of("exp"), Some(&*format!("inner helpers.hlsl:5 < Mul helpers.hlsl:9 < {call}")), "{target} {level}: {seen:?}");
            }
            let known = variables(&dir, "out.dxil");
            for (function, variable) in [("Main", "z"), ("Mul", "x"), ("inner", "w")] {
                assert!(known.contains(&(function.into(), variable.into())), "{target} {level}: {known:?}");
            }
            if level == "-O3" {
                assert!(
                    !m.funcs.values().filter_map(|f| f.body.as_ref()).any(|b| b.insts.values().any(|i| matches!(i.op, Op::Alloca { .. })))
                );
            }
        }
    }
}

/// A change of the caller's variable by a call is described at the line of the change.
#[test]
fn variables_that_become_values_are_said() {
    let dxc = match Dxc::load() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    let dir = folder("debug/values");
    for (name, text) in [("helpers", HELPERS), ("shaders", SHADERS)] {
        let done = dxc.compile(text, &format!("{name}.hlsl"), &["-T", "lib_6_6", "-Zi", "-Qembed_debug", "-validator-version", "1.6"]);
        std::fs::write(dir.join(format!("{name}.dxil")), done.object.unwrap_or_else(|| panic!("{}", done.diagnostics))).expect("a file");
    }
    good(&dir, &["link", "-T", "lib_6_6", "helpers.dxil", "shaders.dxil", "-Fo", "out.dxil"]);
    let text = listing(&dir, "out.dxil");
    // `y` of the caller is the sum that the helper stores into its parameter.
    let of_caller = text.lines().find(|l| l.contains("dbg.value(metadata float %") && l.contains("var:\"y\"") && l.contains("func:\"RG\""));
    let value = of_caller.and_then(|l| l.split_once("metadata float ")?.1.split_once(',')).unwrap_or_else(|| panic!("{text}")).0;
    let body = text.split_once("@\"\\01?RG@@").expect("the function").1;
    let sum = body.lines().find(|l| l.trim_start().starts_with(&format!("{value} = "))).expect("the value");
    assert!(sum.contains("fadd"), "{sum}");
}

/// What comes from a library without debug information is where it is called.
#[test]
fn what_has_no_place_is_where_it_is_called() {
    let dir = folder("debug/without");
    crate::tools::compile_to(&dir, "helpers.dxil", "helpers", HELPERS, &["-T", "lib_6_6"]);
    crate::tools::compile_to(&dir, "shaders.dxil", "shaders", SHADERS, &["-T", "lib_6_6", "-Zi", "-Qembed_debug"]);
    for target in ["lib_6_6", "cs_6_6"] {
        good(&dir, &["link", "-T", target, "-E", "Main", "helpers.dxil", "shaders.dxil", "-Fo", "out.dxil"]);
        let m = module(&read(&dir, "out.dxil"), FourCc::ILDB);
        let lookup = Lookup::new(&m, &m);
        let mut found = 0;
        for (func, i) in instructions(&m) {
            let body = m.funcs[func].body.as_ref().expect("a body");
            let Op::Call { args, .. } = body.insts[i].op else { continue };
            let is_root = body.values(args).first().and_then(|&v| m.int_of(v)) == Some(24);
            if !is_root || container::rdat::unmangle(&m.funcs[func].name) != "Main" {
                continue;
            }
            found += 1;
            let chain: Vec<_> = lookup.chain(func, i).into_iter().map(|p| format!("{} {}:{}", p.function, p.file, p.line)).collect();
            assert_eq!(chain, ["Main shaders.hlsl:9"], "{target}");
        }
        assert_eq!(found, 1, "{target}");
    }
}
