//! Tests of the classifier: source in, terminals out. The parser's tests cover the use of the terminals.

use rtc_base::SourceMap;

use super::*;
use crate::preprocess::{NoIncludes, PreprocessOptions, preprocess};

#[track_caller]
fn check(source: &str, want: &str) {
    let mut sources = SourceMap::new();
    let mut interner = Interner::new();
    let mut report = Report::new();
    let main = sources.add_file("t", source, None).unwrap();
    let options = PreprocessOptions::default();
    let pre = preprocess(&mut sources, &mut interner, main, &options, &mut NoIncludes, &mut report);
    let toks = classify(&pre.tokens, &mut interner, &mut report);
    let got: Vec<String> = toks.iter().map(|c| format!("{:?}", c.tok)).collect();
    assert_eq!(got.join(" "), want, "{source}");
}

#[test]
fn angle_brackets() {
    check("A<B<C>> x;", "Type TOpen Type TOpen Ident TClose TClose Ident Semi");
    check("vector<float, 3> v;", "Type TOpen Type Comma Num TClose Ident Semi");
    check("x = a < b > c;", "Ident Assign Ident RelOp Ident RelOp Ident Semi");
    check("x = a >> b;", "Ident Assign Ident ShiftOp Ident Semi");
    check("x = v.Load<uint>(0);", "Ident Assign Ident Dot Ident TOpen Type TClose LParen Num RParen Semi");
}

#[test]
fn types_and_names() {
    check("Foo Foo;", "Type Ident Semi");
    check("typedef float F; F f;", "Typedef Type Ident Semi Type Ident Semi");
    check("a::b c;", "Scope ColonColon Type Ident Semi");
    check("x = a::b;", "Ident Assign Scope ColonColon Ident Semi");
    check("float4 sample; sample float x;", "Type Ident Semi Spec Type Ident Semi");
    check("struct S : B {};", "Record Type BaseColon Type LBrace RBrace Semi");
    check("float f : S : register(t0);", "Type Ident Colon Ident Colon Register LParen Ident RParen Semi");
}

#[test]
fn braces_know_what_they_enclose() {
    let mut sources = SourceMap::new();
    let mut interner = Interner::new();
    let mut report = Report::new();
    let text = "namespace n { struct S { int a[1] = { 1 }; }; cbuffer C { enum E { X } e; } void f() { { } } }";
    let main = sources.add_file("t", text, None).unwrap();
    let options = PreprocessOptions::default();
    let pre = preprocess(&mut sources, &mut interner, main, &options, &mut NoIncludes, &mut report);
    let toks = classify(&pre.tokens, &mut interner, &mut report);
    let open: Vec<Brace> = toks.iter().filter(|c| c.tok == Tok::LBrace).map(|c| c.brace).collect();
    assert_eq!(open, [Brace::Namespace, Brace::Record, Brace::Init, Brace::Buffer, Brace::Enum, Brace::Block, Brace::Block]);
}
