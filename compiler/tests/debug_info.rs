//! Debug information (`-Zi`): it does not change the code, its lines and variables equal those of the reference compiler, and LLVM and the reference
//! tools read it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rtc::{DebugKind, NamedBy, NoIncludes, OptLevel, Options, Product, Profile, Target};
use rtc_dxil_container::hash::ShaderHash;
use rtc_dxil_container::metadata::debug_lookup::Lookup;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::{Container, FourCc, debug_name, digest};
use rtc_dxil_dis as dis;
use rtc_dxil_module::bitcode;
use rtc_dxil_module::{AttrKind, ConstKind, FUNCTION_INDEX, Func, Inst, Meta, MetaNode, Module, Op, Value};
use rtc_oracles::selection::Filter;
use rtc_oracles::{Dxc, Dxv, Llvm, facts, skip};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// Options of a source whose first line has arguments.
fn options(text: &str) -> Options {
    let first = text.lines().next().unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().collect();
    let after = |flag: &str| words.iter().position(|w| *w == flag).and_then(|n| words.get(n + 1).copied());
    let mut o = Options::new(Profile::parse(after("-T").unwrap_or("lib_6_3")).expect("a profile"));
    o.entry = after("-E").unwrap_or("main").into();
    if words.contains(&"-enable-payload-qualifiers") {
        o.payload_qualifiers = Some(true);
    }
    o.warnings.none = true;
    o
}

fn with_debug(o: &Options) -> Options {
    let mut o = o.clone();
    (o.debug.kind, o.debug.embed, o.debug.named) = (DebugKind::Full, true, true);
    o
}

#[track_caller]
fn compile(name: &str, text: &str, o: &Options) -> Vec<u8> {
    let c = rtc::compile(name, text.as_bytes(), &mut rtc::Disk, o);
    match c.product {
        Some(Product::Dxil(bytes)) => bytes,
        _ => panic!("{name}: {:?}", c.diagnostics),
    }
}

fn part(container: &[u8], name: FourCc) -> Vec<u8> {
    Container::parse(container).expect("a container").require(name).expect("the part").to_vec()
}

fn bits(container: &[u8], name: FourCc) -> Vec<u8> {
    Program::read("program", &part(container, name)).expect("a program").bitcode.to_vec()
}

#[track_caller]
fn module(container: &[u8], name: FourCc) -> Module {
    bitcode::read(&bits(container, name)).expect("a module")
}

/// Sources with every construct that debug information knows.
const SOURCES: [(&str, &str); 3] = [
    ("shapes.hlsl", include_str!("debug/shapes.hlsl")),
    ("inlined.hlsl", include_str!("debug/inlined.hlsl")),
    ("library.hlsl", include_str!("debug/library.hlsl")),
];

/// Those and the samples.
fn sources() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = SOURCES.map(|(n, t)| (n.to_string(), t.to_string())).to_vec();
    let wanted = Filter::new("RTC_SAMPLES");
    let samples = std::fs::read_dir(root().join("samples")).expect("the folder of samples");
    let mut names: Vec<String> = samples.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    for name in names.into_iter().filter(|n| wanted.takes(n)) {
        let path = root().join("samples").join(&name).join(format!("{name}.hlsl"));
        if let Ok(text) = std::fs::read_to_string(&path) {
            all.push((path.to_string_lossy().into_owned(), text));
        }
    }
    wanted.must_have_matched();
    all
}

#[test]
fn debug_information_does_not_change_code() {
    let llvm = Llvm::find();
    if let Err(m) = &llvm {
        skip::skip(m.clone());
    }
    for (name, text) in sources() {
        for level in [OptLevel::O0, OptLevel::O3] {
            let mut o = options(&text);
            o.level = level;
            let plain = compile(&name, &text, &o);
            let debug = compile(&name, &text, &with_debug(&o));
            for p in [FourCc::DXIL, FourCc::STAT, FourCc::HASH] {
                assert!(part(&plain, p) == part(&debug, p), "{name} {level:?}: {p:?} differs");
            }
            let code = bits(&debug, FourCc::ILDB);
            let m = bitcode::read(&code).expect("the debug module");
            // Nothing is lost in reading and writing it, and its listing says something.
            let again = bitcode::write(&m);
            assert!(again == code, "{name} {level:?}: written again it is different");
            assert!(bitcode::read(&again).expect("a module") == m, "{name}");
            assert!(dis::module_text(&m).contains("!DILocation(line: "), "{name}");
            if let Ok(llvm) = &llvm
                && let Err(e) = llvm.verify(&code)
            {
                panic!("{name} {level:?}: {e}");
            }
        }
    }
}

#[test]
fn validators_take_debug_information() {
    let dxc = Dxc::load();
    let dxv = Dxv::find();
    if let Err(m) = &dxc {
        skip::skip(m.clone());
    }
    for (name, text) in SOURCES {
        for level in [OptLevel::O0, OptLevel::O3] {
            let mut o = with_debug(&options(text));
            (o.level, o.dxil.validator) = (level, rtc::Version::new(1, 6));
            let bytes = compile(name, text, &o);
            if let Ok(dxc) = &dxc
                && let Err(e) = dxc.validate(&bytes)
            {
                panic!("{name} {level:?}: {e}");
            }
            if let Ok(dxv) = &dxv
                && let Err(e) = dxv.validate(&bytes)
            {
                panic!("{name} {level:?}: {e}");
            }
        }
    }
}

/// The calls of DXIL operations that do something or may: function, opcode, the lines by which they came there.
fn effects(m: &Module) -> BTreeSet<(String, i64, Vec<u32>)> {
    let lookup = Lookup::new(m, m);
    let mut out = BTreeSet::new();
    for (func, f) in &m.funcs {
        let Some(body) = &f.body else { continue };
        for &i in body.blocks.values().flatten() {
            let Op::Call { callee: Value::Func(callee), args, .. } = body.insts[i].op else { continue };
            let callee = &m.funcs[callee];
            let pure = [AttrKind::ReadNone, AttrKind::ReadOnly].iter().any(|&k| m.attrs.has(callee.attrs, FUNCTION_INDEX, k));
            let Some(Value::Const(c)) = body.values(args).first().copied() else { continue };
            let ConstKind::Int(opcode) = m.consts[c].kind else { continue };
            if callee.name.starts_with("dx.op.") && !pure {
                let lines: Vec<u32> = lookup.chain(func, i).iter().map(|p| p.line).collect();
                assert!(!lines.is_empty(), "{} {} has no place", f.name, callee.name);
                out.insert((f.name.to_string(), opcode, lines));
            }
        }
    }
    out
}

/// The described variables: the function's name, theirs, their line and number.
fn variables(m: &Module) -> BTreeSet<(String, String, u64, u64)> {
    const LOCAL_VARIABLE: u32 = 28;
    const SUBPROGRAM: u32 = 21;
    let fields = |at: Meta| match &m.meta[at] {
        MetaNode::Debug { code, fields } => (*code, fields.to_vec()),
        _ => (0, Vec::new()),
    };
    let text = |id: u64| {
        let meta = id.checked_sub(1).map(|id| Meta::from_u32(id as u32));
        meta.and_then(|at| m.meta.bytes(at)).map_or(String::new(), |b| String::from_utf8_lossy(b).into_owned())
    };
    let mut out = BTreeSet::new();
    for f in m.funcs.values() {
        let Some(body) = &f.body else { continue };
        for &i in body.blocks.values().flatten() {
            let Op::Call { callee: Value::Func(callee), args, .. } = body.insts[i].op else { continue };
            if !m.funcs[callee].name.starts_with("llvm.dbg.") {
                continue;
            }
            let args = body.values(args);
            let Some(&Value::Meta(at)) = args.get(args.len() - 2) else { continue };
            let (code, v) = fields(at);
            assert_eq!(code, LOCAL_VARIABLE);
            let mut scope = v[2];
            let name = loop {
                let (code, s) = fields(Meta::from_u32(scope as u32 - 1));
                match code {
                    SUBPROGRAM => break text(s[2]),
                    _ => scope = s[1],
                }
            };
            // Variables of inlined functions are compared by name only.
            let number = if text(v[3]).starts_with("global.") { 0 } else { v[7] };
            let line = if text(v[3]) == "this" { 0 } else { v[5] };
            out.insert((name, text(v[3]), line, number));
        }
    }
    out
}

/// Lines of everything that has an effect, and the variables, as in containers of the newest reference compiler.
#[test]
fn lines_and_variables_equal_the_reference() {
    let seen = places_and_variables_equal(&facts::reference(), &[("cs_query", 3), ("rt_basic", 3), ("rt_inline", 3)]);
    assert!(seen > 40, "{seen}");
}

/// The same in the stages of the graphics pipeline.
#[test]
fn lines_and_variables_of_stages_equal_the_reference() {
    match facts::shared_dir() {
        Ok(shared) => {
            let dir = shared.join("reference/graphics");
            let seen = places_and_variables_equal(&dir, &[("lib_graphics", 3), ("ps_query", 3), ("vs_full", 1)]);
            assert!(seen > 40, "{seen}");
        }
        Err(m) => skip::skip(m),
    }
}

/// Compares shaders of a folder, each with at least so many places, with the reference's containers in it; how many variables were compared.
fn places_and_variables_equal(dir: &Path, shaders: &[(&str, usize)]) -> usize {
    let mut seen = 0;
    for &(name, places) in shaders {
        let text = facts::read(&dir.join(format!("{name}.hlsl")));
        let theirs = std::fs::read(dir.join(format!("{name}.Zi.dxil"))).expect("the container");
        let theirs = module(&theirs, FourCc::ILDB);
        for level in [OptLevel::O0, OptLevel::O3] {
            let mut o = with_debug(&options(&text));
            o.level = level;
            let ours = module(&compile(&format!("{name}.hlsl"), &text, &o), FourCc::ILDB);
            let (a, b) = (effects(&ours), effects(&theirs));
            assert_eq!(a, b, "{name} {level:?}: places of what has an effect");
            assert!(b.len() >= places, "{name}: {} places", b.len());
            let (a, b) = (variables(&ours), variables(&theirs));
            let missing: Vec<_> = b.difference(&a).collect();
            assert!(missing.is_empty(), "{name} {level:?}: variables that are missing: {missing:?}");
            seen += b.len();
        }
    }
    seen
}

/// The part `DXIL` says nothing of places, the part `ILDB` says where its instructions come from.
#[test]
fn code_is_looked_up_in_the_debug_module() {
    let (name, text) = SOURCES[1];
    let bytes = compile(name, text, &with_debug(&options(text)));
    let (code, debug) = (module(&bytes, FourCc::DXIL), module(&bytes, FourCc::ILDB));
    let lookup = Lookup::new(&code, &debug);
    let mut found = Vec::new();
    let visit = |func: Func, i: Inst, found: &mut Vec<(u32, String, String)>| {
        let body = code.funcs[func].body.as_ref().expect("a body");
        let Op::Call { callee: Value::Func(callee), .. } = body.insts[i].op else { return };
        if code.funcs[callee].name.contains("rawBufferStore") {
            let p = lookup.place(func, i).expect("a place");
            found.push((p.line, p.function, p.file));
        }
    };
    for (func, f) in &code.funcs {
        for &i in f.body.iter().flat_map(|b| b.blocks.values().flatten()) {
            visit(func, i, &mut found);
        }
    }
    // Lines of the stores, marked in the source.
    let marked: Vec<u32> = (1..).zip(text.lines()).filter(|(_, l)| l.contains("// store")).map(|(n, _)| n).collect();
    let lines: BTreeSet<u32> = found.iter().map(|f| f.0).collect();
    assert_eq!(lines, marked.into_iter().collect(), "{found:?}");
    assert!(found.iter().any(|f| f.1 == "Put<unsigned int>") && found.iter().all(|f| f.2 == name), "{found:?}");
    // A module that is another one's says nothing.
    let other = module(&compile("x", SOURCES[0].1, &with_debug(&options(SOURCES[0].1))), FourCc::ILDB);
    assert!(code.funcs.keys().all(|f| Lookup::new(&code, &other).place(f, Inst::from_u32(0)).is_none()));
}

#[test]
fn names_and_hashes() {
    let (name, text) = SOURCES[0];
    let o = with_debug(&options(text));
    let bytes = compile(name, text, &o);
    let hash = ShaderHash::read(&part(&bytes, FourCc::HASH)).expect("a hash");
    assert!(!hash.includes_source && hash.digest == digest::md5(&bits(&bytes, FourCc::DXIL)));
    assert_eq!(debug_name::read(&part(&bytes, FourCc::ILDN)).expect("a name"), hash.hex() + ".pdb");
    // By source: of the debug module.
    let mut by_source = o.clone();
    by_source.debug.by = NamedBy::Source;
    let bytes = compile(name, text, &by_source);
    let hash = ShaderHash::read(&part(&bytes, FourCc::HASH)).expect("a hash");
    assert!(hash.includes_source && hash.digest == digest::md5(&bits(&bytes, FourCc::ILDB)));
    // A comment is no code.
    let changed = compile(name, &format!("{text}// changed\n"), &by_source);
    assert!(part(&changed, FourCc::HASH) != part(&bytes, FourCc::HASH));
    let changed = compile(name, &format!("{text}// changed\n"), &o);
    assert!(part(&changed, FourCc::DXIL) == part(&bytes, FourCc::DXIL));
    // Slim: a name, but no module.
    let mut slim = o.clone();
    slim.debug.kind = DebugKind::Slim;
    let c = rtc::compile(name, text.as_bytes(), &mut NoIncludes, &slim);
    let Some(Product::Dxil(bytes)) = c.product else { panic!("{:?}", c.diagnostics) };
    assert!(Container::parse(&bytes).expect("a container").part(FourCc::ILDB).is_none());
    assert!(debug_name::read(&part(&bytes, FourCc::ILDN)).expect("a name").ends_with(".pdb"));
    let made = c.debug.expect("debug information");
    assert!(made.module.part.is_empty());
    assert_eq!(made.sources.files, [(name.to_string(), text.to_string())]);
    // Other targets have none.
    let mut spirv = o;
    spirv.target = Target::Spirv;
    assert!(rtc::compile(name, text.as_bytes(), &mut NoIncludes, &spirv).debug.is_none());
}

/// Sources whose places are strange.
#[test]
fn strange_places() {
    let body = "RWByteAddressBuffer o; [numthreads(1,1,1)] void main(uint i : SV_GroupIndex) {";
    let cases: [(&str, String, u32); 10] = [
        ("line", format!("{body}\n#line 77 \"no such file\"\no.Store(0, i);\n}}\n"), 77),
        ("line 0", format!("{body}\n#line 0\no.Store(0, i);\n}}\n"), 0),
        ("line huge", format!("{body}\n#line 2147483647\no.Store(0, i);\n}}\n"), 2_147_483_647),
        ("line empty name", format!("{body}\n#line 5 \"\"\no.Store(0, i);\n}}\n"), 5),
        ("macro", format!("#define S(a) o.Store( \\\n 0, a)\n{body}\n\nS(i);\n}}\n"), 5),
        ("macro of all", format!("#define ALL {body} {{ uint k = i; o.Store(0, k); }} }}\nALL\n"), 2),
        ("no newline at the end", format!("{body}\no.Store(0, i); }}"), 2),
        ("wide columns", format!("{body}\n{}o.Store(0, i); }}", " ".repeat(70_000)), 2),
        ("carriage returns", format!("{body}\r\no.Store(0, i);\r\n}}\r\n"), 2),
        ("beyond ASCII", format!("{body} /* \u{e4}\u{1f600} */\no.Store(0, i); }}"), 2),
    ];
    for (what, text, line) in cases {
        let mut o = with_debug(&Options::new(Profile::parse("cs_6_6").expect("a profile")));
        o.warnings.none = true;
        let bytes = compile(&format!("{what}.hlsl"), &text, &o);
        let m = module(&bytes, FourCc::ILDB);
        let lines: Vec<Vec<u32>> = effects(&m).into_iter().map(|e| e.2).collect();
        assert_eq!(lines, [vec![line]], "{what}");
    }
    // Bytes that are no text, and text that is no program.
    let o = with_debug(&Options::new(Profile::parse("lib_6_6").expect("a profile")));
    for bytes in
        [&b""[..], b"\0", b"// \xff\xfe\nfloat f() { return 1; }", b"static int x\0 = 3;", b"#line", b"#line 99999999999999999999\n"]
    {
        let c = rtc::compile("bytes.hlsl", bytes, &mut NoIncludes, &o);
        if let Some(Product::Dxil(made)) = c.product {
            let m = module(&made, FourCc::ILDB);
            assert!(m.meta.named("dx.source.contents").len() == 1);
        }
    }
}

/// All files are in it, each once, and the arguments.
#[test]
fn sources_are_embedded() {
    let files = rtc::Virtual::new([("a.hlsli", "uint a() { return 1; }\n"), ("d/b.hlsli", "#pragma once\nuint b() { return 2; }\n")]);
    let text = "#include \"a.hlsli\"\n#include \"d/b.hlsli\"\n#include \"d/b.hlsli\"\nRWByteAddressBuffer o;\n[numthreads(1,1,1)] void main() { o.Store(0, a() + b() + N); }\n";
    let mut o = with_debug(&Options::new(Profile::parse("cs_6_6").expect("a profile")));
    o.defines.push(rtc::Define { name: "N".into(), value: Some("3".into()) });
    o.args = ["-T", "cs_6_6", "-Zi"].map(String::from).to_vec();
    let mut files = files;
    let c = rtc::compile("main.hlsl", text.as_bytes(), &mut files, &o);
    let Some(Product::Dxil(bytes)) = c.product else { panic!("{:?}", c.diagnostics) };
    let m = module(&bytes, FourCc::ILDB);
    let strings = |name: &str| -> Vec<Vec<String>> {
        let text = |at: Option<Meta>| at.and_then(|a| m.meta.bytes(a)).map_or(String::new(), |b| String::from_utf8_lossy(b).into());
        m.meta.named(name).iter().map(|&n| m.meta.elems(n).iter().map(|&e| text(e)).collect()).collect()
    };
    let contents = strings("dx.source.contents");
    assert_eq!(contents.len(), 3, "{contents:?}");
    assert_eq!(contents[0], ["main.hlsl", text]);
    assert!(contents[1][0].ends_with("a.hlsli") && contents[2][0].ends_with("b.hlsli"), "{contents:?}");
    assert_eq!(strings("dx.source.defines"), [["N=3"]]);
    assert_eq!(strings("dx.source.mainFileName"), [["main.hlsl"]]);
    assert_eq!(strings("dx.source.args"), [["-T", "cs_6_6", "-Zi"]]);
}
