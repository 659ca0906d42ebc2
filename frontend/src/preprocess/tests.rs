//! Tests of the preprocessor: source in, tokens and codes of diagnostics out.

use rtc_base::Diagnostic;

use super::*;

struct Run {
    text: String,
    diags: Vec<Diagnostic>,
    sources: SourceMap,
    interner: Interner,
    pre: Preprocessed,
}

fn run_with(main: &str, files: &[(&str, &str)], options: &PreprocessOptions) -> Run {
    let mut sources = SourceMap::new();
    let mut interner = Interner::new();
    let mut report = Report::new();
    let mut files = Virtual::new(files.iter().copied());
    let id = sources.add_file("main.hlsl", main, None).unwrap();
    let pre = preprocess(&mut sources, &mut interner, id, options, &mut files, &mut report);
    let words: Vec<&str> = pre
        .tokens
        .iter()
        .filter(|t| t.kind != Kind::Eof)
        .map(|t| if t.kind.has_spelling() { interner.str(t.sym) } else { t.kind.text() })
        .collect();
    Run { text: words.join(" "), diags: report.into_list(), sources, interner, pre }
}

fn run(main: &str) -> Run {
    run_with(main, &[], &PreprocessOptions::default())
}

fn codes_of(r: &Run) -> Vec<&str> {
    r.diags.iter().map(|d| d.code.id).collect()
}

#[track_caller]
fn check(main: &str, want: &str) {
    let r = run(main);
    assert!(r.diags.is_empty(), "{:#?}", r.diags);
    assert_eq!(r.text, want);
}

#[track_caller]
fn check_codes(main: &str, want: &[&str]) -> Run {
    let r = run(main);
    assert_eq!(codes_of(&r), want, "{:#?}", r.diags);
    r
}

#[test]
fn object_macros() {
    check("#define A 1\nA A", "1 1");
    check("#define A B\n#define B C\nA B", "C C");
    check("#define A\n[A]", "[ ]");
    check("#define A 1\n#undef A\nA\n#undef Z", "A");
    check("#define A \\\n  1 + \\\n  2\nA", "1 + 2");
}

#[test]
fn a_macro_does_not_expand_in_itself() {
    check("#define a a b\na", "a b");
    check("#define x y\n#define y x\nx y", "x y");
    check("#define f(x) x + f(x)\nf(f(1))", "1 + f ( 1 ) + f ( 1 + f ( 1 ) )");
    check("#define f(x) x f\nf(1)(2)", "1 f ( 2 )");
    // The name is painted when read, even if the argument is substituted later.
    check("#define z z[0]\n#define g(a) a\ng(g(z))", "z [ 0 ]");
}

#[test]
fn function_macros() {
    check("#define F(x) <x>\nF(1) F F (2)", "< 1 > F < 2 >");
    check("#define F(x) <x>\nF\n(\n1\n)", "< 1 >");
    check("#define F() x\nF() F( )", "x x");
    check("#define F(a,b) b a\nF((1,2),3)", "3 ( 1 , 2 )");
    check("#define F(a) a\nF()", "");
    check("#define F (x)\nF(1)", "( x ) ( 1 )");
    // An argument list that the rest of the source completes.
    check("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g");
    check("#define LP (\n#define g(x) [x]\n#define id(x) x\nid(g LP 1))", "[ 1 ]");
    check("#define id(x) x\n#define F(x) <x>\nid(F)(1)", "< 1 >");
}

#[test]
fn nested_rescanning() {
    // The shape of the standard's long example: redefinition, self-reference, arguments that are macros.
    let src = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n\
        f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\np() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };";
    let r = run(src);
    assert!(r.diags.is_empty(), "{:?}", r.diags);
    let want = "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ; \
        f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ; \
        int i [ ] = { 1 , 23 , 4 , 5 , } ;";
    assert_eq!(r.text, want);
}

#[test]
fn stringify_and_paste() {
    check("#define S(x) #x\nS( a  +  \"b\\n\" )", "\"a + \\\"b\\\\n\\\"\"");
    check("#define S(x) #x\n#define A 1\nS(A)", "\"A\"");
    check("#define S(x) #x\n#define X(x) S(x)\n#define A 1\nX(A)", "\"1\"");
    check("#define C(a,b) a##b\nC(x,1) C(<,<=) C(,y) C(z,) C(,)", "x1 <<= y z");
    check("#define A xy\n#define xy 7\n#define C(a,b) a##b\nC(x,y)", "7");
    check("#define hash_hash # ## #\n#define mk(a) # a\n#define in(a) mk(a)\n#define j(c,d) in(c hash_hash d)\nj(x, y)", "\"x ## y\"");
    check("#define T(a,b,c) a##b##c\nT(1,2,3) T(,4,5) T(,,) T(10,,) T(,11,) T(,,12)", "123 45 10 11 12");
    check("#define E(x) e ## x ## f\nE()", "ef");
    check_codes("#define C(a,b) a##b\nC(+,/)", &["E0129"]);
    check_codes("#define C(a,b) a##b\nC(/,/)", &["E0129"]);
}

#[test]
fn variadic() {
    check("#define V(...) f(__VA_ARGS__)\nV() V(1) V(1,2)", "f ( ) f ( 1 ) f ( 1 , 2 )");
    check("#define V(a, ...) f(a, ## __VA_ARGS__)\nV(1) V(1,2,3)", "f ( 1 ) f ( 1 , 2 , 3 )");
    check("#define V(a...) <a>\nV(1,2)", "< 1 , 2 >");
    check("#define V(fmt, ...) #__VA_ARGS__\nV(x, a, b)", "\"a, b\"");
    check_codes("#define V(a, b, ...) a\nV(1)", &["E0127"]);
    check_codes("#define A __VA_ARGS__", &["E0126"]);
}

/// The examples of the C standard (6.10.4), as text and result.
#[test]
fn examples_of_the_standard() {
    // 6.10.4.2, example: `#` and `##` give no new operator.
    check(
        "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n#define join(c, d) in_between(c hash_hash d)\njoin(x, y)",
        "\"x ## y\"",
    );
    // 6.10.5, example 3: redefinition and re-examination (with the program's own names).
    let names = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n#define str(x) # x\n";
    check(
        &format!("{names}f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);"),
        "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ;",
    );
    check(&format!("{names}char c[2][6] = {{ str(hello), str() }};"), "char c [ 2 ] [ 6 ] = { \"hello\" , \"\" } ;");
    // Example 4: strings and pasted names.
    let names = "#define str(s) # s\n#define xstr(s) str(s)\n#define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", x ## s, x ## t)\n#define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n#define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\n";
    check(&format!("{names}debug(1, 2);"), "printf ( \"x\" \"1\" \"= %d, x\" \"2\" \"= %s\" , x1 , x2 ) ;");
    check(
        &format!("{names}fputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') // this goes away\n== 0) str(: @\\n), s);"),
        "fputs ( \"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \": @\\n\" , s ) ;",
    );
    check(&format!("{names}xstr(INCFILE(2).h)"), "\"vers2.h\"");
    check(&format!("{names}glue(HIGH, LOW);"), "\"hello\" ;");
    check(&format!("{names}xglue(HIGH, LOW)"), "\"hello\" \", world\"");
    // Example 5: empty arguments.
    check(
        "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };",
        "int j [ ] = { 123 , 45 , 67 , 89 , 10 , 11 , 12 , } ;",
    );
    // Example 7: variable arguments.
    check(
        "#define debug(...) fprintf(stderr, __VA_ARGS__)\n#define showlist(...) puts(#__VA_ARGS__)\n#define report(test, ...) ((test) ? puts(#test) : printf(__VA_ARGS__))\ndebug(\"Flag\"); debug(\"X = %d\", x); showlist(The first, second, and third items.); report(x>y, \"x is %d but y is %d\", x, y);",
        "fprintf ( stderr , \"Flag\" ) ; fprintf ( stderr , \"X = %d\" , x ) ; puts ( \"The first, second, and third items.\" ) ; ( ( x > y ) ? puts ( \"x>y\" ) : printf ( \"x is %d but y is %d\" , x , y ) ) ;",
    );
}

#[test]
fn optional_parts_of_variadic_macros() {
    // C23's examples of `__VA_OPT__`.
    let names = "#define F(...) f(0 __VA_OPT__(,) __VA_ARGS__)\n#define G(X, ...) f(0, X __VA_OPT__(,) __VA_ARGS__)\n#define SDEF(sname, ...) S sname __VA_OPT__(= { __VA_ARGS__ })\n#define EMP\n";
    check(&format!("{names}F(a, b, c)"), "f ( 0 , a , b , c )");
    check(&format!("{names}F()"), "f ( 0 )");
    check(&format!("{names}F(EMP)"), "f ( 0 )");
    check(&format!("{names}G(a, b, c)"), "f ( 0 , a , b , c )");
    check(&format!("{names}G(a, )"), "f ( 0 , a )");
    check(&format!("{names}G(a)"), "f ( 0 , a )");
    check(&format!("{names}SDEF(foo); SDEF(bar, 1, 2);"), "S foo ; S bar = { 1 , 2 } ;");
    check("#define H2(X, Y, ...) __VA_OPT__(X ## Y,) __VA_ARGS__\nH2(a, b, c, d)", "ab , c , d");
    check("#define H3(X, ...) #__VA_OPT__(X##X X##X)\nH3(, 0) H3(a, 1) H3(b)", "\"\" \"aa aa\" \"\"");
    check("#define H4(X, ...) __VA_OPT__(a X ## X) ## b\nH4(, 1)", "a b");
    check("#define H5B(...) x ## __VA_OPT__(y z) ## w\nH5B() H5B(1)", "xw xy zw");
    // A comma of GNU's spelling, and a named variadic parameter.
    check("#define L(f, a...) p(f, ##a)\nL(1) L(1, 2) L(1, )", "p ( 1 ) p ( 1 , 2 ) p ( 1 )");
}

#[test]
fn questions_in_conditions() {
    let yes = |cond: &str| {
        let r = run_with(
            &format!("#define ASK(f) __has_include(f)\n#define H \"h.h\"\n#if {cond}\nyes\n#endif"),
            &[("h.h", "")],
            &PreprocessOptions::default(),
        );
        assert!(r.diags.is_empty(), "{cond}: {:?}", r.diags);
        r.text == "yes"
    };
    assert!(yes("__has_include(\"h.h\") && __has_include(H) && __has_include(<h.h>) && !__has_include(\"none.h\")"));
    assert!(yes("ASK(\"h.h\")"), "through a macro");
    assert!(yes("defined(__has_attribute) && __has_attribute(unroll) && !__has_attribute(nothing) && __has_cpp_attribute(branch)"));
    assert!(yes("__has_attribute(domain) && __has_attribute(RootSignature) && __has_attribute(wavesize)"));
    assert!(yes("!__has_feature(modules) && !__has_extension(c_atomic) && !__has_builtin(__builtin_trap)"));
    assert_eq!(codes_of(&run("#if __has_include\n#endif")), ["E0122"]);
    assert_eq!(codes_of(&run("#if __has_include(\n#endif")), ["E0122"]);
}

#[test]
fn places_and_dates() {
    let files = [("a.h", "#include \"b.h\"\n__INCLUDE_LEVEL__"), ("b.h", "__INCLUDE_LEVEL__ __BASE_FILE__ __FILE__")];
    let r = run_with("__INCLUDE_LEVEL__\n#include \"a.h\"\n__DATE__", &files, &PreprocessOptions::default());
    assert_eq!(r.text, "0 2 \"main.hlsl\" \"b.h\" 1 \"Jan  1 1970\"");
}

#[test]
fn a_call_without_end_does_not_swallow_the_file() {
    let r = check_codes("#define F(a) a\nint x = F(1;\nint y;\n", &["E0127"]);
    assert_eq!(r.text, "int x = F ( 1 ; int y ;");
}

#[test]
fn wrong_calls_and_definitions() {
    let r = check_codes("#define F(a,b) a\nF(1) F(1,2,3)", &["E0127", "E0127"]);
    assert_eq!(r.text, "1 1");
    check_codes("#define F(a) a\nF(1", &["E0127"]);
    check_codes("#define F(a) a\nint x = F(1;\n", &["E0127"]);
    check_codes("#define F(a", &["E0126"]);
    check_codes("#define F(a,a) a", &["E0126"]);
    check_codes("#define 1 a", &["E0126"]);
    check_codes("#define", &["E0126"]);
    check_codes("#define defined 1", &["E0126"]);
    check_codes("#define A ## b", &["E0126"]);
    check_codes("#define F(a) #b", &["E0126"]);
    check_codes("#define A 1\n#define A 2", &["W0101"]);
    check_codes("#define A 1\n#define A /* c */ 1", &[]);
    check_codes("#define __HLSL_VERSION 1", &["W0107"]);
}

#[test]
fn conditionals() {
    check("#if 1\na\n#else\nb\n#endif\n#if 0\nc\n#elif 1\nd\n#elif 1\ne\n#else\nf\n#endif", "a d");
    check("#ifdef X\na\n#elifndef X\nb\n#else\nc\n#endif", "b");
    check("#define X\n#ifndef X\na\n#elifdef X\nb\n#endif", "b");
    check("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif", "c");
    // Skipped text may be anything, conditions after a taken group as well.
    check("#if 0\ndon't \" /* */ #bogus\n#if +\n#endif\n#endif\n#if 1\n#elif 1/0\n#endif\nx", "x");
    check_codes("#if 1", &["E0121"]);
    check_codes("#endif", &["E0121"]);
    check_codes("#else", &["E0121"]);
    check_codes("#if 1\n#else\n#else\n#endif", &["E0121"]);
    check_codes("#if 0\n#else\n#elif 1\n#endif", &["E0121"]);
    check_codes("#ifdef\n#endif", &["E0120"]);
    check_codes("#if 1\n#endif x", &["W0105"]);
}

#[test]
fn conditions() {
    for (cond, want) in [
        ("1 + 2 * 3 == 7", true),
        ("(1 + 2) * 3 == 7", false),
        ("-1 < 0", true),
        ("-1 < 0u", false),
        ("1 ? 0 : 1/0", false),
        ("0 && 1/0", false),
        ("1 || 1/0", true),
        ("~0 == -1", true),
        ("!!5 == 1", true),
        ("10 % 4 == 2 && 1 << 4 == 16 && -16 >> 2 == -4", true),
        ("'A' == 65", true),
        ("0x7fffffffffffffff + 1 < 0", true),
        ("UNDEFINED_NAME", false),
        ("true && !false", true),
        ("defined A", false),
        ("defined(B) && defined C", true),
        ("HAS(C)", false),
        ("B == 2", true),
        ("1 == 1 == 1", true),
        ("3 - 2 - 1 == 0", true),
        ("__LINE__ == 4", true),
        ("0 ? 1 : 0 ? 2 : 3", true),
        ("__HLSL_VERSION >= 2021 && __SHADER_TARGET_STAGE == __SHADER_STAGE_LIBRARY && __SHADER_TARGET_MAJOR == 6", true),
    ] {
        let src = format!("#define B 2\n#define C\n#define HAS(x) defined(Z ## x)\n#if {cond}\nyes\n#else\nno\n#endif");
        let r = run(&src);
        assert!(r.diags.is_empty(), "{cond}: {:?}", r.diags);
        assert_eq!(r.text, if want { "yes" } else { "no" }, "{cond}");
    }
    for cond in ["", "1 +", "(1", "1)", "1.5", "\"a\"", "1/0", "f(1)", "defined", "defined(", "1 ? 2", "99999999999999999999", "0x"] {
        let r = run(&format!("#if {cond}\n#endif"));
        assert!(codes_of(&r).contains(&"E0122"), "{cond}: {:?}", r.diags);
    }
}

#[test]
fn includes() {
    let files = [
        ("a.hlsli", "#pragma once\na"),
        ("sub/b.hlsli", "#include \"c.hlsli\"\n#include \"../a.hlsli\"\nb"),
        ("sub/c.hlsli", "c"),
        ("inc/d.hlsli", "#ifndef D\n#define D\nd\n#endif\n"),
        ("self.hlsli", "#ifndef S\n#define S\n#include \"self.hlsli\"\ns\n#endif\n"),
        ("cycle.hlsli", "#include \"cycle2.hlsli\"\n"),
        ("cycle2.hlsli", "#include \"cycle.hlsli\"\n"),
    ];
    let options = PreprocessOptions { include_dirs: vec!["inc".into()], ..Default::default() };
    let check = |main: &str, want: &str| {
        let r = run_with(main, &files, &options);
        assert!(r.diags.is_empty(), "{:?}", r.diags);
        assert_eq!(r.text, want);
    };
    check("#include \"a.hlsli\"\n#include \"a.hlsli\"\nx", "a x");
    check("#include \"./sub\\b.hlsli\"", "c a b");
    check("#include <d.hlsli>\n#include \"d.hlsli\"", "d");
    check("#include \"self.hlsli\"", "s");
    check("#define H \"a.hlsli\"\n#include H", "a");
    check("#define H <d.hlsli>\n#include H", "d");
    check("#if __has_include(\"a.hlsli\") && !__has_include(<zz>) && defined(__has_include)\nyes\n#endif", "yes");
    let with = |main: &str| run_with(main, &files, &options);
    assert_eq!(codes_of(&with("#include \"none.h\"")), ["E0124"]);
    assert_eq!(codes_of(&with("#include")), ["E0120"]);
    assert_eq!(codes_of(&with("#include A")), ["E0120"]);
    let r = with("#include \"A.HLSLI\"\n");
    assert_eq!((codes_of(&r), r.text.as_str()), (vec!["W0102"], "a"));
    let r = with("#include \"cycle.hlsli\"\nint x;");
    assert_eq!((codes_of(&r), r.text.as_str()), (vec!["E0125"], "int x ;"));
    assert!(r.diags[0].notes[0].contains("cycle"), "{:?}", r.diags[0]);
    let r = with("#include \"sub/b.hlsli\"\n");
    let paths: Vec<_> = r.pre.includes.iter().map(|i| (i.path.as_str(), i.depth)).collect();
    assert_eq!(paths, [("sub/b.hlsli", 1), ("sub/c.hlsli", 2), ("sub/../a.hlsli", 2)]);
    let conditional = [("x.h", "#if 1\n"), ("y.h", "#endif\n")];
    let r = run_with("#include \"x.h\"\n#include \"y.h\"\nz", &conditional, &options);
    assert_eq!(codes_of(&r), ["E0121", "E0121"]);
}

#[test]
fn magic_macros_and_line() {
    check("__LINE__\n__LINE__ __FILE__ __COUNTER__ __COUNTER__", "1 2 \"main.hlsl\" 0 1");
    check("#line 100 \"x.hlsl\"\n__LINE__ __FILE__\n__LINE__", "100 \"x.hlsl\" 101");
    check("#define L __LINE__\n\nL", "3");
    check("#define N 7\n#line N\n__LINE__", "7");
    check("# 9 \"y\"\n__LINE__", "9");
    check_codes("#line x", &["E0130"]);
    check_codes("#line 1 y", &["E0130"]);
}

#[test]
fn messages() {
    let r = check_codes("#error  don't do this \n#warning careful\n#\n#bogus\nx", &["E0123", "W0104", "E0120"]);
    assert_eq!(r.diags[0].message, "don't do this");
    assert_eq!(r.text, "x");
}

#[test]
fn bad_characters() {
    let r = check_codes("a \u{1}\u{1}\u{1} b `", &["E0101", "E0101"]);
    assert_eq!(r.text, "a b");
    let r = check_codes("\u{201c}miss\u{201d}", &["E0102"]);
    assert_eq!(r.diags[0].fixits[0].replacement, "\"miss\"");
    check_codes("\"abc", &["E0103"]);
    check_codes("'a", &["E0104"]);
    check_codes("a /* b", &["E0105"]);
    check_codes("#if 0\n/* b", &["E0105", "E0121"]);
}

#[test]
fn macros_given_by_options() {
    let defines = ["A", "B=2 + 3", "F(x)=<x>", "E="].map(Define::parse).to_vec();
    let r = run_with("A B F(1) E;", &[], &PreprocessOptions { defines, ..Default::default() });
    assert!(r.diags.is_empty(), "{:?}", r.diags);
    assert_eq!(r.text, "1 2 + 3 < 1 > ;");
    let mut options = PreprocessOptions::default();
    options.target.spirv = true;
    let r = run_with("__spirv__ __hlsl_dx_compiler __SHADER_TARGET_MINOR", &[], &options);
    assert_eq!(r.text, "1 1 3");
}

#[test]
fn spans() {
    let r = run("#define ADD(a) (a + one)\nint x = ADD(zz);");
    let find = |name: &str| {
        let sym = r.interner.get(name).unwrap();
        r.pre.tokens.iter().find(|t| t.sym == sym && t.kind == Kind::Ident).unwrap().span
    };
    // An argument has its own position; a token of the body has that of the use of the macro.
    let loc = r.sources.loc(find("zz")).unwrap();
    assert_eq!((loc.line, loc.column), (2, 13));
    let loc = r.sources.loc(find("one")).unwrap();
    assert_eq!((loc.line, loc.column), (2, 9));
    assert_eq!(r.sources.snippet(find("one")), "one");
    assert_eq!(r.sources.expansions(find("one"))[0].0, "ADD");
}

#[test]
fn pragmas() {
    let r = run("#pragma pack_matrix(row_major)\na\n#pragma pack_matrix(column_major)\n#pragma once\nb");
    assert!(r.diags.is_empty());
    assert_eq!(r.pre.pragmas.packing, [(0, Packing::RowMajor), (1, Packing::ColumnMajor)]);
    check_codes("#pragma pack_matrix(foo)", &["E0131"]);
    check_codes("#pragma frobnicate", &["W0103"]);
    check_codes("#pragma warning(disable: 3206 3556; error: 12)\n#pragma message(\"x\")", &[]);
    check_codes("#pragma warning(disable: all)\n#pragma warning(push; disable: all; default: 3206)", &[]);
    check("_Pragma(\"pack_matrix(row_major)\") x", "x");
}

#[test]
fn diagnostic_pragmas_follow_the_order_of_reading() {
    let files = [("h.h", "h1\n#pragma dxc diagnostic ignored \"-Wconversion\"\nh2\n")];
    let main = "a\n#pragma dxc diagnostic push\n#include \"h.h\"\nb\n#pragma dxc diagnostic pop\nc\n#pragma dxc diagnostic error \"-Wconversion\"\nd\n";
    let r = run_with(main, &files, &PreprocessOptions::default());
    assert!(r.diags.is_empty(), "{:?}", r.diags);
    let at = |name: &str| {
        let sym = r.interner.get(name).unwrap();
        let t = r.pre.tokens.iter().find(|t| t.sym == sym).unwrap();
        r.pre.pragmas.action("conversion", t.span.lo)
    };
    use WarningAction::*;
    assert_eq!(["a", "h1", "h2", "b", "c", "d"].map(at), [None, None, Some(Ignored), Some(Ignored), None, Some(Error)]);
}

#[test]
fn limits() {
    // Exponential macros.
    let mut bomb = String::from("#define M0 x x\n");
    for i in 1..40 {
        bomb.push_str(&format!("#define M{i} M{} M{}\n", i - 1, i - 1));
    }
    bomb.push_str("M39\n");
    assert_eq!(codes_of(&run(&bomb)), ["E0128"]);
    // Deep nesting in arguments.
    let deep = format!("#define F(x) x\n{}1{}", "F(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(codes_of(&run(&deep)), ["E0128"]);
    // Deep nesting in conditions.
    let deep = format!("#if {}1{}\n#endif", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(codes_of(&run(&deep)), ["E0122"]);
    let deep = format!("#if {}1\n#endif", "!".repeat(100_000));
    assert_eq!(codes_of(&run(&deep)), [""; 0]);
    let deep = format!("#if {}1{}\n#endif", "1 ? ".repeat(100_000), " : 0".repeat(100_000));
    assert_eq!(codes_of(&run(&deep)), ["E0122"]);
    // Files that include the next one twice.
    let names: Vec<String> = (0..40).map(|i| format!("f{i}.h")).collect();
    let texts: Vec<String> = (1..41).map(|i| format!("#include \"f{i}.h\"\n").repeat(2)).collect();
    let files: Vec<(&str, &str)> = names.iter().zip(&texts).map(|(n, t)| (n.as_str(), t.as_str())).chain([("f40.h", "")]).collect();
    assert_eq!(codes_of(&run_with("#include \"f0.h\"", &files, &PreprocessOptions::default())), ["E0125"]);
    // Many open conditionals.
    assert!(run(&"#if 1\n".repeat(50_000)).diags.len() <= 101);
}

#[test]
fn output_text_means_the_same() {
    let files = [("h.hlsli", "\n\nint h;\n#define PLUS +\n")];
    let main = "#include \"h.hlsli\"\n#pragma pack_matrix(row_major)\n\nint a = 1 PLUS+b;\n\n\n\n\n\n\n\n\n\n\n\n\nint  c;\n#define P(x) -x\nint d = -P(1); float e = 1.f, g = a.b;";
    let options = PreprocessOptions::default();
    let first = run_with(main, &files, &options);
    let text = print(&first.pre, &first.sources, &first.interner);
    let second = run_with(&text, &[], &options);
    assert!(second.diags.is_empty(), "{:?}\n{text}", second.diags);
    assert_eq!(first.text, second.text, "{text}");
    assert_eq!(first.pre.pragmas.packing, second.pre.pragmas.packing);
    let lines = |r: &Run| -> Vec<(String, u32)> {
        let all = r.pre.tokens.iter().filter(|t| t.kind != Kind::Eof);
        all.map(|t| r.sources.loc(t.span).map(|l| (l.file, l.line)).unwrap()).collect()
    };
    assert_eq!(lines(&first), lines(&second), "{text}");
    let again = print(&second.pre, &second.sources, &second.interner);
    let third = run_with(&again, &[], &options);
    assert_eq!(third.text, second.text);
}
