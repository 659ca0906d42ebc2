//! Where a source may be mutated, and by what: operators, negations, conditions of arms, and bodies of functions.
//!
//! Constants are left out: a mutant is chosen while the program runs. So are tests, the insides of macros, and chains with `let`, which no
//! expression can enclose.

use std::ops::Range;

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Block, Expr, ReturnType, Signature, Type, UnOp};

/// A place of a source with the texts that may replace it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The bytes of the expression; empty at the first statement of a function's body.
    pub bytes: Range<usize>,
    /// The line, from 1.
    pub line: usize,
    /// Texts that replace the expression, or statements that begin the body, each with what it is for people.
    pub mutants: Vec<(String, String)>,
}

/// All points of a source, in its order; outer expressions come before inner ones.
///
/// # Errors
/// The source is no Rust.
pub fn points(source: &str) -> Result<Vec<Point>, syn::Error> {
    let mut finder = Finder { source, points: Vec::new(), function: String::new() };
    finder.visit_file(&syn::parse_file(source)?);
    finder.points.sort_by_key(|p| (p.bytes.start, std::cmp::Reverse(p.bytes.end)));
    Ok(finder.points)
}

struct Finder<'a> {
    source: &'a str,
    points: Vec<Point>,
    function: String,
}

impl Finder<'_> {
    fn text(&self, e: &Expr) -> &str {
        &self.source[e.span().byte_range()]
    }

    fn add(&mut self, at: proc_macro2::Span, bytes: Range<usize>, mutants: Vec<(String, String)>) {
        if !mutants.is_empty() {
            self.points.push(Point { bytes, line: at.start().line, mutants });
        }
    }

    fn function(&mut self, attributes: &[Attribute], signature: &Signature, block: &Block) {
        if is_test(attributes) || signature.constness.is_some() {
            return;
        }
        let outer = std::mem::replace(&mut self.function, signature.ident.to_string());
        let only = match &block.stmts[..] {
            [one] => Some(self.source[one.span().byte_range()].to_string()),
            _ => None,
        };
        let values = results(&signature.output).into_iter().filter(|v| !block.stmts.is_empty() && only.as_deref() != Some(v));
        let mutants = values.map(|v| (format!("return {v};"), format!("`{}` returns `{v}`", self.function))).collect();
        let inside = block.brace_token.span.open().byte_range().end;
        self.add(signature.ident.span(), inside..inside, mutants);
        visit::visit_block(self, block);
        self.function = outer;
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, f: &'ast syn::ItemFn) {
        self.function(&f.attrs, &f.sig, &f.block);
    }

    fn visit_impl_item_fn(&mut self, f: &'ast syn::ImplItemFn) {
        self.function(&f.attrs, &f.sig, &f.block);
    }

    fn visit_item_mod(&mut self, m: &'ast syn::ItemMod) {
        if !is_test(&m.attrs) {
            visit::visit_item_mod(self, m);
        }
    }

    fn visit_expr_binary(&mut self, e: &'ast syn::ExprBinary) {
        if !has_let(&e.left) && !has_let(&e.right) {
            let (left, right) = (self.text(&e.left), self.text(&e.right));
            let mutants = replaced(&e.op).iter().map(|op| {
                let was = &self.source[e.op.span().byte_range()];
                (format!("({left}) {op} ({right})"), format!("`{was}` is `{op}` in `{}`", self.function))
            });
            self.add(e.op.span(), e.span().byte_range(), mutants.collect());
        }
        visit::visit_expr_binary(self, e);
    }

    fn visit_expr_unary(&mut self, e: &'ast syn::ExprUnary) {
        if matches!(e.op, UnOp::Not(_) | UnOp::Neg(_)) && !matches!(*e.expr, Expr::Lit(_)) {
            let was = &self.source[e.op.span().byte_range()];
            let mutant = (self.text(&e.expr).to_string(), format!("`{was}` is left out in `{}`", self.function));
            self.add(e.op.span(), e.span().byte_range(), vec![mutant]);
        }
        visit::visit_expr_unary(self, e);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard
            && !has_let(guard)
        {
            let mutants = ["true", "false"].map(|v| (v.to_string(), format!("the guard is `{v}` in `{}`", self.function)));
            self.add(guard.span(), guard.span().byte_range(), mutants.to_vec());
        }
        visit::visit_arm(self, arm);
    }

    // What is evaluated when the program is built, or is no expression.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    fn visit_expr_repeat(&mut self, e: &'ast syn::ExprRepeat) {
        self.visit_expr(&e.expr);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let text = |a: &Attribute| match &a.meta {
        syn::Meta::List(l) => l.tokens.to_string(),
        _ => String::new(),
    };
    attributes.iter().any(|a| a.path().is_ident("test") || a.path().is_ident("cfg") && text(a).contains("test"))
}

/// Whether a part that belongs to the same chain of conditions is a `let`.
fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(b) => has_let(&b.left) || has_let(&b.right),
        _ => false,
    }
}

/// The operators that a mutant has in place of one.
fn replaced(op: &BinOp) -> &'static [&'static str] {
    match op {
        BinOp::Add(_) => &["-"],
        BinOp::Sub(_) | BinOp::Div(_) | BinOp::Rem(_) => &["+"],
        BinOp::Mul(_) => &["+"],
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::BitXor(_) | BinOp::BitAnd(_) => &["|"],
        BinOp::BitOr(_) => &["&"],
        BinOp::Shl(_) => &[">>"],
        BinOp::Shr(_) => &["<<"],
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::Lt(_) => &["<=", ">"],
        BinOp::Le(_) => &["<", ">"],
        BinOp::Gt(_) => &[">=", "<"],
        BinOp::Ge(_) => &[">", "<"],
        BinOp::AddAssign(_) => &["-="],
        BinOp::SubAssign(_) => &["+="],
        BinOp::MulAssign(_) => &["+="],
        BinOp::BitOrAssign(_) => &["&="],
        BinOp::BitAndAssign(_) | BinOp::BitXorAssign(_) => &["|="],
        BinOp::ShlAssign(_) => &[">>="],
        BinOp::ShrAssign(_) => &["<<="],
        _ => &[],
    }
}

/// Values that a function may return at once. Those that its type does not have are found by compiling them.
fn results(output: &ReturnType) -> Vec<&'static str> {
    let ReturnType::Type(_, t) = output else { return vec!["()"] };
    let Type::Path(path) = &**t else { return Vec::new() };
    let Some(last) = path.path.segments.last() else { return Vec::new() };
    match last.ident.to_string().as_str() {
        "bool" => vec!["true", "false"],
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => vec!["0", "1"],
        "Option" => vec!["None"],
        "Result" => vec!["Ok(Default::default())"],
        _ => vec!["Default::default()"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<String> {
        points(source).expect("it is Rust").into_iter().flat_map(|p| p.mutants).map(|(_, what)| what).collect()
    }

    #[test]
    fn operators_negations_guards_and_bodies_are_points() {
        assert_eq!(
            found("fn f(a: u32) -> bool { a < 2 }"),
            ["`f` returns `true`", "`f` returns `false`", "`<` is `<=` in `f`", "`<` is `>` in `f`"]
        );
        assert_eq!(found("fn g(x: &mut u32) { *x += 1; }"), ["`g` returns `()`", "`+=` is `-=` in `g`"]);
        assert_eq!(
            found("fn h(a: S) -> &T { match a { _ if !a.b => 1, _ => -c } }"),
            ["the guard is `true` in `h`", "the guard is `false` in `h`", "`!` is left out in `h`", "`-` is left out in `h`"]
        );
    }

    #[test]
    fn constants_tests_chains_with_let_and_a_body_that_is_the_mutant_are_not() {
        assert_eq!(found("const A: u32 = 1 + 2; static B: u32 = 1 << 3; enum E { X = 1 + 1 }"), [""; 0]);
        assert_eq!(found("const fn f() -> u32 { 1 + 2 }"), [""; 0]);
        assert_eq!(found("#[test] fn f() { g(1 + 2) } #[cfg(test)] mod m { fn g() { h(1 + 2) } }"), [""; 0]);
        assert_eq!(found("fn f(x: &T) -> &T { if a && let Some(b) = c { x } else { [0; 1 + 1]; x } }"), [""; 0]);
        assert_eq!(found("fn f() -> bool { true }"), ["`f` returns `false`"]);
    }
}
