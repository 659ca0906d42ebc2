//! Preambles: a compilation that goes on from the includes of an earlier one makes what it makes alone, diagnostics too, wherever the
//! source is divided into a header and the rest, and whatever macros, files and options change in between.

use std::path::{Path, PathBuf};

use rtc::arguments::Invocation;
use rtc::{Compilation, Define, NoIncludes, Options, Product, Profile, Session, Style, Virtual};
use rtc_oracles::mutants::Random;
use rtc_oracles::selection::{Filter, number};

/// Functions that make a header large enough to have a preamble.
fn padding() -> String {
    let one = |n: u32| format!("#define HALF_{n}(x) ((x) * 0.5)\nstatic float padding_{n}(float x) {{ return HALF_{n}(x) + {n}.25; }}\n");
    (0..30).map(one).collect()
}

/// What a compilation says, makes and includes.
type Outcome = (Vec<String>, Option<Vec<u8>>, Vec<(String, u32)>);

fn outcome(c: Compilation) -> Outcome {
    let messages = c.diagnostics.iter().map(|d| rtc::render(&c.sources, d, Style::Rich)).collect();
    let includes = c.includes.into_iter().map(|i| (i.path, i.depth)).collect();
    (messages, c.product.map(Product::into_bytes), includes)
}

fn options(defines: &[&str]) -> Options {
    let mut o = Options::new(Profile::parse("lib_6_6").expect("a profile"));
    o.defines = defines.iter().map(|d| Define::parse(d)).collect();
    o
}

/// Compiles the source with each set of macros in a session, three times over, and alone. The number of preambles that were used.
fn same(files: &[(&str, &str)], source: &str, permutations: &[&[&str]]) -> u64 {
    let session = Session::new(Virtual::new(files.iter().copied()));
    for iteration in 0..3 {
        for defines in permutations {
            let o = options(defines);
            let shared = session.compile("main.hlsl", source.as_bytes(), &o).expect("it ends");
            let alone = rtc::compile("main.hlsl", source.as_bytes(), &mut Virtual::new(files.iter().copied()), &o);
            assert_eq!(outcome(shared), outcome(alone), "iteration {iteration}, {defines:?}\n{source}");
            let shared = session.preprocess("main.hlsl", source.as_bytes(), &o).expect("it ends");
            let alone = rtc::preprocess("main.hlsl", source.as_bytes(), &mut Virtual::new(files.iter().copied()), &o);
            assert_eq!(shared.0, alone.0, "iteration {iteration}, {defines:?}\n{source}");
            assert_eq!(outcome(shared.1), outcome(alone.1), "iteration {iteration}, {defines:?}\n{source}");
        }
    }
    session.statistics().preambles_saved
}

const USE: &str = "\nRWByteAddressBuffer Out : register(u0);\n[shader(\"raygeneration\")] void Main() { Out.Store(0, asuint(f(N))); }\n";

/// The header `a.h` with `text` in it, and a source that includes it.
fn with_header(text: &str, permutations: &[&[&str]]) -> u64 {
    let header = format!("{}{text}", padding());
    same(&[("a.h", &header)], &format!("#include \"a.h\"{USE}"), permutations)
}

#[test]
fn macros_that_the_header_does_not_mention_are_no_obstacle() {
    let permutations: &[&[&str]] = &[&["N=1"], &["N=2"], &["N=30000", "X"], &["Y=1", "N=4", "Z=f(a b)"], &["N=0.5f // five"]];
    // The first one is alone, the second one makes the preamble.
    assert_eq!(with_header("float f(float x) { return x + padding_3(x); }", permutations), 13);
}

#[test]
fn macros_that_the_header_mentions_select_the_preamble() {
    for text in [
        "#ifdef FAST\nfloat f(float x) { return x; }\n#else\nfloat f(float x) { return 2 * x; }\n#endif",
        "#if defined(FAST) && FAST > 1\nfloat f(float x) { return x; }\n#else\nfloat f(float x) { return 2 * x; }\n#endif",
        "#ifndef FAST\n#define FAST 7\n#endif\nfloat f(float x) { return FAST; }",
        "#undef FAST\nfloat f(float x) {\n#ifdef FAST\nreturn 1;\n#endif\nreturn 2; }",
        "#define FAST 3\nfloat f(float x) { return x + FAST; }",
        "#define SCALE FAST\nfloat FAST(float x) { return x; }\nfloat f(float x) { return SCALE(x); }",
        "#define GLUE(a, b) a ## b\nstatic float FAST = 2;\nfloat f(float x) { return GLUE(FA, ST) + x; }",
        "#if FAST == 0\nfloat f(float x) { return x; }\n#else\n#error fast\n#endif",
    ] {
        let permutations: &[&[&str]] =
            &[&["N=1"], &["N=2", "FAST=2"], &["N=3"], &["N=4", "FAST=sin"], &["FAST=2", "N=5"], &["N=6", "FAST=2"]];
        let hits = with_header(text, permutations);
        assert!(hits >= 4, "{hits}: {text}");
    }
}

#[test]
fn headers_that_no_preamble_can_end_with_are_read_again() {
    for text in [
        "float f(float x) { return x; }\nstruct Open {",
        "float f(float x) { return x; }\nstruct Open { float a; }",
        "float f(float x) { return x; }\n[shader(\"miss\")]",
        "float f(float x) { return x; }\ntemplate<typename T>",
        "float f(float x) { return x; }\nstatic const float a = 1",
        "float f(float x) { return x; }\nnamespace n {",
        "float f(float x) { return x; }\n#define OPEN (\nstatic float b = OPEN",
        "float f(float x) { return x; }\n/* no end",
        "float f(float x) { return x; }\nfloat wrong( { }",
        "float f(float x) { return y; }",
        "#include \"missing.h\"\nfloat f(float x) { return x; }",
    ] {
        let header = format!("{}{text}", padding());
        for rest in [USE.to_owned(), format!("}};{USE}"), format!(";{USE}"), format!("}}{USE}"), format!("void g() {{}}{USE}")] {
            same(&[("a.h", &header)], &format!("#include \"a.h\"\n{rest}"), &[&["N=1"], &["N=2"]]);
        }
    }
}

#[test]
fn what_the_header_declares_is_there() {
    for (header, rest) in [
        ("template<typename T> T twice(T x) { return x + x; } float f(float x) { return twice(x); }", "static int a = twice(N);"),
        (
            "namespace n { struct S { float a; float get() { return a; } }; } using namespace n; float f(float x) { return x; }",
            "namespace n { float more(S s) { return s.get(); } }",
        ),
        ("float f(float x); float g(float x) { return f(x) + 1; }", "float f(float x) { return x * N; }"),
        ("float f(float x) { return x; } float f(int x) { return 2 * x; }", "float f(uint x) { return 3 * x; }"),
        (
            "#pragma pack_matrix(row_major)\nstruct M { float3x4 m; }; float f(float x) { return x; }",
            "cbuffer C { float3x4 c; M d; } float h() { return c._12 + d.m._12; }",
        ),
        (
            "cbuffer C { float4 c; Texture2D<float4> t; } float loose; float f(float x) { return c.x + loose; }",
            "float loose_2; Texture2D<float4> u; float h() { return u[uint2(0, 0)].x + t[uint2(0, 0)].y + loose_2; }",
        ),
        (
            "static float counter = 1; static const float table[3] = { 1, 2, 3 }; float f(float x) { counter += x; return counter + table[1]; }",
            "float h() { return counter * table[N % 3]; }",
        ),
        (
            "#define V(n) value_##n\n#pragma warning(disable: 3206)\nstatic float V(1) = 1; float f(float x) { return x + V(1) + __COUNTER__ + __LINE__; }",
            "static float V(2) = __COUNTER__; float h() { float2 a = float4(1, 2, 3, 4); return a.x + V(2) + __LINE__; }",
        ),
        (
            "#pragma once\n#define ONCE\nstruct P { float4 c; }; float f(float x) { return x; }",
            "#include \"a.h\"\n[shader(\"miss\")] void Miss(inout P p) { p.c = N; }",
        ),
        (
            "#line 7 \"other.h\"\nfloat f(float x) { float2 a = float4(1, 2, 3, 4); return a.x * __LINE__; }",
            "float h() { int3 a = float4(1, 2, 3, 4); return a.x; }",
        ),
        (
            "struct S { float4 a; }; ; enum E { A, B = 3 }; typedef S T; float f(float x) { T t = { x, x, x, x }; return t.a.y + B; }",
            "enum class F { A }; float h(E e, S s) { return s.a.x + A; }",
        ),
        ("GlobalRootSignature Root = { \"UAV(u0)\" }; float f(float x) { return x; }", "RaytracingShaderConfig Config = { 16, 8 };"),
        (
            "groupshared float shared_1[4]; float f(float x) { return x + (int)\"a\"[0]; }",
            "groupshared float shared_2[4]; float h() { return (int)\"ab\"[1]; }",
        ),
        (
            "interface I { float go(); }; class K : I { float v; float go() { return v; } }; float f(float x) { K k; k.v = x; return k.go(); }",
            "class L : K { float w; }; float h() { L l = { 1, 2 }; return l.go(); }",
        ),
        (
            "template<int n> struct A { static float get() { return n; } }; template<> struct A<2> { static float get() { return 5; } }; float f(float x) { return A<3>::get(); }",
            "float h() { return A<2>::get() + A<N>::get(); }",
        ),
    ] {
        let header = format!("{}{header}", padding());
        let source = format!("#include \"a.h\"\n{rest}{USE}");
        let hits = same(&[("a.h", &header)], &source, &[&["N=1"], &["N=2"], &["N=3"]]);
        assert!(hits >= 7, "{hits}: {source}");
    }
}

#[test]
fn sources_of_all_shapes_have_preambles() {
    let header = format!("#ifndef A\n#define A\n{}float f(float x) {{ return x; }}\n#endif\n", padding());
    let other = "float g(float x) { return x + 1; }\n#ifdef N\nstatic float given = N;\n#endif\n";
    let files = [("a.h", header.as_str()), ("dir/b.h", other), ("dir/c.h", "#include \"b.h\"\nfloat h(float x) { return g(x); }")];
    for (source, hits) in [
        (format!("#ifndef MAIN\n#define MAIN\n#include \"a.h\"\n{USE}\n#endif\n"), 4),
        (format!("static float early = 1;\n#include \"a.h\"\n{USE}"), 4),
        (format!("#include \"a.h\"\n#include \"dir/c.h\"\n{USE}"), 2),
        (format!("#ifdef N\n#include \"a.h\"\n#endif\n#include \"a.h\"\n{USE}"), 2),
        (format!("#define HEADER \"a.h\"\n#include HEADER\n{USE}"), 4),
        (format!("#include \"A.H\"\n{USE}"), 4),
        (format!("#include <a.h>\n#if N > 1\n#include \"dir/b.h\"\n#endif\n{USE}"), 4),
        (format!("float two() {{ return N; }}\n#include \"a.h\"\n{USE}"), 2),
    ] {
        let found = same(&files, &source, &[&["N=1"], &["N=2"]]);
        assert!(found >= hits, "{found} < {hits}: {source}");
    }
}

#[test]
fn command_lines_that_need_a_report_are_read_whole() {
    let f = "float f(float x) { return x; }";
    let permutations: &[&[&str]] =
        &[&["N=1"], &["N=1", "N=2"], &["N=3"], &["N=4", "1=2"], &["N=5", "__spirv__=1"], &["N=6", "__HLSL_VERSION=7"], &["N=7"]];
    assert!(with_header(f, permutations) >= 6);
    with_header(
        f,
        &[&["N=1"], &["N=1 \\", "M=2"], &["N=2", "M=/* open", "K=1"], &["N=3"], &["N=\"a\nb\""], &["f(x)=x", "N=1"], &["defined=1", "N=1"]],
    );
    // Long command lines move everything that comes after them.
    let long = format!("LONG={}", "a".repeat(5000));
    assert!(with_header(f, &[&["N=1"], &[&long, "N=2"], &["N=3"], &[&long, "N=4"]]) >= 4);
}

#[test]
fn a_header_that_changes_is_read_again() {
    let (old, new) =
        (format!("{}float f(float x) {{ return x; }}", padding()), format!("{}float f(float x) {{ return 2 * x; }}", padding()));
    let source = format!("#include \"a.h\"{USE}");
    let session = Session::new(NoIncludes);
    let mut made = Vec::new();
    for text in [&old, &old, &old, &new, &old, &new, &new] {
        let mut files = Virtual::new([("a.h", text.as_str())]);
        let shared = session.job().includes(&mut files).compile("main.hlsl", source.as_bytes(), &options(&["N=1"])).expect("it ends");
        let alone = rtc::compile("main.hlsl", source.as_bytes(), &mut files, &options(&["N=1"]));
        let shared = outcome(shared);
        assert_eq!(shared, outcome(alone));
        made.push(shared.1);
    }
    assert!(made[0] == made[4] && made[3] == made[5] && made[0] != made[3]);
    assert!(session.statistics().preambles_saved >= 3, "{:?}", session.statistics());
    // A file that comes before the one that was found.
    let mut files = Virtual::new([("a.h", old.as_str()), ("dir/a.h", new.as_str())]);
    let mut o = options(&["N=1"]);
    o.include_dirs = vec!["dir".into()];
    let session = Session::new(NoIncludes);
    let angled = source.replace("\"a.h\"", "<a.h>");
    for _ in 0..3 {
        session.job().includes(&mut files).compile("main.hlsl", angled.as_bytes(), &o).expect("it ends");
    }
    files.0.remove("dir/a.h");
    let shared = session.job().includes(&mut files).compile("main.hlsl", angled.as_bytes(), &o).expect("it ends");
    assert_eq!(outcome(shared), outcome(rtc::compile("main.hlsl", angled.as_bytes(), &mut files, &o)));
}

/// Preambles for different contents of a header are compared with what is there; the header is read once all the same.
#[test]
fn a_compilation_reads_a_file_once() {
    let session = Session::new(NoIncludes);
    let source = format!("#include \"a.h\"{USE}");
    for n in [1, 1, 2, 2, 3, 1, 4] {
        let header = format!("{}float f(float x) {{ return {n} * x; }}", padding());
        let mut reads = 0;
        let mut files = rtc::Callback(|path: &str| {
            reads += u32::from(path == "a.h");
            Ok((path == "a.h").then(|| header.clone().into_bytes()))
        });
        let c = session.job().includes(&mut files).compile("main.hlsl", source.as_bytes(), &options(&["N=1"])).expect("it ends");
        assert!(c.product.is_some());
        assert_eq!(reads, 1, "{n}");
    }
}

#[test]
fn preambles_that_are_never_of_use_are_given_up() {
    let header = format!("{}float f(float x) {{ return N; }}", padding());
    let session = Session::new(Virtual::new([("a.h", header.as_str())]));
    let source = format!("#include \"a.h\"{USE}");
    for n in 0..40 {
        let c = session.compile("main.hlsl", source.as_bytes(), &options(&[&format!("N={n}")])).expect("it ends");
        assert!(c.product.is_some());
    }
    assert_eq!(session.statistics().preambles_saved, 0);
}

/// All shaders of the lit tests.
fn shaders() -> Vec<PathBuf> {
    fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(dir).expect("a folder").map(|e| e.expect("an entry").path()) {
            if entry.is_dir() {
                walk(&entry, out);
            } else if entry.extension().is_some_and(|e| e == "hlsl") {
                out.push(entry);
            }
        }
    }
    let mut out = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../lit-tests/tests"), &mut out);
    out.sort();
    out
}

/// The options of the first compilation of a lit test that names no other file.
fn lit_options(text: &str) -> Option<Options> {
    let run = text.lines().filter_map(|l| l.split_once("RUN:")).map(|l| l.1).find(|l| l.contains("%rtc -") && l.contains("-T"))?;
    let command = run.split_once("%rtc ")?.1.split(['|', '>', '<', '&', ';']).next()?.trim_end_matches(" 2");
    let mut args = Vec::new();
    let mut words = command.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "%s" => {}
            "-Fo" | "-Fc" | "-Fd" | "-Fe" | "-Fre" | "-Fsh" | "-P" | "-Fi" => _ = words.next(),
            _ if word.contains(['%', '"', '\'', '$']) => return None,
            _ => args.push(word),
        }
    }
    match Options::parse_args_of("main.hlsl", &args, &mut NoIncludes) {
        Ok(Invocation::Compile(request)) => Some(request.options),
        _ => None,
    }
}

/// Each lit test is divided at a random line into a header and the rest, and compiled with other macros each time.
/// `RTC_PREAMBLES` is how many times; `RTC_SHADER` selects shaders.
#[test]
fn shaders_divided_anywhere_are_the_same() {
    let (iterations, filter) = (number("RTC_PREAMBLES", 1), Filter::new("RTC_SHADER"));
    let (mut compared, mut saved) = (0, 0);
    for (n, path) in shaders().iter().enumerate() {
        let text = std::fs::read_to_string(path).expect("a shader");
        let name = path.to_string_lossy();
        if !filter.takes(&name) {
            continue;
        }
        let Some(options) = lit_options(&text) else { continue };
        for iteration in 0..iterations {
            let mut r = Random::new(n as u64 * 1000 + iteration);
            let mut starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
            if r.below(4) != 0 {
                // Where a declaration probably begins.
                starts.retain(|&i| i == 0 || text[i..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '['));
            }
            let (header, rest) = text.split_at(starts[r.below(starts.len())]);
            let header = format!("{}{header}", padding());
            let main = format!("#include \"head.h\"\n{rest}\nstatic const int permutation = PERMUTATION;\n");
            let mut files = Virtual::new([("head.h", header.as_str())]);
            let session = Session::new(files.clone());
            for p in ["1", "20", "300000"] {
                let mut o = options.clone();
                o.defines.push(Define::parse(&format!("PERMUTATION={p}")));
                let shared = session.compile("main.hlsl", main.as_bytes(), &o).expect("it ends");
                if p != "1" {
                    let alone = rtc::compile("main.hlsl", main.as_bytes(), &mut files, &o);
                    assert_eq!(outcome(shared), outcome(alone), "{name}, iteration {iteration}, permutation {p}");
                    let (shared, _) = session.preprocess("main.hlsl", main.as_bytes(), &o).expect("it ends");
                    assert_eq!(shared, rtc::preprocess("main.hlsl", main.as_bytes(), &mut files, &o).0, "{name}, iteration {iteration}");
                    compared += 1;
                }
            }
            saved += session.statistics().preambles_saved;
        }
    }
    assert!(filter.is_set() || compared > 100 && saved > compared / 8, "{saved} of {compared}");
    println!("{saved} of {compared} compilations went on from a preamble");
}

/// Everything that an analysis says, with names and positions as text.
fn analysed(a: &rtc::analysis::Analysis) -> Vec<String> {
    let at = |span| a.sources.range(span).map(|(file, range)| format!("{} {range:?}", a.sources.file(file).name));
    let mut out: Vec<String> = a.diagnostics.iter().map(|d| rtc::render(&a.sources, d, Style::Rich)).collect();
    out.extend(a.includes.iter().map(|i| format!("{} {}", i.depth, i.path)));
    out.extend(a.conditions.iter().map(|c| format!("{:?} {:?}", at(c.span), c.outcome)));
    out.extend(a.sources.macro_uses().map(|u| format!("{:?}", at(u))));
    let names = a.index.occurrences.iter();
    out.extend(names.map(|o| format!("{} {:?} {:?} {:?}", a.names.str(o.name), at(o.span), at(o.declared), o.role)));
    out.extend(a.index.visible.iter().flat_map(|v| &v.names).map(|v| format!("{} {}", a.names.str(v.name), v.distance)));
    out.extend(a.module.funcs.values().map(|f| f.symbol.clone()));
    out.push(format!("{} tokens", a.tokens.len()));
    out
}

/// A source is edited, now and then before the end of its includes and in its header too.
#[test]
fn versions_of_a_source_are_analysed_as_alone() {
    let mut random = Random::new(0x2545_f491);
    let header = |n: u32| {
        format!(
            "{}\n#define TWICE(x) ((x) + (x))\n#ifdef KNOB\nstatic int knob = {n};\n#endif\ntemplate<typename T> T id(T x) {{ return x; }}\ncbuffer C {{ float4 c; }}\n",
            padding()
        )
    };
    let session = Session::new(NoIncludes);
    let options = options(&["KNOB=1", "N=3"]);
    let mut text = String::from(
        "// é𝒳\n#include \"a.h\"\nRWByteAddressBuffer Out;\nfloat f(float x) { return TWICE(x) + padding_3(c.x) + N + knob; }\n",
    );
    let pieces = [
        "\n",
        "float g() { return f(id(1)); }\n",
        "#if N > 2\n",
        "#endif\n",
        "x",
        " + TWICE(knob)",
        "}",
        "{",
        "\"",
        "/*",
        "*/",
        "é",
        "struct S { float a; };\n",
        ";",
        "#include \"a.h\"\n",
        "#define M(a) a\n",
        "padding_7(probe_here)",
    ];
    let mut changed = 0;
    for version in 0..400 {
        let body = text.find("RWByte").unwrap_or(0);
        let from = if random.below(40) == 0 { 0 } else { body };
        let mut at = from + random.below(text.len() - from + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        if random.below(3) == 0 && at < text.len() {
            let mut end = (at + 1 + random.below(30)).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            text.replace_range(at..end, "");
        } else {
            text.insert_str(at, pieces[random.below(pieces.len())]);
        }
        if version % 50 == 49 {
            text = String::from("#include \"a.h\"\nRWByteAddressBuffer Out;\nfloat f(float x) { return TWICE(x); }\n");
        }
        changed += u32::from(random.below(25) == 0);
        let header = header(changed);
        let files = || Virtual::new([("a.h", header.as_str())]);
        let probe = (version % 3 == 0).then_some("probe_here");
        let mut own = files();
        let shared = session.job().includes(&mut own).analyse("main.hlsl", text.as_bytes(), &options, probe).expect("it ends");
        let alone = rtc::analysis::analyse("main.hlsl", text.as_bytes(), &mut files(), &options, probe);
        assert_eq!(analysed(&shared), analysed(&alone), "version {version}\n{text}");
    }
    let saved = session.statistics().preambles_saved;
    assert!(saved > 100, "{saved} of 400 versions went on from a preamble: the includes change in many");
}

/// Two sources that are edited in turn, with different options, have preambles of their own.
#[test]
fn sources_that_are_edited_in_turn() {
    let header = format!("{}#ifdef FAST\nfloat f(float x) {{ return x; }}\n#else\nfloat f(int x) {{ return 2 * x; }}\n#endif\n", padding());
    let session = Session::new(Virtual::new([("a.h", header.as_str())]));
    for n in 0..12 {
        for (name, defines) in [("one.hlsl", &["FAST"][..]), ("two.hlsl", &[]), ("one.hlsl", &[])] {
            let text = format!("#include \"a.h\"\nfloat g() {{ return f({n}) + {name}; }}\n").replace(".hlsl", "");
            let o = options(defines);
            let shared = session.job().analyse(name, text.as_bytes(), &o, None).expect("it ends");
            let alone = rtc::analysis::analyse(name, text.as_bytes(), &mut Virtual::new([("a.h", header.as_str())]), &o, None);
            assert_eq!(analysed(&shared), analysed(&alone), "{name} {n}");
        }
    }
    assert_eq!(session.statistics().preambles_saved, 30, "the first version is alone, the second one makes the preamble");
}

/// Sessions of one process share preambles, however their headers differ: each makes what it makes alone, on several threads at once.
#[test]
fn sessions_of_a_process_make_what_single_compilations_make() {
    let source = format!("#include \"a.h\"{USE}");
    let header = |n: u32| format!("{}float f(float x) {{ return x + {n}; }}\n#if N == 3\n#define EXTRA 1\n#endif\n", padding());
    let compile = &|version: u32, defines: &[&str], profile: &str| {
        let mut o = options(defines);
        o.profile = Profile::parse(profile).expect("a profile");
        let text = header(version);
        let files = || Virtual::new([("a.h", text.as_str())]);
        // A session each, as a client that makes a compiler for each call.
        let session = Session::of_process(files());
        let shared = session.compile("main.hlsl", source.as_bytes(), &o).expect("it ends");
        let alone = rtc::compile("main.hlsl", source.as_bytes(), &mut files(), &o);
        assert_eq!(outcome(shared), outcome(alone), "{version} {defines:?} {profile}");
        session.statistics().preambles_saved
    };
    let saved: u64 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|thread| {
                scope.spawn(move || {
                    (0..24u32)
                        .map(|n| compile((n / 6 + thread) % 3, &[&format!("N={}", n % 4)], ["lib_6_6", "lib_6_8"][n as usize / 12]))
                        .sum::<u64>()
                })
            })
            .collect();
        threads.into_iter().map(|t| t.join().expect("no panic")).sum()
    });
    assert!(saved > 10, "{saved} of 72");
}
