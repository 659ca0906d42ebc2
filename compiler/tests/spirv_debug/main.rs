//! Debug information in SPIR-V: it is valid, changes no code, and a debugger finds in it every line with code, every local variable with
//! its type, scopes and inlined calls.

mod read;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use read::{Local, Module};
use rtc::{BufferLayout, DebugKind, Environment, OptLevel, Options, Product, Profile, Ser, SpirvDebug, Target};
use rtc_dxil_container::metadata::debug_lookup::Lookup;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::{Container, FourCc};
use rtc_dxil_module::{Op, TypeKind, Value, bitcode};
use rtc_oracles::selection::Filter;
use rtc_oracles::{SpirvVal, skip};

/// A source: its name and text.
type Source = (String, String);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// Options of a source whose first line has arguments.
fn options(text: &str) -> Options {
    let first = text.lines().find(|l| l.contains("-T ")).unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().collect();
    let after = |flag: &str| words.iter().position(|w| *w == flag).and_then(|n| words.get(n + 1).copied());
    let mut o = Options::new(Profile::parse(after("-T").unwrap_or("lib_6_3")).expect("a profile"));
    o.entry = after("-E").unwrap_or("main").into();
    o.native_16bit = words.contains(&"-enable-16bit-types");
    o.defines.extend(after("-D").map(|name| rtc::Define { name: name.into(), value: None }));
    o.warnings.none = true;
    (o.spirv.environment, o.target, o.vulkan.layout) = (Environment::named("vulkan1.3"), Target::Spirv, Some(BufferLayout::DX));
    o
}

fn with(o: &Options, values: &[&str], level: OptLevel) -> Options {
    let mut o = o.clone();
    o.spirv.debug = SpirvDebug::of(values.iter().copied()).expect("known values");
    o.level = level;
    o
}

#[track_caller]
fn compile((name, text): &Source, o: &Options) -> Vec<u32> {
    let c = rtc::compile(name, text.as_bytes(), &mut rtc::Disk, o);
    match c.product {
        Some(Product::Spirv(module)) => module.words,
        _ => panic!("{name}: {:?}", c.diagnostics),
    }
}

/// Sources with every construct that debug information knows.
fn constructs() -> Vec<Source> {
    let one = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    vec![
        one("shapes.hlsl", include_str!("../debug/shapes.hlsl")),
        one("inlined.hlsl", include_str!("../debug/inlined.hlsl")),
        one("library.hlsl", include_str!("../debug/library.hlsl")),
    ]
}

/// Those, the samples, and some of the shaders that are run.
fn sources() -> Vec<Source> {
    let mut all = constructs();
    let wanted = Filter::new("RTC_SAMPLES");
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(root().join("samples")).expect("the folder of samples") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        paths.push(root().join("samples").join(&name).join(format!("{name}.hlsl")));
    }
    for name in ["aggregates", "control", "copy_in_copy_out", "inout_aliasing", "long_vectors", "lvalues", "matrices", "queries", "rays"] {
        paths.push(root().join("lit-tests/tests/run").join(format!("{name}.hlsl")));
    }
    paths.sort();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if wanted.takes(&name)
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            all.push((path.to_string_lossy().into_owned(), text));
        }
    }
    wanted.must_have_matched();
    all
}

const LEVELS: [OptLevel; 2] = [OptLevel::O0, OptLevel::O3];

#[test]
fn it_is_valid_and_changes_no_code() {
    let validator = SpirvVal::load();
    if let Err(m) = &validator {
        skip::skip(m.clone());
    }
    for source in sources() {
        for level in LEVELS {
            let o = options(&source.1);
            let plain = Module::read(&compile(&source, &with(&o, &[], level)));
            for values in [&["line", "tool"][..], &["vulkan-with-source"], &["rich-with-source"], &["vulkan-with-source-test"]] {
                let words = compile(&source, &with(&o, values, level));
                if let Ok(validator) = &validator
                    && let Err(e) = validator.validate(&words)
                {
                    panic!("{} {level:?} {values:?}: {e}", source.0);
                }
                let listing = rtc::dis::disassemble(&words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<_>>()).expect("a module");
                let unnamed = listing
                    .lines()
                    .find(|l| l.contains("OpExtInst ") && l.split_whitespace().nth(5).is_none_or(|n| n.parse::<u32>().is_ok()));
                assert_eq!(unnamed, None, "{}", source.0);
                let debug = Module::read(&words);
                let first = plain.code.iter().zip(&debug.code).position(|(a, b)| a != b);
                let first = first.map_or(String::new(), |n| format!(" from {:?} and {:?} on", plain.code[n], debug.code[n]));
                assert!(plain.code == debug.code, "{} {level:?} {values:?}: the code is different{first}", source.0);
            }
        }
    }
}

#[test]
fn scopes_nest_and_texts_are_whole() {
    for source in sources() {
        for level in LEVELS {
            for values in ["vulkan-with-source", "vulkan-with-source-test", "rich-with-source"] {
                let mut m = Module::read(&compile(&source, &with(&options(&source.1), &[values], level)));
                m.check_scopes();
                assert!(m.wrong.is_empty(), "{} {level:?} {values}: {:#?}", source.0, m.wrong);
                if values != "rich-with-source" {
                    assert!(m.sources()[&source.0] == source.1, "{} {values}", source.0);
                }
            }
        }
    }
}

/// The lines of instructions in the DXIL of a source, in these functions.
fn of_dxil(source: &Source, level: OptLevel, functions: &BTreeSet<String>) -> BTreeSet<(String, u32)> {
    let mut o = options(&source.1);
    (o.target, o.level) = (Target::Dxil, level);
    (o.debug.kind, o.debug.embed, o.debug.named) = (DebugKind::Full, true, true);
    let c = rtc::compile(&source.0, source.1.as_bytes(), &mut rtc::Disk, &o);
    let Some(Product::Dxil(bytes)) = c.product else { panic!("{}: {:?}", source.0, c.diagnostics) };
    let part = Container::parse(&bytes).expect("a container").require(FourCc::ILDB).expect("the part").to_vec();
    let bits = Program::read("program", &part).expect("a program").bitcode.to_vec();
    let m = bitcode::read(&bits).expect("a module");
    let lookup = Lookup::new(&m, &m);
    let mut out = BTreeSet::new();
    for (func, f) in &m.funcs {
        let Some(body) = &f.body else { continue };
        for &i in body.blocks.values().flatten() {
            // Handles and ray queries are variables in SPIR-V, which need no code.
            let callee = match body.insts[i].op {
                Op::Call { callee: Value::Func(callee), .. } => m.funcs[callee].name.to_string(),
                _ => String::new(),
            };
            let handle = callee.starts_with("dx.op.") && (callee.contains("Handle") || callee.contains("allocateRayQuery"));
            if !handle && !matches!(m.types[body.insts[i].ty], TypeKind::Named { .. }) {
                let place = lookup.place(func, i).filter(|at| functions.contains(&at.function));
                out.extend(place.map(|at| (at.file, at.line)));
            }
        }
    }
    out
}

/// Lines of everything that has code in DXIL have code in SPIR-V: both come from one table.
#[test]
fn every_line_with_code_is_stepped_through() {
    let mut seen = 0;
    for source in sources() {
        for level in LEVELS {
            let mut o = options(&source.1);
            // Hit objects that are lowered become other shaders, in which calls of functions of theirs are nothing.
            o.vulkan.ser = Ser::Ext;
            let read = |values| Module::read(&compile(&source, &with(&o, &[values], level)));
            let (rich, plain) = (read("vulkan-with-source"), read("line"));
            // A library in DXIL has functions, too, that are no shaders.
            let theirs = of_dxil(&source, level, &rich.chains.iter().flatten().cloned().collect());
            for (values, ours) in [("line", plain.lines), ("vulkan-with-source", rich.lines)] {
                let missing: Vec<_> = theirs.difference(&ours).collect();
                // Of long programs some operations are one instruction less in SPIR-V, and so a line may have none.
                let most = if constructs().contains(&source) { 0 } else { theirs.len() / 50 };
                assert!(missing.len() <= most, "{} {level:?} {values}: no code of lines {missing:?}", source.0);
                seen += ours.len();
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

/// The lines of a source that end in a comment with this text.
fn marked(text: &str, mark: &str) -> BTreeSet<u32> {
    text.lines().zip(1..).filter(|(l, _)| l.trim_end().ends_with(mark)).map(|(_, n)| n).collect()
}

#[test]
fn inlined_calls_are_remembered() {
    let source = &constructs()[1];
    for level in LEVELS {
        let m = Module::read(&compile(source, &with(&options(&source.1), &["vulkan-with-source"], level)));
        let chain = |names: &[&str]| m.chains.contains(&names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>());
        assert!(chain(&["main"]) && chain(&["Step", "Fill", "main"]), "{level:?}: {:?}", m.chains);
        assert!(m.chains.iter().any(|c| c[0].starts_with("Put<") && c[1..] == ["Fill", "main"]), "{level:?}: {:?}", m.chains);
        let stores = marked(&source.1, "// store");
        let lines: BTreeSet<u32> = m.lines.iter().map(|l| l.1).collect();
        assert!(stores.is_subset(&lines), "{level:?}: {stores:?} {lines:?}");
    }
}

/// Declarations of local variables in a source: name and line. Of lines with `TYPE NAME =`, `TYPE NAME;` and the parameters of functions.
fn declarations(text: &str) -> BTreeSet<(String, u32)> {
    let types =
        ["float", "float2", "float3", "float4", "int", "uint", "uint2", "uint3", "bool", "Shape", "Plain", "Scoped", "Cell", "RayDesc"];
    let mut out = BTreeSet::new();
    let mut depth = 0;
    let mut in_function = false;
    for (line, n) in text.lines().zip(1..) {
        if depth == 0 {
            // What is exported without being a shader is no code in SPIR-V.
            in_function = line.contains('(') && !line.contains(';') && !line.starts_with("export ");
        }
        let words: Vec<&str> = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty()).collect();
        for pair in words.windows(2) {
            let follows =
                line.find(&format!("{} {}", pair[0], pair[1])).map(|at| line[at + pair[0].len() + 1 + pair[1].len()..].trim_start());
            let declares = follows.is_some_and(|rest| rest.starts_with([';', '=', ',', ')', ':', '[']) && !rest.starts_with("=="));
            if in_function && types.contains(&pair[0]) && declares {
                out.insert((pair[1].to_owned(), n));
            }
        }
        depth += line.matches('{').count() as i32 - line.matches('}').count() as i32;
    }
    out
}

#[test]
fn every_local_is_found() {
    for source in constructs() {
        for level in LEVELS {
            for values in ["vulkan-with-source", "rich"] {
                let mut m = Module::read(&compile(&source, &with(&options(&source.1), &[values], level)));
                let found: BTreeSet<(String, u32)> = m.locals().into_iter().map(|l| (l.name, l.line)).collect();
                let all = declarations(&source.1);
                assert!(all.len() >= 5, "{}: {all:?}", source.0);
                let missing: Vec<_> = all.difference(&found).collect();
                assert!(missing.is_empty(), "{} {level:?} {values}: {missing:?} of {found:?}", source.0);
            }
        }
    }
}

#[test]
fn locals_have_types_and_values() {
    let source = &constructs()[0];
    for values in ["vulkan-with-source", "rich-with-source"] {
        let mut m = Module::read(&compile(source, &with(&options(&source.1), &[values], OptLevel::O0)));
        let all = m.locals();
        let of = |name: &str| all.iter().find(|l| l.name == name && l.function == "main").map(|l| l.ty.clone()).unwrap_or_default();
        for (name, ty) in [
            ("id", "uint3"),
            ("e", "Plain"),
            ("h", "min16float"),
            ("flag", "bool"),
            ("wide", "uint64_t"),
            ("q", "In { int x @0 }"),
            ("same", "@RWByteAddressBuffer"),
            ("pair", "Pair<int, 4> { int a @0, float[4] b @32 }"),
            ("one", "float"),
        ] {
            assert_eq!(of(name), ty, "{values}: {name}");
        }
        let shape = of("many");
        assert!(shape.starts_with("Shape { Base { float a @0 } Base @0, float3 p @32, uint low @128, uint high @131, "), "{shape}");
        assert!(shape.ends_with("float2[2] v @352 }[2]"), "{shape}");
        let matrix = if values == "rich-with-source" { "float[2][3] m" } else { "float3[2] m" };
        assert!(shape.contains(matrix), "{shape}");
        // Without optimisation, what is written has a place or a value.
        let located: BTreeSet<&str> = m.located.iter().filter(|l| l.function == "main").map(|l| l.name.as_str()).collect();
        for name in ["s", "many", "e", "ec", "m", "pair", "n", "q", "one", "h", "flag", "wide", "acc", "inside", "i", "z", "total"] {
            assert!(located.contains(name), "{values}: `{name}` has no value: {located:?}");
        }
        let globals = m.globals();
        assert_eq!(globals["o"], ("@RWByteAddressBuffer".to_owned(), true), "{globals:?}");
        assert_eq!(globals["SEVEN"], ("const uint".to_owned(), true));
        assert_eq!(globals["shared_values"], ("float[64]".to_owned(), true));
    }
}

#[test]
fn parameters_have_numbers() {
    let source = &constructs()[1];
    let mut m = Module::read(&compile(source, &with(&options(&source.1), &["vulkan"], OptLevel::O3)));
    let all = m.locals();
    let local =
        |function: &str, name: &str, line, ty: &str, arg| Local { function: function.into(), name: name.into(), line, ty: ty.into(), arg };
    for expected in [
        local("Step", "x", 9, "uint", 1),
        local("Fill", "c", 17, "Cell { uint at @0, uint value @32 }", 1),
        local("Fill", "last", 17, "uint", 2),
        local("main", "i", 24, "uint", 1),
        local("main", "last", 26, "uint", 0),
    ] {
        assert!(all.contains(&expected), "{expected:?} is not in {all:#?}");
    }
    // Each is one, however often its function was inlined.
    assert_eq!(all.iter().filter(|l| l.function == "Step").count(), 1);
    assert!(m.sources().values().all(String::is_empty), "`vulkan` is without texts");
}
