//! The index of names: what each name denotes, where it is declared, and what is visible at a probe.

use rtc_base::{Interner, SourceMap, Span};
use rtc_frontend::index::{Entity, Index, Role};
use rtc_frontend::preprocess::{NoIncludes, PreprocessOptions};
use rtc_frontend::sema::{self, SemaOptions};
use rtc_frontend::{hir, parse};

struct Indexed {
    sources: SourceMap,
    names: Interner,
    module: hir::Module,
    index: Index,
}

fn index(text: &str, probe: Option<&str>) -> Indexed {
    let (mut sources, mut names) = (SourceMap::new(), Interner::new());
    let main = sources.add_file("a.hlsl", text, None).expect("the file is small");
    let parsed = parse(&mut sources, &mut names, main, &PreprocessOptions::default(), &mut NoIncludes);
    let options = SemaOptions { index: true, ..SemaOptions::default() };
    let probe = probe.map(|p| names.intern(p));
    let (module, _, index) = sema::check_with_index(&parsed.ast, &sources, &mut names, &options, None, probe);
    Indexed { sources, names, module, index }
}

impl Indexed {
    fn place(&self, span: Span) -> String {
        self.sources.loc(self.sources.spelling(span)).map_or("-".into(), |l| format!("{}:{}", l.line, l.column))
    }

    /// The occurrences of a name as `place role declaration`, in the order of the text.
    fn of(&self, name: &str) -> Vec<String> {
        let all = self.index.occurrences.iter().filter(|o| self.names.str(o.name) == name);
        let mut out: Vec<String> = all
            .map(|o| {
                let role = match o.role {
                    Role::Declaration => "declares",
                    Role::Definition => "defines",
                    Role::Reference => "uses",
                };
                let declared = if o.declared.is_none() { "-".into() } else { self.place(o.declared) };
                format!("{} {role} {declared}", self.place(o.span))
            })
            .collect();
        out.sort();
        out
    }

    fn visible(&self) -> Vec<&str> {
        let visible = self.index.visible.as_ref().expect("the probe was found");
        let mut names: Vec<&str> = visible.names.iter().map(|n| self.names.str(n.name)).collect();
        names.sort_unstable();
        names
    }
}

#[test]
fn without_a_request_nothing_is_recorded() {
    let (mut sources, mut names) = (SourceMap::new(), Interner::new());
    let main = sources.add_file("a.hlsl", "float x;", None).expect("the file is small");
    let parsed = parse(&mut sources, &mut names, main, &PreprocessOptions::default(), &mut NoIncludes);
    let (_, _, index) = sema::check_with_index(&parsed.ast, &sources, &mut names, &SemaOptions::default(), None, None);
    assert!(index.occurrences.is_empty());
}

#[test]
fn overloads_shadowing_and_members() {
    let i = index("float f(float a);\nfloat f(int a) { return a; }\nfloat f(float a) { { int a = 1; f(a); } return f(1.0) + a; }\n", None);
    assert_eq!(i.of("f"), ["1:7 declares 3:7", "2:7 defines 2:7", "3:33 uses 2:7", "3:48 uses 3:7", "3:7 defines 3:7"]);
    assert_eq!(
        i.of("a"),
        ["2:13 defines 2:13", "2:25 uses 2:13", "3:15 defines 3:15", "3:26 defines 3:26", "3:35 uses 3:26", "3:57 uses 3:15"]
    );
    let i = index(
        "struct B { float x; };\nstruct S : B { float y; float sum() { return x + y; } };\nfloat g(S s) { return s.x + s.sum(); }\n",
        None,
    );
    assert_eq!(i.of("x"), ["1:18 defines 1:18", "2:46 uses 1:18", "3:25 uses 1:18"]);
    assert_eq!(i.of("sum"), ["2:31 defines 2:31", "3:31 uses 2:31"]);
    assert_eq!(i.of("B"), ["1:8 defines 1:8", "2:12 uses 1:8"]);
}

#[test]
fn namespaces_enumerations_blocks_and_aliases() {
    let text = "namespace n { enum class E { A, B }; typedef float real; }\ncbuffer C { n::real t; };\nstatic const int K = 2;\n\
                n::real f(n::E e) { return e == n::E::B ? t : K; }\n";
    let i = index(text, None);
    assert_eq!(i.of("E"), ["1:26 defines 1:26", "4:14 uses 1:26", "4:36 uses 1:26"]);
    assert_eq!(i.of("B"), ["1:33 defines 1:33", "4:39 uses 1:33"]);
    assert_eq!(i.of("real"), ["1:52 defines 1:52", "2:16 uses 1:52", "4:4 uses 1:52"]);
    assert_eq!(i.of("t"), ["2:21 defines 2:21", "4:43 uses 2:21"]);
    assert_eq!(i.of("K"), ["3:18 defines 3:18", "4:47 uses 3:18"]);
    assert_eq!(i.of("n").len(), 5);
}

#[test]
fn a_template_is_recorded_once_for_all_instances() {
    let i = index("template <typename T> T twice(T x) { return x + x; }\nfloat f() { return twice(1.0) + twice(2); }\n", None);
    assert_eq!(i.of("twice"), ["1:25 defines 1:25", "2:20 uses 1:25", "2:33 uses 1:25"]);
    assert_eq!(i.of("x"), ["1:33 defines 1:33", "1:45 uses 1:33", "1:49 uses 1:33"]);
}

#[test]
fn calls_that_fail_and_intrinsics() {
    let i = index("float f(float a, float b) { return a; }\nfloat g() { return f(1) + saturate(nowhere) + dot(1); }\n", None);
    assert_eq!(i.of("f"), ["1:7 defines 1:7", "2:20 uses 1:7"], "the first candidate is probably meant");
    let known = |name: &str| i.index.occurrences.iter().any(|o| i.names.str(o.name) == name && matches!(o.entity, Entity::Intrinsic(_)));
    assert!(known("saturate") && known("dot"));
    assert!(i.of("nowhere").is_empty());
}

#[test]
fn a_probe_sees_what_is_in_scope() {
    let text = "struct S { float a; float b; };\nnamespace n { float inner; }\nfloat global;\nfloat f(S s) { float local; { float nested; } return PROBE; float later; }\n";
    let i = index(text, Some("PROBE"));
    let visible = i.visible();
    for name in ["S", "n", "global", "f", "s", "local"] {
        assert!(visible.contains(&name), "`{name}` in {visible:?}");
    }
    for name in ["nested", "later", "inner", "a"] {
        assert!(!visible.contains(&name), "`{name}` in {visible:?}");
    }
    let function = i.index.visible.as_ref().and_then(|v| v.function).map(|f| i.names.str(i.module.funcs[f].name));
    assert_eq!(function, Some("f"));
    assert_eq!(index(&text.replace("PROBE", "s.PROBE"), Some("PROBE")).visible(), ["a", "b"]);
    assert_eq!(index(&text.replace("PROBE", "n::PROBE"), Some("PROBE")).visible(), ["inner"]);
    assert_eq!(index(&text.replace("PROBE", "s.PROBE(1)"), Some("PROBE")).visible(), ["a", "b"]);
}
